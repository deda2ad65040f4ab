"""A merge while it is made: what came so far, what it is called here, and what both journals tell."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes_agent.ops.whole.exchanges import Talk
from hermes_agent.ops.whole.numbers import Numbers
from hermes_agent.ops.whole.past import Moved, Past
from hermes_agent.records.archive import Json
from hermes_agent.store.canonical import Row
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.receipts import Blocks


@dataclass(slots=True)
class Brought:
    """What came: new rows by table, and those that were here already."""

    new: dict[str, int] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)
    followed: int = 0
    """How many records that were here are now as they are there."""
    is_fresh: bool = False
    """Whether the store was empty, and holds the file as it was now."""
    is_own: bool = True
    kept_apart: list[str] = field(default_factory=list)
    """Skills that came under another name, because ours differs."""
    entries: tuple[int, int] | None = None
    """The first and the last number of what came into the journal."""

    blocked: dict[str, int] = field(default_factory=dict)
    """How many rows of each table did not come, since they were forgotten here for good."""
    cut: int = 0
    """How many messages came without a sentence that was forgotten."""

    def leave_out(self, counts: Mapping[str, int]) -> None:
        """Count rows that did not come."""
        for name, count in counts.items():
            self.blocked[name] = self.blocked.get(name, 0) + count

    @property
    def has_changes(self) -> bool:
        """Whether anything is other than before."""
        return self.followed > 0 or any(self.new.values())


@dataclass(slots=True)
class Merge:
    """What is known while rows come in."""

    connection: Connection
    engine: Engine
    brought: Brought
    numbers: Numbers
    ours: Past = field(default_factory=Past)
    theirs: Past = field(default_factory=Past)
    came: dict[str, Row] = field(default_factory=dict)
    """Sessions that are new here, by our names, as they are there."""
    grown: dict[str, tuple[Row, Row]] = field(default_factory=dict)
    """Sessions that are in both, by our names, as they were here and as they are there."""
    longer: set[str] = field(default_factory=set)
    """Those of them that got messages."""
    theirs_count: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    """How many messages their sessions have."""
    reached: dict[str, int] = field(default_factory=dict)
    """The last message of each session in both that came, by our numbers."""
    learned: defaultdict[str, defaultdict[str, set[int]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(set))
    )
    """Messages of sessions in both that were learned from there, though not here, by how far that was counted."""
    gone_twins: dict[tuple[object, ...], Moved] = field(default_factory=dict)
    """Facts that were learned here and went, by what they share with others of the same words."""
    revived: list[int] = field(default_factory=list)
    """Facts that went here and came again."""
    apart: set[str] = field(default_factory=set)
    """Sessions in both that are not the same in both, as far as is known."""
    talks: dict[str, Talk] | None = None
    """What was said in those; None until all messages came."""
    blocks: Blocks = field(default_factory=lambda: Blocks({}))
    """What was forgotten here, and does not come again."""
    lost: Counter[str] = field(default_factory=Counter)
    """How many messages did not come for that, by our sessions."""
    unsaid: set[str] = field(default_factory=set)
    """The uids of those messages."""
    unasked: set[str] = field(default_factory=set)
    """Sessions whose last request did not come: nor do the answers to it."""
    discarded: defaultdict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    """Their messages, from the first to the last of an exchange, that were discarded here; by their sessions."""
    taken_back: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Messages of ours that were taken back there, by their sessions."""
    unanswered: dict[str, list[int]] = field(default_factory=dict)
    """Answers that went with their requests, which either home took back, by their sessions."""
    unsaid_there: set[int] = field(default_factory=set)
    """Messages that were taken back there before, by our numbers."""
    told: defaultdict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """The episodes that each of their summaries stands for there, by our numbers."""
    rivals: set[int] = field(default_factory=set)
    """Summaries that tell of episodes which another one tells of, too."""
    lessened: set[int] = field(default_factory=set)
    """Summaries of ours that no longer tell of an episode."""
    renamed: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """Uids of ours that become theirs, by table: of what both made of the same words one uid stands."""

    @property
    def is_joining(self) -> bool:
        """Whether two memories of one owner are joined, both of which may have gone on."""
        return self.brought.is_own and not self.brought.is_fresh

    def count(self, name: str, new: int, known: int) -> None:
        """Count what came, and what was here."""
        self.brought.new[name] = self.brought.new.get(name, 0) + new
        self.brought.known[name] = self.brought.known.get(name, 0) + known


def number(row: Mapping[str, Json], column: str) -> int:
    """Return a whole number of a row; 0 if it has none."""
    value = row.get(column)
    return value if isinstance(value, int) else 0
