"""`workspace/REFLECTIONS.md`: the reflections for people to read, below what they wrote there themselves.

Machines may share a store, but each has a file: which state it was last written with is kept beside it.
"""

from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.paths import in_step
from hermes_agent.errors import UsageError
from hermes_agent.notes.files import NoteFile, Unreadable
from hermes_agent.records.reflections import Reflection
from hermes_agent.store import reflections
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

MARK = "<!-- Below this line hermes writes; what is above it is yours and stays. -->"
MOST = 200
_HEADING = (
    "# Reflections\n\nWhat tasks taught, the latest first. Delete one: `hermes memory reflections delete ID`."
)


def is_behind(connection: Connection, path: Path) -> bool:
    """Tell whether the reflections are others than when this machine's file was last written."""
    found = _mark(path).read()
    written = reflections.EMPTY if isinstance(found, Unreadable) else found.text
    return reflections.state(connection) != written


def write(store: Store, path: Path, zone: tzinfo | None) -> bool:
    """Bring the file in step with the reflections; tell whether it had to change."""
    file = NoteFile(path, path.name)
    store.refuse_lost()  # to hold a file makes its folder
    with file.held():
        with store.read() as connection:
            made, state = reflections.recent(connection, MOST), reflections.state(connection)
        file.tidy_up()
        found = file.read()
        if isinstance(found, Unreadable):
            raise UsageError(file.unreadable(found))
        text = _beside_own(found.text, rendered(made, zone)) if made or MARK in found.text else found.text
        if text != found.text:
            file.write(text)
        _mark(path).write(state)
    return text != found.text


def _mark(path: Path) -> NoteFile:
    place = in_step(path)
    return NoteFile(place, place.name)


def rendered(made: Sequence[Reflection], zone: tzinfo | None) -> str:
    """Write reflections as Markdown."""
    return "\n\n".join([_HEADING, *(_section(one, zone) for one in made)]) + "\n"


def _section(one: Reflection, zone: tzinfo | None) -> str:
    day = clock.to_datetime(one.began_at, zone).date()
    often = f", {one.occurrences} times" if one.occurrences > 1 else ""
    lines = [f"## {day} · {one.task_type} · {one.outcome}{often}", "", one.task, ""]
    lines += [f"- Differently: {each}" for each in one.differently]
    lines += [f"- Worked: {each}" for each in one.worked]
    return "\n".join([*lines, f"- {one.name}"])


def _beside_own(text: str, ours: str) -> str:
    own, mark, _ = text.partition(MARK)
    above = own if mark else f"{own.rstrip()}\n\n" if own.strip() else ""
    return f"{above}{MARK}\n\n{ours}"
