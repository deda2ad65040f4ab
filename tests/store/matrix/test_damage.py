"""The file that vectors are searched in, damaged: it heals, and nothing is lost."""

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy
import pytest
from sqlalchemy import event

from hermes_agent.ops import doctor
from hermes_agent.ops.steps import finish
from hermes_agent.store import vectors
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.store.matrix.file import HEAD_BYTES, file_in
from tests.store.vector_contract import brute_force, directions, items, keep, near

# Beyond what is copied; what stands behind the records is not read, and takes no room if nothing was written.
LARGE = 65 * 2**20


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
    # As a rebuild does; that would also remove these vectors, which are of no episodes.
    with store.bare() as connection:
        store.engine.settle_vectors(connection, is_anew=True)
    assert doctor.check(store).problems == ()
    assert items(near(store, fingerprint, made[5])) == brute_force(made, made[5])
    finish(doctor.rebuild(store))
    assert doctor.check(store).problems == ()


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
