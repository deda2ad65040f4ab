"""`hermes memory suggest` and `/remember`: what could be added to the notes, shown first and written after a yes.

Typing 003's sentence in a chat does the same. Nothing is written unasked: unasked notes were wrong too often.
"""

import re
import sys
from collections.abc import Iterator, Sequence

import click

from hermes_agent.agent import review
from hermes_agent.agent.review import Proposal
from hermes_agent.agent.tools.memory import MemoryTool
from hermes_agent.app import App
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.errors import NotFound
from hermes_agent.records.archive import Session
from hermes_agent.records.notes import SUBJECTS, Operation, Refused, Target
from hermes_agent.store.sessions import Listing
from hermes_agent.text.clean import preview
from hermes_agent.text.quantities import counted

NOTHING = "I found nothing in this conversation that I would add to the notes."
HOW_TO_ACCEPT = "Nothing was written. `hermes memory suggest --yes` adds all of them."
QUESTION = "Add all? [y/N, or numbers such as 1,3]"
_SENTENCE = "what should i add to your memory from today's conversation"
_APOSTROPHES = re.compile("[’‘ʼ`´′]")
_LATEST = 100


@click.command(
    epilog=examples(
        "hermes memory suggest", "hermes memory suggest 20261115_181123 --yes", "hermes memory suggest --json"
    )
)
@click.argument("session", required=False)
@click.option("-y", "--yes", is_flag=True, help="Add all of them without asking.")
@as_json
@pass_invocation
def suggest(invocation: Invocation, session: str | None, yes: bool, is_json: bool) -> None:
    """Propose what to add to the notes from a conversation, the latest chat unless one is named.

    Nothing is written before you say yes: to all, or to the numbers you choose.
    """
    with opened(invocation) as app:
        found = latest_chat(app) if session is None else app.memory.session(session)
        proposals = propose(app, found.id)
        written: list[str] = []
        is_asking = bool(proposals) and not yes and not is_json and sys.stdin.isatty()
        if not is_json:
            say("\n".join(listed(proposals)) if proposals else NOTHING)
        if proposals and yes:
            written = accept(app, proposals, found.id, cause="hermes memory suggest")
        elif is_asking:
            click.echo(f"{QUESTION} ", nl=False, err=True)
            chosen = choose(proposals, sys.stdin.readline())
            written = accept(app, chosen, found.id, cause="hermes memory suggest")
        if is_json:
            rows = [{"target": p.target, "file": SUBJECTS[_target(p)], "text": p.text} for p in proposals]
            print_json({"session_id": found.id, "proposals": rows, "written": written})
            return
    for line in written:
        say(line)
    if proposals and not written:
        say("Nothing was added." if is_asking else HOW_TO_ACCEPT)


def is_sentence(said: str) -> bool:
    """Tell whether somebody typed 003's question for proposals."""
    text = _APOSTROPHES.sub("'", " ".join(said.split())).casefold()
    return text.strip("\"'“”„«»?!.… ") == _SENTENCE


def latest_chat(app: App) -> Session:
    """Return the chat that somebody spoke in last."""
    listed = app.memory.sessions(Listing(source="cli"), _LATEST)  # pinned ones lead, whatever their age
    if not listed:
        raise NotFound("There is no conversation yet.", hint="Begin one with: hermes")
    return max((each.session for each in listed), key=lambda session: session.last_active_at)


def propose(app: App, session_id: str) -> list[Proposal]:
    """Ask the model what of a conversation belongs into the notes."""
    opened_session = app.memory.opened(session_id)
    known = [*app.notebook.entries("user"), *app.notebook.entries("memory")]
    spec = MemoryTool(app.notebook, session_id).spec
    return review.suggest(app.model, spec, opened_session.system_prompt or "", opened_session.messages, known)


def listed(proposals: Sequence[Proposal]) -> list[str]:
    """Write the proposals with their numbers and the file each would go to."""
    return [
        f"{number}. {SUBJECTS[_target(proposal)]}: {preview(proposal.text, 400)}"
        for number, proposal in enumerate(proposals, start=1)
    ]


def choose(proposals: Sequence[Proposal], answer: str) -> list[Proposal]:
    """Read an answer: yes takes all, numbers take those, anything else none."""
    answer = answer.strip().lower()
    if answer in ("y", "yes", "a", "all"):
        return list(proposals)
    if not re.fullmatch(r"[\d\s,;]+", answer):
        return []
    numbers = {int(number) for number in re.findall(r"\d{1,9}", answer)}
    return [proposal for number, proposal in enumerate(proposals, start=1) if number in numbers]


def accept(app: App, proposals: Sequence[Proposal], session_id: str, *, cause: str) -> list[str]:
    """Add the proposals to the notes, each note in one step; return a sentence for each note."""
    return list(_accepted(app, proposals, session_id, cause))


def _accepted(app: App, proposals: Sequence[Proposal], session_id: str, cause: str) -> Iterator[str]:
    targets: tuple[Target, ...] = ("user", "memory")
    for target in targets:
        operations = [Operation("add", proposal.text) for proposal in proposals if _target(proposal) == target]
        if not operations:
            continue
        outcome = app.notebook.change(target, operations, actor="owner", session_id=session_id, cause=cause)
        if isinstance(outcome, Refused):
            yield f"{SUBJECTS[target]} was left as it is: {outcome.error}"
        else:
            count = counted(len(operations), "entry", "entries")
            yield f"{count} added to {SUBJECTS[target]}. `hermes memory undo` takes it back."


def _target(proposal: Proposal) -> Target:
    return "user" if proposal.target == "user" else "memory"
