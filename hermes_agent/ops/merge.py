"""Bring sessions into the store: new ones whole, known ones further, parents in whatever order they come.

A session comes whole or not at all. Short ones share a transaction, because waiting for the disk
costs more than they do. A session whose parent has not come yet waits with its parent's name until
all are in; one whose parent never comes, or who would be its own ancestor, is detached. A run that
is cut off is finished by running it again: what is there already is left alone.
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from hermes_agent.memory.episodes import JOB as EPISODES
from hermes_agent.memory.forget_brought import TakenOut, take_out
from hermes_agent.ops.incoming import Incoming
from hermes_agent.ops.session_files import Broken
from hermes_agent.ops.steps import Step
from hermes_agent.records.archive import ParentKind, Session
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import jobs, journal, receipts, restore, sessions, sweeping
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.restore import PastSession
from hermes_agent.store.store import Store

_BATCH_MESSAGES = 1_000
_WAITING_BLOCK = 500

Fate = Literal["imported", "extended", "skipped", "forgotten"]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of each session, by id. `messages` counts those that were added.

    `owned` came before without its owner's word, and has it now. `forgotten` did not come, since all of it was
    forgotten here for good; `messages_forgotten` counts what was left out of these and of others.
    """

    imported: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    extended: tuple[str, ...] = ()
    detached: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    broken: tuple[Broken, ...] = ()
    owned: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()
    messages: int = 0
    messages_forgotten: int = 0

    @property
    def has_changes(self) -> bool:
        return bool(self.imported or self.extended or self.owned)

    def counts(self) -> dict[str, int]:
        """Return how many there are of each."""
        return {
            "imported": len(self.imported),
            "skipped": len(self.skipped),
            "extended": len(self.extended),
            "detached": len(self.detached),
            "renamed": len(self.renamed),
            "broken": len(self.broken),
            "owned": len(self.owned),
            "forgotten": len(self.forgotten),
            "messages": self.messages,
            "messages_forgotten": self.messages_forgotten,
        }


@dataclass(slots=True)
class _Tally:
    """The report while it is being made."""

    ids: dict[Fate, list[str]] = field(default_factory=lambda: {fate: [] for fate in get_args(Fate)})
    detached: list[str] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)
    owned: list[str] = field(default_factory=list)
    messages: int = 0
    messages_forgotten: int = 0

    def add(self, brought: "_Brought") -> None:
        self.ids[brought.fate].append(brought.id)
        self.messages += brought.messages
        self.messages_forgotten += brought.forgotten
        if brought.is_renamed:
            self.renamed.append(brought.id)
        if brought.is_owned:
            self.owned.append(brought.id)

    def report(self) -> ImportReport:
        return ImportReport(
            imported=tuple(self.ids["imported"]),
            skipped=tuple(self.ids["skipped"]),
            extended=tuple(self.ids["extended"]),
            detached=tuple(self.detached),
            renamed=tuple(self.renamed),
            owned=tuple(self.owned),
            forgotten=tuple(self.ids["forgotten"]),
            messages=self.messages,
            messages_forgotten=self.messages_forgotten,
        )


@dataclass(frozen=True, slots=True)
class _Child:
    """A session that names a parent; `kind` is None where its own words do not say how it grew out of it."""

    id: str
    parent_id: str
    started_at: int
    kind: ParentKind | None
    is_new: bool


@dataclass(frozen=True, slots=True)
class _Brought:
    """What became of one session; `child` is set while it waits for its parent."""

    id: str
    fate: Fate
    messages: int = 0
    is_renamed: bool = False
    is_owned: bool = False
    forgotten: int = 0
    child: _Child | None = None


def bring_in(
    store: Store, incoming_sessions: Iterable[Incoming], total: int, subject: str
) -> Generator[Step, None, ImportReport]:
    """Bring sessions in, in the order they come, and journal it; also what came in before an interruption."""
    tally = _Tally()
    try:
        yield from _bring_all(store, incoming_sessions, total, tally)
    finally:
        _write_journal(store, tally.report(), subject)
    return tally.report()


