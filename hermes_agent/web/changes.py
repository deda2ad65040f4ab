"""After a change: back to a page that says what was done and offers to undo it.

The page is told by the uid of the journal's entry, so that loading it again says the same and changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from fastapi.responses import RedirectResponse, Response

from hermes_agent.app import App
from hermes_agent.errors import HermesError
from hermes_agent.ids import is_uid
from hermes_agent.memory.undoable import can_be_undone, is_change
from hermes_agent.records.journal import Entry
from hermes_agent.store import journal
from hermes_agent.web import effects
from hermes_agent.web.callers import TheApp
from hermes_agent.web.effects import Part
from hermes_agent.web.problems import PreconditionFailed

_MEANWHILE = "It was changed meanwhile, and nothing of yours was saved; here is how it is now."
TYPED_STAYS = "What you typed is still there, below."
"""What is said where something was refused since somebody else was quicker."""


@dataclass(frozen=True, slots=True)
class Made:
    """A change that was just made."""

    entry: Entry
    is_undoable: bool
    parts: Sequence[Part]
    """What the entry says, with the words of the facts it names."""


def _begun(app: TheApp) -> int:
    with app.store.read() as connection:
        return journal.last_id(connection)


Begun = Annotated[int, Depends(_begun)]
"""The journal's last entry when a change was asked for: what comes after it may be that change."""


def shown(app: App, path: str, begun: int, *subjects: str) -> Response:
    """Go to a page that tells the change of one of the subjects that was made; of none if nothing changed."""
    with app.store.read() as connection:
        found = [entry for subject in subjects for entry in journal.recent(connection, 1, subject=subject)]
    latest = max((entry for entry in found if entry.id > begun), key=lambda entry: entry.id, default=None)
    return RedirectResponse(path if latest is None else f"{path}?done={latest.uid}", status_code=303)


def too_late(error: HermesError, *, is_typed: bool = True) -> HermesError:
    """Word a refusal for the page that shows the thing as it is now, with what was typed, if anything was."""
    if not isinstance(error, PreconditionFailed):
        return error
    return PreconditionFailed(_MEANWHILE, hint=TYPED_STAYS if is_typed else None)


def made(app: App, uid: str) -> Made | None:
    """Return the change a page was asked to tell of; None if there is no such one."""
    if not is_uid(uid):
        return None
    with app.store.read() as connection:
        entry = journal.get(connection, uid)
    if entry is None:
        return None
    parts = effects.worded(entry.text, effects.texts(app, [entry.text]))
    return Made(entry, is_change(entry) and can_be_undone(entry), parts)
