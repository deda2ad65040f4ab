"""Decide which lines USER.md gets from what is known of the user. Pure: entries and traits in, changes out.

What the owner wrote is never touched and comes first: the lines made here share the room it leaves, the important
ones before the others and a few of every facet before many of one. A line that still says what is known stays
where it is; one whose fact changed is replaced in its place; the others go, and new ones follow at the end. What
the agent wrote by itself stays too, until a line made here says all of it, or what has become of it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from hermes_agent.learn import attributes
from hermes_agent.learn.entries import is_ours, read_entry
from hermes_agent.learn.matching import all_stems, holds_value, same_person, same_value, topic_words
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.statements import read_statements
from hermes_agent.learn.traits import Told, traits
from hermes_agent.notes import contents, format
from hermes_agent.records.memory import Fact
from hermes_agent.records.statements import Statement
from hermes_agent.records.user_model import Facet, Trait

_IMPORTANT: tuple[Facet, ...] = (
    *("identity", "time-zone", "style", "reporting", "role", "preferences"),
    *("tools", "domain-knowledge", "goals", "projects", "people", "schedule"),
)
_AT_ONCE = 4
_LEAST_TOLD, _LEAST_CONCLUDED = 0.5, 0.6
_PASSING = frozenset(
    ("plan", "location", "is in", "date", "deadline", "version", "budget", attributes.DECISION, attributes.NOTE)
)
"""What is over in a while, or belongs into another file."""
# "Explain that properly" says nothing to whoever did not hear what came before.
_POINTS_BACK = Pattern(r"\b(?:it|that|this|these|those|them|there|then|either|in there)\b(?! (?:i|you|we)\b)")
_SOON_OVER = Pattern(
    r"\b(?:(?:this|that|next|last) (?:week|weekend|month|year|time|morning|afternoon|evening|night)"
    r"|today|tomorrow|tonight|yesterday|right now|at the moment)\b"
)

_NONE: Mapping[str, int] = MappingProxyType({})

Slot = tuple[str | None, str | None]
"""Whom and what a fact is about."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do to the entries of a note; `lines` are the traits behind the lines that are new."""

    changes: Mapping[str, str | None]
    added: Sequence[str]
    lines: Mapping[str, Trait]


def candidates(
    told: Iterable[Told], disputed: Collection[int], own: Sequence[str], by_agent: Mapping[str, int] = _NONE
) -> list[Told]:
    """Return what may stand in USER.md: the owner's word, lasting, and not among the other entries.

    Of two answers to one question the owner's entry counts; the agent's, with the times of what it heard, if it is
    the later one. What the agent wrote of somebody is told again with the rest that is known of them: a person has
    one line.
    """
    stems = [all_stems(entry) for entry in own]
    by_agent_stems = [all_stems(entry) for entry in by_agent]
    stated = [one for entry in own for one in _stated(entry) if attributes.is_single(one.attribute)]
    slots = [(one.who, one.attribute.casefold()) for one in stated]
    found = [one for one in told if one.fact.id not in disputed and _is_lasting(one)]
    return [
        one
        for one in found
        if not says(stems, one.statement.value)
        and (one.statement.who.relation or not says(by_agent_stems, one.statement.value))
        and not any(
            attribute == one.statement.attribute.casefold() and same_person(who, one.statement.who)
            for who, attribute in slots
        )
        and not any(one.fact.said_at < at and _is_other(one.statement, entry) for entry, at in by_agent.items())
        and not any(_names_the_pet(other.statement, one.statement) for other in found)
    ]


def _names_the_pet(told: Statement, pet: Statement) -> bool:
    """Tell whether a line about a pet says by itself that the user has it: `Dog: Rex; …` beside "has dog Rex"."""
    is_pet = (pet.attribute, pet.who.kind, pet.polarity) == ("pet", "user", "is")
    who = told.who
    return is_pet and bool(who.name) and same_value(pet.value, f"{who.relation} {who.name}")


def says(stems: Iterable[Collection[str]], value: str) -> bool:
    """Tell whether one of the texts, given by their stems, has all words of a value that carry its topic."""
    wanted = topic_words(value) or all_stems(value)
    return bool(wanted) and any(wanted <= set(said) for said in stems)


