"""What vectors cost: our own take time, those of a paid service tokens, of which a day may have a cap."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC

import pytest
from sqlalchemy import func, select

from hermes_agent.embedders.local import Local
from hermes_agent.embedders.openai import VENDOR
from hermes_agent.embedders.remote import Remote, Target
from hermes_agent.embedders.vendor import Model
from hermes_agent.errors import EmbedderDown
from hermes_agent.jobs import embedding as job
from hermes_agent.jobs.worker import Outcome, run_due
from hermes_agent.memory import embedding, spending
from hermes_agent.memory.spending import NO_CAP, Cap
from hermes_agent.patience import Patience
from hermes_agent.records.spending import Cost
from hermes_agent.store import fingerprints
from hermes_agent.store.store import Store
from hermes_agent.store.tables import spending as rows
from tests.embeddings_server import Fail, Server, Step, Vectors, serve
from tests.jobs.test_embedding import embed_all, talk

KEY = "sk-not-a-real-key"


@contextmanager
def service(*script: Step, key: str | None = KEY) -> Iterator[tuple[Server, Remote]]:
    """Run a server with a script, and an embedder that asks it for ten texts at a time."""
    with serve(*script) as server:
        target = Target(VENDOR, Model("small", 8), 8, server.url, "SOME_API_KEY", 10, key)
        with closing(Remote(target, patience=Patience(attempts=1, first_wait_seconds=0))) as remote:
            yield server, remote


def embed_capped(store: Store, embedder: Remote, cap: Cap = NO_CAP) -> list[Outcome]:
    job.enqueue_due(store, embedder)
    return list(run_due(store, {embedding.JOB: lambda each: job.run(store, embedder, each, cap)}))


def cost(store: Store) -> Cost:
    (day,) = spending.days(store, 1, UTC)
    assert set(day.by_work) == {"embedding"}
    return day.by_work["embedding"]


def texts_sent(server: Server) -> list[str]:
    return [text for request in server.requests for text in request.json["input"] if "tell me" in text]


def test_our_own_embedder_takes_time_and_no_tokens(store: Store) -> None:
    talk(store, 5)
    embed_all(store, Local())
    found = cost(store)
    assert found.calls > 0 and found.milliseconds > 0
    assert (found.input_tokens, found.output_tokens) == (0, 0)


def test_a_service_that_is_asked_with_a_key_takes_tokens(store: Store) -> None:
    talk(store, 5)
    with service(Vectors()) as (server, remote):
        assert embed_capped(store, remote)[-1].ending == "done"
    found = cost(store)
    sent = sum(len(text) for request in server.requests for text in request.json["input"])
    assert found.calls == len(server.requests)
    assert found.input_tokens == pytest.approx(sent / 3, abs=found.calls)
    with store.read() as connection:
        (who,) = connection.execute(select(rows.c.item, rows.c.model).distinct()).all()
    assert tuple(who) == ("job:1", "openai:small")


def test_a_server_of_ones_own_takes_none_and_is_not_capped(store: Store) -> None:
    talk(store, 40)
    with service(Vectors(), key=None) as (_, remote):
        assert embed_capped(store, remote, Cap(1, UTC))[-1].ending == "done"
    assert cost(store).input_tokens == 0 and cost(store).calls > 0


def test_a_service_that_is_down_was_asked(store: Store) -> None:
    talk(store, 5)
    with service(Fail(500)) as (_, remote):
        remote_is_measured(store, remote)
        (outcome,) = embed_capped(store, remote)
    assert EmbedderDown.__name__ in (outcome.reason or "")
    assert cost(store).calls == 1


def remote_is_measured(store: Store, remote: Remote) -> None:
    """Say from where on a cosine of the embedder says something, as if it had been asked before."""
    with store.write() as connection:
        kept = fingerprints.require(connection, remote.fingerprint, remote.dimensions)
        fingerprints.set_unrelated(connection, kept.id, 0.1)


def test_the_cap_stops_between_two_batches_and_every_text_is_sent_once(store: Store) -> None:
    talk(store, 40)
    with service(Vectors()) as (server, remote):
        remote_is_measured(store, remote)
        outcome = embed_capped(store, remote, Cap(100, UTC))[-1]
        assert (outcome.ending, "The daily cap of tokens is reached" in (outcome.reason or "")) == ("capped", True)
        begun = texts_sent(server)
        assert 0 < len(begun) < 40
        assert not embedding.health(store, remote).trouble
        with store.read() as connection:
            used = connection.execute(select(func.sum(rows.c.input_tokens))).scalar_one()
        assert used >= 100
        spending.release(store, Cap(1_000_000, UTC))
        assert embed_capped(store, remote, Cap(1_000_000, UTC))[-1].ending == "done"
        sent = texts_sent(server)
    assert len(sent) == len(set(sent)) == 40
    assert not embedding.health(store, remote).is_behind


def test_a_cap_that_is_reached_with_the_last_batch_stops_nothing(store: Store) -> None:
    talk(store, 2)
    with service(Vectors()) as (_, remote):
        remote_is_measured(store, remote)
        assert embed_capped(store, remote, Cap(1, UTC))[-1].ending == "done"
        assert embedding.health(store, remote).used == remote.fingerprint
