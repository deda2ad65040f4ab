"""SQLite with a key: every contract of the store again, and what is true of an encrypted file only."""

import os
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import pytest

from hermes_agent.errors import DamagedStore, LockedHome, StoreError
from hermes_agent.ops import doctor, salvage
from hermes_agent.ops.steps import finish
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.store.contract import StoreContract
from tests.store.entity_contract import EntityContract
from tests.store.episode_contract import EpisodeContract
from tests.store.fact_contract import FactContract
from tests.store.outline_contract import OutlineContract
from tests.store.session_contract import SessionContract
from tests.store.talk import Open, found, say
from tests.store.vector_contract import VectorContract

KEY = os.urandom(48)
KEY_OF_ALL = bytes(range(48))


@pytest.fixture
def open_store(tmp_path: Path) -> Open:
    return lambda profile: Store(Sqlite(tmp_path / profile / "state.db", key=KEY), profile)


@pytest.fixture
def store(open_store: Open) -> Store:
    return open_store("default")


def path_of(store: Store) -> Path:
    assert isinstance(store.engine, Sqlite)
    return store.engine.path


class TestEncrypted(StoreContract):
    """The contract on an encrypted file."""


class TestEncryptedSessions(SessionContract):
    """The contract of sessions on an encrypted file."""


class TestEncryptedEpisodes(EpisodeContract):
    """The contract of episodes on an encrypted file."""


class TestEncryptedEntities(EntityContract):
    """The contract of things named on an encrypted file."""


class TestEncryptedFacts(FactContract):
    """The contract of facts on an encrypted file."""


class TestEncryptedVectors(VectorContract):
    """The contract of vectors on an encrypted file."""


class TestEncryptedOutlines(OutlineContract):
    """The contract of outlines on an encrypted file."""


def test_no_file_of_an_encrypted_store_holds_what_was_said(store: Store) -> None:
    say(store, "the password of the garden gate is Xyzzyland", "and Deborah knows it")
    files = list(path_of(store).parent.iterdir())
    assert len(files) >= 2, "the log lies beside the file while the store is open"
    doctor.vacuum(store)
    store.close()
    for file in {*files, *path_of(store).parent.iterdir()}:
        held = file.read_bytes().lower() if file.exists() else b""
        assert b"xyzzyland" not in held and b"deborah" not in held and b"sqlite format" not in held


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks into files that have no name")
def test_the_file_that_a_vacuum_works_in_is_encrypted(store: Store) -> None:
    seen: dict[str, bool] = {}

    def look() -> int:
        for handle in Path("/proc/self/fd").iterdir():
            with suppress(OSError):
                name = str(handle.readlink())
                held = handle.read_bytes() if "etilqs" in name else b""
                if held:
                    seen[name] = seen.get(name, False) or b"Xyzzyland" in held
        return 0

    with store.bare() as connection:
        connection.exec_driver_sql("CREATE TABLE said (words TEXT)")
        many = [(f"Xyzzyland {number} " * 40,) for number in range(2_000)]
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql("INSERT INTO said VALUES (?)", many)
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA cache_size = 10")
        bare = connection.connection.dbapi_connection
        assert bare is not None
        bare.set_progress_handler(look, 2_000)
        store.engine.vacuum(connection)
        bare.set_progress_handler(None, 0)
    assert list(seen.values()) == [False], "it was there, and told nothing"


def _say(place: str, number: int) -> list[int]:
    store = Store(Sqlite(Path(place), key=KEY_OF_ALL), "default")
    said = say(store, f"hello {number}", session=f"s{number}")
    store.close()
    return said


def test_processes_that_make_a_new_encrypted_file_at_once_read_each_other(tmp_path: Path) -> None:
    place = str(tmp_path / "state.db")
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as processes:
        said = list(processes.map(_say, [place] * 8, range(8)))
    assert sorted(number for numbers in said for number in numbers) == list(range(1, 9))
    assert len(found(Store(Sqlite(Path(place), key=KEY_OF_ALL), "default"), "hello")) == 8


@pytest.mark.parametrize("key", [b"\1" * 48, None])
def test_without_its_key_a_store_is_refused_untouched(store: Store, key: bytes | None) -> None:
    say(store, "hello")
    store.close()
    path = path_of(store)
    before = path.read_bytes()
    with (
        pytest.raises((DamagedStore, LockedHome), match="key of this home|encryption.json"),
        Store(Sqlite(path, key=key), "d").read(),
    ):
        pass
    assert (path.read_bytes(), [one.name for one in path.parent.iterdir()]) == (before, ["state.db"])


def test_a_plain_store_in_the_place_of_an_encrypted_one_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    plain = Store(Sqlite(path), "default")
    say(plain, "hello")
    plain.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not encrypted"), Store(Sqlite(path, key=KEY), "default").read():
        pass
    assert path.read_bytes() == before


def test_a_damaged_page_is_reported_and_the_rest_salvaged_into_an_encrypted_file(store: Store) -> None:
    for number in range(25):
        say(store, *(f"message {number} {i} " + "filler " * 60 for i in range(20)), session=f"s{number}")
    store.close()
    path = path_of(store)
    whole = bytearray(path.read_bytes())
    middle = len(whole) // 2 // 4096 * 4096
    whole[middle + 5] ^= 1
    path.write_bytes(whole)
    assert salvage.needs_salvage(store)
    saved = salvage.salvage(store)
    finish(doctor.rebuild(store))
    assert saved.set_aside.read_bytes() == bytes(whole), "the damaged file is kept as it was"
    assert doctor.check(store).is_well
    assert 400 <= saved.rows["messages"] <= 500
    assert len(found(store, "message", limit=1000)) == saved.rows["messages"]
    store.close()
    assert b"filler" not in path.read_bytes()