def _bring_all(
    store: Store, incoming_sessions: Iterable[Incoming], total: int, tally: _Tally
) -> Generator[Step, None, None]:
    waiting: list[_Child] = []
    done = 0
    yield Step("sessions", done, total)
    for batch in _batches(incoming_sessions):
        for brought in _bring_batch(store, batch):
            tally.add(brought)
            if brought.child is not None:
                waiting.append(brought.child)
        done += len(batch)
        yield Step("sessions", done, total)
    for start in range(0, len(waiting), _WAITING_BLOCK):
        with store.write() as connection:
            for child in waiting[start : start + _WAITING_BLOCK]:
                if not _attach(connection, child) and child.is_new:
                    tally.detached.append(child.id)


def foresee(
    store: Store | None, incoming_sessions: Iterable[Incoming], total: int
) -> Generator[Step, None, ImportReport]:
    """Tell what `bring_in` would do, without writing. Without a store everything would be new."""
    tally = _Tally()
    parents: dict[str, str] = {}
    for done, incoming in enumerate(incoming_sessions):
        yield Step("sessions", done, total)
        past = incoming.past
        fate, known = _foreseen(store, incoming)
        tally.ids[fate].append(past.id)
        tally.messages += 0 if fate == "skipped" else len(incoming.messages) - known
        if fate == "imported" and past.begun.parent_session_id is not None:
            parents[past.id] = past.begun.parent_session_id
    present = {session_id for ids in tally.ids.values() for session_id in ids}
    tally.detached += [child for child, parent in parents.items() if not _is_there(store, parent, present)]
    yield Step("sessions", total, total)
    return tally.report()


def _write_journal(store: Store, report: ImportReport, subject: str) -> None:
    """Journal a run that changed something; the episodes of what came are made in the background."""
    if not report.has_changes:
        return
    text = f"{len(report.imported)} sessions were imported and {len(report.extended)} continued."
    if report.owned:
        text += f" {len(report.owned)} that were here are the owner's own."
    with store.write() as connection:
        journal.write(connection, NewEntry("sessions.imported", subject, text, after=report.counts()))
        jobs.add(connection, EPISODES, EPISODES)


def fate_of(ours: list[str] | None, theirs: list[str]) -> Fate:
    """Decide by the uids of the messages: a session that only goes on further than ours is continued."""
    if ours is None:
        return "imported"
    is_longer = len(theirs) > len(ours) and theirs[: len(ours)] == ours
    return "extended" if is_longer else "skipped"


def kind_it_says(past: PastSession) -> ParentKind | None:
    """Return how a session grew out of its parent by what it says of itself.

    The public product has one column for three things and leaves marks in the model's settings.
    """
    if past.begun.parent_kind is not None:
        return past.begun.parent_kind
    marks = past.begun.model_config if isinstance(past.begun.model_config, dict) else {}
    if marks.get("_delegate_from"):
        return "delegation"
    if marks.get("_branched_from"):
        return "branch"
    return "delegation" if past.begun.source == "subagent" else None


def kind_under(parent: Session, started_at: int) -> ParentKind:
    """Tell how a session without marks grew out of its parent: after a compression it goes on, else it left."""
    is_compressed = parent.end_reason == "compression" and parent.ended_at is not None
    return "compression" if is_compressed and started_at >= (parent.ended_at or 0) else "branch"


def _batches(incoming_sessions: Iterable[Incoming]) -> Iterator[list[Incoming]]:
    """Put sessions together until they have about so many messages."""
    batch: list[Incoming] = []
    size = 0
    for incoming in incoming_sessions:
        batch.append(incoming)
        # A session without messages costs something too.
        size += len(incoming.messages) + 1
        if size >= _BATCH_MESSAGES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _bring_batch(store: Store, batch: list[Incoming]) -> list[_Brought]:
    # Looked at without the write lock first: on a second run nearly everything is known.
    with store.read() as connection:
        if all(_is_complete(connection, incoming) for incoming in batch):
            return [_Brought(incoming.past.id, "skipped") for incoming in batch]
    with store.write() as connection:
        blocking, known = receipts.blocking(connection), sweeping.last_ids(connection)
        brought = [_bring_one(connection, store.engine, incoming) for incoming in batch]
        if not blocking:
            return brought
        came = [one.id for one in brought if one.fate == "imported"]
        taken = take_out(connection, store.engine, receipts.hashed_look(blocking), known, came)
    if taken.counts:
        with store.bare() as connection:
            store.engine.erase(connection)
    return [_without(one, taken) for one in brought]


