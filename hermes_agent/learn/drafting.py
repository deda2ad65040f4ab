"""Draft a skill of one task, because its user asks for it: in their words, with the calls that worked. Pure.

Nothing is made up. Who tells a procedure ("run make build, then make ship") finds its steps in the skill; of a
task that was done with tools the calls are the steps.
"""

import re
from collections.abc import Sequence
from datetime import tzinfo

from hermes_agent import clock
from hermes_agent.learn.distilling import Draft, bare, unique, work_of
from hermes_agent.learn.learned_skill import ASKED, MIND, STEPS, WANTED, WORKED, document
from hermes_agent.learn.reflecting import lessons, own, tried
from hermes_agent.learn.sentences import sentences
from hermes_agent.learn.skill_corrections import PUT_RIGHT
from hermes_agent.learn.tasks import Task, is_fault, is_praise
from hermes_agent.skills.document import LONGEST_NAME
from hermes_agent.skills.validation import LONGEST_DESCRIPTION
from hermes_agent.text.clean import preview
from hermes_agent.text.pasted import holds_pasted
from hermes_agent.text.stems import content_words, stem
from hermes_agent.text.words import capital, fold

_NAME_WORDS = 4
_LONGEST_TASK = 100
_MOST_STEPS = 20
_LONGEST_ASKED = 200
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.):])\s+")
_ENUMERATED = re.compile(r"(?:^|\s)\(?\d{1,2}[.):]\s+")
_THEN = re.compile(r"[,;.]?\s+(?:and\s+)?(?:then|after\s+that|afterwards|finally|next)[,:]?\s+", re.IGNORECASE)
_FIRST = re.compile(
    r"^(?:first(?:ly|\s+of\s+all)?|then|next|finally|after\s+that|afterwards)[,:]?\s+", re.IGNORECASE
)
_PURPOSE = re.compile(r"^(?:in\s+order\s+)?to\s+([^,.;]{1,80}),\s+", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:.!?](?=\s|$)|\s(?=then\s)")
_NOT_IN_NAME = re.compile(r"[^a-z0-9]+")


def draft_of(task: Task, name: str, zone: tzinfo | None) -> Draft | None:
    """Write the skill of a task; None where there is nothing to write, or nothing to call it."""
    request = task.request.content or ""
    asked = " ".join(request.split())
    called = skill_name(name) or _name_of(task)
    if not asked or not called or holds_pasted(request):
        return None
    said = [one.content or "" for one in task.remarks if not holds_pasted(one.content or "")]
    more = [text for text in said if not is_fault(text) and not is_praise(text)]
    work = work_of(task)
    told = steps_told(request)
    sections = [
        (ASKED, [f"“{text}”" for text in own(unique([asked, *more]))]),
        (STEPS, own(told)[:_MOST_STEPS]),
        (WANTED, [] if work is None else list(work.wishes)),
        (PUT_RIGHT, [f"“{text}”" for text in own(unique(text for text in said if is_fault(text)))]),
        (WORKED, own(dict.fromkeys(one.shown for one in tried(task) if not one.is_failed))),
        (MIND, unique(lessons(task))),
    ]
    if not any(lines for _, lines in sections):
        return None
    description = _description(called, asked)
    day = clock.to_datetime(task.request.said_at, zone).date()
    written = f"Made at your request on {day}. Change it as you like: what you write stays."
    return Draft(called, description, document(called, description, written, sections), 1)


def skill_name(typed: str) -> str:
    """Bring what somebody calls a skill to a name: small letters, digits, single hyphens."""
    return _NOT_IN_NAME.sub("-", fold(typed)).strip("-")[:LONGEST_NAME].strip("-")


def steps_told(text: str) -> list[str]:
    """Return the steps that a text tells one after the other; none if it tells fewer than two."""
    lines = [line for line in text.splitlines() if line.strip()]
    listed = [_BULLET.sub("", line).strip() for line in lines if _BULLET.match(line)]
    if len(listed) < 2:
        listed = [part.strip(" ,;.") for part in _ENUMERATED.split(text)[1:] if part.strip(" ,;.")]
    if len(listed) < 2:
        parts = [part for one in sentences(text) for part in _THEN.split(one.text)]
        has_order = len(parts) > len(sentences(text)) or any(_FIRST.match(part) for part in parts)
        parts = [_PURPOSE.sub("", parts[0]), *parts[1:]] if parts else []
        listed = [_FIRST.sub("", part).strip(" ,;.") for part in parts] if has_order else []
    steps = [capital(" ".join(step.split())) for step in listed if step.strip(" .")]
    return steps if len(steps) > 1 else []


def _description(called: str, asked: str) -> str:
    """Say what a skill is for and when to use it: in its user's words where the name says no more than they do."""
    words, task = called.replace("-", " "), _task_told(asked)
    if set(map(stem, content_words(words))) <= set(map(stem, content_words(task))):
        return f"{capital(task)}. Use when asked to {task}."
    first = preview(asked, _LONGEST_ASKED).rstrip(".! ")
    return f"{capital(words)}: {first}. Use when asked to {words}."[:LONGEST_DESCRIPTION]


def _task_told(asked: str) -> str:
    """Return what a request is about in its own words: what it is for ("to bake bread, …"), or how it begins."""
    purpose = _PURPOSE.match(asked)
    told = purpose[1] if purpose is not None else _CLAUSE_END.split(bare(asked), maxsplit=1)[0]
    told = " ".join(told.split())
    if len(told) > _LONGEST_TASK:
        return ""
    return told if told[1:2].isupper() else told[:1].lower() + told[1:]


def _name_of(task: Task) -> str:
    asked = " ".join((task.request.content or "").split())
    work = work_of(task)
    found: Sequence[str] = content_words(_task_told(asked)) or content_words(asked)
    if work is not None and _PURPOSE.match(asked) is None:
        found = [work.verb, *(word for word in found if fold(word) != work.verb)]
    return skill_name(" ".join(found[:_NAME_WORDS]))
