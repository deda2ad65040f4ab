"""Empty parts of memory, or all of it, in one transaction. Unlike a forgetting it blocks nothing: a new beginning.

What is told again is learned again. The texts of notes are the caller's to empty first, since they are files, too.
"""

from collections import Counter
from collections.abc import Collection
from typing import Literal, get_args

from hermes_agent.memory import forgetting
from hermes_agent.memory.forgotten import GONE
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import fact_name
from hermes_agent.records.notes import Note
from hermes_agent.records.receipts import NewReceipt, Receipt
from hermes_agent.store import facts, journal, receipts, reflections, skills
from hermes_agent.store import forgetting as rows
from hermes_agent.store.engine import Connection, Engine

Target = Literal["facts", "episodes", "reflections", "skills", "notes", "sessions", "journal", "all"]
TARGETS: tuple[Target, ...] = get_args(Target)
ASKED = "reset"
"""What the receipt of a reset says was asked for."""
NOTES: tuple[Note, ...] = ("memory", "user")
"""The notes that the agent keeps; SOUL.md and the workspace's are their owner's."""


def reset(connection: Connection, engine: Engine, targets: Collection[Target]) -> Receipt:
    """Empty what is named; return the receipt, whose files are still to be cleaned."""
    counts: Counter[str] = Counter()
    wanted = set(TARGETS) if "all" in targets else set(targets)
    receipts.lock(connection)
    facts.lock(connection)
    reflections.lock(connection)
    skills.lock(connection)
    if "facts" in wanted:
        counts["facts"] = _facts(connection, engine)
    if "reflections" in wanted:
        gone = [*reflections.standing(connection), *reflections.merged(connection)]
        counts["reflections"] = len(gone)
        reflections.remove(connection, [one.id for one in gone])
        forgetting.forget_lessons(connection, gone, ())
    if wanted & {"sessions", "episodes"}:  # an episode is an exchange of a session, and goes with it
        every = rows.every_session(connection)
        counts["sessions"] = forgetting.forget_sessions(connection, engine, every) if every else 0
    if "skills" in wanted:
        counts["skills"] = _skills(connection)
    if "notes" in wanted:
        counts["versions of notes"] = rows.forget_notes(connection, NOTES)
    if "journal" in wanted:
        counts["entries of the journal"] = rows.clear_journal(connection)
    key = receipts.key(connection) or rows.new_key()
    receipt = receipts.add(connection, NewReceipt(ASKED, dict(counts), key, [], []))
    told = ", ".join(f"{name}: {count:,}" for name, count in counts.items() if count) or "nothing"
    text = f"Memory was reset: {told}. Its receipt is {receipt.name}."
    journal.write(connection, NewEntry(GONE, receipt.name, text, after={"receipt": receipt.uid}))
    return receipt


def _facts(connection: Connection, engine: Engine) -> int:
    ids = rows.every_fact(connection)
    rows.remove_facts(connection, engine, ids)
    forgetting.forget_records(connection, [fact_name(number) for number in ids])
    return len(ids)


def _skills(connection: Connection) -> int:
    """Empty every skill; the folders follow when they are brought in step."""
    known = [one for one in skills.every(connection).values() if one.files or one.state != "deleted"]
    for one in known:
        skills.set_left(connection, one.id, {})
    forgetting.forget_records(connection, [one.name for one in known])
    return len(known)
