"""Empty parts of memory, or all of it, in one transaction. Unlike a forgetting it blocks nothing: a new beginning.

What is told again is learned again. The texts of notes are the caller's to empty, since they are files, too.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from hermes_agent.errors import ChangedMeanwhile
from hermes_agent.memory import forgetting
from hermes_agent.memory.forgotten import FORGETTING, GONE
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import fact_name
from hermes_agent.records.notes import Note
from hermes_agent.records.receipts import NewReceipt, Receipt
from hermes_agent.records.skills import KeptSkill
from hermes_agent.store import canonical, emptying, facts, journal, receipts, reflections, skills, summaries
from hermes_agent.store import forgetting as rows
from hermes_agent.store.emptying import Kept
from hermes_agent.store.engine import Connection, Engine

Target = Literal["facts", "episodes", "reflections", "skills", "notes", "sessions", "journal", "all"]
TARGETS: tuple[Target, ...] = get_args(Target)
ASKED = "reset"
"""What the receipt of a reset says was asked for."""
NOTES: tuple[Note, ...] = ("memory", "user")
"""The notes that the agent keeps; SOUL.md and the workspace's are their owner's."""
_CONVERSATIONS: set[Target] = {"sessions", "episodes"}
"""An episode is an exchange of a session, and goes with it."""
_KINDS: Mapping[Target, str] = {
    "facts": "fact",
    "episodes": "session",
    "reflections": "reflection",
    "skills": "skill",
    "notes": "note",
    "sessions": "session",
}
"""What the entries of the journal are called that tell of changes of it."""
_WITH_THE_JOURNAL = (
    "Without the journal nothing from before can be undone or compared, and no events or hand-overs are listed."
    " Who changed a note stays known while the notes stay, and what was taken back while the conversations do."
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a reset would take: how many of what, and what of each came last."""

    counts: Mapping[str, int]
    last: Mapping[str, str | int | None]


def look(connection: Connection, targets: Collection[Target]) -> Seen:
    """Tell what a reset would take, so that it can be told whether anything came since."""
    wanted = _wanted(targets)
    tables: list[str] = [name for name in ("facts", "reflections", "skills") if name in wanted]
    tables += ["messages"] if wanted & _CONVERSATIONS else []
    last: dict[str, str | int | None] = {name: canonical.last_uid(connection, name) for name in tables}
    kinds = [] if "journal" in wanted else sorted({_KINDS[one] for one in wanted})
    # That notes are emptied stands in the journal by then: that is the reset's own.
    last["changes"] = journal.last_of(connection, kinds, without=FORGETTING)
    return Seen(count(connection, targets), last)


def check_seen(connection: Connection, targets: Collection[Target], seen: Seen) -> None:
    """Raise ChangedMeanwhile if anything came, or was changed, since somebody looked."""
    if look(connection, targets).last != seen.last:
        raise ChangedMeanwhile(
            "Something was said or changed meanwhile that would go, too: nothing was reset.",
            hint="Look again, then reset it. A backup that was made stays.",
        )


def count(connection: Connection, targets: Collection[Target]) -> dict[str, int]:
    """Count what a reset takes; nothing is looked through for it, however large the memory is."""
    counts: dict[str, int] = {}
    wanted = _wanted(targets)
    if "facts" in wanted:
        counts["facts"] = canonical.count(connection, "facts")
    if "reflections" in wanted:
        counts["reflections"] = canonical.count(connection, "reflections")
    if wanted & _CONVERSATIONS:
        counts["sessions"] = canonical.count(connection, "sessions")
    if "skills" in wanted:
        counts["skills"] = len(_known_skills(connection))
    if "notes" in wanted:
        counts["versions of notes"] = rows.count_former_notes(connection, NOTES)
    if "journal" in wanted:
        counts["entries of the journal"] = emptying.count(connection, _kept(wanted))
    return counts


def reset(
    connection: Connection, engine: Engine, targets: Collection[Target], seen: Seen | None = None
) -> Receipt:
    """Empty what is named; return the receipt, whose files are still to be cleaned.

    `seen` is what somebody looked at before: ChangedMeanwhile if more came since.
    """
    wanted = _wanted(targets)
    receipts.lock(connection)
    facts.lock(connection)
    reflections.lock(connection)
    summaries.lock(connection)
    skills.lock(connection)
    if seen is not None:
        check_seen(connection, targets, seen)
    # Before anything goes: with its conversation, part of the rest goes, too.
    counts = count(connection, targets)
    if "facts" in wanted:
        _forget_facts(connection, engine)
    if "reflections" in wanted:
        gone = [*reflections.standing(connection), *reflections.merged(connection)]
        reflections.remove(connection, [one.id for one in gone])
        forgetting.forget_lessons(connection, gone, ())
    if wanted & _CONVERSATIONS and (every := rows.every_session(connection)):
        forgetting.forget_sessions(connection, engine, every)
    if "skills" in wanted:
        _forget_skills(connection)
    if "notes" in wanted:
        rows.forget_notes(connection, NOTES)
    if "journal" in wanted:
        emptying.empty(connection, _kept(wanted))
    key = receipts.key(connection) or rows.new_key()
    receipt = receipts.add(connection, NewReceipt(ASKED, counts, key, [], []))
    told = ", ".join(f"{name}: {count:,}" for name, count in counts.items() if count) or "nothing"
    text = f"Memory was reset: {told}. Its receipt is {receipt.name}."
    journal.write(connection, NewEntry(GONE, receipt.name, text, after={"receipt": receipt.uid}))
    return receipt


def also_lost(targets: Collection[Target]) -> str | None:
    """Say what else goes with the journal; None if it stays."""
    return _WITH_THE_JOURNAL if "journal" in _wanted(targets) else None


def _kept(wanted: Collection[Target]) -> Kept:
    """Say what an emptied journal must still tell: of notes that stay, and to whoever finds an old message."""
    return Kept(authors="notes" not in wanted, marks=not _CONVERSATIONS & set(wanted))


def _wanted(targets: Collection[Target]) -> set[Target]:
    return set(TARGETS) if "all" in targets else set(targets)


def _forget_facts(connection: Connection, engine: Engine) -> None:
    ids = rows.every_fact(connection)
    rows.remove_facts(connection, engine, ids)
    forgetting.forget_records(connection, [fact_name(number) for number in ids])


def _forget_skills(connection: Connection) -> None:
    """Empty every skill; the folders follow when they are brought in step."""
    known = _known_skills(connection)
    for one in known:
        skills.set_left(connection, one.id, {})
    forgetting.forget_records(connection, [one.name for one in known])


def _known_skills(connection: Connection) -> list[KeptSkill]:
    return [one for one in skills.every(connection).values() if one.files or one.state != "deleted"]
