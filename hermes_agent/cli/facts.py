"""`hermes memory fact` and `hermes memory facts`: what is held to be true, as its owner says it."""

from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import counted, examples, local_time, print_json, say
from hermes_agent.cli.shown import entry_json, fact_json, message_json
from hermes_agent.memory import facts as verbs
from hermes_agent.records.archive import Message
from hermes_agent.records.journal import Entry
from hermes_agent.records.memory import Fact
from hermes_agent.text.clean import preview

if TYPE_CHECKING:
    from hermes_agent.config.load import Settings

_HIGH, _MEDIUM = 0.8, 0.5
_QUOTED = 400


@click.group(
    epilog=examples(
        'hermes memory fact add "My timezone is Europe/London"',
        "hermes memory fact list",
        "hermes memory fact show fact:042",
        "hermes memory fact delete fact:044",
    )
)
def fact() -> None:
    """Add, show and delete facts: single sentences that are held to be true."""


@click.group(epilog=examples("hermes memory facts list --recent 20"))
def facts() -> None:
    """List facts; `hermes memory fact` changes them."""


@fact.command(
    epilog=examples(
        'hermes memory fact add "User\'s timezone is Europe/London (UTC+1 in summer)"',
        'hermes memory fact add "Deadline for Q2 report: 2026-06-30" --json',
    )
)
@click.argument("text", nargs=-1, required=True)
@as_json
@pass_invocation
def add(invocation: Invocation, text: tuple[str, ...], is_json: bool) -> None:
    """Add a fact: one sentence of at most 2,000 characters. The same sentence twice is one fact."""
    with opened(invocation) as app:
        outcome = verbs.add(app.store, " ".join(text), cause="hermes memory fact add")
    if isinstance(outcome, verbs.KnownAlready):
        say(f"{outcome.fact.name} says so already.", is_error=True)
    elif outcome.redacted:
        say(f"Taken out before it was kept: {', '.join(outcome.redacted)}.", is_error=True)
    if is_json:
        print_json(fact_json(outcome.fact))
    else:
        say(_name_and_text(outcome.fact))


@click.command("list", epilog=examples("hermes memory facts list --recent 20", "hermes memory facts list --all"))
@click.option("-n", "--recent", default=20, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--all", "is_all", is_flag=True, help="Also those that are not held to be true any more.")
@as_json
@pass_invocation
def list_facts(invocation: Invocation, recent: int, is_all: bool, is_json: bool) -> None:
    """List facts, the newest first. One that is not certain is followed by how sure memory is of it."""
    with opened(invocation) as app:
        found = verbs.recent(app.store, recent, with_ended=is_all)
    if is_json:
        print_json([fact_json(one) for one in found])
        return
    for one in found:
        say(_line(one))
    if not found:
        say('There are no facts. Add one: hermes memory fact add "…"')


fact.add_command(list_facts)
facts.add_command(list_facts)


@fact.command(epilog=examples("hermes memory fact show fact:042", "hermes memory fact show 42 --json"))
@click.argument("number")
@as_json
@pass_invocation
def show(invocation: Invocation, number: str, is_json: bool) -> None:
    """Show everything about a fact: where it came from, since when it holds, how sure memory is."""
    with opened(invocation) as app:
        found = verbs.get(app.store, number)
        source = verbs.source(app.store, found)
    if is_json:
        opened_source = message_json(source) if isinstance(source, Message) else source and entry_json(source)
        print_json({**fact_json(found), "source": opened_source})
        return
    say(_name_and_text(found), is_bold=True)
    for name, value in _described(found, source, invocation.settings):
        say(f"{name}: {value}")


@fact.command(epilog=examples("hermes memory fact delete fact:044", "hermes memory fact delete 44"))
@click.argument("number")
@pass_invocation
def delete(invocation: Invocation, number: str) -> None:
    """Delete a fact: it is not held to be true any more. `fact list --all` still shows it."""
    with opened(invocation) as app:
        gone = verbs.delete(app.store, number, cause="hermes memory fact delete")
    say(f"Deleted: {_name_and_text(gone)}")


def _name_and_text(one: Fact) -> str:
    return f"[{one.name}] {one.text}"


def _line(one: Fact) -> str:
    """Write a fact as 002 prints it: what is certain has no confidence."""
    sure = "" if one.confidence >= 1.0 else f" (confidence: {_confidence(one)})"
    ended = "" if one.state == "current" else f" ({one.state})"
    return _name_and_text(one) + sure + ended


def _confidence(one: Fact) -> str:
    if one.confidence >= _HIGH:
        return "high"
    return "medium" if one.confidence >= _MEDIUM else "low"


def _described(one: Fact, source: Message | Entry | None, settings: "Settings") -> list[tuple[str, str]]:
    """Return what there is to say about a fact, each with its name."""

    def when(moment: int | None) -> str:
        return "" if moment is None else local_time(moment, settings)

    slot = " · ".join(part for part in (one.subject, one.attribute, one.value) if part)
    described = [
        ("State", one.state if one.ended_at is None else f"{one.state}, {when(one.ended_at)}"),
        ("Confidence", f"{_confidence(one)} ({one.confidence:.2f}): {one.confidence_reason}"),
        ("Said", f"{when(one.said_at)} ({one.source_class})"),
        ("Learned", when(one.learned_at)),
        ("True from", when(one.valid_from)),
        ("True until", when(one.valid_to)),
        ("About", slot),
        ("Said again", counted(one.corroborations, "time") if one.corroborations else ""),
        ("Instead of", one.supersedes or ""),
        ("Source", _source(one, source, settings)),
    ]
    return [(name, value) for name, value in described if value]


def _source(one: Fact, source: Message | Entry | None, settings: "Settings") -> str:
    if source is None:
        return "gone"
    if isinstance(source, Message):
        words = (source.content or "")[one.span_start : one.span_end]
        return f"session {source.session_id}, {local_time(source.said_at, settings)}: “{preview(words, _QUOTED)}”"
    cause = f" ({source.cause})" if source.cause else ""
    return f"{source.kind} by {source.actor}, {local_time(source.at, settings)}{cause}"
