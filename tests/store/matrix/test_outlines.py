"""The file that outlines are searched in on SQLite: the contract with it, damaged, shared, after an erasure."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_agent.ops import doctor
from hermes_agent.ops.steps import finish
from hermes_agent.store import episodes
from hermes_agent.store.store import Store
from tests.store.matrix.file import HEAD_BYTES, file_in
from tests.store.matrix.test_damage import damage
from tests.store.outline_contract import OutlineContract, brute_force, drawn, keep, near
from tests.store.outlined import BYTES


class TestWithAFile(OutlineContract):
    """The contract on SQLite with a cache folder."""


@pytest.mark.parametrize("how", ["deleted", "half a row", "half a head", "empty", "one bit", "a folder"])
def test_a_damaged_file_heals(open_again: Callable[[], Store], cache: Path, how: str) -> None:
    rows = drawn(500)
    store = open_again()
    made = keep(store, rows)
    near(store, rows[0])
    assert file_in(cache).stat().st_size == HEAD_BYTES + 500 * (8 + BYTES)
    damage(file_in(cache), how)
    for each in (store, open_again()):
        for wanted in rows[::100]:
            assert near(each, wanted) == brute_force(made, rows, wanted)


def test_processes_share_the_file_and_add_to_it(open_again: Callable[[], Store], cache: Path) -> None:
    rows = drawn(900)
    one, two = open_again(), open_again()
    made = keep(one, rows[:300])
    near(one, rows[0])
    inode = file_in(cache).stat().st_ino
    for writer, first, end in ((two, 300, 310), (one, 310, 600), (two, 600, 900)):
        made += keep(writer, rows[first:end])
        for store in (one, two):
            assert near(store, rows[end - 1]) == brute_force(made, rows[:end], rows[end - 1])
    assert file_in(cache).stat().st_ino == inode


def test_an_erased_outline_leaves_no_trace_in_the_file(open_again: Callable[[], Store], cache: Path) -> None:
    rows = drawn(600)
    store, other = open_again(), open_again()
    made = keep(store, rows)
    near(store, rows[0])
    near(other, rows[0])
    secret = rows[41].tobytes()
    assert secret in file_in(cache).read_bytes()
    with store.write() as connection:
        episodes.remove(connection, [made[41]], is_erasure=True)
    with store.bare() as connection:
        store.engine.settle_vectors(connection, is_erasure=True)
    assert secret not in file_in(cache).read_bytes()
    for each in (store, other, open_again()):
        assert near(each, rows[41]) == brute_force(made, rows, rows[41], without=[made[41]])


def test_a_check_finds_a_damaged_copy_and_a_rebuild_mends_it(store: Store, cache: Path) -> None:
    rows = drawn(500)
    keep(store, rows)
    near(store, rows[0])
    assert doctor.check(store).problems == ()
    damage(file_in(cache), "one bit")
    assert doctor.check(store).problems == (f"the copy of vectors in {file_in(cache)} is damaged",)
    finish(doctor.rebuild(store))
    assert doctor.check(store).problems == ()
