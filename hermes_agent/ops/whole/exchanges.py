"""Which exchanges of a conversation are the same in two homes, once both hold all of it. Pure.

A home puts what comes behind what it has. Where both went on, the same messages stand in two orders then, and what
was said without a request of its own belongs to one exchange here and to another one there. Both homes can tell
which those are: each knows both orders.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hermes_agent.store.exchange_parts import Part


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation in both homes: its exchanges by the messages they begin with, all by our numbers."""

    here: Mapping[int, frozenset[int]]
    there: Mapping[int, frozenset[int]]
    broken: frozenset[int]
    """The messages of exchanges there of which some are taken back now."""
    _standing: Sequence[int]
    _stood_there: Sequence[tuple[int, int]]
    """What was not taken back there, by the numbers it has there, with ours."""
    _places: Mapping[int, int]

    @classmethod
    def of(cls, parts: Sequence[Part], places: Mapping[int, int], unsaid_there: Collection[int]) -> "Talk":
        """Return a talk; `places` are the numbers of messages there, `unsaid_there` were taken back before."""
        known = {one.number: places[one.number] for one in parts if one.number in places}
        # There, what they do not have comes behind what they have.
        in_their_order = sorted(
            parts, key=lambda one: (one.number not in known, known.get(one.number, one.number))
        )
        stood = [one for one in in_their_order if one.number in known and one.number not in unsaid_there]
        fallen = {one.number for one in parts if not one.is_standing}
        return cls(
            here=_exchanges(one for one in parts if one.is_standing),
            there=_exchanges(one for one in in_their_order if one.is_standing),
            broken=frozenset().union(*(one for one in _exchanges(stood).values() if one & fallen)),
            _standing=[one.number for one in parts if one.is_standing],
            _stood_there=[(known[one.number], one.number) for one in stood],
            _places=known,
        )

    def is_alike(self, first: int) -> bool:
        """Tell whether the exchange that begins with a message is the same in both homes."""
        return self.here.get(first) == self.there.get(first)

    def is_whole(self, first: int, last: int) -> bool:
        """Tell whether what is here from one message to another is the exchange that begins with the first."""
        found = self._standing[bisect_left(self._standing, first) : bisect_right(self._standing, last)]
        return self.here.get(first) == frozenset(found)

    def was_whole_there(self, first: int, last: int) -> bool:
        """Tell whether what stood there from one message to another is the exchange that begins with the first."""
        if first not in self._places or last not in self._places:
            return False
        start = bisect_left(self._stood_there, (self._places[first], 0))
        end = bisect_left(self._stood_there, (self._places[last] + 1, 0))
        return self.here.get(first) == frozenset(here for _, here in self._stood_there[start:end])


def _exchanges(said: Iterable[Part]) -> dict[int, frozenset[int]]:
    """Return the messages from each request to the next; what comes before the first belongs to none."""
    found: dict[int, list[int]] = {}
    current: list[int] | None = None
    for one in said:
        if one.is_opening:
            current = found[one.number] = []
        if current is not None:
            current.append(one.number)
    return {first: frozenset(members) for first, members in found.items()}
