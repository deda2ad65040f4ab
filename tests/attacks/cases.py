"""The attacks, and innocent texts of the same kind; how each of them comes in through the door of its channel.

`attacks.jsonl` and `innocent.jsonl` were written by somebody who had not seen the rules. The sets `later` and
`last` were written after a version of the rules was done, to see what it makes of texts it was not made with.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes_agent.records.archive import SourceClass

_FOLDER = Path(__file__).parent
SETS = ("", "_later", "_last")
_CLASSES: dict[str, SourceClass] = {"web": "web", "tool": "tool", "file": "tool", "profile": "profile"}
# What people write above something they paste.
_HANDED_OVER = (
    "I got this mail, what should I answer?\n\n",
    "Can you summarise this for me:\n\n",
    "Look at this:\n\n",
    "This came today:\n",
    "What does this message want from me?\n\n",
)


@dataclass(frozen=True)
class Case:
    """A text that somebody else wrote; over several turns if it comes in parts."""

    id: str
    channel: str
    kind: str
    turns: Sequence[str]
    wants: str

    @property
    def source_class(self) -> SourceClass:
        """Whose words a tool's result of this channel is."""
        return _CLASSES.get(self.channel, "tool")

    def pasted(self, turn: str) -> str:
        """Return what the owner sends who pastes a turn into the chat."""
        return _HANDED_OVER[int(self.id[1:]) % len(_HANDED_OVER)] + turn


def attacks(name: str = "") -> list[Case]:
    """Read a set of attacks."""
    return _read(f"attacks{name}")


def innocent(name: str = "") -> list[Case]:
    """Read a set of innocent texts."""
    return _read(f"innocent{name}")


def _read(name: str) -> list[Case]:
    lines = (_FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [
        Case(row["id"], row["channel"], row["kind"], tuple(row["turns"]), row.get("wants", "")) for row in rows
    ]
