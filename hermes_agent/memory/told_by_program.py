"""What another program says: kept as its word, and never in the place of the owner's.

A program that speaks to us is run by the owner, but its text may come from anywhere: a web page it read, a file it
was given. So its sentence is a fact of the source class `import`: found, fenced, in no prompt by itself, and it
replaces nothing. What speaks to the assistant, and every entry of a note, waits for the owner's review. Where it
contradicts the owner both stand, and the owner decides.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hermes_agent import clock
from hermes_agent.errors import ToolError, UsageError
from hermes_agent.ids import new_uid
from hermes_agent.memory import blocked, fact_changes, facts, quarantine
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.fact_journal import write_down
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.naming import named_in
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.redaction import redacted
from hermes_agent.notes import screening
from hermes_agent.records.archive import Message, NewMessage
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Fact, NewFact
from hermes_agent.records.notes import SUBJECTS, Operation, Target
from hermes_agent.records.quarantine import NewQuarantined
from hermes_agent.store import entities, jobs, messages, sessions
from hermes_agent.store import facts as rows
from hermes_agent.store import quarantine as waiting
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.secrets import redact

REVIEW = "Tell the user that `hermes memory review` lists it; do not send it again."
MARK = "from import"
"""How recall and the journal mark such words."""
_REASONS = ("told_by_program",)
_FACT, _NOTE = "remember", "change_notes"
"""What a program asked for with the words that wait."""


@dataclass(frozen=True, slots=True)
class Program:
    """Another program: what the journal calls it, and the session that keeps what waits, begun when needed."""

    name: str
    session: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Kept:
    """A fact that is held now; `is_new` is false for one that was there. `redacted` names what was taken out."""

    fact: Fact
    is_new: bool
    redacted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that is kept but not used before the owner has reviewed it."""

    why: str


@dataclass(frozen=True, slots=True)
class Beside:
    """A correction that stands beside the owner's own word; the owner decides between the two."""

    fact: Fact
    rival: Fact


def remember(memory: Memory, text: str, program: Program) -> Kept | Waiting:
    """Keep a sentence as the program's word; what speaks to the assistant waits for the owner."""
    sentence, kinds = redact(facts.one_line(text))
    suspicious = _suspicious(memory, sentence, program)
    if suspicious is not None:
        return suspicious
    store = memory.store
    with store.read() as connection:
        blocked.refuse(connection, sentence)
    fate = facts.add_imported(store, sentence, clock.now(), program.name, is_own=False, actor=program.name)
    with store.read() as connection:
        kept = rows.alike(connection, store.engine, sentence)
    if kept is None:
        raise UsageError("It was deleted again meanwhile.", hint="Send it again if it is still true.")
    return Kept(kept, fate == "new", tuple(kinds))


def correct(
    memory: Memory, typed: str, text: str, program: Program, seen: Fact | None = None
) -> Kept | Waiting | Beside:
    """Put a sentence in the place of a program's fact, or beside one that is the owner's.

    `seen` is the fact as the program looked at it. Whose it is may change until it is written: then it is refused.
    """
    store = memory.store
    former = seen or facts.get(store, typed)
    sentence, kinds = redact(facts.one_line(text))
    suspicious = _suspicious(memory, sentence, program)
    if suspicious is not None:
        return suspicious
    if facts.is_owners(former):
        return _put_beside(store, former, sentence, program)
    made = fact_changes.edit(store, former.name, sentence, actor=program.name, is_own=False, seen=former)
    return Kept(made.fact, True, tuple(kinds))


def delete(memory: Memory, typed: str, program: Program, seen: Fact | None = None) -> Fact:
    """Stop holding a fact to be true; what the owner said only the owner deletes."""
    former = seen or facts.get(memory.store, typed)
    if facts.is_owners(former):
        raise UsageError(
            f"{former.name} is the owner's own word: another program does not delete it.",
            hint=f"The owner does: hermes memory fact delete {former.name}",
        )
    return facts.delete(memory.store, former.name, actor=program.name, seen=former)


def propose_notes(
    memory: Memory, notebook: Notebook, target: Target, texts: Sequence[str], program: Program
) -> Waiting:
    """Let entries for a note wait for the owner's review, all or none: notes are in every prompt.

    What the note says already, or what waits already, is not held again; what the owner rejected is refused.
    """
    new = _proposable(notebook, target, texts)
    _hold(memory, target, new, program)
    what = "the entry" if len(new) == 1 else "the entries"
    return Waiting(f"{SUBJECTS[target]} is in every prompt, so the owner reviews {what} first.")


def told_as_fact(message: Message) -> str | None:
    """Return the program that told a sentence as a fact, which waits or waited; None for any other message."""
    is_told = (message.role, message.source_class, message.tool_name) == ("tool", "import", _FACT)
    return message.speaker if is_told else None


