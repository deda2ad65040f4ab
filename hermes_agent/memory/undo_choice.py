"""Which changes are to be undone: the latest, one that is named, those of a turn, all since a moment.

A change stands unless an undo that stands took it back; so an undo that was itself undone undoes nothing. What a
turn changed belongs together: a fact that is taken back without the note of the same words contradicts it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes_agent.ids import is_uid
from hermes_agent.memory import undo_turns
from hermes_agent.memory.curated_past import ACTOR as CURATOR
from hermes_agent.memory.forgotten import GONE
from hermes_agent.memory.learning import ACTOR as LEARNING
from hermes_agent.memory.undo_later import later
from hermes_agent.memory.undo_order import unless_built_on
from hermes_agent.memory.undoable import (
    COMPACTION,
    COMPRESSED,
    DISCARDED,
    came,
    can_be_undone,
    find,
    is_change,
    of_compaction,
)
from hermes_agent.records.changes import main_of, standing, told_in
from hermes_agent.records.journal import Entry
from hermes_agent.records.notes import Refused
from hermes_agent.store import journal
from hermes_agent.store.engine import Connection

_OWNER = "owner"


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest change that is not undone yet, with whatever else its turn changed."""


@dataclass(frozen=True, slots=True)
class Named:
    """The change with a number or uid, or the beginning of one, or a compaction; an undo is taken back too."""

    typed: str


@dataclass(frozen=True, slots=True)
class OfTurn:
    """What one turn changed, and what was learned of its message; without a name, the latest that changed any.

    A turn is named by its message (number or uid) or by its own entry (`entry:12` or uid).
    """

    typed: str | None = None


@dataclass(frozen=True, slots=True)
class Since:
    """Everything since a moment, undos among it: memory is then as it was at that moment."""

    moment: int


Wanted = Latest | Named | OfTurn | Since


@dataclass(frozen=True, slots=True)
class Choice:
    """The changes that are to be undone, the newest first, and the turn they are of."""

    entries: list[Entry]
    turn: Entry | None = None
    also: Sequence[Entry] = ()
    """What else that turn changed: it stays."""
    skipped: Sequence[Entry] = ()
    """What was forgotten since: no undo brings it back."""


def choose(connection: Connection, wanted: Wanted) -> Choice | Refused:
    """Return the changes that are to be undone."""
    match wanted:
        case Latest():
            return _latest(connection)
        case Named(typed):
            return _named(connection, typed)
        case OfTurn(typed):
            turn = undo_turns.latest(connection) if typed is None else undo_turns.named(connection, typed)
            return turn if isinstance(turn, Refused) else _of_turn(connection, turn)
        case Since(moment):
            return _since(connection, moment)


def _latest(connection: Connection) -> Choice | Refused:
    brought = came(connection)
    skipped: list[Entry] = []
    by_hand = _compacted_by_hand(connection)
    for entry, stands in standing(journal.changes_after(connection, 0)):
        if entry.id in brought:
            continue  # another home's past: whoever means that names it
        skipped += [entry] if entry.kind == GONE else []
        # What the curator writes follows from the facts, and follows them again; the daemon compresses by itself.
        is_nobodys = entry.actor == CURATOR or (entry.kind == COMPRESSED and entry.actor != _OWNER)
        if entry.kind == DISCARDED and entry.actor == _OWNER:
            text = f"The latest change cannot be undone: {entry.text} `hermes memory log` lists those before it."
            return Refused("superseded", text)
        if stands and is_change(entry) and not is_nobodys and not _is_behind(connection, entry, by_hand):
            run = told_in(entry, COMPACTION)
            whole = _compaction(connection, run) if isinstance(run, str) else _latest_whole(connection, entry)
            return whole if isinstance(whole, Refused) else replace(whole, skipped=skipped)
    what = " What was forgotten is past undoing." if skipped else ""
    return Refused("no_match", f"There is no change to undo.{what}")


def _compacted_by_hand(connection: Connection) -> Entry | None:
    """Return the latest of what was compressed or discarded, if its owner did it by hand and it is not undone."""
    latest = [one for kind in (COMPRESSED, DISCARDED) for one in journal.recent(connection, 1, kind=kind)]
    entry = max(latest, key=lambda one: one.id, default=None)
    if entry is None or entry.actor != _OWNER:
        return None
    if entry.kind == DISCARDED:
        return entry
    since = standing(later(connection, [entry]))
    return next((entry for one, stands in since if one.uid == entry.uid and stands), None)


