"""Whether changes can be undone among later ones that stay: a later change must not build on them.

One pass from the newest change to the oldest, with what the later ones left: however many are to be undone among
however many, each is looked at once.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hermes_agent.records.changes import Trace, change_of, left_by, met_by, standing, undone_by
from hermes_agent.records.journal import Entry
from hermes_agent.records.notes import Refused


@dataclass(frozen=True, slots=True)
class _Later:
    """A change that stays, and the oldest entry it is in the way of: 0 unless it is an undo."""

    entry: Entry
    reaches: int


_Left = defaultdict[Trace, deque[_Later]]


def unless_built_on(chosen: Sequence[Entry], newest_first: Sequence[Entry]) -> list[Entry] | Refused:
    """Return the chosen changes unless a later one, which stays, builds on one of them."""
    going = {entry.uid for entry in chosen}
    numbers = {entry.uid: entry.id for entry in newest_first}
    left: _Left = defaultdict(deque)
    for entry, stands in standing(newest_first):
        change = change_of(entry)
        if change is None:
            continue
        if entry.uid in going:
            later = _newest(left, met_by(change), entry)
            if later is not None:
                return _refused(entry, later)
        elif stands:
            one = _Later(entry, _reaches(entry, numbers))
            for trace in left_by(change):
                left[trace].append(one)
    return list(chosen)


def _reaches(entry: Entry, numbers: Mapping[str, int]) -> int:
    """Return how far back a change is in the way: an undo of what came after is as if neither had been."""
    return min((numbers.get(uid, 0) for uid in undone_by(entry)), default=0)


def _newest(left: _Left, traces: Iterable[Trace], entry: Entry) -> Entry | None:
    found: Entry | None = None
    for trace in traces:
        waiting = left.get(trace) or deque()
        # What does not reach this entry reaches no older one either.
        while waiting and waiting[0].reaches > entry.id:
            waiting.popleft()
        if waiting and (found is None or waiting[0].entry.id > found.id):
            found = waiting[0].entry
    return found


def _refused(entry: Entry, later: Entry) -> Refused:
    return Refused(
        "superseded",
        f"It cannot be undone: {entry.text} A later change builds on it: {later.text}"
        f" Undo that first: hermes memory undo {later.uid}",
    )
