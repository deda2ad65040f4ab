"""Keep USER.md up to date from the user model, and learn from what its owner does to the lines.

Which lines were made here is told by the versions of the note (`curated_past`). A line that somebody else took out
is not written again; if the owner did, by hand or with `hermes notes`, what stood behind it is retracted too, and
an edited line becomes the owner's fact, as does one the owner added. A file that is gone is no correction: it is
written anew.

Every step can be done again after a kill: a fact that was retracted stays so, and how far the versions were heeded
is kept after what they meant is done.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from hermes_agent import clock
from hermes_agent.errors import UsageError
from hermes_agent.learn.conclusions import conclusions
from hermes_agent.learn.corrections import (
    Correction,
    Restate,
    Retract,
    Say,
    deleted,
    edited,
    is_joined,
    is_said_by,
    successors,
    written,
)
from hermes_agent.learn.curating import Slot, candidates, plan, ranked, slots_of
from hermes_agent.learn.remaining import Held, remaining
from hermes_agent.learn.traits import Told, traits
from hermes_agent.learn.traits import told as read_told
from hermes_agent.memory import blocked, fact_changes, user_model
from hermes_agent.memory import facts as verbs
from hermes_agent.memory.curated_past import ACTOR, Addition, Past, Removal, Written, replay
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.user_model import Knowledge
from hermes_agent.notes import format
from hermes_agent.notes.splice import splice
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Fact
from hermes_agent.records.notes import SUBJECTS, Grounds, NoteVersion
from hermes_agent.records.user_model import Trait
from hermes_agent.store import facts, journal, messages, meta, receipts
from hermes_agent.store import notes as versions
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

_HEEDED = "user_note.heeded"
"""The last version of USER.md whose corrections were made."""
_SEEN = "user_note.seen"
"""The last entry of the journal that the lines take into account."""
_LOOKED_AT = "user_note.looked_at"
"""When the lines were last brought in step with what is known."""
_UNREADABLE = "user_note.unreadable"
"""When USER.md could last not be read; empty if it could."""
_PAUSE = 30 * 60 * clock.MICROSECONDS
"""How long a file that cannot be read is left alone."""
_TRIES = 5
_MOST_ENDED = 10_000


@dataclass(frozen=True, slots=True)
class _Refused:
    """Lines and facts, by their uids, that are not to be written."""

    lines: Collection[str]
    uids: Collection[str]


def curate(store: Store, notebook: Notebook, zone: tzinfo | None) -> None:
    """Make the owner's corrections, then bring the lines of USER.md in step with what is known."""
    for _ in range(_TRIES):
        text = notebook.settle("user")
        with store.write() as connection:
            meta.put(connection, _UNREADABLE, str(clock.now()) if text is None else "")
        if text is None:
            return  # whoever begins a conversation is told that it cannot be read
        past = correct(store)
        looked_at = clock.now()
        with store.read() as connection:
            seen = journal.last_id(connection)
        if _write(store, notebook, zone, text, past):
            with store.write() as connection:
                meta.put(connection, _SEEN, str(seen))
                meta.put(connection, _LOOKED_AT, str(looked_at))
            return


def is_due(connection: Connection) -> bool:
    """Tell whether facts or the note changed since the lines were last looked at, or the day of a fact came.

    Not while the note cannot be read.
    """
    unreadable = meta.get(connection, _UNREADABLE)
    if unreadable and clock.now() < int(unreadable) + _PAUSE:
        return False
    seen = int(meta.get(connection, _SEEN) or 0)
    changed = (("fact", None), ("note", SUBJECTS["user"]))
    if any(journal.has_after(connection, seen, kind, subject, without=ACTOR) for kind, subject in changed):
        return True
    looked_at = meta.get(connection, _LOOKED_AT)
    return looked_at is not None and facts.has_turned(connection, int(looked_at), clock.now())


def correct(store: Store) -> Past:
    """Make the corrections in the versions that were not heeded yet; return what all versions tell."""
    with store.read() as connection:
        heeded = int(meta.get(connection, _HEEDED) or 0)
        every = list(versions.newest(connection, "user"))[::-1]
    past = replay(every)
    if not every or every[-1].id <= heeded:
        return past
    for removal in past.refused.values():
        # What came and went since was never taken up.
        if removal.version.id > heeded >= removal.added and removal.is_correction:
            _heed(store, removal)
    for line, addition in past.added.items():
        if addition.version.id > heeded and addition.is_correction:
            _take_up(store, line, addition)
    with store.write() as connection:
        meta.put(connection, _HEEDED, str(every[-1].id))
    return past