def _is_behind(connection: Connection, entry: Entry, by_hand: Entry | None) -> bool:
    """Tell whether a change was only learned after a compaction by hand, of what was said before it.

    The small jobs go on after every command: what they learn meanwhile is not what its owner has just done.
    """
    if by_hand is None or entry.id < by_hand.id or entry.actor != LEARNING:
        return False
    turn = undo_turns.turn_of(connection, entry)
    if turn is None:
        turn = next(iter(journal.recent(connection, 1, kind="turn")), None)
    return turn is None or turn.id < by_hand.id


def _latest_whole(connection: Connection, entry: Entry) -> Choice | Refused:
    """Return the latest change with all that its turn changed, or with what it follows from."""
    turn = undo_turns.turn_of(connection, entry)
    if turn is not None:
        chosen = _of_turn(connection, turn)
        alone = f" The latest change alone: hermes memory undo {entry.uid}"
        return replace(chosen, error=chosen.error + alone) if isinstance(chosen, Refused) else chosen
    cause = journal.get(connection, entry.cause) if entry.cause and is_uid(entry.cause) else None
    whole = None if cause is None or not is_change(cause) else _whole(connection, cause)
    return whole if isinstance(whole, Choice) else _whole(connection, entry)


def _compaction(connection: Connection, run: str) -> Choice | Refused:
    """Return what one compaction did: all of its summaries that are not undone."""
    every = of_compaction(connection, run)
    if not every:
        return Refused("no_match", f"{run!r} is no change. `hermes memory log` lists them.")
    since = later(connection, every)
    lasting = [one for one, stands in standing(since) if stands and told_in(one, COMPACTION) == run]
    if not lasting:
        return Refused("superseded", "That compaction is undone already.")
    return _unless_built_on(lasting, since)


def _named(connection: Connection, typed: str) -> Choice | Refused:
    found = find(connection, typed)
    if isinstance(found, Refused):
        run = typed.strip().lower()
        return _compaction(connection, run) if is_uid(run) else found
    main = main_of(found)
    entry = found if main is None else journal.get(connection, main) or found
    if not can_be_undone(entry):
        return Refused("superseded", f"That is nothing to undo: {entry.text}")
    chosen = _whole(connection, entry)
    return chosen if isinstance(chosen, Refused) else _beside(connection, entry, chosen)


def _beside(connection: Connection, entry: Entry, chosen: Choice) -> Choice:
    """Add what else the turn of a change changed: it stays, and the owner should know."""
    turn = undo_turns.turn_of(connection, entry)
    if turn is None:
        return chosen
    going = {one.uid for one in chosen.entries}
    whole = _of_turn(connection, turn)
    also = () if isinstance(whole, Refused) else [one for one in whole.entries if one.uid not in going]
    return replace(chosen, turn=turn, also=also)


def _whole(connection: Connection, entry: Entry) -> Choice | Refused:
    """Return a change with what was changed because of it: an edit of USER.md corrects facts."""
    since = later(connection, [entry, *journal.caused_by(connection, entry)])
    lasting = [one for one, stands in standing(since) if stands]
    if entry.uid not in {one.uid for one in lasting}:
        return Refused("superseded", f"That change is undone already: {entry.text}")
    whole = [one for one in lasting if one.uid == entry.uid or (one.cause == entry.uid and is_change(one))]
    return _unless_built_on(whole, since)


def _of_turn(connection: Connection, turn: Entry) -> Choice | Refused:
    entries = undo_turns.changed_by(connection, turn)
    if not entries:
        return Refused("no_match", f"That turn changed nothing: {turn.text}")
    since = later(connection, entries)
    uids = {one.uid for one, stands in standing(since) if stands}
    chosen = [one for one in reversed(entries) if one.uid in uids]
    if not chosen:
        return Refused("superseded", f"What that turn changed is undone already: {turn.text}")
    return _unless_built_on(chosen, since, turn)


def _since(connection: Connection, moment: int) -> Choice | Refused:
    brought = came(connection)
    every = [
        entry
        for entry in journal.changes_after(connection, journal.last_before(connection, moment, brought))
        if entry.id not in brought
    ]
    chosen = [entry for entry in every if can_be_undone(entry)]
    skipped = [entry for entry in every if entry.kind == GONE]
    if not chosen:
        what = " What was forgotten is past undoing." if skipped else ""
        return Refused("no_match", f"Nothing has changed since then.{what}")
    return Choice(chosen, skipped=skipped)


def _unless_built_on(
    chosen: Sequence[Entry], newest_first: Sequence[Entry], turn: Entry | None = None
) -> Choice | Refused:
    entries = unless_built_on(chosen, newest_first)
    return entries if isinstance(entries, Refused) else Choice(entries, turn)
