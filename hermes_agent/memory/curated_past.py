"""The past of USER.md: which of its lines were made here, and what became of them, as its versions tell.

Each version names the facts behind the lines that it brought; the file itself carries no marks.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hermes_agent.learn.corrections import slots_in
from hermes_agent.learn.matching import all_stems
from hermes_agent.memory.kept_note import GONE
from hermes_agent.notes import format
from hermes_agent.records.changes import UNDONE
from hermes_agent.records.notes import Grounds, NoteVersion

ACTOR = "curator"
_UNDONE = "note.undone"
_BY_HAND = ("note.edited", "note.changed", "note.merged")
_OWN = Grounds("told", None, 1.0)


@dataclass(frozen=True, slots=True)
class Removal:
    """A curated line that somebody other than the curator took out, and the entries before and after."""

    version: NoteVersion
    line: str
    grounds: Grounds
    before: Sequence[str]
    after: Sequence[str]
    is_correction: bool
    """Whether its owner did it by hand, or by undoing what was written here."""
    added: int = 0
    """The version in which the owner added it; 0 if that was somebody else."""

    @property
    def is_lasting(self) -> bool:
        """Whether the line is not to be written again, also when what it says is learned anew."""
        is_conclusion = self.grounds.basis == "concluded" and bool(self.grounds.facts)
        return self.version.actor == "owner" or is_conclusion

    @property
    def is_undone(self) -> bool:
        """Whether it was the writing of the line that was undone."""
        return self.version.kind == _UNDONE


@dataclass(frozen=True, slots=True)
class Addition:
    """A line that the owner wrote, and the entries before and after."""

    version: NoteVersion
    before: Sequence[str]
    after: Sequence[str]
    is_correction: bool


@dataclass(frozen=True, slots=True)
class Written:
    """What a line that the agent wrote by itself stands on, when it was written, and all of it as it was then."""

    grounds: Grounds
    at: int
    whole: str


@dataclass(frozen=True, slots=True)
class Past:
    """What the versions tell: the lines that stand, and in the order they went those not to be written again.

    `by_agent` are entries that the agent wrote by itself, and nobody touched since. `added` are lines that stand
    and that the owner added by hand, if they say something that a fact can say.
    """

    curated: Mapping[str, Grounds]
    by_agent: Mapping[str, Written]
    added: Mapping[str, Addition]
    refused: Mapping[str, Removal]


def replay(every: Iterable[NoteVersion]) -> Past:
    """Go through the versions, the oldest first, and tell which lines were made here and what became of them."""
    curated: dict[str, Grounds] = {}
    by_agent: dict[str, Written] = {}
    added: dict[str, Addition] = {}
    refused: dict[str, Removal] = {}
    former: dict[str, Grounds] = {}
    before: list[str] = []
    ours: set[str | None] = set()
    """The entries that tell what the curator wrote, and that it was undone or made again."""
    for version in every:
        is_undoing = version.kind == _UNDONE and version.cause in ours
        if version.actor == ACTOR or is_undoing:
            ours.add(version.entry_uid)
        is_correction = is_undoing or _is_by_hand(version)
        entries = format.unique(format.parse(version.text))
        cut = [one for line, one in by_agent.items() if line not in entries and version.actor == ACTOR]
        for line in [line for line in (*curated, *by_agent, *added) if line not in entries]:
            own = added.pop(line, None)
            if own is not None:
                former[line] = _OWN
            else:
                former[line] = curated.pop(line) if line in curated else by_agent.pop(line).grounds
            # Nobody knows who took it out: in a journal that was emptied entirely, it may have been the curator.
            if version.actor not in (ACTOR, "") and version.cause != GONE:
                came = 0 if own is None else own.version.id
                refused[line] = Removal(version, line, former[line], before, entries, is_correction, came)
        for entry in entries:
            if entry in before:
                continue
            refused.pop(entry, None)
            grounds = version.grounds.get(entry)
            if grounds is None and version.kind in UNDONE:
                # Brought back instead of what was written here: what its facts say now is not what is wanted.
                grounds = _OWN if is_undoing else former.get(entry)
            if grounds is _OWN or (grounds is None and _is_by_hand(version) and slots_in(entry)):
                added[entry] = Addition(version, before, entries, is_correction)
            elif grounds is not None and grounds.facts:
                curated[entry] = grounds
            elif grounds is not None:
                parts = (one for one in cut if all_stems(entry) <= all_stems(one.whole))
                by_agent[entry] = next(parts, Written(grounds, version.at, entry))
        before = entries
    return Past(curated, by_agent, added, refused)


def _is_by_hand(version: NoteVersion) -> bool:
    return version.actor == "owner" and version.kind in _BY_HAND
