"""`remember`, `correct_fact` and `delete_fact`: how another agent changes what is held to be true.

Unless it speaks for the owner, what it says is kept as a program's word; see `memory/told_by_program.py`.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from hermes_agent.errors import ToolError
from hermes_agent.mcp.tools import facts as shown
from hermes_agent.mcp.tools.facts import FactAnswer
from hermes_agent.mcp.tools.tool import Reply, Tool, question
from hermes_agent.mcp.visit import Visit
from hermes_agent.memory import fact_changes, facts, told_by_program
from hermes_agent.memory.told_by_program import REVIEW, Beside, Kept, Waiting
from hermes_agent.records.memory import Fact
from hermes_agent.records.notes import SUBJECTS, Operation, Refused

Outcome = Literal["kept", "known", "waiting", "beside", "deleted"]


@dataclass(frozen=True, slots=True)
class RememberCall:
    """Arguments of `remember`."""

    text: Annotated[str, "One sentence that stays true by itself: names and dates instead of “he” and “tomorrow”."]
    target: Annotated[
        Literal["fact", "user", "memory"],
        "fact: found when it fits. user, memory: an entry of the notes that are in every prompt; only for what "
        "always matters.",
    ] = "fact"


@dataclass(frozen=True, slots=True)
class CorrectCall:
    """Arguments of `correct_fact`."""

    fact: Annotated[str, "The fact that is wrong: fact:042."]
    text: Annotated[str, "What it should say instead, in one sentence."]


@dataclass(frozen=True, slots=True)
class DeleteCall:
    """Arguments of `delete_fact`."""

    fact: Annotated[str, "The fact that is wrong: fact:042."]


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of it; `fact` is null while something waits for the owner's review."""

    outcome: Outcome
    message: str
    fact: FactAnswer | None


def remember(visit: Visit, call: RememberCall) -> Reply:
    """Keep a sentence, as a fact or in a note."""
    if call.target != "fact":
        return _note(visit, call)
    if not visit.access.is_owner:
        return _told(visit, told_by_program.remember(visit.memory, call.text, visit.program))
    made = facts.add(visit.app.store, call.text, actor=visit.access.actor)
    if isinstance(made, facts.KnownAlready):
        return _reply(visit, "known", f"{made.fact.name} says so already.", made.fact)
    return _told(visit, Kept(made.fact, True, tuple(made.redacted)))


def correct(visit: Visit, call: CorrectCall) -> Reply:
    """Put a sentence in the place of a wrong one."""
    typed = question("fact", call.fact)
    if not visit.access.is_owner:
        return _told(visit, told_by_program.correct(visit.memory, typed, call.text, visit.program))
    made = fact_changes.edit(visit.app.store, typed, call.text, actor=visit.access.actor)
    return _told(visit, Kept(made.fact, True, tuple(made.redacted)))


def delete(visit: Visit, call: DeleteCall) -> Reply:
    """Stop holding a fact to be true."""
    typed = question("fact", call.fact)
    if visit.access.is_owner:
        gone = facts.delete(visit.app.store, typed, actor=visit.access.actor)
    else:
        gone = told_by_program.delete(visit.memory, typed, visit.program)
    told = f"{gone.name} is not held to be true any more. The owner can undo it: hermes memory undo"
    return _reply(visit, "deleted", told, gone)


def _note(visit: Visit, call: RememberCall) -> Reply:
    target = call.target
    assert target != "fact", "facts are kept elsewhere"
    app = visit.app
    if not visit.access.is_owner:
        waiting = told_by_program.propose_notes(visit.memory, visit.notebook(), target, [call.text], visit.program)
        return _told(visit, waiting)
    done = app.notebook.change(target, [Operation("add", call.text)], actor=visit.access.actor, is_owner=True)
    if isinstance(done, Refused):
        raise ToolError(done.error, hint=done.advice or None)
    return _reply(visit, "kept", f"{SUBJECTS[target]}: {done.message}", None)


def _told(visit: Visit, outcome: Kept | Waiting | Beside) -> Reply:
    match outcome:
        case Waiting(why):
            return _reply(visit, "waiting", f"{why} {REVIEW}", None)
        case Beside(fact, rival):
            told = (
                f"{rival.name} is the owner's own word, so {fact.name} stands beside it until the owner decides: "
                "hermes memory conflicts"
            )
            return _reply(visit, "beside", told, fact)
        case Kept(fact, is_new, redacted):
            taken_out = f" Taken out before it was kept: {', '.join(redacted)}." if redacted else ""
            told = f"Kept as {fact.name}." if is_new else f"{fact.name} says so already."
            return _reply(visit, "kept" if is_new else "known", told + taken_out, fact)


def _reply(visit: Visit, outcome: Outcome, message: str, fact: Fact | None) -> Reply:
    return Reply(Changed(outcome, message, None if fact is None else shown.of(fact, visit)), message)


TOOLS = (
    Tool(
        "remember",
        "Remember something",
        "Keep one sentence that will still be true and useful in weeks: a preference, a decision, a name, a "
        "date, how something works. Call it when the user says so, or tells you something that later work "
        "depends on. Not for progress, to-do items, secrets, or what can be looked up. What you keep is marked "
        "as your word, not the user's; an entry for a note waits for the user's review.",
        RememberCall,
        Changed,
        remember,
        needs="write",
        is_idempotent=True,
    ),
    Tool(
        "correct_fact",
        "Correct a fact",
        "Put a sentence in the place of a fact that is wrong; the old one stays in its history. Where the fact "
        "is the user's own word, yours stands beside it until the user decides. For what was right and has "
        "changed, remember what is so now.",
        CorrectCall,
        Changed,
        correct,
        needs="write",
        is_destructive=True,
    ),
    Tool(
        "delete_fact",
        "Delete a fact",
        "Stop holding a fact to be true because it is wrong; it stays in the history and can be brought back. "
        "Look at it with show_fact first. What the user said only the user deletes.",
        DeleteCall,
        Changed,
        delete,
        needs="write",
        is_destructive=True,
    ),
)
