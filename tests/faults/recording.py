"""Write down how often a fault was tried, what was wrong, and what people saw, for docs/reliability.md."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.counts import record


@dataclass(slots=True)
class Tally:
    """The tries of one fault."""

    fault: str
    tries: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def add(self, what: str, wrong: Sequence[str], seen: Iterable[str] = ()) -> None:
        """Count a try of a command, or of something else that was disturbed."""
        self.tries[what] = self.tries.get(what, 0) + 1
        self.wrong += [f"{what}: {one}" for one in wrong]
        self.seen |= {one for one in seen if one}

    def write_down(self) -> None:
        """Write down what was tried, and what came of it."""
        for what, tries in self.tries.items():
            record(f"fault.{self.fault}.tries.{what}", tries)
        record(f"fault.{self.fault}.wrong", len(self.wrong))
        for one in sorted(self.seen):
            record(f"fault.{self.fault}.seen", one)

    def close(self) -> None:
        """Write everything down, and fail if anything was wrong."""
        self.write_down()
        assert self.wrong == [], "\n".join(self.wrong)


@dataclass(frozen=True, slots=True)
class Tallies:
    """The tries of several faults, closed together: what one found wrong must not hide the others."""

    by_fault: dict[str, Tally] = field(default_factory=dict)

    def of(self, fault: str) -> Tally:
        """Return the tally of a fault."""
        return self.by_fault.setdefault(fault, Tally(fault))

    def close(self) -> None:
        """Write everything down, and fail if anything was wrong."""
        for tally in self.by_fault.values():
            tally.write_down()
        wrong = [one for tally in self.by_fault.values() for one in tally.wrong]
        assert wrong == [], "\n".join(wrong)