def refused_lines(store: Store) -> Collection[str]:
    """Return the lines that somebody took out of USER.md."""
    with store.read() as connection:
        return replay(list(versions.newest(connection, "user"))[::-1]).refused


def _heed(store: Store, removal: Removal) -> None:
    """Make the owner's correction of one line."""
    with store.read() as connection:
        known = facts.by_uids(connection, removal.grounds.facts).values()
    behind = [fact for fact in known if fact.state == "current"]
    if not behind:  # the agent wrote the line by itself, or it was said anew since it was written
        behind = [one.fact for one in user_model.read(store).told if is_said_by(removal.line, one)]
    told = read_told(sorted(behind, key=lambda fact: fact.id))
    instead = successors(removal.before, removal.after, [removal.line])[removal.line]
    if instead is None and removal.is_undone:
        return  # that it was written was undone, not what it says
    if instead is not None and is_joined(instead, removal.line, removal.before, removal.after):
        return
    for correction in _meant(removal, told, instead):
        _make(store, correction, removal.version)


def _take_up(store: Store, line: str, addition: Addition) -> None:
    """Hold what the owner wrote to be true, unless it is several lines put together."""
    if is_joined(line, "", addition.before, addition.after):
        return
    for correction in written(user_model.read(store).told, line, addition.version.at):
        _make(store, correction, addition.version)


def _meant(removal: Removal, told: Sequence[Told], instead: str | None) -> list[Correction]:
    """Say what a removal corrects; of a conclusion only what the owner wrote in its place counts."""
    if removal.grounds.basis == "concluded" and removal.grounds.facts:
        return [] if instead is None else list(edited([], instead))
    if not told:
        return []
    return list(deleted(told, removal.after) if instead is None else edited(told, instead))


def _make(store: Store, correction: Correction, version: NoteVersion) -> None:
    """Make a correction; one that cannot be made is journalled, and the next ones are."""
    try:
        _carry_out(store, correction, version.entry_uid)
    except UsageError as error:
        subject = SUBJECTS["user"]
        text = f"A line of {subject} could not be learned: {error.message}"
        with store.write() as connection:
            journal.write(connection, NewEntry("note.unheeded", subject, text, ACTOR, version.entry_uid))


def _carry_out(store: Store, correction: Correction, cause: str | None) -> None:
    match correction:
        case Retract(fact):
            verbs.delete(store, fact.name, cause=cause)
        case Say(sentence):
            verbs.add(store, sentence, cause=cause)
        case Restate(fact, sentence):
            with store.read() as connection:
                known = facts.alike(connection, store.engine, sentence)
            if known is None:
                fact_changes.edit(store, fact.name, sentence, cause=cause)
            elif known.id != fact.id:
                verbs.delete(store, fact.name, cause=cause)


def _write(store: Store, notebook: Notebook, zone: tzinfo | None, text: str, past: Past) -> bool:
    """Write what should be different; False if the note was changed meanwhile."""
    known = user_model.read(store)
    entries = format.unique(format.parse(text))
    curated = {entry: past.curated[entry] for entry in entries if entry in past.curated}
    heard = _heard_at(store, {entry: past.by_agent[entry] for entry in entries if entry in past.by_agent})
    own = [entry for entry in entries if entry not in curated and entry not in heard]
    left = _left(store, past, heard, known)
    by_agent = {left.get(entry, entry) or "": at for entry, at in heard.items() if left.get(entry, entry)}
    may = candidates(known.told, known.disputed, own, by_agent)
    lines = _allowed(store, _lines(known, zone, may, _refused(store, past)))
    standing = [now for entry in entries if (now := left.get(entry, entry)) is not None]
    made = plan(standing, _slots(store, curated), lines, notebook.limits["user"], by_agent)
    mended = {
        entry: None if text is None or text in entries else made.changes.get(text, text)
        for entry, text in left.items()
    }
    changes = {**{entry: text for entry, text in made.changes.items() if entry in entries}, **mended}
    if not changes and not made.added:
        return True
    grounds = {text: past.by_agent[entry].grounds for entry, text in mended.items() if text is not None}
    grounds |= {line: _grounds(trait) for line, trait in made.lines.items()}
    return notebook.rewrite("user", text, splice(text, changes, made.added), ACTOR, grounds) is not None


