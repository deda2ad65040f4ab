"""`hermes notes`: what is always in front of the agent, shown and changed by its owner."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.editing import edit_private
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config import paths
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory.shown.notes import note_json, readable, refusal, removed_json
from hermes_agent.notes import format, prose
from hermes_agent.records.notes import SUBJECTS, Note, Operation, Refused, Removed, Target
from hermes_agent.text.clean import preview
from hermes_agent.text.quantities import counted

if TYPE_CHECKING:
    from hermes_agent.memory.notebook import Notebook

_NOTES: tuple[Note, ...] = ("soul", "user", "memory", "workspace")

_changed = click.option(
    "-t",
    "--target",
    type=click.Choice(["memory", "user", "soul"]),
    default="memory",
    show_default=True,
    help="Which note.",
)


@click.group(
    epilog=examples(
        "hermes notes show",
        'hermes notes add -t user "Prefers metric units"',
        'hermes notes replace -t user "metric" "Prefers imperial units"',
        "hermes notes edit -t soul",
    )
)
def notes() -> None:
    """Show and change what is always in front of the agent.

    USER.md is about you, MEMORY.md about everything else, SOUL.md says who the agent is; workspace/MEMORY.md
    is yours alone. A change counts from the next conversation on; `hermes memory undo` takes it back.
    """


@notes.command(epilog=examples("hermes notes show", "hermes notes show -t user --json"))
@click.option("-t", "--target", type=click.Choice(_NOTES), help="Only this note.")
@as_json
@pass_invocation
def show(invocation: Invocation, target: Note | None, is_json: bool) -> None:
    """Show the notes, and how full they are."""
    with _notebook(invocation) as notebook:
        chosen = _NOTES if target is None else (target,)
        if is_json:
            print_json([note_json(notebook, note) for note in chosen])
            return
        for number, note in enumerate(chosen):
            if number:
                say("")
            _print_note(notebook, note)


@notes.command(
    epilog=examples('hermes notes add "Deploys run on Fridays"', 'hermes notes add -t user "Prefers metric units"')
)
@click.argument("text", nargs=-1, required=True)
@_changed
@pass_invocation
def add(invocation: Invocation, text: tuple[str, ...], target: Note) -> None:
    """Add an entry; to SOUL.md a paragraph."""
    content = " ".join(text)
    with _notebook(invocation) as notebook:
        if target == "soul":
            _write_soul(notebook, prose.add(notebook.text("soul"), content))
        else:
            _change(notebook, target, Operation("add", content))


@notes.command(
    epilog=examples(
        'hermes notes replace "Fridays" "Deploys run on Mondays"',
        'hermes notes replace -t soul "formal" "friendly"',
    )
)
@click.argument("old")
@click.argument("new")
@_changed
@pass_invocation
def replace(invocation: Invocation, old: str, new: str, target: Note) -> None:
    """Replace the entry that holds OLD.

    In SOUL.md only OLD itself is replaced, everything around it stays.
    """
    with _notebook(invocation) as notebook:
        if target == "soul":
            _write_soul(notebook, prose.replace(notebook.text("soul"), old, new, SUBJECTS["soul"]))
        else:
            _change(notebook, target, Operation("replace", new, old))


@notes.command(epilog=examples('hermes notes remove "Fridays"', "hermes notes remove -t user metric"))
@click.argument("old")
@_changed
@pass_invocation
def remove(invocation: Invocation, old: str, target: Note) -> None:
    """Remove the entry that holds OLD.

    From SOUL.md only OLD itself is removed. What was removed is kept: `hermes notes removed` lists it,
    `hermes memory undo` brings it back.
    """
    with _notebook(invocation) as notebook:
        if target == "soul":
            _write_soul(notebook, prose.remove(notebook.text("soul"), old, SUBJECTS["soul"]))
        else:
            _change(notebook, target, Operation("remove", old_text=old))


@notes.command(epilog=examples("hermes notes edit", "EDITOR=nano hermes notes edit -t soul"))
@click.option(
    "-t", "--target", type=click.Choice(_NOTES), default="memory", show_default=True, help="Which note to open."
)
@pass_invocation
def edit(invocation: Invocation, target: Note) -> None:
    """Open a note in $VISUAL or $EDITOR.

    A line with nothing but § stands between two entries.
    """
    with _notebook(invocation) as notebook:
        paths.ensure(invocation.home)
        before = readable(notebook, target)
        edit_private(invocation.home, notebook.path(target))
        for sentence in notebook.reconcile():
            say(sentence, is_error=True)
        if target in ("memory", "user") and notebook.tidy(target):
            say("Space around the entries was put in order.")
        after = readable(notebook, target)
        if after is None:  # which `reconcile` has told
            raise SystemExit(1)
        say("Nothing was changed." if after == before else f"{SUBJECTS[target]}: {_state(notebook, target)}")
        for warning in notebook.snapshot().warnings:
            say(f"Warning: {warning}", is_error=True)


@notes.command(epilog=examples("hermes notes removed", "hermes notes removed -t user --json"))
@click.option("-t", "--target", type=click.Choice(["memory", "user"]), help="Only of this note.")
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many.")
@as_json
@pass_invocation
def removed(invocation: Invocation, target: Target | None, limit: int, is_json: bool) -> None:
    """List what was removed, the latest first."""
    with _notebook(invocation) as notebook:
        gone = notebook.removed(target, limit)
    if is_json:
        print_json([removed_json(entry) for entry in gone])
        return
    for entry in gone:
        _print_removed(invocation, entry)
    if not gone:
        say("Nothing was ever removed.")


@contextmanager
def _notebook(invocation: Invocation) -> "Iterator[Notebook]":
    """Open the notes, first brought together with what was edited by hand."""
    with opened(invocation) as app:
        for sentence in app.notebook.reconcile():
            say(sentence, is_error=True)
        yield app.notebook


def _change(notebook: "Notebook", target: Note, operation: Operation) -> None:
    assert target in ("memory", "user")
    outcome = notebook.change(target, [operation], actor="owner", cause="hermes notes")
    if isinstance(outcome, Refused):
        raise refusal(outcome)
    say(f"{outcome.message} {format.usage(outcome.characters, outcome.limit)}")


def _write_soul(notebook: "Notebook", text: str | Refused) -> None:
    if isinstance(text, Refused):
        raise refusal(text)
    written = notebook.write_soul(text, cause="hermes notes")
    say(written.message)
    for warning in written.warnings:
        say(f"Warning: {warning}", is_error=True)


def _state(notebook: "Notebook", note: Note) -> str:
    if note not in ("memory", "user"):
        return f"{len(notebook.text(note)):,} characters"
    entries = notebook.entries(note)
    count = counted(len(entries), "entry", "entries")
    return f"{count}, {format.usage(format.size(entries), notebook.limits[note])}"


def _print_note(notebook: "Notebook", note: Note) -> None:
    text = readable(notebook, note)
    if text is None:
        say(f"{SUBJECTS[note]}  unreadable", is_bold=True)
        return
    text = text.removeprefix(format.BOM).strip()
    say(f"{SUBJECTS[note]}  {_state(notebook, note) if text else 'empty'}", is_bold=True)
    if note in ("memory", "user"):
        grounds = notebook.grounds(note)
        for entry in notebook.entries(note):
            is_concluded = entry in grounds and grounds[entry].basis == "concluded"
            say("- " + entry.replace("\n", "\n  ") + ("  (concluded)" if is_concluded else ""))
    elif text:
        say(text)


def _print_removed(invocation: Invocation, gone: Removed) -> None:
    when = local_time(gone.at, invocation.settings)[:16]
    instead = "" if gone.replaced_by is None else f"  (now: {preview(gone.replaced_by)})"
    say(f"{when}  {SUBJECTS[gone.note]}  {gone.actor}  {preview(gone.entry, 200)}{instead}")
