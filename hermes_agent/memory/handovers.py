"""What was handed over, as the journal of a profile tells it: what it gave, what it got, what was taken back."""

import re
from collections.abc import Sequence

from hermes_agent.errors import NotFound, UsageError
from hermes_agent.records.handover import REVOKED, Direction, Handover, HandoverState, handover_name, told_items
from hermes_agent.records.journal import Entry
from hermes_agent.store import journal
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.clean import preview

KIND = "handover"
SENT, ARRIVED, RECEIVED = f"{KIND}.sent", f"{KIND}.arrived", f"{KIND}.received"
_TYPED = re.compile(r"(?:handover:)?(?P<uid>[0-9a-f-]{6,36})")


def listed(store: Store) -> list[Handover]:
    """Return the hand-overs a profile took part in, the newest first."""
    with store.read() as connection:
        return read(connection)


def read(connection: Connection) -> list[Handover]:
    """Return the hand-overs that the journal tells of, the newest first."""
    entries = journal.of_kinds(connection, [KIND])
    later: dict[str, set[str]] = {}
    for entry in entries:
        later.setdefault(entry.subject, set()).add(entry.kind)
    return [
        found
        for entry in entries
        if entry.kind in (SENT, RECEIVED) and (found := _handover(entry, later[entry.subject])) is not None
    ]


def is_revoked(connection: Connection, uid: str) -> bool:
    """Tell whether a hand-over was taken back here, or is never to come."""
    return any(entry.kind == REVOKED for entry in journal.of_subjects(connection, [handover_name(uid)]))


def uid_beginning(typed: str) -> str:
    """Read the id of a hand-over, or the beginning of one, as a person writes it."""
    match = _TYPED.fullmatch(typed.strip().lower())
    if match is None:
        raise UsageError(
            f"{preview(typed)!r} is not the id of a hand-over.", hint="List them: hermes profile handovers"
        )
    return match["uid"].replace("-", "")


def named(found: Sequence[Handover], typed: str) -> Handover | None:
    """Return the one hand-over that is meant, None if none is."""
    beginning = uid_beginning(typed)
    meant = [one for one in found if one.uid.replace("-", "").startswith(beginning)]
    if len({one.uid for one in meant}) > 1:
        raise UsageError(f"{preview(typed)!r} is the beginning of several hand-overs.", hint="Write the id whole.")
    return meant[0] if meant else None


def require(store: Store, typed: str) -> Handover:
    """Return the hand-over that is meant and that this profile took part in."""
    found = named(listed(store), typed)
    if found is None:
        raise NotFound(
            f"There is no hand-over {preview(typed)!r} here.", hint="List them: hermes profile handovers"
        )
    return found


def _handover(entry: Entry, kinds: set[str]) -> Handover | None:
    told = entry.after if isinstance(entry.after, dict) else {}
    uid = told.get("handover")
    if not isinstance(uid, str):
        return None  # its words were forgotten
    direction: Direction = "sent" if entry.kind == SENT else "received"
    has_come = direction == "received" or ARRIVED in kinds
    state: HandoverState = "revoked" if REVOKED in kinds else "arrived" if has_come else "begun"
    session = told.get("session")
    return Handover(
        uid,
        direction,
        str(told.get("from")),
        str(told.get("to")),
        entry.at,
        state,
        told_items(told.get("items")),
        session if isinstance(session, str) else None,
        entry.actor,
    )
