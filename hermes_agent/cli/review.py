"""`hermes memory review`: what is in quarantine, for its owner to accept or to reject."""

from collections.abc import Callable, Sequence

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.memory import quarantine, reviewing
from hermes_agent.memory.shown.quarantine import REASONS, decided_json, quarantined_json
from hermes_agent.records.notes import SUBJECTS
from hermes_agent.records.quarantine import Quarantined, QuarantineState
from hermes_agent.text.clean import preview
from hermes_agent.text.quantities import counted

_LINE = 100
_ALL = 10_000

_limit = click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many.")
_state = click.option(
    "--state",
    default="waiting",
    show_default=True,
    type=click.Choice(["waiting", "accepted", "rejected", "all"]),
    help="What waits, or what was decided.",
)


@click.group(
    invoke_without_command=True,
    epilog=examples(
        "hermes memory review",
        "hermes memory review list --state rejected --json",
        "hermes memory review show review:007",
        "hermes memory review accept review:007",
        "hermes memory review accept handover:0192f0c1a4b0",
        "hermes memory review reject 7 8 9",
    ),
)
@_limit
@as_json
@click.pass_context
def review(context: click.Context, limit: int, is_json: bool) -> None:
    """Decide about what is in quarantine: texts from elsewhere that speak to the assistant, and notes of them.

    They are kept, but neither recalled nor learned from. What you accept is recalled without a mark, and what a
    person said in it counts like your own word; what you reject is never used. Without a command this lists what
    waits.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_waiting, limit=limit, state="waiting", is_json=is_json)


@review.command(
    "list", epilog=examples("hermes memory review list", "hermes memory review list --state all --json")
)
@_limit
@_state
@as_json
@pass_invocation
def list_waiting(invocation: Invocation, limit: int, state: str, is_json: bool) -> None:
    """List what waits for your word, the latest first."""
    wanted: QuarantineState | None = None if state == "all" else state  # type: ignore[assignment]
    with opened(invocation) as app:
        found = quarantine.waiting(app.store, limit, wanted)
        told = [(one, *quarantine.words_of(app.store, one)) for one in found]
    if is_json:
        print_json([quarantined_json(one, words, message) for one, words, message in told])
        return
    for one, words, _ in told:
        decided = "" if one.state == "waiting" else f" ({one.state})"
        say(f"[{one.name}] {_what(one)}, {local_time(one.at, invocation.settings)[:16]}{decided}", is_bold=True)
        say(f"  {preview(words, _LINE)}")
    if found and state == "waiting":
        say("See one: hermes memory review show NUMBER. Then accept or reject it.")
    elif not found:
        say("Nothing waits for your review." if state == "waiting" else "There is nothing.")


@review.command(epilog=examples("hermes memory review show review:007", "hermes memory review show 7 --json"))
@click.argument("number")
@as_json
@pass_invocation
def show(invocation: Invocation, number: str, is_json: bool) -> None:
    """Show the words in question, where they came from, and what is suspicious about them."""
    with opened(invocation) as app:
        one = quarantine.require(app.store, number)
        words, message = quarantine.words_of(app.store, one)
    if is_json:
        print_json(quarantined_json(one, words, message))
        return
    say(f"[{one.name}] {_what(one)}", is_bold=True)
    say(f"State: {one.state}")
    say(f"Kept: {local_time(one.at, invocation.settings)}")
    say(f"Why: {'; '.join(REASONS.get(reason, reason) for reason in one.reasons)}")
    say(f"Session: {one.session_id}" + ("" if message is None else f", message {message.id}"))
    for line in words.splitlines():
        say(f"  | {line}")


@review.command(
    epilog=examples("hermes memory review accept review:007", "hermes memory review accept 7 8 --json")
)
@click.argument("numbers", nargs=-1, required=True)
@as_json
@pass_invocation
def accept(invocation: Invocation, numbers: tuple[str, ...], is_json: bool) -> None:
    """Let it be used: what a person said is learned from, what a program told is a fact, a note is written.

    handover:ID lets what another profile handed over count like your own word.
    """
    cause = "hermes memory review accept"

    def decide(number: str) -> Sequence[Quarantined]:
        if number.strip().lower().startswith("handover:"):
            return reviewing.accept_handover(app.store, number, zone=app.zone, cause=cause)
        return [reviewing.accept(app.store, app.notebook, number, zone=app.zone, cause=cause)]

    with opened(invocation) as app:
        _each(numbers, decide, is_json)


@review.command(epilog=examples("hermes memory review reject review:007", "hermes memory review reject --all"))
@click.argument("numbers", nargs=-1)
@click.option("--all", "is_all", is_flag=True, help="Everything that waits.")
@as_json
@pass_invocation
def reject(invocation: Invocation, numbers: tuple[str, ...], is_all: bool, is_json: bool) -> None:
    """Never use it. The archive keeps the words; `hermes sessions delete` removes them with their session."""
    if bool(numbers) == is_all:
        raise UsageError("Say which.", hint="Name numbers, or --all.")
    with opened(invocation) as app:
        chosen = [one.name for one in quarantine.waiting(app.store, _ALL)] if is_all else numbers
        _each(
            chosen,
            lambda number: [reviewing.reject(app.store, number, cause="hermes memory review reject")],
            is_json,
        )


def _each(numbers: Sequence[str], decide: Callable[[str], Sequence[Quarantined]], is_json: bool) -> None:
    """Decide about one after the other; what cannot be decided is told in the end, and the others stay decided."""
    done: list[Quarantined] = []
    troubles: list[HermesError] = []
    for number in numbers:
        try:
            done += decide(number)
        except HermesError as error:
            troubles.append(error)
    if is_json:
        print_json([decided_json(one) for one in done])
    else:
        for one in done:
            say(f"{one.state.capitalize()}: {one.name}")
        if not numbers:
            say("Nothing waits for your review.")
    if len(troubles) > 1:
        raise HermesError(
            " ".join(error.message for error in troubles), hint=f"{counted(len(done), 'other')} done."
        )
    if troubles:
        raise troubles[0]


def _what(one: Quarantined) -> str:
    if one.target is not None:
        return f"a note for {SUBJECTS[one.target]}, from {one.source_class}"
    return "a message with pasted text" if one.source_class == "user" else f"a message from {one.source_class}"
