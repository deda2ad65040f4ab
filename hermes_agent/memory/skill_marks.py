"""`.synced.json`: to which state each skill's folder was last brought, by each store that it was in step with.

What differs from its mark was changed by hand. A mark is of no use to a store that never made it, nor to an
earlier copy of that store, put back: with the marks stands the latest change in the journal, and a store that
lacks it, though its journal goes back further, knows less than the folder. While a folder is written its mark
holds the digests of its files before and after: what a kill leaves is some of both, and anything else was done by
hand.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from hermes_agent.config import private
from hermes_agent.config.private import replace_text
from hermes_agent.records.archive import Json
from hermes_agent.skills import folder as folders
from hermes_agent.skills.validation import DOCUMENT
from hermes_agent.store import journal
from hermes_agent.store.store import Store
from hermes_agent.text import outside_json

SYNCED = ".synced.json"
_MOST_STORES = 10
"""A program that makes a new store each time does not make the file grow for ever."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The folder was being written: the digests of its files before and after, by their names."""

    before: Mapping[str, str]
    after: Mapping[str, str]

    def explains(self, files: Mapping[str, str]) -> bool:
        """Tell whether what is there is all of this, of that, or some of both."""
        if not files:  # also a folder that was put away, to make room for one that can be read
            return DOCUMENT not in self.before or DOCUMENT not in self.after
        found = folders.digests(files)
        names = {*found, *self.before, *self.after}
        return all(found.get(name) in (self.before.get(name), self.after.get(name)) for name in names)

    @property
    def aim(self) -> str | None:
        """The state that it was being brought to."""
        return folders.of_digests(self.after) if DOCUMENT in self.after else None


Mark = str | Interrupted | None


@dataclass(slots=True)
class Marks:
    """The marks of one store; `is_known` is false where it never was in step with the folder, or is too old."""

    folder: Path
    store_uid: str
    entry: str | None
    is_known: bool
    skills: dict[str, Mark]
    others: dict[str, Json]
    """Those of other stores, as they are written."""

    def write(self) -> None:
        """Bring them to the disk."""
        own = {name: asdict(mark) if isinstance(mark, Interrupted) else mark for name, mark in self.skills.items()}
        others = dict(list(self.others.items())[1 - _MOST_STORES :])
        mine = {"entry": self.entry, "skills": dict(sorted(own.items()))}
        replace_text(self.folder / SYNCED, json.dumps({**others, self.store_uid: mine}, indent=1) + "\n")


def read(store: Store, folder: Path) -> Marks:
    """Return what a store knows of a folder."""
    uid, written = store.uid, _written(folder)
    own = written.pop(uid, None)
    entry = own.get("entry") if isinstance(own, dict) else None
    latest = last_entry(store)
    is_there = entry is None or (isinstance(entry, str) and _is_known(store, entry))
    marks = own.get("skills") if isinstance(own, dict) else None
    if not is_there or not isinstance(marks, dict):
        return Marks(folder, uid, latest, False, {}, written)
    return Marks(folder, uid, latest, True, {name: _mark(one) for name, one in marks.items()}, written)


def last_entry(store: Store) -> str | None:
    """Return the latest change that a store knows of."""
    with store.read() as connection:
        return journal.last_change(connection)


def _is_known(store: Store, entry: str) -> bool:
    """Tell whether a store has a change, or had it before its journal was emptied."""
    with store.read() as connection:
        return journal.get(connection, entry) is not None or journal.was_emptied_after(connection, entry)


def _written(folder: Path) -> dict[str, Json]:
    try:
        read = outside_json.read(private.read(folder / SYNCED))
    except OSError:
        return {}
    marks = read.items() if isinstance(read, dict) else ()
    return {uid: one for uid, one in marks if isinstance(one, dict)}


def _mark(written: Json) -> Mark:
    if isinstance(written, dict):
        before, after = written.get("before"), written.get("after")
        return Interrupted(_digests(before), _digests(after))
    return written if isinstance(written, str) else None


def _digests(written: Json) -> dict[str, str]:
    return {name: str(one) for name, one in written.items()} if isinstance(written, dict) else {}
