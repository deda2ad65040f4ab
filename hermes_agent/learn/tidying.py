"""Decide which facts and which reflections are one and the same. Pure: what is kept in, proposed merges out.

Nothing is merged that contradicts, has another value, another time, another polarity, or is of another trust;
nor what the owner pinned, or took apart before. The fact that was said first stands for the others, so that it
covers all of their time; of reflections the latest does, so that it counts as fresh.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TypeVar

from hermes_agent.learn import saying_same
from hermes_agent.records.memory import Fact
from hermes_agent.records.reflections import Reflection
from hermes_agent.text.stems import content_words, stem
from hermes_agent.text.words import fold

Pair = frozenset[str]
"""The names of two records."""
_T = TypeVar("_T", Fact, Reflection)
_Words = tuple[Hashable, frozenset[str]]
"""What a task is compared by: what must be the same, and the words that must nearly be."""
_ALIKE = 0.75
"""So many of the words of two tasks must be the same; a number or a name that differs makes them two."""


@dataclass(frozen=True, slots=True)
class FactMerge:
    """A fact that says what `kept` says."""

    kept: Fact
    merged: Fact


@dataclass(frozen=True, slots=True)
class ReflectionMerge:
    """A reflection that says what `kept` says."""

    kept: Reflection
    merged: Reflection


def fact_merges(facts: Sequence[Fact], disputed: Collection[int], refused: Collection[Pair]) -> list[FactMerge]:
    """Return the merges of facts that are held; `refused` are pairs that were taken apart before."""
    free = [fact for fact in facts if fact.state == "current" and not fact.is_pinned and fact.id not in disputed]
    order = sorted(free, key=lambda fact: (not _has_slot(fact), fact.said_at, fact.id))
    chosen = _chosen(lambda merged: _sharing(order, _fact_keys, merged), is_same_fact, refused)
    return [FactMerge(kept, merged) for kept, merged in chosen]


def reflection_merges(reflections: Sequence[Reflection], refused: Collection[Pair]) -> list[ReflectionMerge]:
    """Return the merges of current reflections; `refused` are pairs that were taken apart before."""
    current = [one for one in reflections if one.state == "current"]
    order = sorted(current, key=lambda one: (-one.ended_at, -one.id))
    outlines = {one.id: _outline(one) for one in order}

    def are_same(one: Reflection, other: Reflection) -> bool:
        return _are_same(outlines[one.id], outlines[other.id])

    chosen = _chosen(lambda merged: _near(list(outlines.values()), merged), are_same, refused)
    return [ReflectionMerge(kept, merged) for kept, merged in chosen]


def left_alone(merged: Sequence[Reflection], standing: Sequence[Reflection]) -> list[Reflection]:
    """Return the merged reflections that none of those that stand says any more."""
    found: dict[Hashable, list[_Outline]] = defaultdict(list)
    for one in standing:
        outline = _outline(one)
        found[outline.block].append(outline)
    known = [_outline(one) for one in merged]
    return [one.of for one in known if not any(_are_same(other, one) for other in found[one.block])]


def same_as(ones: Sequence[Reflection], others: Sequence[Reflection]) -> dict[int, list[Reflection]]:
    """Return for each reflection, by its number, the others that say the same, in their order."""
    found: dict[Hashable, list[_Outline]] = defaultdict(list)
    for other in others:
        outline = _outline(other)
        found[outline.block].append(outline)
    known = [_outline(one) for one in ones]
    return {one.of.id: [other.of for other in found[one.block] if _are_same(other, one)] for one in known}


def is_same_fact(kept: Fact, merged: Fact) -> bool:
    """Tell whether two facts say the same of the same, for the same time, on the same word."""
    if kept.id == merged.id or (kept.polarity, kept.trust) != (merged.polarity, merged.trust):
        return False
    if (kept.valid_from, kept.valid_to) != (merged.valid_from, merged.valid_to):
        return False
    if _has_slot(kept) and _has_slot(merged):
        return _slot(kept) == _slot(merged) and saying_same.same(kept.value or "", merged.value or "")
    # One in its writer's words has no slot: it may be the older one, whose time the other would not cover.
    return kept.said_at <= merged.said_at and saying_same.same(kept.text, merged.text)


def is_same_reflection(kept: Reflection, merged: Reflection) -> bool:
    """Tell whether tasks of one kind that are alike went the same way, for the same reasons."""
    return _are_same(_outline(kept), _outline(merged))


@dataclass(frozen=True, slots=True)
class _Outline:
    """What of a reflection is compared, read once: thousands may be compared with each other."""

    of: Reflection
    way: Hashable
    stems: frozenset[str]
    marks: frozenset[str]

    @property
    def block(self) -> Hashable:
        """What two that say the same have in common."""
        return self.way, self.marks


def _outline(one: Reflection) -> _Outline:
    stems = frozenset(map(stem, content_words(one.task)))
    return _Outline(one, _way(one), stems, frozenset(_marked(one.task)))


def _are_same(kept: _Outline, merged: _Outline) -> bool:
    if kept.of.id == merged.of.id or not kept.of.lesson or kept.block != merged.block or not kept.stems:
        return False
    return len(kept.stems & merged.stems) / len(kept.stems | merged.stems) >= _ALIKE


def _chosen(
    pairs: Callable[[Collection[int]], Iterator[tuple[_T, _T]]],
    is_same: Callable[[_T, _T], bool],
    refused: Collection[Pair],
) -> list[tuple[_T, _T]]:
    """Return what is merged into what, of pairs in which whoever is to stand for the other comes first.

    `pairs` is told what is merged by then, and need not name it again. What is merged stands for nothing: a chain
    would not be undone link by link.
    """
    into: dict[int, tuple[_T, _T]] = {}
    kept: set[int] = set()
    for one, other in pairs(into.keys()):
        if one.id in into or other.id in into or other.id in kept:
            continue
        if frozenset((one.name, other.name)) not in refused and is_same(one, other):
            into[other.id] = one, other
            kept.add(one.id)
    return [into[number] for number in sorted(into)]


def _sharing(
    order: Sequence[_T], keys: Callable[[_T], Iterable[Hashable]], merged: Collection[int]
) -> Iterator[tuple[_T, _T]]:
    """Yield the pairs that have a key in common, in their order."""
    found: dict[Hashable, list[_T]] = defaultdict(list)
    for one in order:
        for key in keys(one):
            found[key].append(one)
    for group in found.values():
        for place, one in enumerate(group):
            for other in group[place + 1 :] if one.id not in merged else ():
                yield one, other


def _near(order: Sequence[_Outline], merged: Collection[int]) -> Iterator[tuple[Reflection, Reflection]]:
    """Yield the pairs that may say the same, in their order."""
    places: dict[_Words, list[int]] = defaultdict(list)
    for place, one in enumerate(order):
        if one.stems:
            places[one.block, one.stems].append(place)
    near = _neighbours(list(places))
    for place, one in enumerate(order):
        if one.stems and one.of.id not in merged:
            own = one.block, one.stems
            for other in sorted(other for words in (own, *near[own]) for other in places[words] if other > place):
                yield one.of, order[other].of


def _neighbours(known: Sequence[_Words]) -> Mapping[_Words, set[_Words]]:
    """Return for the words of each task those that may be alike.

    Of sets that share three quarters of their words, the smaller has one of its few rarest among the few rarest
    of the other: only those are looked up.
    """
    often = Counter(word for _, stems in known for word in stems)
    found: dict[tuple[Hashable, str], list[_Words]] = defaultdict(list)
    near: dict[_Words, set[_Words]] = defaultdict(set)
    for words in sorted(known, key=lambda each: len(each[1])):
        block, stems = words
        rarest = sorted(stems, key=lambda word: (often[word], word))
        for word in rarest[: _few(stems, _ALIKE)]:
            for other in found[block, word]:
                near[words].add(other)
                near[other].add(words)
        for word in rarest[: _few(stems, 2 * _ALIKE / (1 + _ALIKE))]:
            found[block, word].append(words)
    return near


def _few(stems: Collection[str], share: float) -> int:
    """Return how many words leave less than a share of them; a rounding error must not make it one too few."""
    return len(stems) - ceil(share * len(stems) - 1e-9) + 1


def _fact_keys(fact: Fact) -> Iterator[Hashable]:
    yield saying_same.key(fact.text)
    if _has_slot(fact):
        yield (*_slot(fact), saying_same.key(fact.value or ""))


def _has_slot(fact: Fact) -> bool:
    return bool(fact.subject and fact.attribute and fact.value)


def _slot(fact: Fact) -> tuple[str, str]:
    return fold(fact.subject or ""), fold(fact.attribute or "")


def _way(one: Reflection) -> Hashable:
    """Return how a task went: its kind, its outcome, its lessons in any order."""
    lessons = (
        frozenset(" ".join(saying_same.cut(text)) for text in each) for each in (one.worked, one.differently)
    )
    return one.task_type, one.outcome, one.source_class, *lessons


def _marked(task: str) -> set[str]:
    """Return the words of a task that are names or numbers, or hold a sign."""
    first, *others = [word.strip(".,;:!?\"'“”()") for word in task.split()] or [""]
    named = [word for word in others if word[:1].isupper() or (word and not word.replace("-", "").isalpha())]
    return {fold(word) for word in (*named, *([first] if any(map(str.isdigit, first)) else []))}