def _suspicious(memory: Memory, sentence: str, program: Program) -> Waiting | None:
    """Let a sentence wait that speaks to the assistant; None for most."""
    if not screening.find(sentence, "foreign"):
        return None
    # Kept like every text from elsewhere: the quarantine sees it there, and learns of it once it is accepted.
    memory.append(program.session(), *_said(_FACT, [sentence], program))
    return Waiting("It reads like an instruction, not like a fact, so the owner reviews it first.")


def _proposable(notebook: Notebook, target: Target, texts: Sequence[str]) -> list[str]:
    """Return the entries that a note does not hold yet; all of them must be such as may be written."""
    entries = list(dict.fromkeys(text.strip() for text in texts))
    if not all(entries):
        raise UsageError("There is nothing to note.", hint="Send the text of each entry.")
    longest, limit = max(map(len, entries)), notebook.limits[target]
    if longest > limit:
        raise ToolError(
            f"An entry has {longest:,} characters, more than the {limit:,} of all of {SUBJECTS[target]}.",
            hint="Say it in a sentence.",
        )
    refused = notebook.refusal([Operation("add", entry) for entry in entries])
    if refused is not None:
        raise ToolError(refused.error, hint=refused.advice or None)
    known = notebook.entries(target)
    new = [entry for entry in entries if entry not in known]
    if not new:
        raise UsageError(f"{SUBJECTS[target]} says so already.", hint="Nothing is left to do.")
    return new


def _unseen(connection: Connection, target: Target, entries: Sequence[str]) -> list[str]:
    """Return the entries that do not wait already; what was accepted and is gone from the note waits anew."""
    former = waiting.of_entries(connection, target, entries)
    rejected = next((one for one in former.values() if one.state == "rejected"), None)
    if rejected is not None:
        raise UsageError(
            f"The owner decided against an entry for {SUBJECTS[target]} ({rejected.name}).",
            hint="Do not send it again.",
        )
    return [entry for entry in entries if entry not in former or former[entry].state == "accepted"]


def _hold(memory: Memory, target: Target, entries: Sequence[str], program: Program) -> None:
    """Keep the entries that do not wait already, and let them wait."""
    with memory.store.read() as connection:
        unseen = _unseen(connection, target, entries)
    if not unseen:
        return
    session_id = program.session()
    said = [redacted(one) for one in _said(_NOTE, unseen, program)]
    found = quarantine.suspicions(memory.store, session_id, said)
    looked_at = dict(zip(unseen, zip(said, found, strict=True), strict=True))
    with memory.store.write() as connection:
        # Another may have proposed the same since it was looked for.
        waiting.lock(connection)
        left = _unseen(connection, target, unseen)
        sessions.require(connection, session_id)
        new, suspicions = [looked_at[one][0] for one in left], [looked_at[one][1] for one in left]
        ids = messages.append(connection, memory.store.engine, session_id, new)
        quarantine.keep(connection, session_id, ids, new, suspicions)
        held = [
            NewQuarantined("note", session_id, "import", _REASONS, message_id, target, entry)
            for message_id, entry in zip(ids, left, strict=True)
        ]
        quarantine.hold_notes(connection, held)


def _said(what: str, texts: Sequence[str], program: Program) -> list[NewMessage]:
    return [
        NewMessage("tool", text, source_class="import", tool_name=what, speaker=program.name) for text in texts
    ]


def _put_beside(store: Store, former: Fact, sentence: str, program: Program) -> Beside:
    with store.write() as connection:
        rows.lock(connection)
        facts.require_current(connection, former.name, former)
        known = rows.alike(connection, store.engine, sentence)
        if known is not None:
            raise UsageError(f"{known.name} says so already.", hint="Nothing is left to do.")
        blocked.refuse(connection, sentence)
        made = _add_beside(connection, store, former, sentence, program)
        return Beside(made, former)


def _add_beside(connection: Connection, store: Store, former: Fact, sentence: str, program: Program) -> Fact:
    now = clock.now()
    entry_uid = new_uid(now)
    reason = f"told by {program.name}"
    new = NewFact(sentence, "import", facts.IMPORTED, reason, now, learned_at=now, source_entry=entry_uid)
    made = rows.add(connection, store.engine, new)
    disputes = rows.dispute(connection, made.id, [former.id], f"{program.name} would correct it", now)
    text = f"{made.name} stands beside {former.name}: {program.name} would correct it."
    entry = NewEntry("fact.imported", made.name, text, program.name, after=facts.told(made))
    write_down(connection, entry, added=[made], disputes=disputes, uid=entry_uid)
    entities.link(connection, "fact", {made.id: named_in([sentence])})
    jobs.add(connection, EMBED, EMBED)
    return made
