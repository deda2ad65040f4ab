"""What every engine must do with outlines: one class of tests, inherited once for each way of keeping them."""

from collections.abc import Collection, Sequence

import numpy
import pytest
from numpy.typing import NDArray
from sqlalchemy import insert

from hermes_agent.records.archive import NewSession
from hermes_agent.records.memory import NewEpisode
from hermes_agent.store import episodes, sessions
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.store.tables import outlines
from tests.store.outlined import BYTES

Bits = NDArray[numpy.uint8]


def drawn(count: int, seed: int = 7) -> Bits:
    """Return outlines around a few centres, as those of talk about a few things are."""
    chance = numpy.random.default_rng(seed)
    centres = chance.integers(0, 2, (20, 8 * BYTES))
    is_other = chance.random((count, 8 * BYTES)) < 0.3
    bits: Bits = numpy.packbits(centres[chance.integers(0, 20, count)] ^ is_other, axis=1)
    return bits


def keep(store: Store, rows: Bits) -> list[int]:
    """Keep each outline as that of an old episode of its own, whose messages are gone; return the episodes."""
    with store.write() as connection:
        session_id = sessions.create(connection, NewSession())
        first = 1 + max(episodes.firsts(connection, 0, 10**6).values(), default=0)
        new = [NewEpisode(session_id, one, one, 1, 1, "cli", None) for one in range(first, first + len(rows))]
        made = [one.id for one in episodes.add(connection, new)]
        outline(connection, made, rows)
    return made


def outline(connection: Connection, made: Sequence[int], rows: Bits) -> None:
    connection.execute(
        insert(outlines),
        [{"episode_id": one, "bits": row.tobytes()} for one, row in zip(made, rows, strict=True)],
    )


def near(store: Store, wanted: Bits, limit: int = 10) -> list[int]:
    with store.read() as connection:
        return list(store.engine.match_outlines(connection, wanted.tobytes(), limit))


def distances(rows: Bits, wanted: Bits) -> list[int]:
    return [int(count) for count in numpy.unpackbits(rows ^ wanted, axis=1).sum(axis=1)]


def brute_force(
    made: Sequence[int], rows: Bits, wanted: Bits, limit: int = 10, *, without: Collection[int] = ()
) -> list[int]:
    """Return the episodes in the order of their distances; of equals the older ones first."""
    order = sorted(zip(distances(rows, wanted), made, strict=True))
    return [one for _, one in order if one not in without][:limit]


class OutlineContract:
    """Tests of a store's outlines; `store` is a new one."""

    def test_the_nearest_outlines_are_those_that_brute_force_finds(self, store: Store) -> None:
        rows = drawn(700)
        made = keep(store, rows)
        for wanted in drawn(10, seed=9):
            assert near(store, wanted) == brute_force(made, rows, wanted)
            assert near(store, wanted, 1_000) == brute_force(made, rows, wanted, 1_000)

    def test_an_episode_of_several_near_outlines_comes_once(self, store: Store) -> None:
        rows = drawn(300)
        made = keep(store, rows)
        with store.write() as connection:
            outline(connection, made[:1] * 4, rows[[0, 50, 60, 70]])
        assert near(store, rows[0], 2) == made[:1]
        assert near(store, rows[50], 2) == [made[50], made[0]]

    def test_equally_near_ones_come_in_their_order(self, store: Store) -> None:
        made = keep(store, numpy.repeat(drawn(1), 300, axis=0))
        assert near(store, drawn(1)[0], 5) == made[:5]

    def test_the_outlines_of_a_removed_episode_never_come_back(self, store: Store) -> None:
        rows = drawn(600)
        made = keep(store, rows)
        gone = brute_force(made, rows, rows[3], 200)
        near(store, rows[3])
        with store.write() as connection:
            episodes.remove(connection, gone)
        assert near(store, rows[3], 50) == brute_force(made, rows, rows[3], 50, without=gone)

    def test_what_a_transaction_wrote_is_found_in_it_and_not_after_it_was_taken_back(self, store: Store) -> None:
        rows = drawn(300)
        made = keep(store, rows)
        other = drawn(1, seed=4)
        with pytest.raises(InterruptedError), store.write() as connection:
            outline(connection, made[:1], other)
            assert list(store.engine.match_outlines(connection, other.tobytes(), 1)) == made[:1]
            raise InterruptedError
        assert near(store, other[0], 5) == brute_force(made, rows, other[0], 5)

    def test_nothing_is_found_where_nothing_is(self, store: Store) -> None:
        assert near(store, drawn(1)[0]) == []
        made = keep(store, drawn(2))
        assert sorted(near(store, drawn(1)[0])) == made
        assert near(store, drawn(1)[0], 0) == []
