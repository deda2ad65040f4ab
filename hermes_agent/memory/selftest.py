"""Test recall on the owner's own history: make questions of what was said, ask them, and see what is found.

The questions are made without a model and are the same each time for the same history; as it grows they change
slowly, so that two runs can be compared question by question. A question is answered by its own message, or by
any other text that holds the value and what was asked about it.
"""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.recall import questions
from hermes_agent.recall.grading import DEPTH
from hermes_agent.recall.questions import Masked
from hermes_agent.records.archive import Message
from hermes_agent.records.selftests import AGES, Age, Answer, Cause, Run
from hermes_agent.store import selftests
from hermes_agent.store.store import Store

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder
    from hermes_agent.recall.hit import Hit

QUESTIONS = 50
FEWEST = 5
"""A history that gives fewer questions is not tested."""

_READ_FOR_EACH = 10
_DAY = 86_400 * clock.MICROSECONDS


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the message it was made of."""

    masked: Masked
    message: Message
    age: Age


@dataclass(frozen=True, slots=True)
class Asked:
    """How one question went; `fingerprint` is that of the vectors that were searched."""

    answer: Answer
    took_ms: float
    fingerprint: str | None
    troubles: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TooFew:
    """The history holds too little to ask about."""

    questions: int


@dataclass(frozen=True, slots=True)
class Tested:
    """A run, the questions that were not answered, and all of them."""

    run: Run
    missed: Sequence[Question]
    questions: Sequence[Question]


def run(
    store: Store,
    embedder: "Embedder | None",
    now: datetime,
    cause: Cause,
    count: int = QUESTIONS,
    asked_before: Sequence[Question] | None = None,
) -> Generator[int, None, Tested | TooFew]:
    """Ask up to `count` questions as anybody would ask them, and keep how it went; yields how many were asked.

    Those that were asked before can be asked again, to compare: their messages may be gone since.
    """
    made = make_questions(store, now, count) if asked_before is None else list(asked_before)
    if len(made) < FEWEST:
        return TooFew(len(made))
    asked = []
    for number, question in enumerate(made, start=1):
        asked.append(put(store, embedder, question, now))
        yield number
    missed = [question for question, one in zip(made, asked, strict=True) if one.answer.rank is None]
    return Tested(keep(store, asked, cause), missed, made)


def put(store: Store, embedder: "Embedder | None", question: Question, now: datetime) -> Asked:
    """Ask one question."""
    from hermes_agent.recall.asking import Retrieval, ask
    from hermes_agent.recall.finding import find

    began = clock.monotonic()
    found = find(store, embedder, ask(question.masked.question, now), Retrieval(), DEPTH)
    took_ms = 1_000 * (clock.monotonic() - began)
    answer = Answer(question.message.uid, question.age, _rank(found.hits, question))
    return Asked(answer, took_ms, found.fingerprint, found.troubles)


def keep(store: Store, asked: Sequence[Asked], cause: Cause) -> Run:
    """Keep how the questions of a test went, as one run."""
    at = clock.now()
    took = [one.took_ms for one in asked]
    made = Run(
        new_uid(at),
        at,
        cause,
        next((one.fingerprint for one in reversed(asked) if one.fingerprint is not None), None),
        [one.answer for one in asked],
        _share(took, 0.5),
        _share(took, 0.95),
        list(dict.fromkeys(trouble for one in asked for trouble in one.troubles)),
    )
    with store.write() as connection:
        selftests.add(connection, made)
    return made


def make_questions(store: Store, now: datetime, count: int) -> list[Question]:
    """Make up to `count` questions, spread over time and over the sessions."""
    with store.read() as connection:
        said = selftests.said_by_owner(connection, questions.LONGEST_STATEMENT, _READ_FOR_EACH * count)
    moment = clock.from_datetime(now)
    made = []
    for message in said:
        masked = questions.mask(message.content or "", clock.to_datetime(message.said_at, now.tzinfo))
        if masked is not None:
            made.append(Question(masked, message, _age(message.said_at, moment)))
    return _spread(made)[:count]


def previous(store: Store, before: Run, fewest_questions: int) -> Run | None:
    """Return the run before a run that asked at least so many questions."""
    with store.read() as connection:
        found = selftests.recent(connection, 2, fewest_questions=fewest_questions)
    return next((each for each in found if each.uid != before.uid), None)


def history(store: Store, limit: int, offset: int = 0) -> list[Run]:
    """Return the newest runs first."""
    with store.read() as connection:
        return selftests.recent(connection, limit, offset=offset)


def _spread(made: Sequence[Question]) -> list[Question]:
    """Put questions in turns: of each age one, of each session one before any has two; of equal words one."""
    turns: Counter[tuple[Age, str]] = Counter()
    by_age: dict[Age, list[tuple[int, Question]]] = {age: [] for age in AGES}
    for question in {each.masked: each for each in reversed(made)}.values():
        key = (question.age, question.message.session_id)
        by_age[question.age].append((turns[key], question))
        turns[key] += 1
    columns = [[one for _, one in sorted(found, key=lambda each: each[0])] for found in by_age.values()]
    return [one for row in zip_longest(*columns) for one in row if one is not None]


def _age(said_at: int, now: int) -> Age:
    days = (now - said_at) // _DAY
    if days < 7:
        return "week"
    return "month" if days < 31 else "older"


def _rank(hits: "Sequence[Hit]", question: Question) -> int | None:
    for place, hit in enumerate(hits[:DEPTH], start=1):
        if hit.message_id == question.message.id or questions.answers(hit.text, question.masked):
            return place
    return None


def _share(took: Sequence[float], share: float) -> float:
    """Return the time within which a share of the questions was answered."""
    return round(sorted(took)[min(len(took) - 1, int(share * len(took)))], 1)