def ranked(told: Sequence[Told], concluded: Iterable[Trait]) -> list[Trait]:
    """Return the lines there could be, the one to be written first at the front."""
    sure = [trait for trait in concluded if trait.confidence >= _LEAST_CONCLUDED]
    found = [trait for trait in traits(told) if trait.confidence >= _LEAST_TOLD]
    found.sort(key=lambda trait: not any(fact.is_pinned for fact in trait.facts))
    places: Counter[Facet] = Counter()
    order: list[tuple[tuple[bool, int, int, int], Trait]] = []
    for trait in [*found, *sure]:
        place = places[trait.facet]
        places[trait.facet] += 1
        is_pinned = any(fact.is_pinned for fact in trait.facts) and trait.basis == "told"
        order.append(((not is_pinned, place // _AT_ONCE, _IMPORTANT.index(trait.facet), place), trait))
    return [trait for _, trait in sorted(order, key=lambda one: one[0])]


def plan(
    entries: Sequence[str],
    curated: Mapping[str, set[Slot]],
    lines: Sequence[Trait],
    limit: int,
    by_agent: Mapping[str, int] = _NONE,
) -> Plan:
    """Fit the lines into the room beside the other entries; `curated` are those made here, with their slots.

    `by_agent` are those the agent wrote, and when it heard what they say.
    """
    own = [entry for entry in entries if entry not in curated]
    said = [all_stems(entry) for entry in by_agent]
    chosen = _fitting(own, [one for one in lines if not _is_said(one.text, said)], limit)
    fresh = {text: trait for text, trait in chosen.items() if text not in curated}
    changes: dict[str, str | None] = {}
    for entry, slots in curated.items():
        if entry not in chosen:
            instead = (
                text
                for text, one in fresh.items()
                if one.basis == "told"
                and text not in changes.values()
                and not slots.isdisjoint(slots_of(one.facts))
            )
            changes[entry] = next(instead, None)
    for entry, at in by_agent.items():
        if said_anew := [text for text, one in chosen.items() if _takes_over(one, entry, at)]:
            free = (text for text in said_anew if text in fresh and text not in changes.values())
            changes[entry] = next(free, None)
    added = [text for text in fresh if text not in changes.values()]
    return Plan(changes, added, fresh)


def _is_said(line: str, entries: Iterable[Collection[str]]) -> bool:
    return any(all_stems(line) <= set(said) for said in entries)


def _takes_over(line: Trait, entry: str, at: int) -> bool:
    """Tell whether a line says all that an entry of that time says, or what has been so instead since."""
    if all_stems(entry) <= all_stems(line.text):
        return True
    is_later = any(fact.said_at >= at for fact in line.facts)
    return is_later and any(_is_other(one, entry) for one in read_entry(line.text, "user"))


def _is_other(statement: Statement, entry: str) -> bool:
    """Tell whether an entry of ours answers the question that a statement answers, and differently."""
    return is_ours(entry, "user") and any(
        attributes.is_single(one.attribute)
        and (one.who, one.attribute) == (statement.who, statement.attribute)
        and not holds_value(one.value, statement.value)
        for one in read_entry(entry, "user")
    )


def slots_of(facts: Iterable[Fact]) -> set[Slot]:
    """Return whom and what facts are about."""
    return {(fact.subject, fact.attribute) for fact in facts if fact.attribute}


def _stated(entry: str) -> Iterator[Statement]:
    """Read what an entry of the owner says; a few words that could be anything are no name."""
    yield from (one for one in read_entry(entry, "user") if one.attribute != attributes.NAME)
    yield from read_statements(entry)


def _is_lasting(one: Told) -> bool:
    if not one.is_of_user or one.fact.trust != "owner" or one.statement.attribute in _PASSING:
        return False
    is_wish, value = one.statement.attribute == attributes.INSTRUCTION, one.statement.value
    is_passing = _SOON_OVER.search(value) or (is_wish and _POINTS_BACK.search(value))
    return one.fact.is_pinned or not is_passing


def _fitting(own: Sequence[str], lines: Iterable[Trait], limit: int) -> dict[str, Trait]:
    """Take lines, the first ones first, as long as they fit; one that does not makes room for shorter ones."""
    size = format.size(own)
    chosen: dict[str, Trait] = {}
    for trait in lines:
        grown = size + len(trait.text) + (len(format.DELIMITER) if size else 0)
        if grown <= limit and trait.text not in chosen and contents.problem(trait.text) is None:
            chosen[trait.text] = trait
            size = grown
    return chosen