def _heard_at(store: Store, by_agent: Mapping[str, Written]) -> dict[str, int]:
    """Return when the agent heard what its lines say; of what it heard nowhere, when it wrote them."""
    with store.read() as connection:
        uids = [one.grounds.evidence for one in by_agent.values() if one.grounds.evidence]
        said = {uid: message.said_at for uid, message in messages.by_uids(connection, uids).items()}
    return {entry: said.get(one.grounds.evidence or "", one.at) for entry, one in by_agent.items()}


def _left(store: Store, past: Past, by_agent: Mapping[str, int], known: Knowledge) -> dict[str, str | None]:
    """Return what is left of the agent's own lines, where that is not what stands; not of what it heard later.

    All of a line counts, as it was written: what was taken back and is so again stands in it again.
    """
    with store.read() as connection:
        ended = read_told(facts.recent(connection, _MOST_ENDED, with_ended=True)) if by_agent else []
    by_uid = {one.fact.uid: one.fact for one in ended}
    over = [(one, _ended_at(one.fact, by_uid)) for one in ended if one.fact.state != "current"]
    found = {
        line: remaining(past.by_agent[line].whole, Held(known.told, [one for one, end in over if end >= at]))
        for line, at in by_agent.items()
    }
    return {line: text for line, text in found.items() if text != line}


def _ended_at(fact: Fact, by_uid: Mapping[str, Fact]) -> int:
    """Return when a fact ceased to be held true: when its successor was said, or somebody took it back."""
    successor = by_uid.get(fact.superseded_by or "")
    return successor.said_at if successor is not None else fact.ended_at or fact.said_at


def _lines(known: Knowledge, zone: tzinfo | None, may: Sequence[Told], refused: _Refused) -> list[Trait]:
    """Return the lines there could be; a pinned fact may be written whatever was refused."""
    if refused.uids or refused.lines:
        may = [
            one
            for one in may
            if one.fact.is_pinned
            or (one.fact.uid not in refused.uids and traits([one])[0].text not in refused.lines)
        ]
    return ranked(may, [one for one in conclusions(known.told, zone) if one.text not in refused.lines])


def _allowed(store: Store, lines: Sequence[Trait]) -> list[Trait]:
    """Return the lines that were not forgotten for good, though what stands behind them may still be known."""
    with store.read() as connection:
        blocks = receipts.blocks(connection)
    return [one for one in lines if not (blocks and blocked.holds(blocks, one.text))]


def _refused(store: Store, past: Past) -> _Refused:
    """Return what is not to be written again: the lines, and those of each fact behind a line of several."""
    told = [one for one in past.refused.values() if one.grounds.basis == "told" or not one.grounds.facts]
    lasting = [uid for one in told if one.is_lasting for uid in one.grounds.facts]
    with store.read() as connection:
        behind = read_told(facts.by_uids(connection, lasting).values())
    # What the agent took out at somebody's wish was said before; said anew it may come back.
    before = [one for one in told if not one.grounds.facts and not one.is_lasting]
    said = {
        one.fact.uid
        for one in (user_model.read(store).told if before else ())
        if any(one.fact.said_at <= removal.version.at and is_said_by(removal.line, one) for removal in before)
    }
    lines = {line for line, one in past.refused.items() if one.is_lasting}
    return _Refused(
        lines | {traits([one])[0].text for one in behind},
        said | {uid for one in told for uid in one.grounds.facts},
    )


def _slots(store: Store, curated: Mapping[str, Grounds]) -> dict[str, set[Slot]]:
    with store.read() as connection:
        known = facts.by_uids(connection, [uid for grounds in curated.values() for uid in grounds.facts])
    return {
        line: slots_of(known[uid] for uid in grounds.facts if uid in known) if grounds.basis == "told" else set()
        for line, grounds in curated.items()
    }


def _grounds(trait: Trait) -> Grounds:
    said = next((fact.source_message for fact in trait.facts if fact.source_message), None)
    return Grounds(trait.basis, said, trait.confidence, [fact.uid for fact in trait.facts])
