"""The two weeks of the story, learned by rules, with a light model, and with one whose server dies on the way."""

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from hermes_agent.jobs import learning as job
from hermes_agent.jobs.worker import Outcome, run_due
from hermes_agent.memory.learning import JOB
from hermes_agent.memory.memory import Memory
from hermes_agent.models.remote import Remote
from hermes_agent.records.memory import Fact
from hermes_agent.store import facts, jobs, journal, messages
from tests.engines import ENGINES, opened
from tests.learn.story import EXPECTED, FORBIDDEN, SESSIONS, STALE, matching, read_story, tell_story
from tests.models.asking import HURRIED, choice_of
from tests.openai_server import Fail, Server, serve


@pytest.fixture(params=ENGINES)
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """The story, not learned from yet, on each of the engines."""
    for store in opened(request.param, tmp_path):
        memory = Memory(store, "default", UTC)
        tell_story(memory)
        yield memory


def learn(memory: Memory, server: Server | None = None) -> list[Outcome]:
    job.enqueue_due(memory)
    model = None if server is None else Remote(choice_of(server), HURRIED)
    outcomes = list(run_due(memory.store, {JOB: lambda _: job.run(memory, model)}))
    if model is not None:
        model.close()
    return outcomes


def every(memory: Memory) -> list[Fact]:
    with memory.store.read() as connection:
        return facts.recent(connection, 1_000, with_ended=True)[::-1]


def held(found: list[Fact]) -> list[str]:
    return [fact.text for fact in found if fact.state == "current"]


def test_with_a_light_model_the_store_is_better_than_without(memory: Memory, tmp_path: Path) -> None:
    with serve(read_story) as server:
        learn(memory, server)
    with_model = every(memory)
    for store in opened("sqlite", tmp_path / "rules"):
        plain = Memory(store, "default", UTC)
        tell_story(plain)
        learn(plain)
        without = every(plain)
    known, known_without = matching(EXPECTED, held(with_model)), matching(EXPECTED, held(without))
    assert set(known_without) <= set(known)
    assert len(known) > 2 * len(known_without)
    assert matching(STALE, held(with_model)) == []
    assert matching(FORBIDDEN, [fact.text for fact in with_model]) == []
    assert_spans(memory, with_model)


def assert_spans(memory: Memory, found: list[Fact]) -> None:
    """Every fact names words that stand in a message, and its value's are among them."""
    with memory.store.read() as connection:
        said = {
            one.uid: one.content or "" for session in SESSIONS for one in messages.of_session(connection, session)
        }
        told = journal.recent(connection, 99, kind="learning")
    for fact in found:
        quote = said[fact.source_message or ""][fact.span_start : fact.span_end]
        assert quote and fact.span_start is not None
    assert {entry.kind for entry in told} == {"learning.refused"}


def test_a_server_that_dies_on_the_way_loses_nothing(memory: Memory, tmp_path: Path) -> None:
    # Two sessions are read before it dies, and two more before it stutters.
    with serve(read_story, read_story, Fail(503)) as server:
        assert learn(memory, server)[-1].ending == "postponed"
    assert every(memory)
    retry(memory)
    assert "No server answers" in (learn(memory, server)[-1].reason or "")
    retry(memory)
    with serve(read_story) as server:
        assert learn(memory, server)[-1].ending == "done"
        assert len(server.requests) == len(SESSIONS) - 2
    for store in opened("sqlite", tmp_path / "whole"):
        whole = Memory(store, "default", UTC)
        tell_story(whole)
        with serve(read_story) as server:
            learn(whole, server)
        assert [seen(fact) for fact in every(memory)] == [seen(fact) for fact in every(whole)]


def seen(fact: Fact) -> tuple[object, ...]:
    span = (fact.span_start, fact.span_end, fact.said_at, fact.valid_to)
    return fact.text, fact.state, fact.corroborations, fact.confidence, span


def retry(memory: Memory) -> None:
    """Do what `hermes jobs retry` does."""
    with memory.store.write() as connection:
        (waiting,) = jobs.recent(connection, 1, kind=JOB)
        assert jobs.retry(connection, waiting)
