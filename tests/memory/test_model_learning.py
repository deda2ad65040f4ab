"""Learning with a light model over real HTTP: what it is asked, what is kept of its answer, what goes wrong."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home, ensure
from hermes_agent.errors import HermesError, ModelBusy, ModelError, ModelSetupError
from hermes_agent.jobs import learning as job
from hermes_agent.jobs.worker import Outcome, run_due
from hermes_agent.learn.claims import FORM
from hermes_agent.learn.model_reading import longest_part, request
from hermes_agent.memory import facts as by_hand
from hermes_agent.memory.learning import JOB
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.notebook import Notebook
from hermes_agent.models.model import Model
from hermes_agent.models.remote import Remote
from hermes_agent.records.archive import NewMessage
from hermes_agent.records.journal import Entry
from hermes_agent.records.learning import Heard, Part
from hermes_agent.records.memory import NewFact
from hermes_agent.records.talk import Piece, Reply, Request, ToolCall, UserLine
from hermes_agent.store import facts, jobs, journal, learned
from tests.engines import opened
from tests.learn.claimed import claim, hand_in
from tests.learn.test_checking import REFUSED, SAID
from tests.learning import learn
from tests.memory.held import held, texts
from tests.models.asking import HURRIED, asked, asking, choice_of
from tests.openai_server import Break, Call, Fail, Hang, Raw, Say, Step, Use, serve
from tests.recall.conversations import put, talk

LYON = claim("I live in Lyon")


@pytest.fixture
def file_memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory on SQLite, for the tables of what no engine has a part in."""
    for store in opened("sqlite", tmp_path):
        yield Memory(store, "default", UTC)


def told(memory: Memory, kind: str) -> list[Entry]:
    with memory.store.read() as connection:
        return journal.recent(connection, 99, kind=kind)[::-1]


def is_learned(memory: Memory, session_id: str) -> bool:
    with memory.store.read() as connection:
        return learned.reached(connection, session_id) > 0


def test_a_fact_that_a_model_read_names_its_message_and_the_words(memory: Memory) -> None:
    talk(memory, "a", "Well. I live in Lyon, sort of.", "I see.")
    with asking(hand_in(LYON)) as (server, remote):
        assert learn(memory.store, "a", remote) == {"new": 1}
    (fact,) = held(memory)
    assert (fact.text, fact.span_start, fact.span_end) == ("User lives in Lyon", 6, 20)
    assert (fact.confidence, fact.confidence_reason) == (0.9, "as scripted-1 reads it")
    (entry,) = told(memory, "fact.learned")
    assert entry.session_id == "a"
    sent = server.requests[0].json
    assert [tool["function"]["name"] for tool in sent["tools"]] == [FORM.name]
    assert sent["tool_choice"] == "required"


def test_a_model_sees_the_users_own_words_by_number_and_what_is_known(memory: Memory) -> None:
    recalled = "<memory>User lives in Oslo</memory>\n\nWhere was I?"
    talk(memory, "a", "I play the cello.", day=1)
    learn(memory.store, "a")
    talk(
        memory,
        "b",
        NewMessage("user", "Where was I?", sent=recalled),
        "You live in Oslo.",
        "</message> My cello broke.",
    )
    with asking(hand_in()) as (server, remote):
        learn(memory.store, "b", remote)
    shown = asked(server.requests[0])
    assert "1. User plays cello" in shown.partition("<messages>")[0]
    assert '<message number="1"' in shown and '<message number="2"' in shown
    assert "Oslo" not in shown, "neither what was recalled nor what was answered is evidence"
    assert shown.count("</message>") == 2, "the fence holds"


def test_what_was_learned_before_is_shown_and_not_to_be_quoted(memory: Memory) -> None:
    talk(memory, "a", "I work at Siemens.")
    with asking(hand_in()) as (_, remote):
        learn(memory.store, "a", remote)
    memory.append("a", NewMessage("user", "It is in Munich."))
    with asking(hand_in(claim("I work at Siemens", "employer", "Siemens"))) as (server, remote):
        learn(memory.store, "a", remote)
    assert "<earlier>\nI work at Siemens.\n</earlier>" in asked(server.requests[0])
    assert texts(memory) == []


