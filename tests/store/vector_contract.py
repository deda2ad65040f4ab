"""What every engine must do with vectors: one class of tests, inherited once for each way of keeping them."""

from collections.abc import Iterable

import numpy
import pytest
from numpy.typing import NDArray

from hermes_agent.errors import EmbedderMismatch
from hermes_agent.records.vectors import Fingerprint, Nearest
from hermes_agent.store import fingerprints, passages, vectors
from hermes_agent.store.store import Store
from tests.store.talk import say

Floats = NDArray[numpy.float32]


def directions(count: int, dimensions: int, seed: int = 7) -> Floats:
    """Return vectors around a few centres, as texts about a few things have them; half precision holds them."""
    chance = numpy.random.default_rng(seed)
    centres = chance.normal(size=(20, dimensions))
    made = centres[chance.integers(0, 20, count)] + chance.normal(size=(count, dimensions))
    unit = made / numpy.linalg.norm(made, axis=1, keepdims=True)
    rounded: Floats = unit.astype(numpy.float16).astype(numpy.float32)
    return rounded


def keep(store: Store, name: str, made: Floats, *, kind: str = "episode", first: int = 1) -> Fingerprint:
    """Keep the vectors as those of items `first`, `first` + 1, …"""
    with store.write() as connection:
        fingerprint = fingerprints.require(connection, name, made.shape[1])
        vectors.put(connection, fingerprint.id, kind, dict(enumerate(made, first)))
    return fingerprint


def near(
    store: Store,
    fingerprint: Fingerprint,
    wanted: Floats,
    limit: int = 10,
    *,
    kinds: tuple[str, ...] = ("episode",),
) -> Nearest:
    with store.read() as connection:
        return store.engine.match_vectors(connection, fingerprint, wanted, limit, kinds=kinds)


def items(nearest: Nearest) -> list[int]:
    return [each.item for each in nearest.items]


def exact_cosines(made: Floats, wanted: Floats) -> Floats:
    cosines: Floats = made @ wanted / numpy.linalg.norm(made, axis=1) / numpy.linalg.norm(wanted)
    return cosines


def brute_force(made: Floats, wanted: Floats, limit: int = 10, *, without: Iterable[int] = ()) -> list[int]:
    """Return the items 1, 2, … in the order of their exact cosines."""
    cosines = exact_cosines(made, wanted)
    cosines[[item - 1 for item in without]] = -2
    return [int(position) + 1 for position in numpy.argsort(-cosines, kind="stable")[:limit]]


