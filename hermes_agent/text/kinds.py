"""Kinds and the things of each: a guitar is an instrument, Bali is a place.

A question names the kind, what was said names the thing: "Which instruments does Ada play?" is answered by "I got
a banjo". `kinds.txt` lists both, in English; `tools/kinds.py` makes it from WordNet.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import takewhile

from hermes_agent.text.stems import stem_numbers
from hermes_agent.text.words import words

_LONGEST_PHRASE = 7
_COPULAS = frozenset({"is", "are", "was", "were", "s"})
_SORTS = frozenset(
    words(
        """brand brands breed breeds example examples form forms genre genres kind kinds sort sorts style styles
        type types variety varieties"""
    )
)
_AUXILIARIES = frozenset(
    words("am are can could did do does had has have is may might should was were will would")
)
_ENDS = _AUXILIARIES | frozenset(
    words(
        """about after and at because been being before between both by during for from gave get got in like liked
        made make makes not of on or other than that to used when which while who with"""
    )
)


@dataclass(frozen=True, slots=True)
class Kind:
    """The words a kind is called by, what one does with its things, and the things."""

    names: tuple[str, ...]
    verbs: tuple[str, ...]
    things: frozenset[str]


def asked_things(question: str) -> frozenset[str]:
    """Return the things of the kind that a question asks for, one or many; none if it names no kind.

    The kind stands after "what" or "which" ("what kind of music", "what are her hobbies"), or is told by what
    one does with it ("what did she cook").
    """
    said = words(question)
    kinds = {kind for phrase in _asked_phrases(said) for kind in _last_kind(phrase)}
    if not kinds and _asks_what(said):
        kinds = {kind for number in stem_numbers(said) for kind in _by_verb().get(number, ())}
    return frozenset().union(*map(_one_or_many, kinds))


def _asked_phrases(said: Sequence[str]) -> Iterator[list[str]]:
    """Find the words that follow "what", "which" or "how many", up to a verb or a preposition."""
    for place, word in enumerate(said):
        is_how_many = word == "many" and place > 0 and said[place - 1] == "how"
        if is_how_many or word in ("what", "which", "whose"):
            phrase = list(said[place + 1 : place + 1 + 2 * _LONGEST_PHRASE])
            while phrase and phrase[0] in _COPULAS:
                phrase.pop(0)
            yield list(takewhile(lambda each: each not in _ENDS, _without_sort(phrase)))[:_LONGEST_PHRASE]


def _without_sort(phrase: list[str]) -> list[str]:
    """Take "kind of" off."""
    for place in range(1, min(4, len(phrase))):
        if phrase[place] == "of" and phrase[place - 1] in _SORTS:
            return phrase[place + 1 :]
    return phrase


def _last_kind(phrase: Sequence[str]) -> Sequence[Kind]:
    """Return what the last name of a kind among these words stands for: of "yoga class" the class."""
    found = (_by_name().get(number) for number in reversed(stem_numbers(phrase)))
    return next((kinds for kinds in found if kinds is not None), ())


def _asks_what(said: Sequence[str]) -> bool:
    """Tell whether a thing or a way is asked for, rather than how long or how often."""
    is_how = any(word == "how" and after in _AUXILIARIES for word, after in zip(said, said[1:], strict=False))
    return is_how or "what" in said or "which" in said


@cache
def _one_or_many(kind: Kind) -> frozenset[str]:
    many = {f"{thing}s" for thing in kind.things}
    many |= {f"{thing}es" for thing in kind.things if thing.endswith(("s", "x", "z", "ch", "sh", "o"))}
    many |= {f"{thing[:-1]}ies" for thing in kind.things if thing.endswith("y")}
    return kind.things | many


@cache
def _by_name() -> Mapping[int, Sequence[Kind]]:
    return _index((number, kind) for kind in listed() for number in stem_numbers(kind.names))


@cache
def _by_verb() -> Mapping[int, Sequence[Kind]]:
    return _index((number, kind) for kind in listed() for number in stem_numbers(kind.verbs))


def _index(pairs: Iterator[tuple[int, Kind]]) -> Mapping[int, Sequence[Kind]]:
    kinds: defaultdict[int, list[Kind]] = defaultdict(list)
    for number, kind in pairs:
        kinds[number].append(kind)
    return dict(kinds)


@cache
def listed() -> tuple[Kind, ...]:
    """Read the list: names and verbs of a kind, then indented its things."""
    kinds: list[tuple[str, list[str]]] = []
    text = files("hermes_agent.text").joinpath("kinds.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith(" "):
            kinds[-1][1].extend(line.split())
        elif not line.startswith("#"):
            kinds.append((line, []))
    made = []
    for head, things in kinds:
        names, _, verbs = head.partition(";")
        made.append(Kind(tuple(names.split()), tuple(verbs.split()), frozenset(things)))
    return tuple(made)
