"""Read what a part of a session states with the rules and the trained reader together.

The rules know how corrections, plans and orders are put; the network has read thousands of messages and knows
how people talk. What the rules find and the network takes for no value at all is dropped, what only the network
finds is added once it stands the same check as a model's claims.
"""

from collections.abc import Iterator, Sequence

from hermes_agent.learn import attributes
from hermes_agent.learn.candidates import read_by_rules
from hermes_agent.learn.checking import check
from hermes_agent.learn.claims import Claim
from hermes_agent.learn.sentences import sentences
from hermes_agent.learn.trained.seeing import Sight, Value, look
from hermes_agent.learn.trained.whom import Whom, whom
from hermes_agent.records.learning import Candidate, Part, Reading

NAME = "the trained reader"
_DOUBTED = 0.5
_SURE = 0.75
"""How sure the network must be; settled with `tests/learn/labelled/tuning.jsonl`."""
_KEPT = (attributes.INSTRUCTION, attributes.ENDED, attributes.MEANING, attributes.DECISION)


def read_trained(part: Part) -> Reading:
    """Return what a part of a session states. In talk between people the rules read alone."""
    known = read_by_rules(part).candidates
    if any(heard.speaker is not None for heard in part.fresh):
        return Reading(known)
    sights = dict(zip((heard.uid for heard in part.fresh), look([one.text for one in part.fresh]), strict=True))
    kept = [one for one in known if not _is_doubted(one, sights[one.heard.uid])]
    claims = [
        claim
        for number, heard in enumerate(part.fresh, 1)
        for claim in _claims(number, heard.text, sights[heard.uid], [one for one in kept if one.heard is heard])
    ]
    return Reading(_in_order(part, [*kept, *check(part, claims, NAME).candidates]))


def _in_order(part: Part, found: Sequence[Candidate]) -> list[Candidate]:
    place = {heard.uid: number for number, heard in enumerate(part.fresh)}
    return sorted(found, key=lambda one: (place[one.heard.uid], one.statement.start))


def _is_doubted(one: Candidate, sight: Sight) -> bool:
    """Tell whether the network takes what the rules found for nothing; what corrects or ends is theirs alone."""
    if one.statement.is_correction or one.statement.attribute in _KEPT:
        return False
    start, end = place_of(one)
    is_seen = any(value.start < end and start < value.end for value in sight.values)
    return not is_seen and sight.support(start, end) < _DOUBTED


def place_of(one: Candidate) -> tuple[int, int]:
    """Return where the value of a candidate stands in its message."""
    stated = one.statement
    told = one.heard.text[stated.start : stated.end].replace("’", "'").casefold()
    place = told.find(stated.value.casefold())
    if place < 0:
        return stated.start, stated.end
    return stated.start + place, stated.start + place + len(stated.value)


def _claims(number: int, text: str, sight: Sight, kept: Sequence[Candidate]) -> Iterator[Claim]:
    """Yield what only the network found in a message, as claims about it."""
    taken = [place_of(one) for one in kept]
    for value in sight.values:
        is_taken = any(value.start < end and start < value.end for start, end in taken)
        said = text[value.start : value.end]
        if value.chance < _SURE or is_taken or _says_nothing(value.attribute, said):
            continue
        begin = max((one.start for one in sentences(text) if one.start <= value.start), default=0)
        of = _whom(value, sight)
        yield Claim(
            message=number,
            quote=text[begin : value.end],
            about=of.about,
            name=of.name,
            relation=of.relation,
            attribute=value.attribute,
            value=said,
            confidence=round(value.chance, 2),
            polarity=value.polarity,
        )


def _says_nothing(attribute: str, said: str) -> bool:
    """Tell whether a value says nothing without a name for what it is: a bare "2.3" is no note."""
    return attribute == attributes.NOTE and not any(letter.isalpha() for letter in said)


def _whom(value: Value, sight: Sight) -> Whom:
    if not value.naming:
        return whom(value.whom, (), None, ())
    first, last = (sight.words.index(value.naming[place]) for place in (0, -1))
    before = sight.words[first - 1] if first else None
    return whom(value.whom, value.naming, before, sight.words[last + 1 : last + 8])
