"""The file that vectors are searched in on SQLite: the contract with it, and everything that can happen to it."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy
import pytest
from sqlalchemy import event

from hermes_agent.config.replace import locked
from hermes_agent.ops import doctor
from hermes_agent.ops.steps import finish
from hermes_agent.store import fingerprints, vectors
from hermes_agent.store.matrix import quantise
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.store.vector_contract import VectorContract, brute_force, directions, items, keep, near

HEAD_BYTES = 64
# Beyond what is copied; what stands behind the records is not read, and takes no room if nothing was written.
LARGE = 65 * 2**20


@pytest.fixture
def open_again(tmp_path: Path) -> Callable[[], Store]:
    """Open the one store as another process would: with nothing in memory."""
    (tmp_path / "cache").mkdir()
    return lambda: Store(Sqlite(tmp_path / "state.db", cache=tmp_path / "cache"), "default")


@pytest.fixture
def store(open_again: Callable[[], Store]) -> Store:
    return open_again()


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


class TestWithAFile(VectorContract):
    """The contract on SQLite with a cache folder."""


def file_in(cache: Path) -> Path:
    (file,) = cache.glob("vectors-*")
    return file


def test_the_file_is_closed_to_others_and_grows_by_appending(store: Store, cache: Path) -> None:
    made = directions(900, 16)
    fingerprint = keep(store, "one", made[:300])
    near(store, fingerprint, made[0])
    file = file_in(cache)
    before = file.read_bytes()
    assert file.stat().st_mode & 0o077 == 0
    assert len(before) == HEAD_BYTES + 300 * (8 + 16)
    keep(store, "one", made[300:], first=301)
    assert items(near(store, fingerprint, made[700])) == brute_force(made, made[700])
    after = file.read_bytes()
    assert after[HEAD_BYTES : len(before)] == before[HEAD_BYTES:]
    assert len(after) == HEAD_BYTES + 900 * (8 + 16)


def test_another_process_uses_the_file_and_adds_to_it(open_again: Callable[[], Store], cache: Path) -> None:
    made = directions(1_200, 16)
    one, two = open_again(), open_again()
    fingerprint = keep(one, "one", made[:400])
    near(one, fingerprint, made[0])
    inode = file_in(cache).stat().st_ino
    for writer, reader, end in ((one, two, 410), (two, one, 800), (one, two, 1_200)):
        first = {410: 400, 800: 410, 1_200: 800}[end]
        keep(writer, "one", made[first:end], first=first + 1)
        for store in (reader, writer):
            assert items(near(store, fingerprint, made[end - 1])) == brute_force(made[:end], made[end - 1])
    assert file_in(cache).stat().st_ino == inode


def damage(file: Path, how: str) -> None:
    data = file.read_bytes()
    match how:
        case "deleted":
            file.unlink()
        case "half a row":
            file.write_bytes(data[: HEAD_BYTES + 100 * 24 + 11])
        case "half a head":
            file.write_bytes(data[:30])
        case "empty":
            file.write_bytes(b"")
        case "another file":
            file.write_bytes(b"SQLite format 3\0" * 100)
        case "a bad head":
            file.write_bytes(data[:20] + b"\xff\xff" + data[22:])
        case "newest rows lost":
            file.write_bytes(data[: -20 * 24] + bytes(20 * 24))
        case "random rows":
            file.write_bytes(with_random_rows(data))
        case "one bit":
            file.write_bytes(data[:500] + bytes([data[500] ^ 4]) + data[501:])
        case "something behind":
            file.write_bytes(data + b"half a row")
        case "a folder":
            file.unlink()
            file.mkdir()
        case "a pipe":
            file.unlink()
            os.mkfifo(file)


def with_random_rows(data: bytes) -> bytes:
    """Keep the head and the ids of a file, and the rows from 300 on; those before get random numbers."""
    records = numpy.frombuffer(data, numpy.uint8, 300 * 24, HEAD_BYTES).reshape(300, 24).copy()
    records[:, 8:] = numpy.random.default_rng(1).integers(0, 256, (300, 16))
    return data[:HEAD_BYTES] + records.tobytes() + data[HEAD_BYTES + 300 * 24 :]


DAMAGES = (
    "deleted",
    "half a row",
    "half a head",
    "empty",
    "another file",
    "a bad head",
    "newest rows lost",
    "random rows",
    "one bit",
    "something behind",
    "a folder",
    "a pipe",
)


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_file_heals_and_nothing_is_lost(open_again: Callable[[], Store], cache: Path, how: str) -> None:
    made = directions(1_000, 16)
    store = open_again()
    fingerprint = keep(store, "one", made[:700])
    near(store, fingerprint, made[0])
    damage(file_in(cache), how)
    keep(store, "one", made[700:], first=701)
    for wanted in made[::100]:
        assert items(near(open_again(), fingerprint, wanted)) == brute_force(made, wanted)
    again = open_again()
    assert items(near(again, fingerprint, made[5])) == brute_force(made, made[5])
    if how != "a folder":
        assert file_in(cache).stat().st_size == HEAD_BYTES + 1_000 * 24


@pytest.mark.parametrize("how", ["deleted", "half a row", "a bad head", "random rows", "a pipe"])
def test_a_file_that_is_damaged_while_it_is_used_heals(store: Store, cache: Path, how: str) -> None:
    made = directions(700, 16)
    fingerprint = keep(store, "one", made)
    near(store, fingerprint, made[0])
    damage(file_in(cache), how)
    for wanted in made[::100]:
        assert items(near(store, fingerprint, wanted)) == brute_force(made, wanted)


def search_a_file_that_is_cut(folder: Path) -> list[int]:
    """Search so that more must be looked for, and empty the file between the two looks."""
    store = Store(Sqlite(folder / "state.db", cache=folder / "cache"), "default")
    made = directions(600, 16)
    fingerprint = keep(store, "one", made)
    near(store, fingerprint, made[0])
    with store.write() as connection:
        vectors.remove(connection, "episode", brute_force(made, made[0], 300))

    def cut(connection: object, cursor: object, statement: str, *rest: Any) -> None:
        if "json_each" in statement:
            os.truncate(file_in(folder / "cache"), 0)

    with store.read() as connection:
        event.listen(connection, "before_cursor_execute", cut)
        return items(store.engine.match_vectors(connection, fingerprint, made[0], 10))


def test_a_file_that_is_cut_while_it_is_scanned_does_not_end_the_process(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as process:
        found = process.submit(search_a_file_that_is_cut, tmp_path).result()
    made = directions(600, 16)
    assert found == brute_force(made, made[0], without=brute_force(made, made[0], 300))


def test_a_file_too_large_for_a_copy_is_mapped_grows_and_heals(
    open_again: Callable[[], Store], cache: Path
) -> None:
    made = directions(1_600, 16)
    one, two = open_again(), open_again()
    fingerprint = keep(one, "one", made[:400])
    near(one, fingerprint, made[0])
    file = file_in(cache)
    os.truncate(file, LARGE)
    for start, end in ((400, 800), (800, 1_200), (1_200, 1_600)):
        keep(one, "one", made[start:end], first=start + 1)
        for store in (one, two):
            assert items(near(store, fingerprint, made[end - 1])) == brute_force(made[:end], made[end - 1])
    assert file.stat().st_size == LARGE
    damage(file, "random rows")
    for store in (one, open_again()):
        assert items(near(store, fingerprint, made[5])) == brute_force(made, made[5])
    assert file.stat().st_size == HEAD_BYTES + 1_600 * 24


def test_a_check_finds_a_damaged_copy_and_a_rebuild_mends_it(store: Store, cache: Path) -> None:
    made = directions(700, 16)
    fingerprint = keep(store, "one", made)
    near(store, fingerprint, made[0])
    assert doctor.check(store).problems == ()
    damage(file_in(cache), "random rows")
    assert doctor.check(store).problems == (f"the copy of vectors in {file_in(cache)} is damaged",)
    finish(doctor.rebuild(store))
    assert doctor.check(store).problems == ()
    assert items(near(store, fingerprint, made[5])) == brute_force(made, made[5])


def test_a_check_finds_a_copy_of_other_vectors(tmp_path: Path, store: Store, cache: Path) -> None:
    made = directions(700, 16)
    fingerprint = keep(store, "one", made)
    near(store, fingerprint, made[0])
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE vectors SET vector = zeroblob(32) WHERE id = 17")
    assert doctor.check(store).problems == (f"the copy of vectors in {file_in(cache)} is damaged",)
    finish(doctor.rebuild(store))
    assert doctor.check(store).problems == ()


def test_a_check_is_content_with_removed_erased_and_new_vectors(store: Store, cache: Path) -> None:
    made = directions(700, 16)
    fingerprint = keep(store, "one", made[:600])
    near(store, fingerprint, made[0])
    for gone, is_erasure in (([7], False), ([8], True), (range(1, 601), True)):
        with store.write() as connection:
            vectors.remove(connection, "episode", gone, is_erasure=is_erasure)
        for _ in range(2):
            assert doctor.check(store).problems == ()
            with store.bare() as connection:
                store.engine.settle_vectors(connection)
    assert file_in(cache).stat().st_size == HEAD_BYTES
    keep(store, "one", made[600:], first=601)
    assert doctor.check(store).problems == ()
    assert items(near(store, fingerprint, made[650])) == brute_force(made, made[650], without=range(1, 601))


def test_a_store_that_was_put_back_is_not_searched_with_what_came_later(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "cache").mkdir(exist_ok=True)
    made, other = directions(1_000, 16), directions(1_000, 16, seed=3)

    def open_one() -> Store:
        return Store(Sqlite(tmp_path / "state.db", cache=cache), "default")

    store = open_one()
    fingerprint = keep(store, "one", made[:500])
    store.close()
    earlier = (tmp_path / "state.db").read_bytes()
    store = open_one()
    keep(store, "one", made[500:900], first=501)
    near(store, fingerprint, made[0])
    store.close()
    (tmp_path / "state.db").write_bytes(earlier)
    history = numpy.concatenate([made[:500], other[500:]])
    for is_reopened in (False, True):
        (tmp_path / "state.db").write_bytes(earlier)
        store = open_one()
        for start, end in ((500, 500), (500, 600), (600, 1_000)):
            keep(store, "one", history[start:end], first=start + 1)
            for wanted in history[:end:90]:
                assert items(near(store, fingerprint, wanted)) == brute_force(history[:end], wanted)
            if is_reopened:
                store.close()
                store = open_one()
        store.close()


def test_a_reader_of_an_earlier_moment_uses_a_file_that_is_ahead_of_it(
    open_again: Callable[[], Store], cache: Path
) -> None:
    made = directions(1_000, 16)
    store, late = open_again(), open_again()
    fingerprint = keep(store, "one", made[:400])
    with late.read() as old:
        fingerprints.every(old)
        keep(store, "one", made[400:], first=401)
        near(store, fingerprint, made[0])
        before = file_in(cache).read_bytes()
        found = late.engine.match_vectors(old, fingerprint, made[7], 10)
        assert items(found) == brute_force(made[:400], made[7])
    assert items(near(late, fingerprint, made[7])) == brute_force(made, made[7])
    assert file_in(cache).read_bytes() == before


def test_a_store_that_was_moved_makes_a_file_of_its_own(tmp_path: Path, cache: Path, store: Store) -> None:
    made = directions(400, 16)
    fingerprint = keep(store, "one", made)
    near(store, fingerprint, made[0])
    store.close()
    (tmp_path / "state.db").rename(tmp_path / "moved.db")
    moved = Store(Sqlite(tmp_path / "moved.db", cache=cache), "default")
    assert items(near(moved, fingerprint, made[0])) == brute_force(made, made[0])
    assert len(list(cache.glob("vectors-*"))) == 2
    with moved.bare() as connection:
        moved.engine.settle_vectors(connection)
    assert len(list(cache.glob("vectors-*"))) == 1


def test_an_erased_vector_leaves_no_trace_in_the_file(open_again: Callable[[], Store], cache: Path) -> None:
    made = directions(600, 16)
    store, other = open_again(), open_again()
    fingerprint = keep(store, "one", made)
    near(store, fingerprint, made[0])
    near(other, fingerprint, made[0])
    secret = quantise(made[41:42])[0].tobytes()
    assert secret in file_in(cache).read_bytes()
    with store.write() as connection:
        vectors.remove(connection, "episode", [42], is_erasure=True)
    with store.bare() as connection:
        store.engine.settle_vectors(connection)
    assert secret not in file_in(cache).read_bytes()
    for each in (store, other, open_again()):
        assert items(near(each, fingerprint, made[41])) == brute_force(made, made[41], without=[42])


def test_an_erasure_that_was_not_settled_is_by_the_next_search(
    open_again: Callable[[], Store], cache: Path
) -> None:
    made = directions(600, 16)
    store = open_again()
    fingerprint = keep(store, "one", made)
    near(store, fingerprint, made[0])
    secret = quantise(made[41:42])[0].tobytes()
    with store.write() as connection:
        vectors.remove(connection, "episode", [42], is_erasure=True)
    near(open_again(), fingerprint, made[0])
    assert secret not in file_in(cache).read_bytes()


def test_an_older_reader_does_not_bring_back_what_was_erased(open_again: Callable[[], Store], cache: Path) -> None:
    made = directions(900, 16)
    store, late = open_again(), open_again()
    fingerprint = keep(store, "one", made[:300])
    near(store, fingerprint, made[0])
    keep(store, "one", made[300:], first=301)
    secret = quantise(made[800:801])[0].tobytes()
    with late.read() as old:
        fingerprints.every(old)
        with store.write() as connection:
            vectors.remove(connection, "episode", [801], is_erasure=True)
        with store.bare() as connection:
            store.engine.settle_vectors(connection)
        late.engine.match_vectors(old, fingerprint, made[800], 1)
    assert secret not in file_in(cache).read_bytes()
    assert items(near(late, fingerprint, made[800], 5)) == brute_force(made, made[800], 5, without=[801])


def test_the_room_of_many_removed_vectors_is_given_back(open_again: Callable[[], Store], cache: Path) -> None:
    made = directions(1_000, 16)
    store, other = open_again(), open_again()
    fingerprint = keep(store, "one", made)
    for each in (store, other):
        near(each, fingerprint, made[0])
    gone = range(1, 401)
    with store.write() as connection:
        vectors.remove(connection, "episode", gone)
    with store.bare() as connection:
        store.engine.settle_vectors(connection)
    assert file_in(cache).stat().st_size == HEAD_BYTES + 600 * 24
    for each in (store, other, open_again()):
        assert items(near(each, fingerprint, made[7])) == brute_force(made, made[7], without=gone)


def test_without_a_cache_folder_nothing_is_written(tmp_path: Path) -> None:
    store = Store(Sqlite(tmp_path / "state.db"), "default")
    made = directions(600, 16)
    fingerprint = keep(store, "one", made)
    assert items(near(store, fingerprint, made[0])) == brute_force(made, made[0])
    assert {file.name for file in tmp_path.iterdir()} - {"home"} == {"state.db", "state.db-wal", "state.db-shm"}


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be", encoding="ascii")
    store = Store(Sqlite(tmp_path / "state.db", cache=tmp_path / "cache"), "default")
    made = directions(600, 16)
    fingerprint = keep(store, "one", made)
    with store.bare() as connection:
        store.engine.settle_vectors(connection)
    assert items(near(store, fingerprint, made[0])) == brute_force(made, made[0])


def test_what_a_killed_process_left_half_written_is_removed(store: Store, cache: Path) -> None:
    made = directions(300, 16)
    fingerprint = keep(store, "one", made)
    near(store, fingerprint, made[0])
    left = cache / f".{file_in(cache).name}.x7k2"
    left.write_bytes(b"half of it")
    with store.bare() as connection:
        store.engine.settle_vectors(connection)
    assert not left.exists()
    assert items(near(store, fingerprint, made[0])) == brute_force(made, made[0])


def test_a_search_does_not_wait_for_another_process_that_writes(store: Store, cache: Path) -> None:
    made = directions(600, 16)
    fingerprint = keep(store, "one", made)
    with locked(cache / ".vectors.lock"):
        assert items(near(store, fingerprint, made[0])) == brute_force(made, made[0])
        assert list(cache.glob("vectors-*")) == []
    keep(store, "one", directions(1, 16), first=601)
    near(store, fingerprint, made[0])
    assert file_in(cache).stat().st_size == HEAD_BYTES + 601 * 24


def test_threads_search_while_others_add(open_again: Callable[[], Store]) -> None:
    made = directions(3_000, 16)
    stores = [open_again() for _ in range(2)]
    fingerprint = keep(stores[0], "one", made[:1])
    failures: list[BaseException] = []
    is_over = threading.Event()

    def look(store: Store) -> None:
        try:
            while not is_over.is_set():
                nearest = near(store, fingerprint, made[0], 3)
                assert nearest.items[0].item == 1
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=look, args=(store,)) for store in stores for _ in range(2)]
    for thread in threads:
        thread.start()
    for start in range(1, 3_000, 100):
        keep(stores[0], "one", made[start : start + 100], first=start + 1)
    is_over.set()
    for thread in threads:
        thread.join()
    assert failures == []
    for store in stores:
        assert items(near(store, fingerprint, made[2_500])) == brute_force(made, made[2_500])
