"""What changed between two lists of entries, and the same change made to a third.

Undoing a change is the change from after to before, made to the entries of now; merging two machines'
edits is one machine's change, made to the other's entries. Entries are compared whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class Hunk:
    """Entries that stood side by side and what took their place; either may be empty."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    after: str | None
    """The entry they stood behind; None at the beginning."""


@dataclass(frozen=True, slots=True)
class Lost:
    """An entry that a change is about is not there any more."""

    entry: str


def hunks(before: Sequence[str], after: Sequence[str]) -> list[Hunk]:
    """Return what changed from one list to another, in order."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        Hunk(tuple(before[i1:i2]), tuple(after[j1:j2]), before[i1 - 1] if i1 else None)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def apply(changes: Sequence[Hunk], entries: Sequence[str]) -> list[str] | Lost:
    """Make the changes to other entries; an entry that should go and is not there stops it."""
    going = {entry for hunk in changes for entry in hunk.old}
    coming = {entry for hunk in changes for entry in hunk.new}
    for entry in sorted(going - coming):
        if entry not in entries:
            return Lost(entry)
    # Each change holds its place among the entries until all that goes has gone: a moved entry does both.
    line: list[str | Hunk] = list(entries)
    for hunk in changes:
        line.insert(_place(hunk, line), hunk)
    staying = set(entries) - going
    # What only moved, and was taken out since, does not come back.
    absent = going - set(entries)
    result: list[str] = []
    for item in line:
        if isinstance(item, str):
            result += [item] if item in staying else []
        else:
            result += [entry for entry in item.new if entry not in staying and entry not in absent]
    return result


def added(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Return the entries of `after` that `before` does not have."""
    known = set(before)
    return [entry for entry in after if entry not in known]


def merge(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str] | Lost:
    """Join two changes of one list, `theirs` first; `Lost` names an entry that both changed differently."""
    mine, other = hunks(base, ours), hunks(base, theirs)
    for hunk in mine:
        rivals = [rival for rival in other if set(rival.old) & set(hunk.old) and rival.new != hunk.new]
        if rivals:
            return Lost(next(entry for entry in hunk.old if entry in rivals[0].old))
    # What they took out is not there to be taken out again, nor to be moved.
    gone = set(base) - set(theirs)
    return apply([Hunk(_without(hunk.old, gone), _without(hunk.new, gone), hunk.after) for hunk in mine], theirs)


def _without(entries: Sequence[str], gone: set[str]) -> tuple[str, ...]:
    return tuple(entry for entry in entries if entry not in gone)


def _place(hunk: Hunk, line: Sequence[str | Hunk]) -> int:
    """Say where the new entries go: where the old ones stood, or behind the neighbour they had."""
    for entry in hunk.old:
        if entry in line:
            return line.index(entry)
    if hunk.after is None:
        return 0
    return line.index(hunk.after) + 1 if hunk.after in line else len(line)
