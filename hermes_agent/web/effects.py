"""What taking a change back does, in the words of the facts it is about: which hold again, and which go.

The journal's own sentence names facts by their numbers; who is asked whether to undo one wants to read them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from hermes_agent.app import App
from hermes_agent.records.changes import Change, Values
from hermes_agent.store import facts

_FACT = re.compile(r"fact:0*(\d{1,18})")
_CURRENT = "current"
Texts = Mapping[int, str]
"""What facts say, by their numbers."""


class Part(NamedTuple):
    """A part of a sentence; `words` is what the fact says that it names, None for plain words."""

    text: str
    words: str | None
    path: str | None


def texts(app: App, sentences: Iterable[str]) -> Texts:
    """Return what the facts say that sentences name, those that are still there."""
    ids = {int(number) for sentence in sentences for number in _FACT.findall(sentence)}
    with app.store.read() as connection:
        return {number: fact.text for number, fact in facts.get_many(connection, sorted(ids)).items()}


def worded(sentence: str, known: Texts) -> list[Part]:
    """Take a sentence apart: a fact that it names has its words beside it, unless they stand there."""
    return list(_worded(sentence, known))


def taken_back(change: Change, known: Texts) -> list[str]:
    """Say of each fact what it is after a change was taken back; nothing of other records."""
    told = [_told(name, change.before.get(name), change.after.get(name), known) for name in sorted(change.names)]
    return [one for one in told if one is not None]


def _worded(sentence: str, known: Texts) -> Iterator[Part]:
    end = 0
    for match in _FACT.finditer(sentence):
        yield Part(sentence[end : match.start()], None, None)
        words = known.get(int(match[1]))
        yield Part(match[0], None if words is None or words in sentence else words, f"/facts/{int(match[1])}")
        end = match.end()
    yield Part(sentence[end:], None, None)


def _told(name: str, before: Values | None, after: Values | None, known: Texts) -> str | None:
    match = _FACT.fullmatch(name)
    if match is None:
        return None
    said = (before or {}).get("text") or (after or {}).get("text") or known.get(int(match[1])) or name
    return f"“{said}” {_becomes(before, after)}."


def _becomes(before: Values | None, after: Values | None) -> str:
    if before is None:
        return "goes"
    if after is None:
        return "is there again"
    if "state" in before and before["state"] != after.get("state"):
        return "holds again" if before["state"] == _CURRENT else "does not hold any more"
    if "is_pinned" in before:
        return "is pinned again" if before["is_pinned"] else "is not pinned any more"
    if "valid_to" in before:
        return "has the end it had before" if before["valid_to"] is not None else "has no end any more"
    return "is as it was before"
