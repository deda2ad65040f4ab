"""Read what a part of a session states with the rules and the trained reader together.

The rules know how corrections, plans and orders are put; the network has read thousands of messages and knows
how people talk. What the rules find and the network takes for no value at all is dropped. What only the network
finds is added if it lies in a sentence that the rules would listen to, stands the check that a model's claims
stand, and is worth keeping by their measure. It is never as sure as they are: it replaces nothing.
"""

import re
from collections.abc import Iterator, Sequence

from hermes_agent.learn import attributes, moods
from hermes_agent.learn.candidates import is_worth, read_by_rules
from hermes_agent.learn.checking import check
from hermes_agent.learn.claims import Claim
from hermes_agent.learn.hearing import meant
from hermes_agent.learn.sentences import Sentence, is_long
from hermes_agent.learn.trained.seeing import Sight, Value, look
from hermes_agent.learn.trained.whom import Whom, whom
from hermes_agent.records.learning import Candidate, Part, Reading
from hermes_agent.text.words import lowered_in_place

NAME = "the trained reader"
_DOUBTED = 0.5
_SURE = 0.75
"""How sure the network must be; settled with `tests/learn/labelled/tuning.jsonl`."""
_LEAST, _MOST = 0.5, 0.69
"""How sure a fact is that only the network found: from the first if it was just sure, to the second."""
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
    added = [one for one in check(part, claims, NAME).candidates if is_worth(one.statement, one.heard.text)]
    return Reading(_in_order(part, [*kept, *added]))


def _in_order(part: Part, found: Sequence[Candidate]) -> list[Candidate]:
    place = {heard.uid: number for number, heard in enumerate(part.fresh)}
    return sorted(found, key=lambda one: (place[one.heard.uid], one.statement.start))


def _is_doubted(one: Candidate, sight: Sight) -> bool:
    """Tell whether the network takes what the rules found for nothing.

    What corrects or ends is theirs alone, and so is what they read of other languages: it learned English.
    """
    stated = one.statement
    if stated.is_correction or stated.attribute in _KEPT or stated.language != "en":
        return False
    start, end = place_of(one)
    is_seen = any(value.start < end and start < value.end for value in sight.values)
    return not is_seen and sight.support(start, end) < _DOUBTED


def place_of(one: Candidate) -> tuple[int, int]:
    """Return where the value of a candidate stands in its message."""
    stated = one.statement
    told = lowered_in_place(one.heard.text[stated.start : stated.end].replace("’", "'"))
    found = re.search(rf"(?<!\w){re.escape(lowered_in_place(stated.value))}(?!\w)", told)
    if found is None:
        return stated.start, stated.end
    return stated.start + found.start(), stated.start + found.end()


def _claims(number: int, text: str, sight: Sight, kept: Sequence[Candidate]) -> Iterator[Claim]:
    """Yield what only the network found in a message, as claims about it."""
    taken = [place_of(one) for one in kept]
    sure = [
        value
        for value in sight.values
        if value.chance >= _SURE and not any(value.start < end and start < value.end for start, end in taken)
    ]
    plain = moods.masked(text)
    listened = _listened(plain, text) if sure else []
    for value in sure:
        sentence = next((one for one in listened if one.start <= value.start and value.end <= one.end), None)
        of = _whom(value, sight)
        said = text[value.start : value.end]
        is_quoted = plain[value.start : value.end] != said.replace("’", "'").replace("‘", "'")
        if sentence is None or of is None or is_quoted or _says_nothing(value.attribute, said):
            continue
        quote = text[sentence.start : value.end]
        if text.find(quote) != sentence.start:  # it would be taken for words that stand elsewhere
            continue
        yield Claim(
            message=number,
            quote=quote,
            about=of.about,
            name=of.name,
            relation=of.relation,
            attribute=value.attribute,
            value=said,
            confidence=round(_LEAST + (_MOST - _LEAST) * (value.chance - _SURE) / (1 - _SURE), 2),
            polarity=value.polarity,
        )


def _listened(plain: str, text: str) -> list[Sentence]:
    """Return the sentences of a message that the rules would listen to."""
    if is_long(text) or moods.is_joked(plain):
        return []
    return [sentence for sentence, _ in meant(plain, text)]


def _says_nothing(attribute: str, said: str) -> bool:
    """Tell whether a value says nothing without a name for what it is: a bare "2.3" is no note."""
    if attribute == attributes.NOTE:
        return not any(letter.isalpha() for letter in said)
    return not any(letter.isalnum() for letter in said)


def _whom(value: Value, sight: Sight) -> Whom | None:
    if not value.naming:
        return whom(value.whom, (), 0, 0)
    first, last = (sight.words.index(value.naming[place]) for place in (0, -1))
    return whom(value.whom, sight.words, first, last + 1)
