"""What work costs, on both engines: counted whoever does it and however it ends, capped, and not kept for ever."""

from collections.abc import Sequence
from datetime import UTC
from math import inf
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from hermes_agent import clock
from hermes_agent.errors import CapReached, HermesError
from hermes_agent.jobs import episodes, learning, reflecting
from hermes_agent.jobs.worker import Handler, Outcome, run_due
from hermes_agent.memory import reflections, spending
from hermes_agent.memory.episodes import JOB as EPISODES
from hermes_agent.memory.learning import JOB as LEARN
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.metering import metered
from hermes_agent.memory.reflections import JOB as REFLECT
from hermes_agent.memory.spending import Cap
from hermes_agent.models.model import Model
from hermes_agent.records.archive import NewMessage
from hermes_agent.records.jobs import Job
from hermes_agent.records.spending import Cost
from hermes_agent.records.talk import Reply, Usage
from hermes_agent.store import jobs
from hermes_agent.store.store import Store
from hermes_agent.store.tables import spending as rows
from tests.learn.claimed import claim, hand_in
from tests.learning import learn
from tests.memory.held import texts
from tests.memory.test_reflections import work
from tests.model_answers import chat_chunk
from tests.models.asking import asking
from tests.openai_server import Break, Fail, Raw, Step
from tests.recall.conversations import talk

LYON, SIEMENS = claim("I live in Lyon"), claim("I work at Siemens", "employer", "Siemens")
ONE_ANSWER = 120
"""Tokens that the scripted server says it took, in and out."""
DAY = 86_400 * clock.MICROSECONDS


def spent(store: Store) -> list[dict[str, object]]:
    """Return all rows, the oldest first."""
    with store.read() as connection:
        return [dict(row) for row in connection.execute(select(rows).order_by(rows.c.id)).mappings()]


def columns(store: Store, *names: str) -> list[tuple[object, ...]]:
    return [tuple(row[name] for name in names) for row in spent(store)]


def make_older(store: Store, days: float) -> None:
    """Let everything have been spent so many days earlier."""
    with store.write() as connection:
        connection.execute(update(rows).values(at=rows.c.at - int(days * DAY)))


def capped(memory: Memory, tokens: int) -> Memory:
    """Return the same memory with a cap."""
    return Memory(memory.store, memory.profile, memory.zone, cap=Cap(tokens, memory.zone))


def run_jobs(memory: Memory, model: Model | None = None) -> list[Outcome]:
    handlers: dict[str, Handler] = {
        LEARN: lambda _: learning.run(memory, model),
        REFLECT: lambda _: reflecting.run(memory, model),
        EPISODES: lambda job: episodes.run(memory, job),
    }
    # However slow the machine is, a job is done in one go here.
    return list(run_due(memory.store, handlers, slice_seconds=inf))


def waiting(memory: Memory, kind: str) -> Job:
    with memory.store.read() as connection:
        (found,) = jobs.recent(connection, 9, kind=kind)
    return found