def _without(brought: _Brought, taken: TakenOut) -> _Brought:
    """Return what became of a session after what was forgotten went out of it again."""
    lost = sum(one.session_id == brought.id for one in taken.messages)
    fate: Fate = "forgotten" if brought.id in taken.sessions else brought.fate
    left = replace(brought, messages=brought.messages - lost, forgotten=brought.forgotten + lost)
    return replace(left, fate=fate, child=None if fate == "forgotten" else brought.child)


def _without_forgotten(connection: Connection, incoming: Incoming) -> Incoming:
    """Return a session but for the messages that were forgotten; its title may tell of them."""
    said = receipts.without_forgotten(connection, incoming.past.id, incoming.messages)
    if len(said) == len(incoming.messages):
        return incoming
    begun = replace(incoming.past.begun, title=None)
    return Incoming(replace(incoming.past, begun=begun, message_count=None, tool_call_count=None), tuple(said))


def _is_complete(connection: Connection, incoming: Incoming) -> bool:
    fate = fate_of(restore.uids_of(connection, incoming.past.id), incoming.uids)
    is_known = fate == "skipped" and not _wants_parent(connection, incoming.past)
    return is_known and not restore.unvouched(connection, incoming.past.id, incoming.messages)


def _bring_one(connection: Connection, engine: Engine, whole: Incoming) -> _Brought:
    incoming = _without_forgotten(connection, whole)
    past, lost = incoming.past, len(whole.messages) - len(incoming.messages)
    if lost and not incoming.messages:
        return _Brought(past.id, "forgotten", forgotten=lost)
    ours = restore.uids_of(connection, past.id)
    fate = fate_of(ours, incoming.uids)
    title = past.begun.title
    if fate == "imported":
        title = restore.restore(connection, engine, past, incoming.messages)
    elif fate == "extended":
        restore.extend(connection, engine, past, incoming.messages, len(ours or ()))
    unvouched = restore.unvouched(connection, past.id, incoming.messages) if fate != "imported" else {}
    if unvouched:
        restore.vouch(connection, past.id, unvouched)
    child: _Child | None = None
    parent_id = past.begun.parent_session_id
    if parent_id is not None and _wants_parent(connection, past):
        child = _Child(past.id, parent_id, past.started_at, kind_it_says(past), fate == "imported")
        child = None if _attach(connection, child) else child
    added = 0 if fate == "skipped" else len(incoming.messages) - len(ours or ())
    return _Brought(past.id, fate, added, title != past.begun.title, bool(unvouched), lost, child)


def _attach(connection: Connection, child: _Child) -> bool:
    parent = sessions.get(connection, child.parent_id)
    if parent is None:
        return False
    kind = child.kind or kind_under(parent, child.started_at)
    return restore.attach(connection, child.id, child.parent_id, kind)


def _wants_parent(connection: Connection, past: PastSession) -> bool:
    if past.begun.parent_session_id is None:
        return False
    ours = sessions.get(connection, past.id)
    return ours is None or ours.parent_session_id is None


def _foreseen(store: Store | None, incoming: Incoming) -> tuple[Fate, int]:
    if store is None:
        return "imported", 0
    with store.read() as connection:
        ours = restore.uids_of(connection, incoming.past.id)
    return fate_of(ours, incoming.uids), len(ours or ())


def _is_there(store: Store | None, session_id: str, present: set[str]) -> bool:
    if session_id in present or store is None:
        return session_id in present
    with store.read() as connection:
        return sessions.exists_id(connection, session_id)
