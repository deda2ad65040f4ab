"""Turn facts into traits of the user: grouped, worded as lines of notes, in the order one would tell them.

Pure: the same facts give the same traits. What was said is here; what follows from several such things together is
in `conclusions.py`.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hermes_agent.learn import attributes
from hermes_agent.learn.deeds import predicate
from hermes_agent.learn.entries import line_of, person_line, read_entry
from hermes_agent.learn.facets import OF_THINGS, facet_of
from hermes_agent.learn.matching import enumerated
from hermes_agent.learn.named_things import KINDS
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.reconcile import stated
from hermes_agent.records.memory import Fact
from hermes_agent.records.statements import Statement, Who
from hermes_agent.records.user_model import FACETS, Trait
from hermes_agent.text.words import capital, words

_TOGETHER = frozenset(
    (
        *(
            "likes",
            "speaks",
            "uses",
            "eats",
            "drinks",
            "drives",
            "plays",
            "collects",
            "studies",
            "learns",
            "allergy",
        ),
        *("skill", "hobby", "owns", "pet", "grows", "breeds"),
    )
)
"""Attributes whose values stand in one line: `Uses Git, Vim and fish`."""
_MOST_TOGETHER = 6
_LONGEST_TOGETHER = 40
_ENUMERATES = Pattern(r"[,;:.\n]|\s(?:and|or|&)\s")
_OF_USER = Pattern(r"(?:(?:the )?user(?:'s|’s)?|i|i'm|my|we|our)\b")
_KNOWS = ("Knows {v}", "Does not know {v}")
_ORDER = {name: place for place, name in enumerate([*attributes.TABLE, *attributes.LEARNED])}
_MOST_SURE = 0.99


@dataclass(frozen=True, slots=True)
class Told:
    """A fact with what it states."""

    fact: Fact
    statement: Statement
    is_of_thing: bool

    @property
    def is_of_user(self) -> bool:
        """Whether it is about the user, or about somebody who is the user's."""
        return not self.is_of_thing and (self.statement.who.kind == "user" or bool(self.statement.who.relation))


def told(facts: Iterable[Fact]) -> list[Told]:
    """Return the facts that say something of the user and the user's world, with what they state."""
    read = [(fact, statement) for fact in facts if (statement := _statement(fact)) is not None]
    things = {fact.subject for fact, statement in read if _tells_a_thing(statement)}
    names = _names([statement for _, statement in read])
    return [
        Told(
            fact,
            replace(one, who=names.get(one.who, one.who)),
            _is_thing(one) or _is_named_thing(one, fact, things),
        )
        for fact, one in read
    ]


def _names(statements: Sequence[Statement]) -> dict[Who, Who]:
    """Return whom a relation alone means: "my daughter" is Ida, if she was named and no other daughter was."""
    named: dict[Who, set[Who]] = defaultdict(set)
    for one in statements:
        if one.who.kind == "person" and one.who.relation:
            name = one.value if one.attribute == attributes.NAME and one.polarity == "is" else one.who.name
            named[replace(one.who, name="")].add(replace(one.who, name=name))
    # The relation without a name stands for whoever has one.
    full = {who: [one for one in known if one.name] for who, known in named.items()}
    return {who: known[0] for who, known in full.items() if len(known) == 1}


def traits(told: Sequence[Told], disputed: Collection[int] = ()) -> list[Trait]:
    """Word what was told as traits, facet by facet; `disputed` are facts that contradict others."""
    groups: dict[Hashable, list[Told]] = defaultdict(list)
    for one in told:
        groups[_group(one, is_alone=one.fact.id in disputed)].append(one)
    found = [
        _trait(some, is_contradicted=some[0].fact.id in disputed)
        for group in groups.values()
        for some in _chunks(group)
    ]
    return [trait for _, trait in sorted(found, key=lambda one: (FACETS.index(one[1].facet), one[0]))]


