"""What stands beside a name or a number: "Tia, fifteen, …", "at fifty-six I'm …", "my maiden name, X"."""

from collections.abc import Iterator, Sequence

from hermes_agent.learn import glue
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.people import Mention
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import USER, WE, Statement

_YOUNGEST, _OLDEST = 1, 110
_GROWN_UP = 16
_EVERYONE = word_set("everyone everybody people friends family folks mates colleagues they")
PARTNERS = word_set("client competitor customer distributor partner provider reseller sponsor supplier vendor")
"""What a firm is to the user's own."""
_SURNAMES = word_set("maiden last family first real full middle birth")


def read_appositions(words: Words, people: Sequence[Mention]) -> Iterator[Statement]:
    """Yield the ages and names that a sentence tells by the way."""
    for one in people:
        yield from [*_aged(words, one), *_partner(words, one)]
    if "me" in words.words:
        yield from _called_by_all(words)
    if "i" in words.words:
        yield from _own_age(words) if "at" in words.words else ()
        yield from _own_name(words) if "name" in words.words or "surname" in words.words else ()


def named_partner(words: Words, one: Mention) -> int | None:
    """Return where the noun stands of "our biggest customer, Vattenfall, …": who is named is a firm, no person."""
    noun = one.begin - 2
    if one.begin < 3 or words.words[one.begin - 1] != "," or words.words[noun] not in PARTNERS:
        return None
    return noun if "our" in words.words[max(noun - 3, 0) : noun] else None


def _partner(words: Words, one: Mention) -> Iterator[Statement]:
    if (noun := named_partner(words, one)) is not None:
        start, end = words.starts[noun], words.ends[one.end - 1]
        yield made(WE, words.words[noun], words.said(one.begin, one.end), start, end)


def _aged(words: Words, one: Mention) -> Iterator[Statement]:
    """Read "Emeka, six and fussy", "Tia (15)"."""
    place = one.end + 1
    place += words.at(place) == "aged"
    if words.at(one.end) in (",", "(") and words.at(place) in ("a", "an", "the"):
        if words.at(place + 1).endswith("-year-old") and words.at(place + 2) in (",", ")"):
            yield made(
                one.who, "age", words.said(place + 1, place + 2), words.starts[one.begin], words.ends[place + 1]
            )
        return
    if words.at(one.end) not in (",", "(") or not _YOUNGEST <= number(words.at(place)) <= _OLDEST:
        return
    if words.at(place + 1) in (",", ")", "and", ".") and not _is_list(words, place):
        yield made(one.who, "age", words.said(place, place + 1), words.starts[one.begin], words.ends[place])


def _is_list(words: Words, place: int) -> bool:
    return words.at(place + 1) == "," and number(words.at(place + 2)) > 0


def number(word: str) -> int:
    """Return the number a word says; 0 if it says none."""
    if word.isdecimal() and len(word) < 4:
        return int(word)
    tens, _, ones = word.partition("-")
    return glue.NUMBERS.get(tens, 0) + glue.NUMBERS.get(ones, 0) if not ones or ones in glue.NUMBERS else 0


def _own_age(words: Words) -> Iterator[Statement]:
    """Read "at fifty-six I'm reading for a master's"."""
    for place in range(len(words.words) - 3):
        is_at = words.words[place] == "at" and _GROWN_UP <= number(words.words[place + 1]) <= _OLDEST
        after = place + 2
        if is_at and words.at(after) == "i" and words.at(after + 1) in ("'m", "am", "still"):
            yield made(USER, "age", words.said(place + 1, place + 2), words.starts[place], words.ends[after + 1])


def _called_by_all(words: Words) -> Iterator[Statement]:
    """Read "everyone calls me Bea"."""
    for place in range(1, len(words.words) - 2):
        is_called = words.words[place] in ("calls", "call") and words.words[place + 1] == "me"
        name = place + 2
        if is_called and words.words[place - 1] in _EVERYONE and words.is_capital(name):
            yield made(USER, "called", words.said(name, name + 1), words.starts[place - 1], words.ends[name])


def _own_name(words: Words) -> Iterator[Statement]:
    """Read "I went back to my maiden name, Kowalska", "I have taken the surname Estrada"."""
    for place, word in enumerate(words.words[:-1]):
        is_name = (word == "name" and place > 1 and words.words[place - 1] in _SURNAMES) or word == "surname"
        owner = words.words[place - 1 - (word == "name")] if place > 1 else ""
        at = place + 1 + (words.words[place + 1] == ",")
        if (
            is_name
            and owner in ("my", "the")
            and at < len(words.words)
            and words.is_capital(at)
            and "i" in words.words
        ):
            end = at + 1
            yield made(USER, "name", words.said(at, end), words.starts[place - 1], words.ends[end - 1])
