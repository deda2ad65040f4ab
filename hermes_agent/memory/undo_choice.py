"""Which changes are to be undone: the latest, one that is named, those of a turn, all since a moment.

A change stands unless an undo that stands took it back; so an undo that was itself undone undoes nothing. Notes,
facts, reflections, skills and summaries can be undone: their entries tell what they did to records
(`records/changes.py`, `store/touched.py`) or which versions they made.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.ids import is_uid
from hermes_agent.memory import numbers
from hermes_agent.memory.curation import ACTOR as CURATOR
from hermes_agent.memory.note_past import UNDOABLE
from hermes_agent.records.archive import Message
from hermes_agent.records.changes import (
    UNDONE,
    builds_on,
    change_of,
    main_of,
    message_of,
    standing,
    told_in,
    undone_by,
)
from hermes_agent.records.journal import Entry
from hermes_agent.records.notes import Refused
from hermes_agent.records.summaries import summary_name
from hermes_agent.store import journal, messages
from hermes_agent.store.engine import Connection

COMPRESSED = "memory.compressed"
"""The kind of entries that tell what a summary stands for."""
DISCARDED = "memory.discarded"
"""The kind of entries that tell of a summary whose messages were discarded: nothing brings them back."""
COMPACTION = "compaction"
"""What such an entry names the run by that made it."""
_OWNER = "owner"
_TURN, _SUMMARY = "turn.", "summary:"
_NUMBER = re.compile("[1-9][0-9]{0,17}")


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest change that is not undone yet."""


@dataclass(frozen=True, slots=True)
class Named:
    """The change with a number or uid, or the beginning of one; an undo is taken back too."""

    typed: str


@dataclass(frozen=True, slots=True)
class OfTurn:
    """What one turn changed, and what was learned of its message; without a name, of the latest.

    A turn is named by its message (number or uid) or by its own entry (`entry:12` or uid).
    """

    typed: str | None = None


@dataclass(frozen=True, slots=True)
class Since:
    """Everything since a moment, undos among it: memory is then as it was at that moment."""

    moment: int


Wanted = Latest | Named | OfTurn | Since


def choose(connection: Connection, wanted: Wanted) -> list[Entry] | Refused:
    """Return the entries of the changes that are to be undone, the newest first."""
    match wanted:
        case Latest():
            return _latest(connection)
        case Named(typed):
            return _named(connection, typed)
        case OfTurn(typed):
            return _of_turn(connection, typed)
        case Since(moment):
            return _since(connection, moment)


def find(connection: Connection, typed: str) -> Entry | Refused:
    """Return the entry that a person names by its number, its uid or the beginning of that, or by its summary."""
    name = typed.strip().lower().removeprefix("entry:")
    if name.startswith(_SUMMARY):
        made = journal.recent(connection, 1, kind=COMPRESSED, subject=summary_name(numbers.read(name, "summary")))
        return made[0] if made else Refused("no_match", f"{typed.strip()!r} is no summary that can be undone.")
    # A uid of our time begins with a zero.
    is_number = _NUMBER.fullmatch(name) is not None
    found = journal.get_many(connection, [int(name)]) if is_number else []
    found = found or journal.beginning(connection, name.replace("-", ""))
    if len(found) == 1:
        return found[0]
    what = "is the beginning of several changes" if found else "is no change"
    return Refused("no_match", f"{typed.strip()!r} {what}. `hermes memory log` lists them.")


def _latest(connection: Connection) -> list[Entry] | Refused:
    for entry, stands in standing(journal.changes_after(connection, 0)):
        # What the curator writes follows from the facts, and follows them again; compression works by night.
        is_nobodys = entry.actor == CURATOR or (entry.kind == COMPRESSED and entry.actor != _OWNER)
        if entry.kind == DISCARDED and entry.actor == _OWNER:
            text = f"The latest change cannot be undone: {entry.text} `hermes memory log` lists those before it."
            return Refused("superseded", text)
        if stands and _is_change(entry) and not is_nobodys:
            if entry.kind == COMPRESSED:
                return _compaction(connection, entry)
            cause = journal.get(connection, entry.cause) if entry.cause and is_uid(entry.cause) else None
            whole = None if cause is None or not _is_change(cause) else _whole(connection, cause)
            return whole if isinstance(whole, list) else _whole(connection, entry)
    return Refused("no_match", "There is no change to undo.")


def _compaction(connection: Connection, entry: Entry) -> list[Entry] | Refused:
    """Return what one compaction by hand did: all of its summaries."""
    every = list(journal.changes_after(connection, 0))
    run = told_in(entry, COMPACTION)
    same = [one for one, stands in standing(every) if stands and told_in(one, COMPACTION) == run]
    return _unless_built_on(same, every)