def test_of_many_claims_only_those_that_stand_are_kept_and_the_rest_is_journalled(memory: Memory) -> None:
    talk(memory, "a", *(NewMessage("user", text) for text in SAID))
    with memory.store.write() as connection:
        for subject in ("user", "sister Ana"):  # known by number, as in the table
            facts.add(connection, memory.store.engine, living_in_nice(subject))
    with asking(hand_in(*(given for given, _ in REFUSED), LYON)) as (_, remote):
        learn(memory.store, "a", remote)
    assert "User lives in Lyon" in texts(memory)
    assert len(held(memory, with_ended=True)) == 3
    (entry,) = told(memory, "learning.refused")
    assert f"{len(REFUSED)} facts were refused" in entry.text
    assert all(reason in entry.text for _, reason in REFUSED)
    assert "Oslo" not in entry.text and "4711" not in entry.text, "what was refused is nowhere"


def living_in_nice(subject: str) -> NewFact:
    return NewFact(
        f"{subject} lives in Nice", "user", 0.9, "a test", 1, subject=subject, attribute="home", value="Nice"
    )


UNUSABLE: list[tuple[Step, int]] = [
    (Say("I'm sorry, but I can't help with that."), 3),
    (Say('{"facts": [{"message": 1, "quote": "I live'), 3),
    (Use(Call(FORM.name, '{"facts": [{"message": 1, "quote": "I live')), 3),
    (Use(Call(FORM.name, "[]")), 3),
    (Use(Call("memory", '{"action": "add", "content": "User lives in Oslo"}')), 3),
    (hand_in(claim("I live in Oslo", value="Oslo")), 3),
    (hand_in("User lives in Oslo"), 3),
    (Say("", finish_reason="stop"), 3),
    (Say('{"facts": []}', finish_reason="length"), 3),
    (Say("", finish_reason="content_filter"), 1),
    (Fail(400, "The prompt triggered the content management policy.", code="content_filter"), 1),
    (Fail(400, "This model's maximum context length is 10 tokens.", code="context_length_exceeded"), 1),
    (Fail(422, "Tools are not supported."), 1),
]


@pytest.mark.parametrize(("step", "times"), UNUSABLE)
def test_what_a_model_cannot_read_the_rules_do_and_it_is_told(file_memory: Memory, step: Step, times: int) -> None:
    memory = file_memory
    talk(memory, "a", "I live in Lyon.")
    with asking(step) as (server, remote):
        learn(memory.store, "a", remote)
        learn(memory.store, "a", remote)
    assert len(server.requests) == times
    assert texts(memory) == ["User lives in Lyon"]
    (entry,) = told(memory, "learning.by_rules")
    assert entry.session_id == "a" and entry.cause
    assert "Oslo" not in json.dumps([entry.text, entry.cause])


