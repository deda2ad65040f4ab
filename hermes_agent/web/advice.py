"""What an error advises, for somebody in a browser: a command that a page stands for becomes a link to that page.

Errors are worded for the terminal, where most of them are read. What has no page stays a command.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Advice(NamedTuple):
    """A part of an advice; `path` is where the dashboard does it, None for plain words."""

    text: str
    path: str | None


_ID = r"([\w:.-]*\w)"
_PAGES: tuple[tuple[str, str, str], ...] = (
    (rf"hermes memory undo {_ID}", "/journal/{}/undo", "undo in the journal"),
    (r"hermes memory fact show fact:0*(\d+)", "/facts/{}", "the fact"),
    (r"hermes memory fact history fact:0*(\d+)", "/facts/{}#history", "the fact's history"),
    (r"hermes memory fact delete fact:0*(\d+)", "/facts/{}/delete", "delete the fact"),
    (r'hermes memory fact add(?: "…")?', "/facts#new-fact", "add a fact"),
    (r"hermes memory facts list", "/facts", "Facts"),
    (r"hermes memory reflections list", "/reflections", "Reflections"),
    (r"hermes memory summaries(?: list)?", "/episodes/summaries", "Summaries"),
    (r"hermes memory log", "/journal", "Journal"),
    (r"hermes memory review", "/review", "Review"),
    (rf"hermes skills restore {_ID}", "/skills/{}", "the skill"),
    (r"hermes skills list --all", "/skills?every=true", "Skills"),
    (r"hermes skills list", "/skills", "Skills"),
    (r"hermes sessions list", "/sessions", "Sessions"),
    (r"hermes jobs list", "/jobs", "Jobs"),
    (r"hermes token list", "/tokens", "Tokens"),
)
_COMMAND = re.compile("|".join(f"(?P<c{place}>{command})" for place, (command, *_) in enumerate(_PAGES)))


def linked(hint: str) -> list[Advice]:
    """Take an advice apart: commands that a page stands for are links."""
    return list(_parts(hint))


def _parts(hint: str) -> Iterator[Advice]:
    end = 0
    for match in _COMMAND.finditer(hint):
        command, path, words = _PAGES[int((match.lastgroup or "c0")[1:])]
        found = re.fullmatch(command, match[0])
        assert found is not None
        if hint[end : match.start()]:
            yield Advice(hint[end : match.start()], None)
        yield Advice(words, path.format(*found.groups()))
        end = match.end()
    if hint[end:]:
        yield Advice(hint[end:], None)
