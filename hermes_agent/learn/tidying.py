"""Decide which facts and which reflections are one and the same. Pure: what is kept in, proposed merges out.

Nothing is merged that contradicts, has another value, another time, another polarity, or is of another trust;
nor what the owner pinned, or took apart before. The fact that was said first stands for the others, so that it
covers all of their time; of reflections the latest does, so that it counts as fresh.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from hermes_agent.learn import saying_same
from hermes_agent.records.memory import Fact
from hermes_agent.records.reflections import Reflection
from hermes_agent.text.stems import content_words, stem
from hermes_agent.text.words import fold

Pair = frozenset[str]
"""The names of two records."""
_T = TypeVar("_T", Fact, Reflection)
_ALIKE = 0.75
"""So many of the words of two tasks must be the same."""


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
    chosen = _chosen(order, _fact_keys, is_same_fact, refused)
    return [FactMerge(kept, merged) for kept, merged in chosen]


def reflection_merges(reflections: Sequence[Reflection], refused: Collection[Pair]) -> list[ReflectionMerge]:
    """Return the merges of current reflections; `refused` are pairs that were taken apart before."""
    current = [one for one in reflections if one.state == "current"]
    order = sorted(current, key=lambda one: (-one.ended_at, -one.id))
    chosen = _chosen(order, _reflection_keys, is_same_reflection, refused)
    return [ReflectionMerge(kept, merged) for kept, merged in chosen]


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
    if kept.id == merged.id or not kept.lesson or _way(kept) != _way(merged):
        return False
    return _are_alike(kept.task, merged.task)


def _chosen(
    order: Sequence[_T],
    keys: Callable[[_T], Iterable[Hashable]],
    is_same: Callable[[_T, _T], bool],
    refused: Collection[Pair],
) -> list[tuple[_T, _T]]:
    """Return what is merged into what; in `order` whoever is to stand for another comes first.

    What is merged stands for nothing: a chain would not be undone link by link.
    """
    into: dict[int, tuple[_T, _T]] = {}
    kept: set[int] = set()
    for one, other in _candidates(order, keys):
        if one.id in into or other.id in into or other.id in kept:
            continue
        if frozenset((one.name, other.name)) not in refused and is_same(one, other):
            into[other.id] = one, other
            kept.add(one.id)
    return [into[number] for number in sorted(into)]


def _candidates(order: Sequence[_T], keys: Callable[[_T], Iterable[Hashable]]) -> Iterator[tuple[_T, _T]]:
    """Yield the pairs that have a key in common, in their order."""
    found: dict[Hashable, list[_T]] = defaultdict(list)
    for one in order:
        for key in keys(one):
            found[key].append(one)
    for group in found.values():
        yield from combinations(group, 2)


def _fact_keys(fact: Fact) -> Iterator[Hashable]:
    yield saying_same.key(fact.text)
    if _has_slot(fact):
        yield (*_slot(fact), saying_same.key(fact.value or ""))


def _has_slot(fact: Fact) -> bool:
    return bool(fact.subject and fact.attribute and fact.value)


def _slot(fact: Fact) -> tuple[str, str]:
    return fold(fact.subject or ""), fold(fact.attribute or "")


def _reflection_keys(one: Reflection) -> Iterator[Hashable]:
    yield _way(one)


def _way(one: Reflection) -> Hashable:
    """Return how a task went: its kind, its outcome, its lessons in any order."""
    lessons = (
        frozenset(" ".join(saying_same.cut(text)) for text in each) for each in (one.worked, one.differently)
    )
    return one.task_type, one.outcome, one.source_class, *lessons


def _are_alike(one: str, other: str) -> bool:
    """Tell whether two tasks share nearly all words; a number or a name that differs makes them two."""
    left, right = set(map(stem, content_words(one))), set(map(stem, content_words(other)))
    if not left or len(left & right) / len(left | right) < _ALIKE:
        return False
    return _marked(one) == _marked(other)


def _marked(task: str) -> set[str]:
    """Return the words of a task that are names or numbers, or hold a sign."""
    first, *others = [word.strip(".,;:!?\"'“”()") for word in task.split()] or [""]
    named = [word for word in others if word[:1].isupper() or (word and not word.replace("-", "").isalpha())]
    return {fold(word) for word in (*named, *([first] if any(map(str.isdigit, first)) else []))}
