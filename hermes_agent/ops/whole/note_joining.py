"""Which entries of a note stay when two homes are joined: each by what was done with it last. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Version:
    """The entries of a note since a moment."""

    at: int
    entries: Sequence[str]


@dataclass(frozen=True, slots=True)
class Side:
    """A note in one home: its entries, and the versions that led to them, in their order."""

    entries: Sequence[str]
    versions: Sequence[Version]


def join(ours: Side, theirs: Side) -> tuple[list[str], list[str]]:
    """Return the entries to be added to ours, and those to be removed."""
    here, there = _last(ours), _last(theirs)
    added = [one for one in dict.fromkeys(theirs.entries) if one not in ours.entries]
    removed = [one for one in dict.fromkeys(ours.entries) if one not in theirs.entries]
    return (
        [one for one in added if one not in here or there.get(one, 0) > here[one]],
        [one for one in removed if one in there and there[one] > here.get(one, 0)],
    )


def _last(side: Side) -> dict[str, int]:
    """Return when each entry that ever was came or went last."""
    moments: dict[str, int] = {}
    before: set[str] = set()
    for version in side.versions:
        now = set(version.entries)
        moments |= dict.fromkeys(before ^ now, version.at)
        before = now
    return moments