def test_what_the_rules_read_takes_time_and_no_tokens(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.")
    learn(memory.store, "a")
    (row,) = spent(memory.store)
    assert (row["work"], row["item"], row["model"]) == ("extraction", "a", None)
    assert (row["calls"], row["input_tokens"], row["output_tokens"]) == (0, 0, 0)
    assert isinstance(row["milliseconds"], float) and row["milliseconds"] > 0


def test_what_a_model_reads_is_counted_as_its_server_counts(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.")
    with asking(hand_in(LYON)) as (_, remote):
        learn(memory.store, "a", remote)
    found = columns(memory.store, "work", "item", "model", "calls", "input_tokens", "output_tokens")
    assert found == [("extraction", "a", "scripted-1", 1, 100, 20)]


def test_every_answer_is_counted_also_those_of_no_use(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.")
    with asking(hand_in("no claim"), hand_in(LYON)) as (_, remote):
        learn(memory.store, "a", remote)
    assert columns(memory.store, "calls", "input_tokens", "output_tokens") == [(2, 200, 40)]


NO_USAGE = "".join(
    f"data: {chunk}\n\n" for chunk in (chat_chunk({"content": '{"facts": []}'}), chat_chunk({}, "stop"), "[DONE]")
).encode()
UNTOLD: list[tuple[Step, bool]] = [(Raw(NO_USAGE), True), (Break('{"facts": ['), True), (Fail(401), False)]


@pytest.mark.parametrize(("step", "is_guessed"), UNTOLD)
def test_tokens_that_nobody_counts_are_guessed_and_a_refusal_costs_none(
    memory: Memory, step: Step, is_guessed: bool
) -> None:
    talk(memory, "a", "I live in Lyon.")
    with asking(step) as (_, remote):
        try:
            learn(memory.store, "a", remote)
        except HermesError:
            assert not isinstance(step, Raw), "only the one that broke off, or refused, raises"
    ((calls, taken, given),) = columns(memory.store, "calls", "input_tokens", "output_tokens")
    assert calls == 1
    if is_guessed:
        assert isinstance(taken, int) and 100 < taken < 2_000 and given in (4, 5)
    else:
        assert (taken, given) == (0, 0)


def test_a_block_that_asks_by_itself_writes_one_row_with_what_it_made_or_afterwards(store: Store) -> None:
    reply = Reply("A summary.", model="m", usage=Usage(input=30, output=7))
    with metered(store, "compression", "a") as meter:
        meter.count(reply)
        meter.count(reply)
        with store.write() as connection:
            meter.keep(connection)
    with metered(store, "compression", "b") as meter:
        meter.count(reply)
    with pytest.raises(ZeroDivisionError), metered(store, "compression", "c") as meter:
        meter.count(reply)
        with store.write() as connection:
            meter.keep(connection)
            _ = 1 // 0
    found = columns(store, "work", "item", "model", "calls", "input_tokens", "output_tokens")
    assert found == [("compression", item, "m", n, 30 * n, 7 * n) for item, n in (("a", 2), ("b", 1), ("c", 1))]


def two_sessions(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.", day=0, ended="user_exit")
    talk(memory, "b", "I work at Siemens.", day=1, ended="user_exit")


def test_the_rest_waits_for_the_next_day_when_the_cap_is_reached(memory: Memory) -> None:
    two_sessions(memory)
    careful = capped(memory, 100)
    learning.enqueue_due(careful)
    with asking(hand_in(LYON), hand_in(SIEMENS)) as (server, remote):
        (outcome,) = run_jobs(careful, remote)
        assert (outcome.ending, outcome.is_trouble) == ("capped", False)
        assert run_jobs(careful, remote) == [], "it is not due before tomorrow"
        job = waiting(careful, LEARN)
        assert (job.state, job.attempts, job.is_capped) == ("waiting", 0, True)
        assert "120 of 100" in (job.reason or "")
        due = clock.to_datetime(job.due_at, UTC)
        assert (due.hour, due.minute, due.second, due.microsecond) == (0, 0, 0, 0)
        assert 0 < job.due_at - clock.now() <= DAY
        assert len(server.requests) == 1 and texts(memory) == ["User lives in Lyon"]
        assert learning.health(careful).trouble is None, "that is as its owner wished"
        make_older(memory.store, 1)
        with memory.store.write() as connection:
            jobs.retry(connection, job)
        (outcome,) = run_jobs(careful, remote)
    assert outcome.ending == "done"
    assert len(server.requests) == 2, "nothing was asked twice"
    assert sorted(texts(memory)) == ["User lives in Lyon", "User works at Siemens"]


def test_a_cap_that_was_raised_lets_the_work_go_on_at_once(memory: Memory) -> None:
    two_sessions(memory)
    careful, generous = capped(memory, 1), capped(memory, 1_000)
    learning.enqueue_due(careful)
    with asking(hand_in(LYON), hand_in(SIEMENS)) as (_, remote):
        assert [one.ending for one in run_jobs(careful, remote)] == ["capped"]
        spending.release(memory.store, careful.cap)
        assert run_jobs(careful, remote) == []
        spending.release(memory.store, generous.cap)
        assert [one.ending for one in run_jobs(generous, remote)] == ["done"]
    assert spending.waiting(memory.store) == []


def test_without_a_model_nothing_is_capped(memory: Memory) -> None:
    careful = capped(memory, 1)
    with metered(memory.store, "extraction") as meter:
        meter.add(Cost(1, 500), "some model")
    two_sessions(memory)
    work(careful, "c")
    learning.enqueue_due(careful)
    reflecting.enqueue_due(careful)
    assert {one.ending for one in run_jobs(careful)} == {"done"}


def test_reflecting_stops_at_the_cap_and_keeps_every_lesson_once(memory: Memory) -> None:
    for session_id, request in (("a", "Run the tests of the web app"), ("b", "Build the manual")):
        work(memory, session_id, request)
    careful = capped(memory, 150)
    reflecting.enqueue_due(careful)
    with asking(hand_in()) as (server, remote):
        assert [one.ending for one in run_jobs(careful, remote)] == ["capped"]
        before = len(server.requests)
        make_older(memory.store, 1)
        spending.release(memory.store, careful.cap)
        assert [one.ending for one in run_jobs(careful, remote)] == ["done"]
        assert len(server.requests) == 2 * before, "each task was asked about as often as the other"
    assert len(reflections.recent(memory.store, 9)) == 2
    assert [row["item"] for row in spent(memory.store) if row["work"] == "reflection"] == ["a", "b"]


def test_the_cap_is_of_a_day_in_the_owners_zone(store: Store) -> None:
    here = [Cap(10, ZoneInfo(name)).today(store).until for name in ("Pacific/Kiritimati", "Pacific/Pago_Pago")]
    for moment, name in zip(here, ("Pacific/Kiritimati", "Pacific/Pago_Pago"), strict=True):
        assert clock.to_datetime(moment, ZoneInfo(name)).hour == 0
    assert here[0] != here[1]


def test_recall_does_not_count_towards_the_cap(store: Store) -> None:
    with metered(store, "recall") as meter:
        meter.add(Cost(1, 500), "")
    Cap(10, UTC).require(store)
    with metered(store, "embedding") as meter:
        meter.add(Cost(1, 10), "")
    with pytest.raises(CapReached, match="10 of 10"):
        Cap(10, UTC).require(store)


def test_days_and_items_are_added_up(store: Store) -> None:
    def spend(item: str, *costs: Cost) -> None:
        for cost in costs:
            with metered(store, "extraction", item) as meter:
                meter.add(cost, "m")

    spend("a", Cost(1, 10, 1), Cost(1, 20, 2))
    make_older(store, 2)
    spend("a", Cost(1, 5, 5))
    spend("b", Cost(1, 100, 1))
    found = spending.days(store, 7, UTC)
    assert [(one.by_work["extraction"].calls, one.by_work["extraction"].input_tokens) for one in found] == [
        (2, 30),
        (2, 105),
    ]
    assert (found[1].day - found[0].day).days == 2
    assert [one.day for one in spending.days(store, 1, UTC)] == [found[1].day]
    items = spending.items(store, 7, UTC, 9)
    assert [(one.item, one.cost.input_tokens, one.cost.output_tokens) for one in items] == [
        ("b", 100, 1),
        ("a", 35, 8),
    ]
    assert [one.item for one in spending.items(store, 7, UTC, 1)] == ["b"]


def test_what_was_spent_more_than_a_year_ago_goes_once_a_day(memory: Memory) -> None:
    with metered(memory.store, "extraction", "old"):
        pass
    make_older(memory.store, 367)
    with metered(memory.store, "extraction", "new"):
        pass
    with memory.store.write() as connection:
        jobs.add(connection, EPISODES, EPISODES)
    assert [one.ending for one in run_jobs(memory)] == ["done"]
    assert [row["item"] for row in spent(memory.store)] == ["new"]


def said(count: int, text: str) -> Sequence[NewMessage]:
    return [NewMessage("assistant" if n % 2 else "user", text) for n in range(count)]


@pytest.mark.parametrize("count", [2, 150, 500])
def test_the_history_is_what_was_said_elsewhere_up_to_what_a_model_takes(memory: Memory, count: int) -> None:
    talk(memory, "here", *said(30, "x" * 900))
    talk(memory, "there", *said(count, "y" * 30))
    assert memory.history_tokens("here", 1_000_000) == count * 10
    assert memory.history_tokens("here", 15) == 15
    talk(memory, "tools", *(NewMessage("tool", "z" * 90, tool_call_id="c", tool_name="shell") for _ in range(5)))
    assert memory.history_tokens("here", 1_000_000) == pytest.approx(count * 10, rel=0.03)


def test_an_empty_archive_has_no_history(memory: Memory) -> None:
    assert memory.history_tokens("nothing", 1_000) == 0


def test_what_went_wrong_with_the_work_is_told_though_its_cost_cannot_be_kept(memory: Memory) -> None:
    with memory.store.write() as connection:
        connection.exec_driver_sql("DROP TABLE spending")
    with pytest.raises(ValueError, match="the work") as raised, metered(memory.store, "reflection"):
        raise ValueError("the work")
    assert "could not be kept" in " ".join(raised.value.__notes__)