def _named(connection: Connection, typed: str) -> list[Entry] | Refused:
    found = find(connection, typed)
    if isinstance(found, Refused):
        return found
    main = main_of(found)
    entry = found if main is None else journal.get(connection, main) or found
    if not _can_be_undone(entry):
        return Refused("superseded", f"That is nothing to undo: {entry.text}")
    return _whole(connection, entry)


def _whole(connection: Connection, entry: Entry) -> list[Entry] | Refused:
    """Return a change with what was changed because of it: an edit of USER.md corrects facts."""
    later = list(journal.changes_after(connection, entry.id - 1))
    lasting = [one for one, stands in standing(later) if stands]
    if entry.uid not in {one.uid for one in lasting}:
        return Refused("superseded", f"That change is undone already: {entry.text}")
    whole = [one for one in lasting if one.uid == entry.uid or (one.cause == entry.uid and _is_change(one))]
    return _unless_built_on(whole, later)


def _of_turn(connection: Connection, typed: str | None) -> list[Entry] | Refused:
    turn = _turn(connection, typed)
    if isinstance(turn, Refused):
        return turn
    entries = _entries_of(connection, turn)
    if not entries:
        return Refused("no_match", f"That turn changed nothing: {turn.text}")
    later = list(journal.changes_after(connection, entries[0].id - 1))
    uids = {one.uid for one, stands in standing(later) if stands}
    chosen = [one for one in reversed(entries) if one.uid in uids]
    if not chosen:
        return Refused("superseded", f"What that turn changed is undone already: {turn.text}")
    return _unless_built_on(chosen, later)


def _since(connection: Connection, moment: int) -> list[Entry] | Refused:
    every = journal.changes_after(connection, journal.last_before(connection, moment))
    chosen = [entry for entry in every if _can_be_undone(entry)]
    return chosen or Refused("no_match", "Nothing has changed since then.")


def _turn(connection: Connection, typed: str | None) -> Entry | Refused:
    """Return the entry of a turn: the latest, or the one that is named by itself or by its message."""
    if typed is None:
        latest = journal.recent(connection, 1, kind="turn")
        return latest[0] if latest else Refused("no_match", "There was no turn yet.")
    message = _message(connection, typed.strip().lower())
    of_session = [] if message is None else journal.of_session(connection, message.session_id)
    turns = [
        one
        for one in of_session
        if message is not None and one.kind.startswith(_TURN) and message_of(one) == message.uid
    ]
    if not turns:
        found = find(connection, typed)
        turns = [found] if isinstance(found, Entry) and found.kind.startswith(_TURN) else []
    if turns:
        return turns[-1]
    return Refused(
        "no_match", f"{typed.strip()!r} is no turn. `hermes memory events --kind turn --json` lists them."
    )


def _message(connection: Connection, typed: str) -> Message | None:
    if _NUMBER.fullmatch(typed):
        return messages.get(connection, int(typed))
    return messages.by_uid(connection, typed) if is_uid(typed) else None


def _entries_of(connection: Connection, turn: Entry) -> list[Entry]:
    """Return what a turn changed while it ran, and what was learned of its message, in order."""
    of_session = journal.of_session(connection, turn.session_id or "")
    former = max((one.id for one in of_session if one.kind.startswith(_TURN) and one.id < turn.id), default=0)
    done = [one for one in of_session if one.actor == turn.actor and former < one.id < turn.id]
    message = message_of(turn)
    learned = [one for one in of_session if message is not None and message_of(one) == message]
    return sorted(
        filter(_can_be_undone, {one.id: one for one in (*done, *learned)}.values()), key=lambda one: one.id
    )


def _is_change(entry: Entry) -> bool:
    return entry.kind not in UNDONE and _can_be_undone(entry)


def _can_be_undone(entry: Entry) -> bool:
    return change_of(entry) is not None or entry.kind in UNDOABLE or entry.kind in UNDONE


def _unless_built_on(chosen: Sequence[Entry], newest_first: Sequence[Entry]) -> list[Entry] | Refused:
    """Return the chosen changes unless a later one, which stays, builds on one of them."""
    going = {entry.uid for entry in chosen}
    staying = [one for one, stands in standing(newest_first) if stands and one.uid not in going]
    for entry in chosen:
        change = change_of(entry)
        newer = {one.uid for one in newest_first if one.id > entry.id}
        for later in staying:
            made = change_of(later)
            # An undo of what came after is as if neither had been.
            is_over = bool(undone_by(later)) and newer.issuperset(undone_by(later))
            if change is None or made is None or later.id < entry.id or is_over:
                continue
            if builds_on(made, change):
                return Refused(
                    "superseded",
                    f"It cannot be undone: {entry.text} A later change builds on it: {later.text}"
                    f" Undo that first: hermes memory undo {later.uid}",
                )
    return list(chosen)
