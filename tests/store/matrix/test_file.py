"""The file that vectors are searched in on SQLite: the contract with it, and everything that can happen to it."""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy

from hermes_agent.config.replace import locked
from hermes_agent.store import fingerprints, vectors
from hermes_agent.store.matrix_source import quantise
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.store.matrix.file import HEAD_BYTES, file_in
from tests.store.vector_contract import VectorContract, brute_force, directions, items, keep, near


class TestWithAFile(VectorContract):
    """The contract on SQLite with a cache folder."""


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