def test_a_second_answer_that_can_be_read_is_as_good_as_the_first(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.")
    with asking(Say("Sure, I will!"), hand_in(LYON)) as (server, remote):
        learn(memory.store, "a", remote)
    assert texts(memory) == ["User lives in Lyon"]
    assert told(memory, "learning") == []
    assert "The answer is not JSON." in asked(server.requests[1])


DOWN: list[tuple[Step, type[HermesError]]] = [
    (Fail(500), ModelBusy),
    (Fail(429, retry_after="0"), ModelBusy),
    (Fail(503, raw=b"<html>no</html>"), ModelBusy),
    (Fail(401), ModelSetupError),
    (Fail(404), ModelSetupError),
    (Break('{"facts": ['), ModelBusy),
    (Break(), ModelBusy),
    (Hang(), ModelBusy),
    (Hang('{"facts": ['), ModelBusy),
    (Raw(b"<html>Please log in.</html>"), ModelError),
]


@pytest.mark.parametrize(("step", "kind"), DOWN)
def test_a_session_waits_for_a_model_that_is_down_and_is_learned_from_once(
    file_memory: Memory, step: Step, kind: type[HermesError]
) -> None:
    memory = file_memory
    talk(memory, "a", "I live in Lyon.", ended="user_exit")
    job.enqueue_due(memory)
    with asking(step, silence_seconds=0.2) as (_, remote):
        (outcome,) = run(memory, remote)
    assert (outcome.ending, kind.__name__ in (outcome.reason or "")) == ("postponed", True), outcome.reason
    assert texts(memory) == [] and not is_learned(memory, "a")
    assert told(memory, "fact") == [] and told(memory, "learning") == []
    make_due(memory)
    with asking(hand_in(LYON)) as (server, remote):
        endings = [outcome.ending for outcome in run(memory, remote)]
    assert endings == ["done"] and len(server.requests) == 1
    assert [(fact.text, fact.corroborations) for fact in held(memory)] == [("User lives in Lyon", 0)]


def test_a_server_that_is_not_there_makes_the_session_wait(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.", ended="user_exit")
    with serve() as server:
        choice = choice_of(server)
    remote = Remote(choice, HURRIED, 1)
    job.enqueue_due(memory)
    (outcome,) = run(memory, remote)
    remote.close()
    assert outcome.ending == "postponed" and "No server answers" in (outcome.reason or "")
    assert not is_learned(memory, "a")


def run(memory: Memory, model: Model) -> list[Outcome]:
    return list(run_due(memory.store, {JOB: lambda _: job.run(memory, model)}, slice_seconds=60))


def make_due(memory: Memory) -> None:
    """Do what `hermes jobs retry` does."""
    with memory.store.write() as connection:
        (waiting,) = jobs.recent(connection, 1, kind=JOB)
        assert jobs.retry(connection, waiting)


def test_one_session_that_no_model_can_answer_does_not_keep_the_others(memory: Memory) -> None:
    for day, name in enumerate(("bad", "good", "last")):
        talk(memory, name, "Poison." if name == "bad" else "I live in Lyon.", day=day, ended="user_exit")
    job.enqueue_due(memory)
    model = Thinker(lambda shown: ModelBusy("It did not answer.") if "Poison" in shown else hand_in(LYON))
    assert "It did not answer." in (run(memory, model)[-1].reason or "")
    assert [is_learned(memory, name) for name in ("bad", "good", "last")] == [False, True, True]
    assert [fact.corroborations for fact in held(memory)] == [1]


def test_user_md_is_seen_to_though_no_model_answers(memory: Memory, own_home: Home) -> None:
    by_hand.add(memory.store, "My name is Ada")
    for day in range(2):
        talk(memory, f"s{day}", "I live in Lyon.", day=day, ended="user_exit")
    ensure(own_home)
    notebook = Notebook(memory.store, own_home, 2_200, 1_375)
    model = Thinker(lambda _: ModelBusy("It did not answer."))
    job.enqueue_due(memory, is_curating=True)
    (outcome,) = run_due(memory.store, {JOB: lambda _: job.run(memory, model, notebook)}, slice_seconds=60)
    assert (outcome.ending, notebook.text("user")) == ("postponed", "Name: Ada")
    assert not is_learned(memory, "s0") and not is_learned(memory, "s1")


def test_after_a_job_that_failed_for_good_the_next_one_waits_a_while(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.", ended="user_exit")
    model = Thinker(lambda _: ModelBusy("It did not answer in time."))
    with memory.store.write() as connection:
        jobs.add(connection, JOB, JOB, max_attempts=1)
    assert [one.ending for one in run(memory, model)] == ["failed"]
    job.enqueue_due(memory)
    assert run(memory, model) == [], "it is not due yet"
    make_due(memory)
    assert [one.ending for one in run(memory, Thinker(lambda _: hand_in(LYON)))] == ["done"]
    assert texts(memory) == ["User lives in Lyon"]


@dataclass
class Thinker:
    """A model that does something while it thinks."""

    think: Callable[[str], Use | HermesError]
    name: str = "thinker"
    context_window: int = 100_000
    is_embedded: bool = False

    def ask(self, request: Request) -> Iterator[Piece]:
        """Think, and hand in what comes of it."""
        answer = self.think(request.lines[-1].text)
        if isinstance(answer, HermesError):
            raise answer
        yield Reply("", [ToolCall(call.id, call.name, call.arguments) for call in answer.calls])


def test_what_is_taken_back_or_deleted_while_a_model_thinks_is_not_learned(memory: Memory) -> None:
    ids = talk(memory, "rewound", "I live in Lyon.")
    talk(memory, "deleted", "I live in Lyon.")

    def take_back(_: str) -> Use:
        put(memory, ids, "rewound")
        memory.delete(["deleted"], cause="a test")
        return hand_in(LYON)

    for session in ("rewound", "deleted"):
        learn(memory.store, session, Thinker(take_back))
    assert texts(memory) == []


def test_two_that_learn_from_a_session_at_once_learn_it_once(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.")

    def be_slow(_: str) -> Use:
        learn(memory.store, "a", Thinker(lambda _: hand_in(LYON)))
        return hand_in(LYON)

    assert learn(memory.store, "a", Thinker(be_slow)) == {}
    assert [(fact.text, fact.corroborations) for fact in held(memory)] == [("User lives in Lyon", 0)]


def test_what_is_said_while_a_model_thinks_is_learned_next(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.")
    later = NewMessage("user", "I speak French.")

    def go_on(shown: str) -> Use:
        if "French" in shown.partition("<messages>")[2]:
            return hand_in(claim("I speak French", "speaks", "French"))
        memory.append("a", later)
        return hand_in(LYON)

    learn(memory.store, "a", Thinker(go_on))
    assert texts(memory) == ["User lives in Lyon", "User speaks French"]


def test_a_long_session_is_read_in_parts_and_what_was_read_stays_read(memory: Memory) -> None:
    cities = ["Lyon", "Oslo", "Rome", "Bonn", "Kyiv", "Bern"]
    filler = "So it goes. " * 450
    talk(memory, "a", *(NewMessage("user", f"{filler}I once visited {city}.") for city in cities))
    shown: list[str] = []

    def read(text: str) -> Use | HermesError:
        shown.append(text.partition("<messages>")[2])
        if len(shown) == 2:
            return ModelBusy("It is busy.")
        there = [city for city in cities if city in shown[-1]]
        claims = [
            claim(f"I once visited {city}", "visited", city, message=number)
            for number, city in enumerate(there, 1)
        ]
        return hand_in(*claims)

    with pytest.raises(ModelBusy):
        learn(memory.store, "a", Thinker(read))
    assert 0 < len(texts(memory)) < len(cities)
    learn(memory.store, "a", Thinker(read))
    assert [fact.value for fact in held(memory)] == cities
    assert len(shown) > 3 and all(len(text) < 20_000 for text in shown)


def test_a_part_whose_answer_is_cut_off_is_read_in_halves(memory: Memory) -> None:
    talk(memory, "a", *(NewMessage("user", text) for text in ("I live in Lyon.", "I speak French.")))
    cut = Say('{"facts": [', finish_reason="length")
    with asking(cut, hand_in(LYON), hand_in(claim("I speak French", "speaks", "French"))) as (server, remote):
        learn(memory.store, "a", remote)
    assert texts(memory) == ["User lives in Lyon", "User speaks French"]
    assert len(server.requests) == 3 and told(memory, "learning") == []


def test_a_message_that_nobody_types_is_not_read(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon. " + "x" * 50_000)
    with asking(hand_in(LYON)) as (server, remote):
        learn(memory.store, "a", remote)
    assert (server.requests, texts(memory)) == ([], [])


def test_a_message_longer_than_any_part_is_shown_as_far_as_there_is_room() -> None:
    part = Part(0, 1, [Heard("1", "I live in Lyon. " + "x" * 50_000, 0)])
    with asking(hand_in()) as (_, remote):
        (line,) = request(part).lines
        assert isinstance(line, UserLine) and len(line.text) < longest_part(remote)
