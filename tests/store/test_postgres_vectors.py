"""Vectors on PostgreSQL once there are many: an index that finds what brute force finds."""

import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from hermes_agent.ids import new_uid
from hermes_agent.store import fingerprints, postgres_vectors, vectors
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.postgres_vectors import INDEXED_FROM
from hermes_agent.store.store import Store
from tests.counts import record
from tests.postgres import server_address
from tests.store import outline_contract
from tests.store.vector_contract import brute_force, directions, items, keep, near

DIMENSIONS = 48


@pytest.fixture
def store() -> Iterator[Store]:
    store = Store(Postgres(server_address(), schema_name(new_uid())), "default")
    yield store
    store.close()


def indexes(store: Store) -> dict[str, bool]:
    """Return the indexes for nearness and whether each is valid."""
    with store.read() as connection:
        rows = connection.execute(
            text(
                "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                " WHERE c.relnamespace = current_schema::regnamespace AND c.relname LIKE '%s_near%'"
            )
        )
        return {row.relname: row.indisvalid for row in rows}


def uses(store: Store, index: str) -> int:
    """Return how often an index was searched."""
    of_index = "schemaname = current_schema AND indexrelname = :index"
    with store.read() as connection:
        connection.execute(text("SELECT pg_stat_force_next_flush()"))
    with store.read() as connection:
        query = text(f"SELECT idx_scan FROM pg_stat_user_indexes WHERE {of_index}")
        return int(connection.execute(query, {"index": index}).scalar_one())


def settle_few(store: Store) -> None:
    """Make the indexes as if a hundred vectors were many."""
    assert isinstance(store.engine, Postgres)
    with store.bare() as connection:
        postgres_vectors.settle(connection, store.engine.schema, indexed_from=100)


def test_many_vectors_are_found_through_an_index_as_brute_force_finds_them(store: Store) -> None:
    drawn = directions(INDEXED_FROM + 540, DIMENSIONS)
    made, wanted = drawn[:-40], drawn[-40:]
    fingerprint = keep(store, "one", made[:INDEXED_FROM])
    few = keep(store, "two", made[:100])
    keep(store, "one", made[:50], kind="fact")
    with store.bare() as connection:
        store.engine.settle_vectors(connection)
        store.engine.vacuum(connection)
    name = f"vectors_near_{fingerprint.id}_episode"
    assert indexes(store) == {name: True}
    keep(store, "one", made[INDEXED_FROM:], first=INDEXED_FROM + 1)
    found = sum(len(set(items(near(store, fingerprint, each))) & set(brute_force(made, each))) for each in wanted)
    recall = found / (10 * len(wanted))
    record("vectors.postgres.recall", recall)
    assert recall >= 0.99
    assert len(near(store, fingerprint, wanted[0], 500).items) == 500, "more than a search keeps in sight"
    assert items(near(store, fingerprint, wanted[0], kinds=("fact",))) == brute_force(made[:50], wanted[0])
    assert items(near(store, few, wanted[0])) == brute_force(made[:100], wanted[0])
    assert uses(store, name) >= len(wanted)


def test_an_index_that_was_not_finished_is_made_anew(store: Store) -> None:
    made = directions(200, 8)
    fingerprint = keep(store, "one", made)
    settle_few(store)
    name = f"vectors_near_{fingerprint.id}_episode"
    with store.write() as connection:  # as a kill in the middle of making it leaves it
        connection.execute(
            text("UPDATE pg_index SET indisvalid = false WHERE indexrelid = CAST(:name AS regclass)"),
            {"name": name},
        )
    assert indexes(store) == {name: False}
    settle_few(store)
    assert indexes(store) == {name: True}


def test_an_index_that_another_connection_is_making_is_left_alone(store: Store) -> None:
    made = directions(200, 8)
    fingerprint = keep(store, "one", made)
    name = f"vectors_near_{fingerprint.id}_episode"
    maker = threading.Thread(target=settle_few, args=(store,))
    with store.write() as connection:  # what is making the index waits for whoever writes
        vectors.remove(connection, "episode", [1])
        maker.start()
        while name not in indexes(store):
            assert maker.is_alive()
        settle_few(store)
        assert indexes(store) == {name: False}
        assert maker.is_alive()
    maker.join()
    assert indexes(store) == {name: True}
    settle_few(store)
    with store.read() as connection:
        held = connection.execute(
            text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1986356078")
        )
        assert held.scalar_one() == 0


def test_many_outlines_are_found_through_an_index_as_brute_force_finds_them(store: Store) -> None:
    drawn = outline_contract.drawn(INDEXED_FROM + 20)
    rows, asked = drawn[:-20], drawn[-20:]
    made = outline_contract.keep(store, rows)
    with store.bare() as connection:
        store.engine.settle_vectors(connection)
        store.engine.vacuum(connection)
    assert indexes(store) == {"outlines_near": True}
    found = wanted = 0
    for each in asked:
        exact = outline_contract.brute_force(made, rows, each, 100)
        found += len(set(outline_contract.near(store, each, 100)) & set(exact))
        wanted += len(exact)
    assert found / wanted >= 0.98
    assert uses(store, "outlines_near") >= len(asked)
    assert len(outline_contract.near(store, rows[0], 900)) == 900, "more than a search keeps in sight"


def test_the_index_of_a_dropped_fingerprint_goes(store: Store) -> None:
    fingerprint = keep(store, "one", directions(200, 8))
    settle_few(store)
    is_gone = False
    while not is_gone:
        with store.write() as connection:
            is_gone = fingerprints.drop(connection, fingerprint.id, 100)
    settle_few(store)
    assert indexes(store) == {}
    with store.read() as connection:
        assert vectors.count(connection, fingerprint.id, "episode") == 0
