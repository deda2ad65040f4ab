"""What a user put right after a skill was followed, and the section of the skill that keeps it. Pure.

The words are the user's, with or without a model: a remark that finds fault, said after the skill was read and
in the same task. Of several skills the one read last was followed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.reflecting import own
from hermes_agent.learn.tasks import Task, is_fault, is_owners
from hermes_agent.records.archive import Message
from hermes_agent.text.clean import preview
from hermes_agent.text.pasted import holds_pasted
from hermes_agent.text.stems import content_words

PUT_RIGHT = "Put right"
_HEADING = f"## {PUT_RIGHT}"
_LONGEST_LINE = 160
_MOST_LINES = 12
_ONLY_FAULT = word_set(
    """nope nah wrong right bad good still fails failed fail broken work works quite correct sorry hmm well ok okay
    doesn't didn't isn't that's it's what asked meant wanted ugh really"""
)
"""Who says no more than this says that something is wrong, not what."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What a user said of a task for which a skill was read."""

    skill: str
    text: str
    message: Message


def corrections(task: Task) -> Iterator[Correction]:
    """Yield what was put right in a task after a skill was read for it."""
    read = [one for one in task.attempts if one.tool == "skill_view" and not one.is_failed and one.what]
    for remark in task.remarks:
        before = [one for one in read if one.message_id < remark.id]
        text = remark.content or ""
        if (
            before
            and is_owners(remark)
            and is_fault(text)
            and _says_what(text)
            and not holds_pasted(text)
            and own([text])
        ):
            yield Correction(before[-1].what.rpartition("/")[2], preview(text, _LONGEST_LINE), remark)


def lines_of(document: str) -> list[str]:
    """Return what a skill says was put right, each as the user said it."""
    start, end = _section(document.splitlines())
    return [_said(line) for line in document.splitlines()[start:end] if line.startswith("- ")]


def corrected(document: str, texts: Sequence[str]) -> str:
    """Return a skill with what was put right in a section of its own, the latest last; what is there stays."""
    known = {text.casefold() for text in lines_of(document)}
    new = [f"- “{text}”" for text in texts if text.casefold() not in known]
    if not new:
        return document
    lines = document.rstrip().splitlines()
    start, end = _section(lines)
    if start == len(lines):
        return "\n".join([*lines, "", _HEADING, "", *new]) + "\n"
    section = lines[start:end]
    while section and not section[-1].strip():
        section.pop()
    listed = [line for line in section if line.startswith("- ")]
    for old in listed[: max(0, len(listed) + len(new) - _MOST_LINES)]:
        section.remove(old)
    rest = ["", *lines[end:]] if end < len(lines) else []
    return "\n".join([*lines[:start], *section, *new, *rest]) + "\n"


def uncorrected(document: str) -> str:
    """Return a skill without the section if nothing stands in it."""
    lines = document.splitlines()
    start, end = _section(lines)
    has_section = start < len(lines) or lines[-1:] == [_HEADING]
    if not has_section or any(line.strip() for line in lines[start:end]):
        return document
    above = "\n".join(lines[: start - 1]).rstrip().splitlines()
    return "\n".join([*above, *(["", *lines[end:]] if end < len(lines) else [])]) + "\n"


def _section(lines: Sequence[str]) -> tuple[int, int]:
    """Return where the section's text begins and ends; both are the end of the lines if there is none."""
    headings = [place for place, line in enumerate(lines) if line.strip().casefold() == _HEADING.casefold()]
    if not headings:
        return len(lines), len(lines)
    start = headings[0] + 1
    following = [place for place, line in enumerate(lines) if place >= start and line.startswith("#")]
    return start, min(following, default=len(lines))


def _said(line: str) -> str:
    return line.removeprefix("- ").strip().removeprefix("“").removesuffix("”")


def _says_what(text: str) -> bool:
    return not _ONLY_FAULT.issuperset(content_words(text))
