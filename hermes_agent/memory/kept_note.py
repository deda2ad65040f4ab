"""One note, kept in two places that must agree: its file, which people read and edit, and its versions.

A change is written down as intended, then the file is replaced, then the version is confirmed. Whatever is
cut short in between is finished, or given up, by `settle`, which everything here begins with. A text in the
file that nobody wrote down is the owner's edit, and is written down as that.

On SQLite the file and the store are on one machine, and the file is the truth. On a shared PostgreSQL the
store is the truth and each machine's file a copy of it; a mark beside the file says which version it is a
copy of, so that an edit made here and one made elsewhere can be told apart and joined.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from hermes_agent.config import private
from hermes_agent.errors import HermesError
from hermes_agent.ids import is_uid
from hermes_agent.memory.note_words import Difference, found
from hermes_agent.notes import format, patch
from hermes_agent.notes.files import NoteFile, Text, Unreadable, digest
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.notes import SUBJECTS, Grounds, Note, NoteVersion, VersionState
from hermes_agent.records.outbox import NewDelivery
from hermes_agent.store import journal, outbox
from hermes_agent.store import notes as versions
from hermes_agent.store.asking import noticing
from hermes_agent.store.engine import Connection
from hermes_agent.store.notes import Head
from hermes_agent.store.store import Store

PROGRAM = "hermes"
"""Who did what the program does by itself: moving, synchronising."""
GONE = "the file was gone"
"""Why a note is empty whose owner took out no single entry."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A note whose file and store agree: its text, the version that holds it, what there is to tell."""

    text: str
    version: NoteVersion | None
    sentences: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class KeptNote:
    """One note of a home. `mark` is the machine's mark on a shared store, None where the file is the truth."""

    store: Store
    note: Note
    file: NoteFile
    mark: Path | None
    provider: Callable[[], str | None] = lambda: None
    """The external memory that hears of changes, if there is one."""

    @property
    def name(self) -> str:
        return SUBJECTS[self.note]

    @property
    def has_entries(self) -> bool:
        return self.note in ("memory", "user")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep others on this machine from changing the note; every method below needs it."""
        self.store.refuse_lost()  # to hold a file makes its folder
        with self.file.held():
            yield

    def is_settled(self, head: Head | None, text: Text) -> bool:
        """Tell from a glance, without holding it, that there is nothing to settle."""
        if head is None:
            return not text.text
        is_marked = self.mark is None or self._marked() == head.uid
        return head.state == "confirmed" and head.hash == digest(text.text) and is_marked

    @noticing()
    def settle(self) -> Settled | Unreadable:
        """Bring file and store together: finish what was cut short, write down what was edited by hand."""
        read = self.file.read()
        if isinstance(read, Unreadable):
            return read
        while True:
            with self.store.read() as connection:
                current = versions.current(connection, self.note)
            settled = self._settle(read, current)
            if settled is not None:
                return settled

    def put(
        self,
        settled: Settled,
        text: str,
        entry: NewEntry,
        grounds: Mapping[str, Grounds] | None = None,
    ) -> str | None:
        """Write a new text down and into the file; return the journal's entry.

        None says that another machine was faster: settle and decide again.
        """
        added = self._write_down(settled.version, text, entry, grounds)
        if added is None:
            return None
        version_uid, entry_uid = added
        self.carry_out(version_uid, text, entry_uid)
        return entry_uid

    def is_at(self, connection: Connection, version: NoteVersion | None) -> bool:
        """Tell whether a version is still the current one; call it while the versions are locked."""
        head = versions.heads(connection).get(self.note)
        return (None if head is None else head.uid) == (None if version is None else version.uid)

    def note_down(self, connection: Connection, text: str, entry: NewEntry) -> None:
        """Write a text down in a transaction whose end the file must have it by; the versions are locked there."""
        self._add(connection, text, entry, "confirmed")

    def carry_out(self, version_uid: str, text: str, entry_uid: str) -> None:
        """Put a text that is written down into the file."""
        try:
            self.file.write(text)
        except HermesError as error:
            if self.mark is not None:
                raise HermesError(
                    f"The change is stored, but the file could not be written: {error.message}",
                    hint="It is brought up to date when a conversation begins.",
                ) from error
            self._abandon(version_uid, f"{self.name} could not be written.", entry_uid)
            raise
        self._confirm(version_uid)

    def _settle(self, read: Text, current: NoteVersion | None) -> Settled | None:
        """Settle once; None if another machine changed the note meanwhile."""
        text = read.text
        if current is None:
            if not text:
                return Settled("", None)
            after = Difference(self.note, "", text).kept()[1]
            return self._adopt(None, text, NewEntry("note.found", self.name, found(self.note, text), after=after))
        if text == current.text:
            return self._in_step(current)
        if self.mark is not None:
            return self._settle_shared(read, current)
        if current.state == "confirmed":
            cause = None if read.exists else GONE
            return self._adopt(current, text, replace(self._edited(current.text, text), cause=cause))
        return self._settle_interrupted(text, current)

    def _settle_interrupted(self, text: str, intended: NoteVersion) -> Settled | None:
        """Finish a change that was cut short before the file was replaced; the owner's edit goes before it."""
        with self.store.read() as connection:
            before = versions.previous(connection, intended)
        if text == ("" if before is None else before.text):
            self.file.write(intended.text)
            return self._in_step(intended)
        sentence = f"A change of {self.name} was cut short, and the file was edited since."
        self._abandon(intended.uid, sentence, intended.entry_uid)
        return None

    def _settle_shared(self, read: Text, current: NoteVersion) -> Settled | None:
        with self.store.read() as connection:
            marked = self._marked()
            base = None if marked is None else versions.get(connection, marked)
        is_untouched = base is not None and read.text == base.text
        # A copy that is gone is no edit: the owner of many machines has not emptied the note on all of them.
        if not read.exists or is_untouched or (base is None and not read.text.strip()):
            self.file.write(current.text)
            return self._in_step(current)
        if base is not None and base.uid == current.uid:
            return self._adopt(current, read.text, self._edited(current.text, read.text))
        return self._join(read.text, base, current)

    def _join(self, text: str, base: NoteVersion | None, current: NoteVersion) -> Settled | None:
        """Join an edit made here with one made elsewhere; what cannot be joined is laid beside the file."""
        merged = self._merged(text, base, current)
        if merged is None:
            return self._conflict(text, current)
        if format.parse(merged) == format.parse(current.text):
            self.file.write(current.text)
            return self._in_step(current)
        sentence = f"Edits of {self.name} made here and on another machine were joined."
        before, after = Difference(self.note, current.text, merged).kept()
        entry = NewEntry("note.merged", self.name, sentence, before=before, after=after)
        if self.put(Settled(text, current), merged, entry) is None:
            return None
        return self._reread(merged, [sentence])

    def _merged(self, text: str, base: NoteVersion | None, current: NoteVersion) -> str | None:
        if not self.has_entries:
            return None
        ours = format.unique(format.parse(text))
        theirs = format.unique(format.parse(current.text))
        if base is None:
            return format.render(format.unique([*theirs, *ours]))
        merged = patch.merge(format.unique(format.parse(base.text)), ours, theirs)
        return None if isinstance(merged, patch.Lost) else format.render(merged)

    def _conflict(self, text: str, current: NoteVersion) -> Settled:
        place = self.file.keep_conflict(text)
        sentence = (
            f"{self.name} was changed here and on another machine, in the same place. The other change stays;"
            f" yours is in {place.name}."
        )
        before, after = Difference(self.note, text, current.text).kept()
        with self.store.write() as connection:
            entry = NewEntry("note.conflict", self.name, sentence, actor=PROGRAM, before=before, after=after)
            journal.write(connection, entry)
        self.file.write(current.text)
        settled = self._in_step(current)
        return replace(settled, sentences=[sentence])

    def _edited(self, before: str, after: str) -> NewEntry:
        difference = Difference(self.note, before, after)
        removed, added = difference.kept()
        return NewEntry("note.edited", self.name, difference.edit(), before=removed, after=added)

    def _adopt(self, expected: NoteVersion | None, text: str, entry: NewEntry) -> Settled | None:
        """Write down what the file holds already."""
        added = self._write_down(expected, text, entry, state="confirmed")
        if added is None:
            return None
        self._set_mark(added[0])
        return self._reread(text, [])

    def _reread(self, text: str, sentences: list[str]) -> Settled:
        with self.store.read() as connection:
            return Settled(text, versions.current(connection, self.note), sentences)

    def _in_step(self, version: NoteVersion) -> Settled:
        if version.state != "confirmed":
            self.file.tidy_up()
            self._confirm(version.uid)
        self._set_mark(version.uid)
        return Settled(version.text, version)

    def _write_down(
        self,
        expected: NoteVersion | None,
        text: str,
        entry: NewEntry,
        grounds: Mapping[str, Grounds] | None = None,
        *,
        state: VersionState = "intended",
    ) -> tuple[str, str] | None:
        """Add a version and its journal entry if the current version is still the expected one."""
        with self.store.write() as connection:
            versions.lock(connection)
            if not self.is_at(connection, expected):
                return None
            return self._add(connection, text, entry, state, grounds)

    def _add(
        self,
        connection: Connection,
        text: str,
        entry: NewEntry,
        state: VersionState,
        grounds: Mapping[str, Grounds] | None = None,
    ) -> tuple[str, str]:
        entry_uid = journal.write(connection, entry)
        uid = versions.add(connection, self.note, text, digest(text), state, entry_uid, grounds=grounds)
        if (provider := self.provider()) is not None and self.has_entries:
            outbox.add(connection, NewDelivery(provider, "note", first=entry_uid))
        return uid, entry_uid

    def _confirm(self, version_uid: str) -> None:
        with self.store.write() as connection:
            versions.set_state(connection, version_uid, "confirmed")
        self._set_mark(version_uid)

    def _abandon(self, version_uid: str, sentence: str, entry_uid: str | None) -> None:
        with self.store.write() as connection:
            versions.set_state(connection, version_uid, "abandoned")
            entry = NewEntry("note.abandoned", self.name, sentence, actor=PROGRAM, cause=entry_uid)
            journal.write(connection, entry)

    def _marked(self) -> str | None:
        assert self.mark is not None
        try:
            mark = private.read(self.mark).decode("ascii", "replace").strip()
        except OSError:
            return None
        return mark if is_uid(mark) else None

    def _set_mark(self, version_uid: str) -> None:
        if self.mark is not None and self._marked() != version_uid:
            NoteFile(self.mark, self.name).write(version_uid + "\n")
