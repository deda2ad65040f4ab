"""Reflect on a task without a model: what was tried, what failed and what came instead, what its user put right.

Nothing is made up: each sentence names calls that were made, or quotes the user or the tool. Words of a tool that
speak to the assistant are left out, what came of the call is not.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.tasks import Attempt, Task, is_fault, is_praise
from hermes_agent.notes import screening
from hermes_agent.records.archive import UNTRUSTED, Message, SourceClass, least_trusted
from hermes_agent.records.reflections import NewReflection, TaskOutcome, TaskType
from hermes_agent.text.clean import preview
from hermes_agent.text.pasted import holds_pasted
from hermes_agent.text.words import words

RULES = "rules"
_LONGEST_TASK, _LONGEST_REMARK = 200, 200
MOST_LESSONS = 5
_MOST_STEPS = 8
_OWN_TOOLS = frozenset(
    {"memory", "recall", "session_search", "journal", "todo", "skills_list", "skill_view", "skill_manage"}
)
"""Looking things up in one's own memory is no work on a task."""
_TYPES: tuple[tuple[TaskType, frozenset[str]], ...] = (
    ("review", word_set("review reviews reviewing critique audit proofread pr feedback")),
    (
        "operations",
        word_set("deploy deployment release rollback server restart install upgrade migrate backup docker"),
    ),
    (
        "coding",
        word_set("code bug fix test tests refactor implement function class compile build script api debug"),
    ),
    ("data", word_set("data csv sql query table spreadsheet chart plot dataset statistics parse")),
    ("monitoring", word_set("monitor watch check status alert track uptime")),
    (
        "research",
        word_set("research find search compare look investigate sources papers summarize summarise read"),
    ),
    ("writing", word_set("write draft letter email mail essay post blog translate rewrite edit text article")),
    ("planning", word_set("plan schedule agenda organise organize prepare trip roadmap itinerary")),
    ("memory", word_set("remember forget recall")),
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something a lesson may rest on, in one line."""

    text: str
    source_class: SourceClass
    """Whose words it holds: of a call that quotes no tool the assistant's."""


def reflect(task: Task) -> NewReflection | None:
    """Return what is to be learned of how a task went; None where nothing was tried or put right."""
    attempts = tried(task)
    faults = [one for one in task.remarks if is_fault(one.content or "")]
    if not attempts and not faults:
        return None
    request = task.request.content or ""
    differently = own([*_failures(attempts), *_corrections(faults)])[:MOST_LESSONS]
    outcome = _outcome(task, attempts)
    worked = own(_worked(attempts)) if outcome == "done" else []
    return NewReflection(
        session_id=task.request.session_id,
        message_uid=task.request.uid,
        task=told_request(task, _LONGEST_TASK),
        task_type=task_type(request),
        outcome=outcome,
        worked=worked,
        differently=differently,
        source_class=source_class(task, [one for one in attempts if one.is_failed and _is_quoted(one)]),
        began_at=task.request.said_at,
        ended_at=task.ended_at or task.request.said_at,
        written_by=RULES,
    )


def source_class(task: Task, quoted: Iterable[Attempt]) -> SourceClass:
    """Return the class of what a task taught: the least trusted of its request, of what was said of it and quoted.

    The owner's own words, told by the assistant, are the assistant's.
    """
    said = (_class_of(one) for one in (task.request, *task.remarks))
    return least_trusted(("assistant", *said, *(one.source_class for one in quoted)))


def told_request(task: Task, most: int) -> str:
    """Return what was asked for on one line, without what was pasted: nobody knows who wrote that."""
    request = task.request.content or ""
    return "A request with pasted text" if holds_pasted(request) else preview(request, most)


def evidence(task: Task) -> list[Evidence]:
    """Return what a task's lessons may rest on: its calls and what came of them, what its user said of it."""
    calls = [Evidence(_told(one), one.source_class if _is_quoted(one) else "assistant") for one in tried(task)]
    said = [one for one in task.remarks if not holds_pasted(one.content or "")]
    remarks = [
        Evidence(f"The user said: “{preview(one.content or '', _LONGEST_REMARK)}”", _class_of(one)) for one in said
    ]
    return [*calls, *remarks]


def task_type(request: str) -> TaskType:
    """Tell what kind of work was asked for, by the first telling word of the request."""
    for word in words(request):
        for kind, telling in _TYPES:
            if word in telling:
                return kind
    return "other"


def lessons(task: Task) -> list[str]:
    """Return what the calls that failed taught."""
    return own(_failures(tried(task)))


def tried(task: Task) -> list[Attempt]:
    """Return the calls that were work on the task."""
    return [one for one in task.attempts if one.tool not in _OWN_TOOLS]


def _told(one: Attempt) -> str:
    """Tell what came of a call; why it failed in the tool's words."""
    reason = f": “{one.reason}”" if _is_quoted(one) else ""
    return f"{one.shown} failed{reason}" if one.is_failed else f"{one.shown} worked"


def _class_of(said: Message) -> SourceClass:
    """Return whose words a message holds: the owner's are like the assistant's, another speaker's are not."""
    if said.source_class in UNTRUSTED:
        return said.source_class
    return "assistant" if said.speaker is None else "import"


def _is_quoted(one: Attempt) -> bool:
    return bool(one.reason) and not screening.find(one.reason, "foreign")


def own(lines: Iterable[str]) -> list[str]:
    """Leave out what speaks to the assistant, whoever brought it into a call."""
    return [line for line in lines if not screening.find(line, "foreign")]


def _outcome(task: Task, attempts: Sequence[Attempt]) -> TaskOutcome:
    is_unable = task.unable is not None and all(one.message_id < task.unable.id for one in attempts)
    if task.is_stopped or is_unable:
        return "stopped"
    judged = [one for one in task.remarks if is_praise(one.content or "") or is_fault(one.content or "")]
    if judged:
        last = judged[-1]
        # What was put right and answered since counts as done: nobody complained again.
        is_answered = task.last_id > last.id
        return "done" if is_praise(last.content or "") or is_answered else "failed"
    return "failed" if attempts and attempts[-1].is_failed else "done"


def _failures(attempts: Sequence[Attempt]) -> Iterator[str]:
    """Yield for each call that failed why, and what worked instead."""
    seen: set[str] = set()
    for place, one in enumerate(attempts):
        if not one.is_failed or one.shown in seen:
            continue
        seen.add(one.shown)
        instead = next((later for later in attempts[place + 1 :] if _is_instead(later, one)), None)
        what_then = "" if instead is None else _then(one, instead)
        yield f"{_told(one)}{what_then}."


def _is_instead(later: Attempt, failed: Attempt) -> bool:
    return later.tool == failed.tool and not later.is_failed


def _then(failed: Attempt, instead: Attempt) -> str:
    if instead.what == failed.what:
        return "; the same call worked later"
    return f"; {instead.shown} worked"


def _corrections(faults: Sequence[Message]) -> Iterator[str]:
    for message in faults:
        text = message.content or ""
        if not holds_pasted(text):
            yield f"The user put it right: “{preview(text, _LONGEST_REMARK)}”."


def _worked(attempts: Sequence[Attempt]) -> Iterator[str]:
    """Tell the calls that led to the end, in order, repeated ones once."""
    steps = [name for name, _ in groupby(one.shown for one in attempts if not one.is_failed)]
    if steps:
        shown = steps[:_MOST_STEPS]
        more = f" and {len(steps) - len(shown)} more" if len(steps) > len(shown) else ""
        yield f"It was done with {', then '.join(shown)}{more}."
