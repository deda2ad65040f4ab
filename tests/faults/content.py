"""What the homes below a folder hold, as values to compare: every canonical row, every file of the owner.

What is derived (the cache), what tells of a process (locks, logs), and files that are not in place yet, whose
names begin with a dot, are left out. An encrypted home is read with its key: what it holds is compared, not how.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from hermes_agent.config import encryption, owner_key, private, renaming
from hermes_agent.config.paths import Home
from hermes_agent.crypto import unlocked
from hermes_agent.crypto.keys import Keys
from hermes_agent.store import canonical, conversion
from hermes_agent.store.canonical import Row
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.faults.running import KEY_FILE, PASSPHRASE

_NOT_OURS = ("cache", "logs", "daemon.pid", "memory.db")
_DATABASE = "state.db"
_HIDDEN_OWN = (".env",)


@dataclass(frozen=True, slots=True)
class Content:
    """The rows by table and key, a profile's under its own name; and the files by their path."""

    rows: Mapping[str, Mapping[str, Row]]
    files: Mapping[str, bytes]

    @property
    def counts(self) -> dict[str, int]:
        """How many rows each table has; tables without any are left out."""
        return {name: len(rows) for name, rows in self.rows.items() if rows}


def content_of(folder: Path) -> Content:
    """Read everything below a folder; the database is opened as the program would, its log included."""
    rows: dict[str, dict[str, Row]] = {}
    for home in _homes(folder / "home"):
        keys = list(keys_of(home, folder))
        for one in keys:
            unlocked.unlock((), one)
        if home.state_db.exists():
            rows |= {f"{home.profile}.{name}": found for name, found in _rows(home, keys)}
    return Content(rows, {_name(folder, file): private.read(file) for file in _files(folder)})


def keys_of(home: Home, folder: Path) -> Iterator[Keys]:
    """Yield the keys of an encrypted home, the former ones too while they are exchanged; of another none."""
    found = encryption.read(home)
    if found is None:
        return
    if found.source.kind == "key file":
        _, holder = owner_key.of_file(home, folder / KEY_FILE)
    else:
        holder = owner_key.of(home, found.source, lambda: PASSPHRASE)
    for wrapped in (found.wrapped, found.former):
        if wrapped is not None:
            yield encryption.opened(home, wrapped, holder, found.source.kind)


def _homes(root: Path) -> Iterator[Home]:
    yield Home(root, "default")
    for place in sorted((root / "profiles").glob("[!.]*")):
        yield Home(place, place.name)


def _rows(home: Home, keys: Sequence[Keys]) -> Iterator[tuple[str, dict[str, Row]]]:
    engines = [Sqlite(home.state_db), *(Sqlite(home.state_db, key=one.database) for one in keys)]
    # A database that none of the keys opens is opened without: its error tells.
    engine = next((one for one in engines if conversion.opens(one)), engines[0])
    opened = Store(engine, home.profile, former=renaming.former_name(home))
    with closing(opened) as store, store.read() as connection:
        for name, table in canonical.TABLES.items():
            named = [column.name for column in table.primary_key]
            found = canonical.rows(connection, name)
            yield name, {"/".join(str(row[key]) for key in named): row for row in found}


def _files(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        parts = file.relative_to(folder).parts
        is_hidden = any(part.startswith(".") and part not in _HIDDEN_OWN for part in parts)
        is_database = file.name.startswith(_DATABASE)
        if file.is_file() and not is_hidden and not is_database and not set(parts) & set(_NOT_OURS):
            yield file


def _name(folder: Path, file: Path) -> str:
    return file.relative_to(folder).as_posix()