def line(statement: Statement) -> str:
    """Write what was said of the user as a line of notes."""
    is_not = statement.polarity == "is not"
    if statement.attribute == "skill":
        return _KNOWS[is_not].format(v=statement.value)
    if deed := predicate(statement.attribute, statement.value, is_not=is_not):
        return capital(deed)
    learned = attributes.LEARNED.get(statement.attribute)
    if learned is None or learned[0].startswith("{whose}"):
        return line_of(statement)
    return capital(learned[is_not].format(who="", whose="", v=statement.value).strip())


def confidence(facts: Sequence[Fact]) -> float:
    """Say how sure a trait is: as its least sure fact, and surer each time that was said again."""
    return round(min(map(_sureness, facts)), 2)


def _sureness(fact: Fact) -> float:
    if fact.confidence >= 1.0:
        return 1.0
    return min(_MOST_SURE, 1 - (1 - fact.confidence) * 0.5**fact.corroborations)


def _statement(fact: Fact) -> Statement | None:
    if fact.polarity == "was":
        return None
    if fact.subject and fact.attribute and fact.value:
        return stated(fact)
    # Said by hand, without a slot: the owner's own sentence about themselves.
    if fact.subject is None and _OF_USER.match(fact.text):
        (first, *_) = read_entry(fact.text, "user") or (None,)
        is_note = first is None or first.attribute == attributes.NOTE
        return (
            Statement(stated(replace(fact, subject="user")).who, attributes.NOTE, fact.text, 0, 0)
            if is_note
            else first
        )
    return None


def _is_thing(statement: Statement) -> bool:
    who = statement.who
    return who.kind == "thing" or (who.kind == "person" and not who.relation and not who.name[:1].isupper())


def _tells_a_thing(statement: Statement) -> bool:
    is_project = statement.attribute == "is" and not KINDS.isdisjoint(words(statement.value)[-1:])
    return statement.attribute in OF_THINGS or is_project


def _is_named_thing(statement: Statement, fact: Fact, things: Collection[str | None]) -> bool:
    return statement.who.kind == "person" and not statement.who.relation and fact.subject in things


def _group(one: Told, *, is_alone: bool) -> Hashable:
    """Name the group whose facts stand in one trait."""
    statement, fact = one.statement, one.fact
    if is_alone or one.is_of_thing or fact.trust == "untrusted":
        return fact.id
    if statement.who.kind == "person":
        return statement.who
    is_short = len(statement.value) <= _LONGEST_TOGETHER and not _ENUMERATES.search(statement.value)
    if statement.who.kind == "user" and statement.attribute in _TOGETHER and is_short:
        return statement.attribute, statement.polarity
    return fact.id


def _chunks(group: Sequence[Told]) -> Iterator[Sequence[Told]]:
    for start in range(0, len(group), _MOST_TOGETHER):
        yield group[start : start + _MOST_TOGETHER]


def _trait(some: Sequence[Told], *, is_contradicted: bool) -> tuple[tuple[object, ...], Trait]:
    """Word facts that belong together; in front what the trait is put in order by."""
    first, facts = some[0], tuple(one.fact for one in some)
    facet = facet_of(first.statement, is_of_thing=first.is_of_thing)
    trait = Trait(facet, _worded(some), facts, confidence(facts), is_contradicted=is_contradicted)
    place = _ORDER.get(first.statement.attribute, len(_ORDER))
    is_pinned = any(fact.is_pinned for fact in facts)
    return (not is_pinned, 0 if facet == "people" else place, first.fact.id), trait


def _worded(some: Sequence[Told]) -> str:
    first, statement = some[0].fact, some[0].statement
    if some[0].is_of_thing or statement.who.kind == "we":
        return capital(first.text.removeprefix("User's "))
    if statement.who.kind == "person":
        return person_line(statement.who, [one.statement for one in some])
    if statement.attribute == attributes.NOTE and first.subject is None:
        return first.text
    return line(replace(statement, value=enumerated([one.statement.value for one in some])))
