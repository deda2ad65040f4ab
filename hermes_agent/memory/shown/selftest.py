"""Self-tests of memory as JSON: a run with its scores, how it compares with the last, and what was missed."""

from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.records.archive import Json
from hermes_agent.records.selftests import AGES, Run, Score

if TYPE_CHECKING:
    from hermes_agent.memory.selftest import Question
    from hermes_agent.recall.grading import Verdict


def run_json(run: Run) -> dict[str, Json]:
    """Write a run, its scores over all questions and by the age of what was asked for."""
    from hermes_agent.recall.grading import score

    by_age = {age: [answer for answer in run.answers if answer.age == age] for age in AGES}
    return {
        "uid": run.uid,
        "at": clock.iso(run.at),
        "cause": run.cause,
        "fingerprint": run.fingerprint,
        **_score_json(score(run.answers)),
        "ages": {age: _score_json(score(answers)) for age, answers in by_age.items()},
        "p50_ms": run.p50_ms,
        "p95_ms": run.p95_ms,
        "troubles": list(run.troubles),
    }


def result_json(
    run: Run, last: Run | None, verdict: "Verdict | None", missed: list[Json] | None = None
) -> dict[str, Json]:
    """Write how a run went beside the last one; `missed` are the questions that were not answered, if wanted."""
    result: dict[str, Json] = {
        "run": run_json(run),
        "last": None if last is None else run_json(last),
        "is_drop": verdict is not None and verdict.is_drop,
        "change_points": None if verdict is None else round(verdict.points, 2),
    }
    return result if missed is None else {**result, "missed": missed}


def too_few_json(found: int, fewest: int) -> dict[str, Json]:
    """Write that there was no run, since the history gives too few questions."""
    return {"questions": found, "fewest": fewest, "run": None}


def question_json(question: "Question") -> Json:
    """Write a question, what would have answered it, and the message that says so."""
    message = question.message
    return {
        "question": question.masked.question,
        "value": question.masked.value,
        "message": message.uid,
        "session": message.session_id,
        "said_at": clock.iso(message.said_at),
        "text": message.content,
    }


def _score_json(found: Score) -> dict[str, Json]:
    return {
        "questions": found.questions,
        **{name: round(getattr(found, name), 4) for name in ("recall_1", "recall_5", "recall_10", "mrr")},
    }
