"""The outbox on either engine: in order, each provider's own, and gone once it was brought."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.ids import new_uid
from hermes_agent.records.outbox import NewDelivery
from hermes_agent.store import jobs, outbox
from hermes_agent.store.store import Store
from tests.engines import ENGINES, opened


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from opened(request.param, tmp_path)


def test_what_waits_comes_in_order_and_goes_one_by_one(store: Store) -> None:
    uids = [new_uid(number) for number in range(3)]
    with store.write() as connection:
        for provider, uid in zip(("one", "other", "one"), uids, strict=True):
            outbox.add(connection, NewDelivery(provider, "turn", "s1", uid, uid))
    with store.read() as connection:
        assert (outbox.count(connection, "one"), outbox.count(connection, "other")) == (2, 1)
        assert jobs.open_keys(connection, [outbox.JOB])
        first = outbox.next_for(connection, "one")
        assert first is not None and first.first == uids[0]
        behind = outbox.next_for(connection, "one", first.id)
        assert behind is not None and behind.first == uids[2]
        assert outbox.next_for(connection, "one", behind.id) is None
    with store.write() as connection:
        outbox.remove(connection, first)
        outbox.remove(connection, first)
    with store.write() as connection:
        assert outbox.next_for(connection, "one") == behind
        assert outbox.clear(connection, "one") == 1
        assert outbox.count(connection, "other") == 1
