"""The notes of a home: read, changed, put into prompts, undone. File, versions and journal move together.

The agent may change MEMORY.md and USER.md, entry by entry and under a limit; SOUL.md and the workspace's
notes are the owner's. Every text a note ever had is a version in the store, so that any change can be shown
and taken back, whoever made it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError, SettingError
from hermes_agent.memory import blocked, note_grounds, note_past, quarantine
from hermes_agent.memory.former_notes import move_former
from hermes_agent.memory.kept_note import KeptNote
from hermes_agent.memory.note_words import Difference
from hermes_agent.notes import contents, format, snapshot
from hermes_agent.notes.edit import edit
from hermes_agent.notes.files import NoteFile, Text, Unreadable
from hermes_agent.notes.snapshot import Snapshot
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.notes import (
    SUBJECTS,
    Changed,
    Grounds,
    Note,
    NoteVersion,
    Operation,
    Refused,
    Removed,
    Target,
    Written,
)
from hermes_agent.store import messages
from hermes_agent.store import notes as versions
from hermes_agent.store.quarantine import of_session as states_of
from hermes_agent.store.store import Store

_TITLES: dict[Target, str] = {"user": "USER PROFILE (who the user is)", "memory": "MEMORY (your personal notes)"}


@dataclass(frozen=True, slots=True)
class _Author:
    actor: str
    session_id: str | None
    cause: str | None
    is_owner: bool


class Notebook:
    """SOUL.md, USER.md, MEMORY.md and the workspace's MEMORY.md of one home."""

    def __init__(
        self,
        store: Store,
        home: Home,
        memory_limit: int,
        user_limit: int,
        provider: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.store = store
        self.home = home
        self.limits: Mapping[Target, int] = {"memory": memory_limit, "user": user_limit}
        places: dict[Note, Path] = {
            "soul": home.soul,
            "user": home.user_note,
            "memory": home.memory_note,
            "workspace": home.workspace_note,
        }
        is_shared = store.engine.name == "postgres"
        self._kept: Mapping[Note, KeptNote] = {
            note: KeptNote(
                store,
                note,
                NoteFile(place, SUBJECTS[note]),
                home.note_in_step(note) if is_shared else None,
                provider,
            )
            for note, place in places.items()
        }

    def reconcile(self) -> list[str]:
        """Bring files and store together; return what there is to tell the owner, mostly nothing.

        Called when a conversation begins. When nothing changed it reads four small files and one row each.
        """
        sentences: list[str] = []
        for former, kept in zip(self.home.former_notes, (self._kept["memory"], self._kept["user"]), strict=True):
            sentences += move_former(former, kept)
        with self.store.read() as connection:
            heads = versions.heads(connection)
        for note, kept in self._kept.items():
            read = kept.file.read()
            if isinstance(read, Unreadable):
                sentences.append(kept.file.unreadable(read))
            elif not kept.is_settled(heads.get(note), read):
                sentences += _settle(kept)
        return sentences

    def snapshot(self) -> Snapshot:
        """Render the notes as the prompt of a new conversation holds them."""
        user, memory = (
            snapshot.take_entries(self._kept[target].file, _TITLES[target], self.limits[target])
            for target in ("user", "memory")
        )
        soul = snapshot.take_soul(self._kept["soul"].file)
        workspace = snapshot.take_workspace(self._kept["workspace"].file)
        warnings = (*soul.warnings, *user.warnings, *memory.warnings, *workspace.warnings)
        return Snapshot(soul.text, user.text, memory.text, workspace.text, warnings)

    def entries(self, target: Target) -> list[str]:
        """Return the entries of a note, each once."""
        return format.unique(format.parse(self.text(target)))

    def text(self, note: Note) -> str:
        """Return what a note's file holds; a file that is there and cannot be read is an error."""
        file = self._kept[note].file
        read = file.read()
        if isinstance(read, Unreadable):
            raise HermesError(file.unreadable(read), hint="Mend it by hand; nothing is written over it.")
        return read.text

    def texts(self) -> dict[str, str]:
        """Return the notes that have a text, by the names of their files."""
        every = {name: self.text(note) for note, name in SUBJECTS.items()}
        return {name: text for name, text in every.items() if text}

    def path(self, note: Note) -> Path:
        """Return where a note's file is, or would be."""
        return self._kept[note].file.path

    def kept(self, note: Note) -> KeptNote:
        """Return a note with its file and its versions, for whoever changes several things at once."""
        return self._kept[note]

    def limit(self, note: Note) -> int | None:
        """Return how long a note may be; None for a free text."""
        return self.limits[note] if note in ("memory", "user") else None

    def change(
        self,
        target: Target,
        operations: Sequence[Operation],
        *,
        actor: str,
        session_id: str | None = None,
        cause: str | None = None,
        is_owner: bool = False,
    ) -> Changed | Refused:
        """Make operations to the entries of a note, all or none; when this returns the change is on the disk.

        `is_owner` says that the actor speaks for the owner, whose name it then need not bear.
        """
        if not operations:
            return Refused("missing", "There is nothing to do.", "Send an action, or operations.")
        author = _Author(actor, session_id, cause, is_owner or actor == "owner")
        refused = self.refusal(operations) or self._held_back(target, operations, author)
        if refused is not None:
            return refused
        kept = self._kept[target]
        with kept.held():
            while True:
                outcome = self._change(kept, target, operations, author)
                if outcome is not None:
                    return outcome

    def refusal(self, operations: Sequence[Operation]) -> Refused | None:
        """Say why nobody may write what the operations bring; None if it may be written."""
        return contents.refuse(operations) or self._forgotten(operations)

    def _forgotten(self, operations: Sequence[Operation]) -> Refused | None:
        """Refuse to write what was forgotten for good; None if there is no such thing."""
        with self.store.read() as connection:
            is_one = any(blocked.is_blocked(connection, one.content or "") for one in operations)
        text = "Not written: that was forgotten for good, and is not kept again."
        return Refused("blocked", text, f"Do not retry. {blocked.HINT}") if is_one else None

    def _held_back(self, target: Target, operations: Sequence[Operation], author: _Author) -> Refused | None:
        """Keep what was made of words from elsewhere for the owner's review; None if there is no such thing."""
        if author.is_owner or author.session_id is None:
            return None
        with self.store.read() as connection:
            said = list(messages.of_session(connection, author.session_id))
            states = states_of(connection, author.session_id)
        held = note_grounds.held_back(target, operations, said, states)
        if not held:
            return None
        with self.store.write() as connection:
            quarantine.hold_notes(connection, held)
        whose = "pasted text" if held[0].source_class == "user" else held[0].source_class
        return Refused(
            "waiting",
            f"Not written: it may be from {whose}, not from the user. It waits for the owner's review.",
            "Do not retry. Tell the user that `hermes memory review` lists it.",
        )

    def _change(
        self, kept: KeptNote, target: Target, operations: Sequence[Operation], author: _Author
    ) -> Changed | Refused | None:
        """Try once; None if another machine changed the note meanwhile."""
        settled = kept.settle()
        if isinstance(settled, Unreadable):
            return Refused(
                "unreadable",
                f"{kept.file.unreadable(settled)} Nothing can be saved in it until its owner mends it.",
            )
        limit = self.limits[target]
        entries = format.parse(settled.text)
        if [operation.action for operation in operations] != ["add"] and _has_drifted(
            settled.text, entries, limit
        ):
            return self._drifted(kept, settled.text)
        edited = edit(entries, operations, limit, kept.name)
        if isinstance(edited, Refused):
            return edited
        entry_uid: str | None = None
        if edited.entries != format.unique(entries):
            if not format.reads_back(edited.entries):
                return self._drifted(kept, settled.text)
            text = format.render(edited.entries)
            difference = Difference(target, settled.text, text)
            before, after = difference.kept()
            entry_uid = kept.put(
                settled,
                text,
                NewEntry(
                    "note.changed",
                    kept.name,
                    difference.change(),
                    actor=author.actor,
                    cause=author.cause,
                    before=before,
                    after=after,
                    session_id=author.session_id,
                ),
                grounds=self._grounds(edited.saved, author),
            )
            if entry_uid is None:
                return None
        return Changed(
            target,
            edited.message,
            edited.saved,
            len(edited.entries),
            format.size(edited.entries),
            limit,
            entry_uid,
        )

    def _grounds(self, saved: Sequence[str], author: _Author) -> dict[str, Grounds]:
        """Tell for each saved entry whether the user told it, and in which message."""
        if author.is_owner:
            return dict.fromkeys(saved, note_grounds.BY_HAND)
        with self.store.read() as connection:
            window = [] if author.session_id is None else messages.window_of(connection, author.session_id)
        return {entry: note_grounds.grounds_of(entry, window) for entry in saved}

    def grounds(self, target: Target) -> dict[str, Grounds]:
        """Return what the entries of a note stand on; those written by hand into the file are not among them."""
        wanted = set(self.entries(target))
        found: dict[str, Grounds] = {}
        with self.store.read() as connection:
            for version in versions.newest(connection, target):
                found = {**version.grounds, **found}
                if wanted <= found.keys():
                    break
        return {entry: found[entry] for entry in self.entries(target) if entry in found}

    def settle(self, note: Note) -> str | None:
        """Bring a note's file and store together and return its text; None if it cannot be read."""
        kept = self._kept[note]
        with kept.held():
            settled = kept.settle()
        return None if isinstance(settled, Unreadable) else settled.text

    def rewrite(
        self,
        target: Target,
        expected: str,
        text: str,
        actor: str,
        grounds: Mapping[str, Grounds],
        *,
        cause: str | None = None,
    ) -> str | None:
        """Put a text in the place of another; None, and nothing done, if the note says something else by now."""
        kept = self._kept[target]
        with kept.held():
            settled = kept.settle()
            if isinstance(settled, Unreadable) or settled.text != expected:
                return None
            difference = Difference(target, settled.text, text)
            before, after = difference.kept()
            entry = NewEntry(
                "note.changed", kept.name, difference.change(), actor, cause, before=before, after=after
            )
            return kept.put(settled, text, entry, grounds=grounds)

    def write_soul(self, text: str, cause: str | None = None) -> Written:
        """Write SOUL.md whole, for its owner; screening warns and changes nothing."""
        kept = self._kept["soul"]
        with kept.held():
            while True:
                settled = kept.settle()
                if isinstance(settled, Unreadable):
                    raise HermesError(kept.file.unreadable(settled), hint="Mend or remove it first.")
                warnings = snapshot.warnings_of(kept.file, Text(text))
                if text == settled.text:
                    return Written("soul", "SOUL.md says exactly this already.", warnings)
                difference = Difference("soul", settled.text, text)
                entry = NewEntry(
                    "note.changed", kept.name, difference.change(), cause=cause, before=settled.text, after=text
                )
                entry_uid = kept.put(settled, text, entry)
                if entry_uid is not None:
                    return Written("soul", difference.change(), warnings, entry_uid)

    def tidy(self, target: Target) -> bool:
        """Put a hand-edited file into its form, for its owner: no entry changes. Tell whether it was needed."""
        kept = self._kept[target]
        with kept.held():
            while True:
                settled = kept.settle()
                if isinstance(settled, Unreadable) or format.is_tidy(settled.text):
                    return False
                text = format.render(format.unique(format.parse(settled.text)))
                entry = NewEntry("note.changed", kept.name, f"The layout of {kept.name} was put in order.")
                if kept.put(settled, text, entry) is not None:
                    return True

    def history(self, note: Note | None = None, limit: int = 20, offset: int = 0) -> list[NoteVersion]:
        """Return the versions of a note, or of all, the newest first."""
        with self.store.read() as connection:
            return list(islice(versions.newest(connection, note), offset, offset + limit))

    def removed(self, target: Target | None = None, limit: int = 50, offset: int = 0) -> list[Removed]:
        """Return entries that are in the notes no more, the last removed first, each once."""
        end = offset + limit
        targets: Sequence[Target] = ("user", "memory") if target is None else (target,)
        with self.store.read() as connection:
            found = [
                gone
                for each in targets
                for gone in islice(note_past.removed(versions.newest(connection, each)), end)
            ]
        return sorted(found, key=lambda gone: gone.at, reverse=True)[offset:end]

    def _drifted(self, kept: KeptNote, text: str) -> Refused:
        """Refuse to write over what would not survive it, and lay a copy beside it."""
        backup = kept.file.back_up(text)
        return Refused(
            "drift",
            f"{kept.name} holds text that was not written as entries and would be damaged. Nothing was changed;"
            f" a copy is in {backup.name}.",
            drift_backup=str(backup),
            remediation="Ask the owner to look: `hermes notes edit` opens the file and puts it in order when it is"
            " saved. A single new entry can still be added.",
        )


def _settle(kept: KeptNote) -> list[str]:
    with kept.held():
        try:
            settled = kept.settle()
        except SettingError as error:  # the file may not be written: the conversation can begin all the same
            return [error.message]
    return [kept.file.unreadable(settled)] if isinstance(settled, Unreadable) else settled.sentences


def _has_drifted(text: str, entries: Sequence[str], limit: int) -> bool:
    return not format.is_tidy(text) or any(len(entry) > limit for entry in entries)
