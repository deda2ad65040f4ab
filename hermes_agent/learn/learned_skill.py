"""The SKILL.md that learning writes: its sections, how it is written, and how it is read back. Pure.

It is only read back while nobody else has changed it. What is learned later is added to what stands there, so that
a skill does not shrink when conversations leave the latest ones; a line goes when its conversations are deleted.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from hermes_agent.learn.skill_corrections import PUT_RIGHT, uncorrected
from hermes_agent.skills.document import Broken, parse
from hermes_agent.skills.validation import LONGEST_DESCRIPTION
from hermes_agent.text.words import capital

ASKED, WANTED, WORKED, MIND = "Asked for", "How it is wanted", "Steps that worked", "Mind"
MOST_LINES = 6
WHEN = " Use when asked to "
STEPS = "Steps"
_NUMBERED = (STEPS, WORKED)
_ITEM = re.compile(r"(?:-|\d{1,2}\.) ")
_TOLD = re.compile(r"Learned from (?:\d+ tasks|tasks like these) since (\S+)\. Change it")


@dataclass(frozen=True, slots=True)
class Learned:
    """What a learned skill says."""

    name: str
    task: str
    """What it is for: `review a PR`."""
    first: str
    sections: Mapping[str, Sequence[str]]


def most_lines(title: str) -> int:
    """Return how many lines a section has at most."""
    return MOST_LINES * 2 if title in (WORKED, PUT_RIGHT) else MOST_LINES


def description_of(task: str, sections: Mapping[str, Sequence[str]]) -> str:
    """Say what a skill is for, how it is wanted first of all, and when to use it."""
    wishes = sections.get(WANTED) or ()
    told = f": {wishes[0][:1].lower()}{wishes[0][1:].rstrip('.')}" if wishes else ""
    return f"{capital(task)}{told}.{WHEN}{task}."[:LONGEST_DESCRIPTION]


def render(learned: Learned) -> str:
    """Write the SKILL.md."""
    # Without their number: a version for each task more would say nothing else.
    told = f"Learned from tasks like these since {learned.first}. Change it as you like: what you write stays."
    description = description_of(learned.task, learned.sections)
    return document(learned.name, description, told, list(learned.sections.items()))


def document(name: str, description: str, told: str, sections: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Write a SKILL.md: where it comes from, then its sections, those that hold something."""
    written = [f"## {title}\n\n" + "\n".join(_items(title, lines)) for title, lines in sections if lines]
    heading = description.partition(":")[0].partition(".")[0]
    quoted = json.dumps(description, ensure_ascii=False)  # a string of JSON is one of YAML
    front = f"---\nname: {name}\ndescription: {quoted}\n---\n\n"
    return f"{front}# {heading}\n\n{told}\n\n" + "\n\n".join(written) + "\n"


def read(text: str) -> Learned | None:
    """Read a SKILL.md that was written here; None if it is not of that form."""
    parsed = parse(text)
    told = _TOLD.search(text)
    if isinstance(parsed, Broken) or told is None:
        return None
    task = parsed.description.rpartition(WHEN)[2].rstrip(".")
    sections: dict[str, list[str]] = {title: [] for title in (ASKED, WANTED, PUT_RIGHT, WORKED, MIND)}
    lines: list[str] = []
    for line in parsed.body.splitlines():
        if line.startswith("## "):
            lines = sections.setdefault(line.removeprefix("## "), [])
        elif _ITEM.match(line):
            lines.append(_ITEM.sub("", line, count=1))
    return Learned(parsed.name, task, told[1], sections)


def grown(former: str, drafted: str) -> str:
    """Return a skill with what a new draft adds to it; the former one if that is nothing."""
    before, after = read(former), read(drafted)
    if before is None or after is None:
        return former
    sections = {title: _joined(title, before.sections[title], lines) for title, lines in after.sections.items()}
    if all(len(lines) == len(before.sections[title]) for title, lines in sections.items()):
        return former
    return render(replace(before, first=min(before.first, after.first), sections=sections))


def listed(text: str) -> list[str]:
    """Return the lines of the lists in a SKILL.md."""
    return [_ITEM.sub("", line, count=1) for line in text.splitlines() if _ITEM.match(line)]


def without(text: str, gone: Collection[str]) -> str:
    """Return a skill without lines, which are told casefolded; nothing if no request is left in it."""
    if not any(line.casefold() in gone for line in listed(text)):
        return text
    learned = read(text)
    if learned is None:
        return uncorrected("\n".join(line for line in text.splitlines() if not _is_gone(line, gone)) + "\n")
    sections = {
        title: [one for one in lines if one.casefold() not in gone] for title, lines in learned.sections.items()
    }
    return render(replace(learned, sections=sections)) if sections[ASKED] else ""


def _is_gone(line: str, gone: Collection[str]) -> bool:
    return _ITEM.match(line) is not None and _ITEM.sub("", line, count=1).casefold() in gone


def _items(title: str, lines: Sequence[str]) -> list[str]:
    """Write a list; steps are done one after the other, and are numbered."""
    is_numbered = title in _NUMBERED
    return [f"{number}. {line}" if is_numbered else f"- {line}" for number, line in enumerate(lines, start=1)]


def _joined(title: str, before: Sequence[str], after: Sequence[str]) -> list[str]:
    known = {line.casefold() for line in before}
    new = [line for line in after if line.casefold() not in known]
    return [*before, *new][: max(most_lines(title), len(before))]
