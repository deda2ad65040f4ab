"""The SQLite engine: the contract, and what only a file can go through."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import select

from hermes_agent.errors import DamagedStore, ForeignStore, NewerStore, StoreBusy, StoreError, StoreReadOnly
from hermes_agent.memory.memory import Memory
from hermes_agent.ops import doctor, salvage
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import messages
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.migrate import HEAD
from hermes_agent.store.sqlite import APPLICATION_ID, Sqlite, driver
from hermes_agent.store.store import Store
from hermes_agent.store.tables import sketches
from tests.store.contract import StoreContract
from tests.store.entity_contract import EntityContract
from tests.store.episode_contract import EpisodeContract, turn
from tests.store.fact_contract import FactContract
from tests.store.outline_contract import OutlineContract
from tests.store.session_contract import SessionContract
from tests.store.talk import Open, found, say
from tests.store.vector_contract import VectorContract


@pytest.fixture
def open_store(tmp_path: Path) -> Open:
    return lambda profile: Store(Sqlite(tmp_path / profile / "state.db"), profile)


@pytest.fixture
def store(open_store: Open) -> Store:
    return open_store("default")


def path_of(store: Store) -> Path:
    assert isinstance(store.engine, Sqlite)
    return store.engine.path


class TestSqlite(StoreContract):
    """The contract on SQLite."""


class TestSqliteSessions(SessionContract):
    """The contract of sessions on SQLite."""


class TestSqliteEpisodes(EpisodeContract):
    """The contract of episodes on SQLite."""


class TestSqliteEntities(EntityContract):
    """The contract of things named on SQLite."""


class TestSqliteFacts(FactContract):
    """The contract of facts on SQLite."""


class TestSqliteVectors(VectorContract):
    """The contract of vectors on SQLite."""


class TestSqliteOutlines(OutlineContract):
    """The contract of outlines on SQLite, without a cache folder."""


def plain(path: Path, *statements: str) -> list[tuple[object, ...]]:
    """Run statements with the bare driver, as any SQLite client would."""
    connection = driver().connect(path)
    rows: list[tuple[object, ...]] = []
    for statement in statements:
        rows = connection.execute(statement).fetchall()
    connection.commit()
    connection.close()
    return rows


def test_any_client_reads_the_tables_and_the_shape(store: Store) -> None:
    say(store, "hello docker")
    path = path_of(store)
    assert plain(path, "SELECT version FROM schema_version") == [(HEAD,)]
    assert plain(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert plain(path, "SELECT role, content FROM messages") == [("user", "hello docker")]
    rows = plain(
        path,
        "SELECT messages.content FROM messages JOIN messages_fts ON messages.id = messages_fts.rowid"
        " WHERE messages_fts MATCH 'docker'",
    )
    assert rows == [("hello docker",)]


def test_connections_are_durable_and_check_references(store: Store) -> None:
    with store.read() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 60_000}


def test_the_file_belongs_to_its_owner_alone(store: Store) -> None:
    say(store, "x")
    assert path_of(store).stat().st_mode & 0o777 == 0o600


def test_a_foreign_database_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    plain(path, "CREATE TABLE sessions (id)", "CREATE TABLE schema_version (version)")
    before = path.read_bytes()
    with pytest.raises(ForeignStore, match="another program"), Store(Sqlite(path), "default").read():
        pass
    assert path.read_bytes() == before


def test_a_newer_shape_is_refused(store: Store) -> None:
    say(store, "x")
    store.close()
    plain(path_of(store), f"UPDATE schema_version SET version = {HEAD + 1}")
    with pytest.raises(NewerStore, match=f"shape {HEAD + 1}"), store.read():
        pass


def test_another_profiles_store_is_refused(store: Store) -> None:
    say(store, "x")
    with pytest.raises(StoreError, match="memory of profile 'default', not of 'work'"):
        say(Store(Sqlite(path_of(store)), "work"), "y")


@pytest.mark.parametrize("content", [b"\0" * 8192, b"hello, not a database" * 200])
def test_a_file_that_is_no_database_is_refused_untouched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.db"
    path.write_bytes(content)
    with pytest.raises(DamagedStore, match="first bytes are wrong"), Store(Sqlite(path), "default").read():
        pass
    assert path.read_bytes() == content


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.touch()
    assert say(Store(Sqlite(path), "default"), "hello") == [1]


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is not a file"), Store(Sqlite(tmp_path), "default").read():
        pass


def test_a_read_only_store_says_so(store: Store) -> None:
    say(store, "x")
    store.close()
    readonly = Store(Sqlite(path_of(store), is_readonly=True), "default")
    assert found(readonly, "x") == [1]
    with pytest.raises(StoreReadOnly):
        say(readonly, "y")


def test_a_store_that_stays_locked_is_busy(store: Store) -> None:
    say(store, "x")
    impatient = Store(Sqlite(path_of(store), busy_seconds=0.05), "default")
    with impatient.read():
        pass
    with store.write(), pytest.raises(StoreBusy, match="nothing was changed|Another process"):
        say(impatient, "y")


def test_a_new_file_that_another_process_is_just_making_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.touch()
    other = driver().connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as threads:
        opening = threads.submit(say, Store(Sqlite(path), "default"), "x")
        with pytest.raises(TimeoutError):
            opening.result(timeout=0.2)
        other.execute("ROLLBACK")
        opening.result(timeout=60)
    other.close()
    assert found(Store(Sqlite(path), "default"), "x") == [1]


def test_a_full_disk_loses_nothing_that_was_kept(store: Store) -> None:
    say(store, "before", session="s")
    with store.read() as connection:
        pages = int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())
    with pytest.raises(StoreError, match="full"), store.write() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        messages.append(connection, store.engine, "s", [_long()])
    store.close()
    assert found(store, "before") == [1]
    assert doctor.check(store).is_well


def _long() -> NewMessage:
    return NewMessage("user", "x" * 2_000_000)


def test_a_damaged_page_is_reported_and_the_rest_salvaged(store: Store) -> None:
    for number in range(40):
        say(store, *(f"message {number} {i} " + "filler " * 60 for i in range(20)), session=f"s{number}")
    store.close()
    path = path_of(store)
    whole = bytearray(path.read_bytes())
    middle = len(whole) // 2 // 4096 * 4096
    whole[middle : middle + 4096 * 3] = os.urandom(4096 * 3)
    path.write_bytes(whole)
    assert salvage.needs_salvage(store)
    saved = salvage.salvage(store)
    finish(doctor.rebuild(store))
    assert saved.set_aside.read_bytes() == bytes(whole), "the damaged file is kept as it was"
    assert doctor.check(store).is_well
    assert 700 <= saved.rows["messages"] <= 800
    assert len(found(store, "message", limit=1000)) == saved.rows["messages"]


def test_once_the_index_is_rebuilt_and_vacuumed_nothing_of_a_deleted_session_is_in_the_file(store: Store) -> None:
    memory = Memory(store, "default")
    for name, word in (("gone", "Xyzzyland"), ("stays", "Deborah")):
        memory.begin(NewSession(id=name))
        turn(memory, name, f"We went to {word}, you know.", f"So {word} it is.")
    memory.delete(["gone"], cause="test")
    finish(doctor.rebuild(store))
    doctor.vacuum(store)
    store.close()
    whole = b"".join(file.read_bytes() for file in path_of(store).parent.iterdir()).lower()
    assert (b"xyzzyland" in whole, b"deborah" in whole) == (False, True)


def test_a_list_of_ids_is_looked_up_in_the_index(store: Store) -> None:
    with store.read() as connection:
        query = select(sketches).where(sketches.c.version == 1, is_in(sketches.c.episode_id))
        sql = str(query.compile(dialect=connection.dialect))
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", (1, "[1, 2]")).all()
    assert "SEARCH sketches USING INDEX sketches_by_episode (episode_id=?)" in [row[3] for row in plan]


def test_threads_share_one_store(store: Store) -> None:
    def work(number: int) -> None:
        for i in range(20):
            say(store, f"thread{number} {i}", session=f"s{number}")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as connection:
        assert messages.count(connection) == 80


def test_without_wal_the_rollback_journal_is_used(tmp_path: Path) -> None:
    store = Store(Sqlite(tmp_path / "state.db", uses_wal=False), "default")
    say(store, "x")
    with store.read() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "delete"
