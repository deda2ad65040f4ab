"""Take over another Hermes home: its conversations, notes and skills, into this profile.

The source is only read. In our own home, where its database stands in the place of ours, the
database is set aside first; if we die on the way, running again goes on. Every step can be done
twice: sessions by their ids and uids, files by their content.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_agent.config.paths import Home
from hermes_agent.errors import NotFound, UsageError
from hermes_agent.ops.aside import all_aside, set_aside
from hermes_agent.ops.fields import Malformed
from hermes_agent.ops.home_files import FileReport, take_notes, take_skills
from hermes_agent.ops.incoming import Incoming, read_session
from hermes_agent.ops.merge import ImportReport, bring_in, foresee
from hermes_agent.ops.session_files import Broken
from hermes_agent.ops.steps import Step
from hermes_agent.store.foreign import ForeignArchive, identify, open_foreign
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store


@dataclass(frozen=True, slots=True)
class Source:
    """What is taken over: a home's folder, or None for a database alone; its databases."""

    folder: Path | None
    databases: tuple[Path, ...]
    is_own: bool
    """Whether the databases stand where our store belongs."""
    archive: Path | None = None
    """The archive that the folder was unpacked from, for people: the folder will be gone."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken from one database, of which version; `aside` is where it lies now, if it was moved."""

    database: Path
    version: int | None
    sessions: ImportReport
    aside: Path | None = None


@dataclass(frozen=True, slots=True)
class TakeoverReport:
    """What was taken over, or would be."""

    is_dry: bool
    databases: tuple[Taken, ...]
    notes: tuple[FileReport, ...]
    skills: tuple[FileReport, ...]


def find_source(path: Path | None, home: Home, store_file: Path | None) -> Source:
    """Find what `path` offers: a home, or a database; our own home if it is None.

    `store_file` is the file of our SQLite store; None if the store is elsewhere.
    """
    ours = tuple(dict.fromkeys(place.resolve() for place in (home.state_db, store_file) if place is not None))
    if path is None or path.resolve() == home.root.resolve():
        return Source(home.root, ours, is_own=True)
    if path.resolve() in ours:
        return Source(None, (path.resolve(),), is_own=True)
    if path.is_dir() and home.root.resolve().is_relative_to(path.resolve()):
        raise UsageError(
            f"{path} holds this profile's own home, {home.root}.",
            hint="Copy that home elsewhere first, or give only its state.db.",
        )
    if path.is_dir():
        return Source(path.resolve(), tuple(_database_in(path.resolve())), is_own=False)
    if not path.exists():
        raise NotFound(f"There is nothing at {path}.", hint="Give a Hermes home, or its state.db.")
    return Source(None, (path.resolve(),), is_own=False)


def take_over(
    source: Source, home: Home, store: Store | None, *, is_dry: bool = False, takes_any_version: bool = False
) -> Generator[Step, None, TakeoverReport]:
    """Take over everything; with `is_dry` only tell what would be done.

    The store is first touched after a database in its place was set aside. It may be None in a dry
    run, when there is none yet.
    """
    databases: list[Taken] = []
    for database in source.databases:
        for place in _places(database, store) if source.is_own else [database]:
            # Looked into before it is moved: what cannot be taken over stays where it is.
            with open_foreign(place, takes_any_version=takes_any_version):
                pass
            moves = source.is_own and place == database and not is_dry
            aside = set_aside(place) if moves else None
            taken = yield from _take_database(
                aside or place, store, source.archive, is_dry=is_dry, takes_any_version=takes_any_version
            )
            databases.append(replace(taken, database=source.archive or place, aside=aside))
    notes: tuple[FileReport, ...] = ()
    skills: tuple[FileReport, ...] = ()
    if source.folder is not None:
        yield Step("notes and skills", 0)
        notes = tuple(take_notes(source.folder, home, is_dry=is_dry))
        skills = tuple(take_skills(source.folder, home, is_dry=is_dry))
    if not (databases or notes or skills or source.is_own):
        raise NotFound(
            f"{source.archive or source.folder} holds nothing of Hermes: no state.db, no notes, no skills.",
            hint="Give the folder of a Hermes home, or its state.db.",
        )
    return TakeoverReport(is_dry, tuple(databases), notes, skills)


def _database_in(folder: Path) -> Iterator[Path]:
    database = Home(folder, "").state_db
    if not database.exists():
        return
    if not database.resolve().is_relative_to(folder):
        raise UsageError(
            f"{database} is a link that leads out of the home.",
            hint=f"Take the database over by itself: hermes import {database.resolve()}",
        )
    yield database


def _places(database: Path, store: Store | None) -> list[Path]:
    """Return what is to be taken over in our own place: the foreign file, and what was set aside before."""
    engine = None if store is None else store.engine
    kind = identify(database, engine.key if isinstance(engine, Sqlite) else None)
    if kind == "other":
        raise UsageError(f"{database} is not a database of Hermes; it was not touched.")
    earlier = all_aside(database)
    if kind != "hermes":
        return earlier
    return [*(place for place in earlier if not place.samefile(database)), database]


def _take_database(
    database: Path, store: Store | None, archive_file: Path | None, *, is_dry: bool, takes_any_version: bool
) -> Generator[Step, None, Taken]:
    broken: list[Broken] = []
    with open_foreign(database, takes_any_version=takes_any_version) as archive:
        incoming_sessions, total = _incoming(archive, broken), archive.session_count()
        if is_dry:
            report = yield from foresee(store, incoming_sessions, total)
        else:
            assert store is not None, "only a dry run needs no store"
            report = yield from bring_in(store, incoming_sessions, total, str(archive_file or database))
        version = archive.version
    report = replace(report, broken=tuple(broken))
    return Taken(database, version, report)


def _incoming(archive: ForeignArchive, broken: list[Broken]) -> Iterator[Incoming]:
    """Yield the sessions of an archive; one that cannot be understood is set down and left out."""
    for row in archive.sessions():
        messages = [dict(message) for message in archive.messages(row["_place"])]
        line = {**{name: value for name, value in row.items() if name != "_place"}, "messages": messages}
        try:
            yield read_session(line).as_import()
        except Malformed as error:
            broken.append(Broken(f"session {row['id']}", str(error)))