class VectorContract:
    """Tests of a store's vectors; `store` is a new one."""

    def test_what_is_nearest_is_what_brute_force_finds(self, store: Store) -> None:
        made = directions(2_000, 48)
        fingerprint = keep(store, "one", made)
        keep(store, "other", directions(50, 48, seed=8))
        for wanted in directions(20, 48, seed=9) * 3:
            nearest = near(store, fingerprint, wanted)
            assert items(nearest) == brute_force(made, wanted)
            exact = exact_cosines(made[[item - 1 for item in items(nearest)]], wanted)
            assert [each.cosine for each in nearest.items] == pytest.approx(exact.tolist(), abs=1e-5)
            assert nearest.floor == nearest.items[-1].cosine == min(each.cosine for each in nearest.items)

    def test_equals_come_in_the_order_of_their_numbers(self, store: Store) -> None:
        same = numpy.repeat(directions(1, 8), 300, axis=0)
        fingerprint = keep(store, "one", same)
        assert items(near(store, fingerprint, same[0], 5)) == [1, 2, 3, 4, 5]

    def test_kinds_are_searched_apart_or_together(self, store: Store) -> None:
        made = directions(600, 16)
        fingerprint = keep(store, "one", made)
        keep(store, "one", made[100:103], kind="fact")
        assert items(near(store, fingerprint, made[101], 3, kinds=("fact",)))[0] == 2
        both = near(store, fingerprint, made[101], 2, kinds=("episode", "fact")).items
        assert [(each.kind, each.item) for each in both] == [("fact", 2), ("episode", 102)]

    def test_a_removed_vector_never_comes_back(self, store: Store) -> None:
        made = directions(900, 16)
        fingerprint = keep(store, "one", made)
        gone = brute_force(made, made[3], 400)
        near(store, fingerprint, made[3])
        with store.write() as connection:
            vectors.remove(connection, "episode", gone)
        left = items(near(store, fingerprint, made[3], 50))
        assert left == brute_force(made, made[3], 50, without=gone)

    def test_a_new_vector_takes_the_place_of_the_old_one(self, store: Store) -> None:
        made = directions(300, 16)
        fingerprint = keep(store, "one", made)
        near(store, fingerprint, made[0])
        keep(store, "one", -made[:1])
        assert 1 not in items(near(store, fingerprint, made[0]))
        assert items(near(store, fingerprint, -made[0]))[0] == 1
        with store.read() as connection:
            assert vectors.count(connection, fingerprint.id, "episode") == 300

    def test_what_a_transaction_wrote_is_found_in_it_and_not_after_it_was_taken_back(self, store: Store) -> None:
        made = directions(700, 16)
        fingerprint = keep(store, "one", made[:300])
        with pytest.raises(InterruptedError), store.write() as connection:
            vectors.put(connection, fingerprint.id, "episode", dict(enumerate(made[300:], 301)))
            inside = store.engine.match_vectors(connection, fingerprint, made[500], 1)
            assert items(inside) == [501]
            raise InterruptedError
        assert items(near(store, fingerprint, made[500], 5)) == brute_force(made[:300], made[500], 5)
        keep(store, "one", -made[300:], first=301)
        assert items(near(store, fingerprint, -made[500], 1)) == [501]

    def test_nothing_to_embed_is_never_found(self, store: Store) -> None:
        fingerprint = keep(store, "one", numpy.zeros((3, 8), numpy.float32))
        assert near(store, fingerprint, directions(1, 8)[0]) == Nearest([], 0.0)
        keep(store, "one", directions(2, 8), first=10)
        assert sorted(items(near(store, fingerprint, directions(1, 8)[0]))) == [10, 11]
        assert near(store, fingerprint, numpy.zeros(8, numpy.float32)) == Nearest([], 0.0)
        assert near(store, fingerprint, numpy.full(8, numpy.nan, numpy.float32)) == Nearest([], 0.0)

    def test_nothing_is_found_where_nothing_is(self, store: Store) -> None:
        fingerprint = keep(store, "one", directions(0, 8))
        assert near(store, fingerprint, directions(1, 8)[0]) == Nearest([], 0.0)
        keep(store, "one", directions(1, 8))
        assert items(near(store, fingerprint, directions(1, 8)[0], 5)) == [1]
        assert near(store, fingerprint, directions(1, 8)[0], 0) == Nearest([], 0.0)

    def test_a_vector_of_another_length_is_refused(self, store: Store) -> None:
        fingerprint = keep(store, "one", directions(3, 8))
        with pytest.raises(EmbedderMismatch, match="8 numbers; this one has 9"):
            near(store, fingerprint, directions(1, 9)[0])
        with pytest.raises(EmbedderMismatch, match="gives vectors of 9 numbers now"):
            keep(store, "one", directions(1, 9))

    def test_the_complete_fingerprint_is_read_until_another_is(self, store: Store) -> None:
        with store.write() as connection:
            assert fingerprints.current(connection, "one") is None
            one = fingerprints.require(connection, "one", 4)
            assert fingerprints.require(connection, "one", 4) == one
            assert fingerprints.current(connection, "one") == one, "as far as it is: there is nothing better"
            fingerprints.mark_complete(connection, one.id)
            two = fingerprints.require(connection, "two", 8)
            used = fingerprints.current(connection, "two")
            assert used is not None and used.id == one.id
            fingerprints.mark_complete(connection, two.id)
            used = fingerprints.current(connection, "two")
            assert used is not None and used.id == two.id
            assert [each.name for each in fingerprints.every(connection) if each.is_complete] == ["two"]

    def test_trouble_is_kept_until_it_is_over(self, store: Store) -> None:
        with store.write() as connection:
            one = fingerprints.require(connection, "one", 4)
            fingerprints.set_trouble(connection, one.id, "no answer")
            found = fingerprints.get(connection, "one")
            assert found is not None and found.trouble == "no answer" and found.trouble_at is not None
            fingerprints.set_trouble(connection, one.id, None)
            assert fingerprints.get(connection, "one") == one

    def test_the_vectors_of_messages_come_back_and_go_with_them(self, store: Store) -> None:
        ids = say(store, "one", "two", "three")
        made = {message: directions(rows, 8, seed=message) for message, rows in zip(ids, (1, 4, 2), strict=True)}
        with store.write() as connection:
            fingerprint = fingerprints.require(connection, "one", 8)
            passages.put(connection, fingerprint.id, {ids[0]: directions(9, 8), ids[1]: made[ids[1]]})
            passages.put(connection, fingerprint.id, made)
            connection.exec_driver_sql(f"DELETE FROM messages WHERE id = {ids[2]}")
        with store.read() as connection:
            found = passages.of_messages(connection, fingerprint.id, 8, [*ids, 10**12])
            other = passages.of_messages(connection, fingerprint.id + 1, 8, ids)
        assert dict(zip(found.message_ids.tolist(), found.row_counts.tolist(), strict=True)) == {
            ids[0]: 1,
            ids[1]: 4,
        }
        restored = found.rows * found.scales[:, None]
        expected = numpy.concatenate([made[message] for message in found.message_ids.tolist()])
        assert restored == pytest.approx(expected, abs=0.005)
        assert other.rows.shape == (0, 8)

    def test_a_fingerprint_is_dropped_with_everything_it_made(self, store: Store) -> None:
        one = keep(store, "one", directions(25, 8))
        two = keep(store, "two", directions(5, 8))
        steps = 0
        is_gone = False
        while not is_gone:
            with store.write() as connection:
                is_gone = fingerprints.drop(connection, one.id, limit=10)
            steps += 1
        assert steps == 4
        with store.bare() as connection:
            store.engine.settle_vectors(connection)
        with store.read() as connection:
            assert [each.name for each in fingerprints.every(connection)] == ["two"]
            assert vectors.count(connection, one.id, "episode") == 0
            assert vectors.count(connection, two.id, "episode") == 5
