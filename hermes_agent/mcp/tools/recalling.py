"""`recall` and `search`: what memory holds about a task, and about anything."""

from dataclasses import dataclass
from typing import Annotated

from hermes_agent.agent.arguments import Between
from hermes_agent.mcp.tools.tool import NOTE, Reply, Tool, lines, question, when
from hermes_agent.mcp.visit import Visit
from hermes_agent.memory import asked_search
from hermes_agent.memory.asked_search import Wishes
from hermes_agent.memory.searching import TOGETHER, Match, Type
from hermes_agent.recall.block import Item
from hermes_agent.text.dates import last_moment_of

_MOST_TOKENS = 8_000
_MOST_MATCHES = 20
_NOTHING = "Memory holds nothing that fits."


@dataclass(frozen=True, slots=True)
class RecallCall:
    """Arguments of `recall`."""

    task: Annotated[str, "The task or the question, as the user put it."]
    budget_tokens: Annotated[
        int | None,
        f"Most tokens to return, up to {_MOST_TOKENS}; the home's own if not given.",
        Between(1, _MOST_TOKENS),
    ] = None
    as_of: Annotated[str | None, "As memory stood then: 2026-04-14, last month."] = None


@dataclass(frozen=True, slots=True)
class RecalledItem:
    """One memory, and why it is there."""

    text: str
    who: str
    when: str
    where: str
    source: str
    relevance: float
    why: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """What memory puts in front of a task."""

    note: str
    items: list[RecalledItem]
    troubles: list[str]


def recall(visit: Visit, call: RecallCall) -> Reply:
    """Return what the agent itself would get in front of the task."""
    as_of = last_moment_of(call.as_of or None, visit.app.zone)
    found = visit.memory.recall(question("task", call.task), budget_tokens=call.budget_tokens, as_of=as_of)
    items = [
        RecalledItem(
            item.text,
            item.who,
            item.when,
            item.where,
            hit.source_class,
            round(hit.relevance, 2),
            reason,
        )
        for item, hit, reason in zip(found.items, found.hits, found.reasons, strict=True)
    ]
    troubles = list(found.found.troubles)
    return Reply(Recalled(NOTE, items, troubles), lines(None if items else _NOTHING, *troubles), found.items)


@dataclass(frozen=True, slots=True)
class SearchCall:
    """Arguments of `search`."""

    query: Annotated[str, "What to look for, as a question or in words."]
    types: Annotated[
        list[Type] | None,
        "Only these; everything but sessions if not given.",
    ] = None
    limit: Annotated[int, f"Most of each type, up to {_MOST_MATCHES}.", Between(1, _MOST_MATCHES)] = 5
    since: Annotated[str | None, "Only from then on: 2026-04-14, yesterday, last tuesday."] = None
    until: Annotated[str | None, "Only up to then, that day included."] = None
    with_far: Annotated[bool, "Also what is far from the question."] = False


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """One match; `id` names it (fact:042, skill:deploy, a session), `mark` whose words it holds if not ours."""

    type: str
    id: str
    text: str
    who: str
    when: str | None
    relevance: float | None
    session_id: str | None
    message_id: int | None
    mark: str | None


@dataclass(frozen=True, slots=True)
class FoundMatches:
    """The matches, type by type, in each the best first."""

    note: str
    matches: list[FoundMatch]
    advice: str | None
    troubles: list[str]


def search(visit: Visit, call: SearchCall) -> Reply:
    """Look through everything that is remembered."""
    wishes = Wishes(
        question("query", call.query),
        call.types or (),
        call.limit,
        call.since,
        call.until,
        with_weak=call.with_far,
    )
    looked_through = wishes.types or TOGETHER
    if "notes" in looked_through:
        visit.notebook()
    if "skills" in looked_through:
        visit.library()
    found = asked_search.search(visit.app, wishes)
    matches = [_match(match, visit) for match in found.matches]
    advice = None if matches else "Nothing fits. Try other words, with_far, or search_sessions for exact words."
    value = FoundMatches(NOTE, matches, advice, list(found.troubles))
    return Reply(value, lines(advice, *found.troubles), [_item(match) for match in matches])


def _match(match: Match, visit: Visit) -> FoundMatch:
    return FoundMatch(
        match.type,
        match.name,
        match.shown,
        match.who,
        None if match.at is None else when(match.at, visit),
        None if match.relevance is None else round(match.relevance, 2),
        match.session_id,
        match.message_id,
        None if match.hit is None else match.hit.mark,
    )


def _item(match: FoundMatch) -> Item:
    places = [match.id]
    if match.message_id is not None:
        places.append(f"session {match.session_id}, message {match.message_id}")
    if match.mark is not None:
        places.append(match.mark)
    who = "fact" if match.type == "facts" else match.who or match.type
    return Item(match.when or "undated", who, ", ".join(places), match.text)


TOOLS = (
    Tool(
        "recall",
        "Recall memory for a task",
        "Get what this memory holds about a task: facts, earlier exchanges, lessons. Call it first, before you "
        "begin anything for the user, with the task in their words. Not for looking something up by name or by "
        "exact words: use search or search_sessions.",
        RecallCall,
        Recalled,
        recall,
    ),
    Tool(
        "search",
        "Search everything remembered",
        "Search facts, exchanges, notes, skills and reflections by words and by meaning. Use it when recall "
        "was not enough, or to find the id of a fact, a skill or a session that another tool takes. For exact "
        "words that were said in a conversation use search_sessions.",
        SearchCall,
        FoundMatches,
        search,
    ),
)
