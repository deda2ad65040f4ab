"""Migrations killed with SIGKILL: before every single statement, and at random moments from outside.

Afterwards the store opens, has the shape it would have had, holds what it held, and is well.
"""

import signal
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from hermes_agent.ids import new_uid
from hermes_agent.memory.memory import Memory
from hermes_agent.ops import doctor
from hermes_agent.recall.looking import Request
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store.migrate import HEAD
from hermes_agent.store.postgres import schema_name
from tests.counts import count, record
from tests.postgres import server_address
from tests.proof.ledger import uids_by_session
from tests.proof.old_shapes import make_old
from tests.proof.places import open_at
from tests.proof.processes import Nursery, run_at_once, seeded, spin

FRESH = 100
OLDER = (FRESH, 101, 102, 103)
# Each starts processes for seconds: a reduced run tries an empty store and the one that has the longest way.
TRIED = OLDER[: count(2, len(OLDER))]


@pytest.mark.parametrize("revision", TRIED)
def test_a_migration_killed_before_any_statement_goes_on(tmp_path: Path, revision: int) -> None:
    chance = seeded("statements")
    shape = structure(whole(tmp_path / "whole.db", revision))
    damaged, kills = list[str](), 0
    with Nursery() as nursery:
        statements = count_statements(nursery, old(str(tmp_path / "counted.db"), revision)[0])
        assert statements > 10
        for number in chosen(chance, statements, count(5, statements)):
            place, uids = old(str(tmp_path / f"{number}.db"), revision)
            child = nursery.begin("migrate", place, str(number))
            told = list(child.tell())
            assert child.status == -signal.SIGKILL, told
            kills += 1
            damaged += [f"statement {number}: {problem}" for problem in problems(place, uids, shape)]
    record(f"kill.migrate.statements_from_{revision}", kills)
    record("kill.migrate.damaged", len(damaged))
    assert damaged == []


def test_a_migration_killed_at_any_moment_goes_on(tmp_path: Path) -> None:
    chance = seeded("moments")
    wanted = count(5, 50)
    damaged, kills, attempts = list[str](), 0, 0
    shapes = {revision: structure(whole(tmp_path / f"whole{revision}.db", revision)) for revision in OLDER}
    with Nursery() as nursery:
        while kills < wanted:
            attempts += 1
            assert attempts < 20 * wanted, "hardly any kill lands within a migration"
            revision = chance.choice(OLDER)
            place, uids = old(str(tmp_path / f"{attempts}.db"), revision)
            child = nursery.begin("migrate", place, "0")
            # Half of the kills are aimed at the commit, the shortest and most delicate part.
            moment, longest = chance.choice((("begun", 0.1), ("committing", 0.01)))
            told = []
            for line in child.tell():
                told.append(line)
                if line == moment:
                    break
            spin(chance.uniform(0, longest))
            told += child.kill()
            assert child.status == -signal.SIGKILL, told
            # The mark of the profile is a second, tiny transaction; a kill after it comes too late.
            kills += not told[-1].startswith("done")
            damaged += [f"{attempts}: {problem}" for problem in problems(place, uids, shapes[revision])]
    record("kill.migrate.kills", kills)
    record("kill.migrate.damaged", len(damaged))
    assert damaged == []


@pytest.mark.parametrize("revision", TRIED)
def test_a_migration_killed_on_postgres_goes_on(revision: int) -> None:
    chance = seeded("postgres")
    damaged = []
    with Nursery() as nursery:
        statements = count_statements(nursery, old(new_schema(), revision)[0])
        for number in chosen(chance, statements, count(2, 12)):
            place, uids = old(new_schema(), revision)
            child = nursery.begin("migrate", place, str(number))
            told = list(child.tell())
            assert child.status == -signal.SIGKILL, told
            damaged += [f"statement {number}: {problem}" for problem in problems(place, uids, None)]
    assert damaged == []


@pytest.mark.parametrize("revision", TRIED)
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_processes_that_migrate_at_once_do_it_once(tmp_path: Path, engine: str, revision: int) -> None:
    for attempt in range(count(1, 3)):
        place, uids = old(str(tmp_path / f"{attempt}.db") if engine == "sqlite" else new_schema(), revision)
        together = count(2, 4)
        told = run_at_once(*[("migrate", place, "0", "wait")] * together)
        assert [lines[-1].split(" ")[0] for lines in told] == ["done"] * together, told
        assert problems(place, uids, None) == []


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_of_profiles_that_open_a_new_store_at_once_one_gets_it(tmp_path: Path, engine: str) -> None:
    for attempt in range(count(1, 5)):
        place = str(tmp_path / f"{attempt}.db") if engine == "sqlite" else new_schema()
        owners = ("one", "two", "three", "four")[: count(2, 4)]
        told = run_at_once(*(("migrate", place, "0", "wait", owner) for owner in owners))
        has_it = [owner for owner, lines in zip(owners, told, strict=True) if lines[-1].startswith("done")]
        assert len(has_it) == 1, has_it
        refused = ["\n".join(lines) for lines in told if not lines[-1].startswith("done")]
        assert all(f"is the memory of profile {has_it[0]!r}" in text for text in refused), refused


def new_schema() -> str:
    return f"{server_address()}#{schema_name(new_uid())}"


def old(place: str, revision: int) -> tuple[str, list[str]]:
    """Make a store of an older shape; FRESH is one that does not exist yet."""
    return place, [] if revision == FRESH else make_old(place, revision)


def whole(path: Path, revision: int) -> str:
    """Make a store of an older shape and migrate it undisturbed."""
    place, _ = old(str(path), revision)
    with open_at(place).read():
        pass
    return place


def count_statements(nursery: Nursery, place: str) -> int:
    child = nursery.begin("migrate", place, "0")
    for line in child.tell():
        if line.startswith("done"):
            child.kill()
            return int(line.split(" ")[1])
    raise AssertionError(f"the migration ended with {child.status}")


def chosen(chance: Random, statements: int, number: int) -> Sequence[int]:
    """Choose statements, numbered from 1."""
    return sorted(chance.sample(range(1, statements + 1), min(number, statements)))


def structure(place: str) -> set[str]:
    """Return everything a SQLite file says of its tables and indexes."""
    store = open_at(place)
    with store.read() as connection:
        said = set(connection.execute(text("SELECT coalesce(sql, name) FROM sqlite_schema")).scalars())
    store.close()
    return said


def problems(place: str, uids: list[str], shape: set[str] | None) -> list[str]:
    """Open the store, use it, and return everything that is not as it should be."""
    store = open_at(place)
    memory = Memory(store, "default")
    memory.append(memory.begin(NewSession(id="new")), NewMessage("user", "a newer word"))
    with store.read() as connection:
        numbers = connection.execute(text("SELECT version FROM schema_version")).scalars().all()
        revisions = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    found = list(doctor.check(store).problems)
    if (numbers, revisions) != ([HEAD], [str(HEAD)]):
        found.append(f"its shape is {numbers}, {revisions}")
    if uids_by_session(store).get("old", []) != uids:
        found.append("messages are missing")
    for word in ("newer", *(["older", "docker", "机器"] if uids else [])):
        if not memory.discover(Request(word)).results:
            found.append(f"{word} is not found")
    store.close()
    if shape is not None and structure(place) != shape:
        found.append("its tables differ from those of an undisturbed migration")
    return found
