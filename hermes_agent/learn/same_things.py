"""Decide which spellings are one thing: "Post Greql" is PostgreSQL. Pure: the things that are named in, joins out.

Only names of products and the like are joined, told by a capital inside ("GitHub") or by being known: people
may be called Christina and Christine. The same letters with other spaces are the same thing; one letter more,
less or other is a slip only in a name that is long, written so once or twice, and close to one that is named
often.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from hermes_agent.learn.lexicon import KINDS
from hermes_agent.records.memory import Joined, Thing

JOINED_KINDS = ("name", "project", "quoted")
"""What shows by its form alone, such as addresses and versions, has no other spelling."""
_PLAIN = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
_INNER = re.compile(r"[a-z][A-Z]|[A-Z]{2,}[a-z]|[a-z]{2,}[A-Z]{2,}")
_NAME_PREFIX = re.compile(r"\b(?:Mc|Mac|De|Di|Du|Da|La|Le|Lo|Van|Von|Fitz|Al|El|St|O')(?=[A-Z])")
_SHORTEST_SAME, _SHORTEST_SLIP = 6, 8
_MOST_SLIPS = 2
_OFTEN = 3
"""What is written wrong is named at least so many times more often when it is right."""
_KNOWN = frozenset(member for members in KINDS.values() for member in members if member.isalpha())


@dataclass(frozen=True, slots=True)
class Join:
    """Two things that are one: `other` is another spelling of `thing`."""

    other: Thing
    thing: Thing

    @property
    def joined(self) -> Joined:
        return Joined(self.other.key, self.thing.key)


def joins(
    things: Sequence[Thing], aliases: Collection[tuple[str, str]], refused: Collection[tuple[str, str]]
) -> list[Join]:
    """Return the spellings to join; `aliases` are known, `refused` were taken apart before: pairs of keys."""
    plain = [one for one in things if _PLAIN.fullmatch(one.key) and one.kind in JOINED_KINDS]
    known = {frozenset(pair) for pair in (*aliases, *refused)}
    found: dict[str, Join] = {}
    full: set[str] = set()
    for join in (*_same_letters(plain), *_slips(plain)):
        pair = frozenset((join.other.key, join.thing.key))
        if pair in known or join.other.key in found or join.other.key in full or join.thing.key in found:
            continue
        found[join.other.key] = join
        full.add(join.thing.key)
    return [found[key] for key in sorted(found)]


def _same_letters(things: Sequence[Thing]) -> Iterator[Join]:
    groups: dict[str, list[Thing]] = defaultdict(list)
    for one in things:
        groups[_squashed(one)].append(one)
    for letters, group in groups.items():
        if len(letters) >= _SHORTEST_SAME and any(map(_is_product, group)):
            first, *others = sorted(group, key=lambda one: (-one.mentions, one.key.count(" "), one.key))
            yield from (Join(other, first) for other in others)


def _slips(things: Sequence[Thing]) -> Iterator[Join]:
    targets: dict[str, Thing] = {}
    around: dict[str, set[str]] = defaultdict(set)
    for one in sorted(things, key=lambda one: one.mentions):
        letters = _squashed(one)
        if len(letters) >= _SHORTEST_SLIP and one.mentions >= _OFTEN and _is_product(one):
            targets[letters] = one
            for place in (letters, *_shorter(letters)):
                around[place].add(letters)
    for one in things:
        letters = _squashed(one)
        if len(letters) < _SHORTEST_SLIP or one.mentions > _MOST_SLIPS or _is_product(one):
            continue
        near = {target for each in (letters, *_shorter(letters)) for target in around.get(each, ())}
        meant = [targets[each] for each in near if _is_slip(letters, each)]
        # Near to two of them, it may mean either.
        if len(meant) == 1 and meant[0].mentions >= _OFTEN * one.mentions:
            yield Join(one, meant[0])


def _is_product(thing: Thing) -> bool:
    inner = _NAME_PREFIX.sub(lambda match: match[0].lower(), thing.name)
    return _squashed(thing) in _KNOWN or any(_INNER.search(word) for word in inner.split())


def _squashed(thing: Thing) -> str:
    return thing.key.replace(" ", "")


def _shorter(letters: str) -> Iterator[str]:
    """Yield a word without one of its letters: two that are one letter apart meet there."""
    for place in range(len(letters)):
        yield letters[:place] + letters[place + 1 :]


def _is_slip(one: str, other: str) -> bool:
    """Tell whether one letter is more, less or other, or two are swapped; not the first, and no other ending."""
    if one == other or one[0] != other[0] or one[-1] != other[-1]:
        return False
    if len(one) == len(other):
        places = [place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        if len(places) == 2:
            first, second = places
            return second == first + 1 and one[first] == other[second] and one[second] == other[first]
        return len(places) == 1
    short, long = sorted((one, other), key=len)
    return len(long) == len(short) + 1 and any(each == short for each in _shorter(long))
