"""What a forgetting takes, as it is shown before it is asked for, and compared when it is done.

Numbers are not enough for it: as many other things are something else.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hermes_agent.errors import ChangedMeanwhile
from hermes_agent.learn.forget import Retold
from hermes_agent.records.receipts import Receipt
from hermes_agent.text.runs import Sought


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What went, or would go: how many of what, a few words of it, and what to look for in the files."""

    counts: Mapping[str, int]
    samples: Sequence[str]
    sought: Sought
    parts: frozenset[tuple[str, str]]
    """All that goes as a whole, by its name, and what it says."""
    quoting: frozenset[tuple[str, str]] = frozenset()
    """What of conversations and of what was learned quotes it, by its name, and what it says."""
    entries: Sequence[str] = ()
    """The entries of notes that go with it."""
    lines: frozenset[str] = frozenset()
    """What the agent had noted of it, in words that may be others' as well."""
    retold: Retold | None = None
    """What of it others say as well."""
    receipt: Receipt | None = None
    notices: Sequence[str] = ()
    """What whoever asks should know beside that: what stays."""

    @property
    def digest(self) -> str:
        """Return what is another as soon as anything else would go, and can be read by nobody."""
        told = [sorted(self.counts.items()), sorted(self.parts), sorted(self.quoting), list(self.entries)]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def changed(*, is_cleaned: bool = False) -> ChangedMeanwhile:
    """Return what is raised if something else would go than was shown, or once notes and files are cleaned."""
    lost = "; notes and files may have lost it" if is_cleaned else ""
    return ChangedMeanwhile(
        "Something was said or changed meanwhile that would go, too: look again.",
        hint=f"Nothing was taken out of the store{lost}. Run the same command again.",
    )
