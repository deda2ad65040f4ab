"""Carry sessions between stores: out as JSON lines or Markdown, in from JSON.

An export is one read transaction, so it shows one moment, and it never holds more than a block of
messages. An import reads the file twice: the first time it only checks, and a file with one broken
entry is refused whole, before anything is written, unless broken entries are to be skipped.
"""

from collections.abc import Generator, Iterator
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path
from typing import BinaryIO, Literal

from hermes_agent.errors import UsageError
from hermes_agent.ops.incoming import Incoming
from hermes_agent.ops.markdown import write_transcript
from hermes_agent.ops.merge import ImportReport, bring_in
from hermes_agent.ops.session_files import ENTRY_LIMIT_BYTES, Broken, read_file
from hermes_agent.ops.session_lines import write_line
from hermes_agent.ops.steps import Step
from hermes_agent.records.archive import Session, State
from hermes_agent.store import messages, sessions
from hermes_agent.store.engine import Connection
from hermes_agent.store.sessions import Listing
from hermes_agent.store.store import Store

Form = Literal["jsonl", "markdown"]

_EVERY_STATE: tuple[State, ...] = ("live", "compacted", "rewound")
_SHOWN_BROKEN = 5
_SKIP = "Mend the file, or add --skip-broken to import the rest."


def export(
    store: Store,
    out: BinaryIO,
    form: Form,
    *,
    session: str | None = None,
    within: Listing | None = None,
    zone: tzinfo | None = None,
) -> Generator[Step, None, int]:
    """Write sessions in the order they began; return how many.

    `session` is a name as a person gives it, `within` keeps to a source and a time. JSON lines hold
    rewound messages too, a transcript does not.
    """
    with store.read() as connection:
        if session is not None:
            ids = [sessions.require(connection, session).id]
        else:
            ids = sessions.every_id(connection, within)
        for done, session_id in enumerate(ids):
            yield Step("sessions", done, len(ids))
            found = sessions.get(connection, session_id)
            assert found is not None, "a transaction sees one moment"
            for piece in _pieces(connection, found, form, zone):
                out.write(piece.encode("utf-8"))
    yield Step("sessions", len(ids), len(ids))
    return len(ids)


_HELD_BYTES = 64 << 20
"""Up to this size a file's sessions are held between checking and importing; a larger file is read twice."""


def import_file(
    store: Store,
    path: Path,
    *,
    name: str | None = None,
    skips_broken: bool = False,
    is_own: bool = False,
    limit_bytes: int = ENTRY_LIMIT_BYTES,
    hint: str = _SKIP,
) -> Generator[Step, None, ImportReport]:
    """Check the file, then bring its sessions in; `name` is what the journal calls it.

    `is_own` is the owner's word that they exported it: else nothing in it counts as said by them.
    """
    broken: list[Broken] = []
    held: list[Incoming] = []
    is_small = path.is_file() and path.stat().st_size <= _HELD_BYTES
    total = 0
    for entry in read_file(path, limit_bytes, is_own=is_own):
        if isinstance(entry, Broken):
            broken.append(entry)
        else:
            total += 1
            if is_small:
                held.append(entry)
            yield Step("checked", total)
    if broken and not skips_broken:
        raise _refusal(name or str(path), broken, hint)
    again = _readable(path, limit_bytes, skips_broken=skips_broken, is_own=is_own)
    report = yield from bring_in(store, held if is_small else again, total, name or str(path))
    return replace(report, broken=tuple(broken))


def _pieces(connection: Connection, session: Session, form: Form, zone: tzinfo | None) -> Iterator[str]:
    if form == "markdown":
        return write_transcript(session, messages.of_session(connection, session.id), zone)
    prompt = sessions.prompt_of(connection, session)
    return write_line(session, prompt, messages.of_session(connection, session.id, states=_EVERY_STATE))


def _readable(path: Path, limit_bytes: int, *, skips_broken: bool, is_own: bool) -> Iterator[Incoming]:
    for entry in read_file(path, limit_bytes, is_own=is_own):
        if isinstance(entry, Incoming):
            yield entry
        elif not skips_broken:
            raise _refusal(str(path), [entry], _SKIP)  # the file changed since it was checked


def _refusal(name: str, broken: list[Broken], hint: str) -> UsageError:
    shown = "; ".join(str(one) for one in broken[:_SHOWN_BROKEN])
    more = f"; and {len(broken) - _SHOWN_BROKEN} more" if len(broken) > _SHOWN_BROKEN else ""
    return UsageError(f"{name} was not imported: {shown}{more}.", hint=hint)
