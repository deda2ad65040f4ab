"""What an error advises, for somebody in a browser: a command that a page stands for becomes a link to that page.

Errors are worded for the terminal, where most of them are read. What has no page stays a command.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hermes_agent.errors import HermesError
from hermes_agent.web.callers import Caller, Needs


class Advice(NamedTuple):
    """A part of an advice; `path` is where the dashboard does it, None for plain words."""

    text: str
    path: str | None


class Refusal(NamedTuple):
    """What an error says, and what it advises."""

    message: str
    advice: Sequence[Advice]


_READS, _CHANGES, _KEEPS = Needs("read"), Needs("write", is_owners=True), Needs("admin")
_ID = r"([\w:.-]*\w)"
_PAGES: tuple[tuple[str, str, str, Needs], ...] = (
    (rf"hermes memory undo {_ID}", "/journal/{}/undo", "undo in the journal", _CHANGES),
    (r"hermes memory fact show fact:0*(\d+)", "/facts/{}", "the fact", _READS),
    (r"hermes memory fact history fact:0*(\d+)", "/facts/{}#history", "the fact's history", _READS),
    (r"hermes memory fact delete fact:0*(\d+)", "/facts/{}/delete", "delete the fact", _CHANGES),
    (r'hermes memory fact add(?: "…")?', "/facts#new-fact", "add a fact", _CHANGES),
    (r"hermes memory facts list", "/facts", "Facts", _READS),
    (r"hermes memory reflections list", "/reflections", "Reflections", _READS),
    (r"hermes memory summaries(?: list)?", "/episodes/summaries", "Summaries", _READS),
    (r"hermes memory log", "/journal", "Journal", _READS),
    (r"hermes memory review(?! (?:accept|reject|show))", "/review", "Review", _READS),
    (rf"hermes skills restore {_ID}", "/skills/{}", "the skill", _READS),
    (r"hermes skills list --all", "/skills?every=true", "Skills", _READS),
    (r"hermes skills list", "/skills", "Skills", _READS),
    (r"hermes sessions list", "/sessions", "Sessions", _READS),
    (r"hermes jobs list", "/jobs", "Jobs", _READS),
    (r"hermes token list", "/tokens", "Tokens", _KEEPS),
)
_COMMAND = re.compile("|".join(f"(?P<c{place}>{command})(?! --)" for place, (command, *_) in enumerate(_PAGES)))


def told(error: HermesError, caller: Caller | None) -> Refusal:
    """Word an error for somebody in a browser; None is nobody who may look."""
    return Refusal(error.message, linked(error.hint or "", caller))


def linked(hint: str, caller: Caller | None) -> list[Advice]:
    """Take an advice apart: commands that a page stands for are links, if the caller may open it."""
    return list(_parts(hint, caller))


def _parts(hint: str, caller: Caller | None) -> Iterator[Advice]:
    end = 0
    for match in _COMMAND.finditer(hint):
        command, path, words, needs = _PAGES[int((match.lastgroup or "c0")[1:])]
        if caller is None or not needs.is_met_by(caller):
            continue
        found = re.fullmatch(command, match[0])
        assert found is not None
        if hint[end : match.start()]:
            yield Advice(hint[end : match.start()], None)
        yield Advice(words, path.format(*found.groups()))
        end = match.end()
    if hint[end:]:
        yield Advice(hint[end:], None)
