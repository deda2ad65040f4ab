"""`list_facts`, `show_fact` and `fact_history`: what is held to be true, since when, and where it came from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from hermes_agent.agent.arguments import Between
from hermes_agent.mcp.tools.tool import NOTE, Reply, Tool, lines, question, when
from hermes_agent.mcp.visit import Visit
from hermes_agent.memory import fact_history, facts
from hermes_agent.memory.facts import Sourced
from hermes_agent.recall.block import Item
from hermes_agent.records.memory import Fact
from hermes_agent.text.clean import preview
from hermes_agent.text.dates import last_moment_of

_MOST_FACTS = 50
_FARTHEST = 100_000
_MOST_CHANGES = 30
_LONGEST_QUOTE = 500
_LONGEST_LISTED = 300


@dataclass(frozen=True, slots=True)
class ListFactsCall:
    """Arguments of `list_facts`."""

    about: Annotated[str | None, "Only about somebody or something: me, us, Ana, Atlas."] = None
    limit: Annotated[int, f"Most facts, up to {_MOST_FACTS}.", Between(1, _MOST_FACTS)] = 20
    offset: Annotated[int, "How many of the newest to pass over.", Between(0, _FARTHEST)] = 0
    as_of: Annotated[str | None, "What was true then, by what is known today: 2026-03-01."] = None
    with_ended: Annotated[bool, "Also those that are not held to be true any more."] = False


@dataclass(frozen=True, slots=True)
class FactCall:
    """Arguments of `show_fact` and `fact_history`."""

    fact: Annotated[str, "The fact, as a search names it: fact:042."]


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """A fact: whose word it is (`trust`), how sure memory is of it, since when and until when it is true."""

    id: str
    text: str
    state: str
    trust: str
    source: str
    confidence: float
    said: str
    valid_from: str | None
    valid_to: str | None
    is_pinned: bool
    supersedes: list[str]
    superseded_by: str | None


@dataclass(frozen=True, slots=True)
class FactList:
    """Facts, the newest first; `next_offset` is where the next ones begin, null at the end."""

    note: str
    facts: list[FactAnswer]
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class FactShown:
    """A fact, why memory is so sure of it, and the words it was learned from, if they are still there."""

    note: str
    fact: FactAnswer
    confidence_reason: str
    quote: str | None
    session_id: str | None
    message_id: int | None


@dataclass(frozen=True, slots=True)
class FactChange:
    """One change of a fact."""

    when: str
    kind: str
    text: str
    by: str


@dataclass(frozen=True, slots=True)
class FactChapter:
    """A fact in the history of one, and its changes."""

    fact: FactAnswer
    changes: list[FactChange]


@dataclass(frozen=True, slots=True)
class FactHistory:
    """The facts that stood in the place of each other, the oldest first."""

    note: str
    chapters: list[FactChapter]


def list_facts(visit: Visit, call: ListFactsCall) -> Reply:
    """List the facts learned last."""
    limit, offset = call.limit, call.offset
    as_of = last_moment_of(call.as_of or None, visit.app.zone)
    about = question("about", call.about) if call.about else None
    every = facts.recent(
        visit.app.store,
        limit + 1,
        with_ended=call.with_ended and as_of is None,
        about=about,
        as_of=as_of,
        offset=offset,
    )
    found = facts.sourced(visit.app.store, every[:limit])
    more = offset + limit if len(every) > limit else None
    whole = [answer(one, visit) for one in found]
    answers = [replace(one, text=preview(one.text, _LONGEST_LISTED)) for one in whole]
    told = "" if answers else "No fact matches." if about or offset else "There are no facts yet."
    onward = "" if more is None else f"There are more: offset={more}."
    return Reply(FactList(NOTE, answers, more), lines(told, onward), _items(answers))


def show_fact(visit: Visit, call: FactCall) -> Reply:
    """Show a fact with its source."""
    found = facts.get(visit.app.store, question("fact", call.fact))
    (told,) = facts.sourced(visit.app.store, [found])
    shown, message = answer(told, visit), told.message
    words = None if message is None else (message.content or "")[found.span_start : found.span_end]
    quote = None if words is None else preview(words, _LONGEST_QUOTE)
    value = FactShown(
        NOTE,
        shown,
        found.confidence_reason,
        quote,
        None if message is None else message.session_id,
        None if message is None else message.id,
    )
    items = _items([shown])
    if message is not None and quote:
        where = f"session {message.session_id}, message {message.id}"
        items.append(Item(when(message.said_at, visit), message.role, where, quote))
    sure = f"Confidence {shown.confidence:.2f}: {value.confidence_reason}. State: {shown.state}."
    return Reply(value, sure, items)


def history(visit: Visit, call: FactCall) -> Reply:
    """Show how a fact came to be as it is."""
    chapters = fact_history.history(visit.app.store, question("fact", call.fact))
    told = facts.sourced(visit.app.store, [chapter.fact for chapter in chapters])
    value = [
        FactChapter(
            answer(one, visit),
            [
                FactChange(when(entry.at, visit), entry.kind, entry.text, entry.actor)
                for entry in chapter.entries[-_MOST_CHANGES:]
            ],
        )
        for one, chapter in zip(told, chapters, strict=True)
    ]
    items = [
        item
        for chapter in value
        for item in (
            *_items([chapter.fact]),
            *(Item(one.when, one.by, one.kind, one.text) for one in chapter.changes),
        )
    ]
    return Reply(FactHistory(NOTE, value), "", items)


def answer(told: Sourced, visit: Visit) -> FactAnswer:
    """Write a fact as clients get it."""
    fact = told.fact
    return FactAnswer(
        fact.name,
        fact.text,
        fact.state,
        fact.trust,
        fact.source_class,
        round(fact.confidence, 2),
        when(fact.said_at, visit),
        None if fact.valid_from is None else when(fact.valid_from, visit),
        None if fact.valid_to is None else when(fact.valid_to, visit),
        fact.is_pinned,
        [one.name for one in told.former],
        None if told.later is None else told.later.name,
    )


def of(fact: Fact, visit: Visit) -> FactAnswer:
    """Write one fact with what it replaced."""
    (told,) = facts.sourced(visit.app.store, [fact])
    return answer(told, visit)


def _items(answers: Sequence[FactAnswer]) -> list[Item]:
    return [Item(one.said, "fact", _place(one), one.text) for one in answers]


def _place(one: FactAnswer) -> str:
    marks = [
        "" if one.state == "current" else one.state,
        "" if one.trust == "owner" else f"from {one.source}",
        "" if one.valid_to is None else f"until {one.valid_to[:10]}",
    ]
    return ", ".join([one.id, *(mark for mark in marks if mark)])


TOOLS = (
    Tool(
        "list_facts",
        "List facts",
        "List what is held to be true, the newest first, about one person or thing if you name it. Use it for "
        "an overview (“what do you know about Ana?”). To find the facts that fit a question use recall or "
        "search.",
        ListFactsCall,
        FactList,
        list_facts,
    ),
    Tool(
        "show_fact",
        "Show a fact",
        "Show one fact with the words it was learned from, whose word it is and how sure memory is of it. Use "
        "it before you correct or delete a fact, or when the user asks how you know something.",
        FactCall,
        FactShown,
        show_fact,
    ),
    Tool(
        "fact_history",
        "Show how a fact changed",
        "Show what stood in the place of a fact before and after, and every change with its date and who made "
        "it. Use it when the user asks what was believed before, or who changed something.",
        FactCall,
        FactHistory,
        history,
    ),
)
