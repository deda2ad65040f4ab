"""What earlier answers state that was taken back since: facts that were deleted, corrected or undone, hand-overs.

An answer names the fact it is from ("fact:015", "session handover-…"), or that was in the memory block that was
sent with its request, or learned of the request, and its words are in the answer. All is looked up by numbers.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from hermes_agent.recall import block
from hermes_agent.records.handover import REVOKED, handover_name
from hermes_agent.records.memory import fact_name
from hermes_agent.store import answered, facts, journal, undone_facts
from hermes_agent.store.answered import Request
from hermes_agent.store.engine import Connection
from hermes_agent.text.stopwords import STOP_WORDS
from hermes_agent.text.words import words

_FACT = re.compile(r"\bfact:(\d{1,9})\b")
_HANDOVER = re.compile(r"\bhandover[-:]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b")
_MESSAGE = re.compile(r"\bmessage \d{1,18}\b")
_LABELS = STOP_WORDS | {"user", "users"}


@dataclass(frozen=True, slots=True)
class _Source:
    """What an answer may be from: where it is, its words, and whether the answer names it."""

    where: str
    text: str
    is_named: bool


def taken_back(connection: Connection, answers: Mapping[int, str]) -> dict[int, list[str]]:
    """Return what answers, by their ids, state that is not held to be true any more."""
    requests = answered.requests_of(connection, list(answers))
    sources = {place: list(_sources(text, requests.get(place))) for place, text in answers.items()}
    wheres = [one.where for some in sources.values() for one in some]
    wrong = _wrong_facts(connection, wheres) | _wrong_messages(connection, wheres)
    revoked = _revoked(connection, wheres)
    found = {
        place: list(
            dict.fromkeys(chain.from_iterable(_stated(answers[place], one, wrong, revoked) for one in some))
        )
        for place, some in sources.items()
    }
    return {place: texts for place, texts in found.items() if texts}


def _sources(answer: str, request: Request | None) -> Iterator[_Source]:
    """Yield what an answer names itself, its request, and what was recalled for that."""
    yield _Source(answer, "", is_named=True)
    if request is None:
        return
    yield _Source(f"message {request.id}", "", is_named=False)
    for item in block.read(request.sent)[0]:
        if item.who != "assistant":
            yield _Source(item.where, item.text, is_named=False)


def _stated(
    answer: str, source: _Source, wrong: Mapping[str, Sequence[str]], revoked: Mapping[str, str]
) -> Iterator[str]:
    for name in _names(source.where, with_messages=not source.is_named):
        if name in revoked and (source.is_named or _says(answer, source.text)):
            yield revoked[name]
        yield from (text for text in wrong.get(name, ()) if source.is_named or _says(answer, text))


def _says(answer: str, text: str) -> bool:
    stated = {word for word in words(text) if word not in _LABELS}
    return bool(stated) and stated <= set(words(answer))


def _names(where: str, *, with_messages: bool) -> Iterator[str]:
    yield from (fact_name(int(number)) for number in _FACT.findall(where))
    yield from (handover_name(uid) for uid in _HANDOVER.findall(where))
    if with_messages:
        yield from _MESSAGE.findall(where)


def _wrong_messages(connection: Connection, wheres: Sequence[str]) -> dict[str, list[str]]:
    """Return what was learned of recalled messages and taken back, by how the memory block names them."""
    names = {name: int(name.split()[1]) for where in wheres for name in _MESSAGE.findall(where)}
    wrong = facts.taken_back(connection, list(names.values())) if names else {}
    for place, texts in (undone_facts.said_in(connection, list(names.values())) if names else {}).items():
        wrong.setdefault(place, []).extend(texts)
    return {name: wrong[place] for name, place in names.items() if place in wrong}


def _wrong_facts(connection: Connection, wheres: Sequence[str]) -> dict[str, list[str]]:
    """Return the facts that were taken back, by their names: what they said, or that they were handed over."""
    numbers = {int(number) for where in wheres for number in _FACT.findall(where)}
    if not numbers:
        return {}
    there = facts.get_many(connection, sorted(numbers))
    wrong = {fact.name: fact.text for fact in facts.wrong_among(connection, sorted(there))}
    gone = {fact_name(one): undone_facts.get(connection, one) for one in numbers - there.keys()}
    wrong |= {name: one.text for name, one in gone.items() if one is not None}
    received = [one for one in journal.of_subjects(connection, list(wrong)) if one.kind == "fact.received"]
    brought = {one.subject: one.cause or "" for one in received}
    revoked = _revoked(connection, list(brought.values()))
    return {name: [revoked.get(brought.get(name, ""), text)] for name, text in wrong.items()}


def _revoked(connection: Connection, wheres: Sequence[str]) -> dict[str, str]:
    names = {handover_name(uid) for where in wheres for uid in _HANDOVER.findall(where)}
    entries = journal.of_subjects(connection, sorted(names)) if names else []
    return {one.subject: f"{one.subject} was revoked" for one in entries if one.kind == REVOKED}
