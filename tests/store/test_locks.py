"""A database's file is read without taking the locks away that this process has on it."""

from pathlib import Path, PosixPath
from threading import Thread
from typing import Any

import pytest

from hermes_agent.memory import facts
from hermes_agent.store import locks
from hermes_agent.store.file_head import is_plain
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.locks import has_lost_locks


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.bin"


@pytest.fixture
def store(file: Path) -> Store:
    store = Store(Sqlite(file), "default")
    facts.add(store, "The office is in Oslo")
    return store


def test_its_bytes_are_read_beside_it(store: Store, file: Path) -> None:
    assert locks.is_lockable(file) and locks.is_lockable(file.with_name("memory.bin-shm"))
    for one in (file, file.with_name("memory.bin-wal"), file.with_name("memory.bin-shm")):
        read = b"".join(locks.parts(one, 10_000))
        assert len(read) == one.stat().st_size
    assert locks.head(file, 6) == b"SQLite"
    assert not has_lost_locks(file)


def test_a_second_store_on_it_leaves_the_first_its_locks(store: Store, file: Path) -> None:
    second = Store(Sqlite(file), "default")
    facts.add(second, "The boat is blue")
    assert is_plain(file)
    second.close()
    assert not has_lost_locks(file)
    store.close()


def test_a_store_that_is_opened_while_its_head_is_read_keeps_its_locks(store: Store, file: Path) -> None:
    store.close()
    second = Store(Sqlite(file), "default")
    opening = Thread(target=lambda: facts.add(second, "The boat is blue"))

    class OpenedMeanwhile(PosixPath):
        """A file that another thread opens as its database while it is open here."""

        def open(self, *arguments: Any, **options: Any) -> Any:  # Any: as the path's own
            opened = super().open(*arguments, **options)
            opening.start()
            opening.join(timeout=0.5)  # it may have to wait
            return opened

    assert locks.head(OpenedMeanwhile(file), 6) == b"SQLite"
    opening.join()
    assert not has_lost_locks(file)
    second.close()


def test_what_is_open_nowhere_is_read_here(store: Store, file: Path) -> None:
    store.close()
    assert not locks.is_lockable(file)
    assert locks.head(file, 6) == b"SQLite"
    assert b"".join(locks.parts(file)) == file.read_bytes()
    assert locks.is_lockable(file.with_name("theirs.sqlite3-wal")), "its program may be in this process"


def test_a_file_that_is_gone_cannot_be_read(tmp_path: Path) -> None:
    for name in ("gone.db", "gone.txt"):
        with pytest.raises(FileNotFoundError, match=name):
            list(locks.parts(tmp_path / name))


def test_why_a_database_cannot_be_read_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "folder.db"
    folder.mkdir()
    with pytest.raises(IsADirectoryError) as refused:
        list(locks.parts(folder))
    assert refused.value.strerror == "Is a directory"
