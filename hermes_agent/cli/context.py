"""`hermes memory context`: what memory puts in front of a task, exactly as it is sent, and why."""

from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config.settings import MEMORY_RETRIEVAL_ENABLED
from hermes_agent.memory.shown.context import context_json
from hermes_agent.recall.context import OVER_BUDGET, named
from hermes_agent.recall.reasons import signals_of, two_digits
from hermes_agent.text.clean import preview
from hermes_agent.text.dates import last_moment_of
from hermes_agent.text.quantities import counted, days_text

if TYPE_CHECKING:
    from hermes_agent.recall.context import Context
    from hermes_agent.recall.hit import Hit

_SHOWN = 70


@click.command(
    epilog=examples(
        'hermes memory context "Which database does Atlas use?"',
        'hermes memory context "plan the release" --explain',
        'hermes memory context "plan the release" --as-of 2026-03-01 --budget 500 --json',
    )
)
@click.argument("task", nargs=-1, required=True)
@click.option("--explain", is_flag=True, help="Say why each was taken or left out.")
@click.option("--as-of", metavar="DATE", help="As memory stood then.")
@click.option("--budget", type=click.IntRange(0, 10_000_000), help="Most tokens, instead of contextBudgetTokens.")
@as_json
@pass_invocation
def context(
    invocation: Invocation,
    task: tuple[str, ...],
    explain: bool,
    as_of: str | None,
    budget: int | None,
    is_json: bool,
) -> None:
    """Print what memory puts in front of a task, exactly as a model gets it."""
    with opened(invocation) as app:
        moment = last_moment_of(as_of, app.zone)
        found = app.memory.recall(" ".join(task), budget_tokens=budget, as_of=moment)
        is_sent = app.settings[MEMORY_RETRIEVAL_ENABLED]
    for trouble in found.found.troubles:
        say(trouble, is_error=True)
    if not is_sent:
        say("memory.retrieval.enabled is false: models get nothing of this.", is_error=True)
    if is_json:
        print_json(context_json(found, is_sent=is_sent))
        return
    say(found.text or _why_empty(found), is_error=not found.text)
    if explain:
        _explain(found)


def _why_empty(found: "Context") -> str:
    cut = sum(left.reason == OVER_BUDGET for left in found.left_out)
    if cut:
        return f"{counted(cut, 'memory', 'memories')} would fit, but the budget is too small for any of them."
    return "Memory holds nothing that fits."


def _explain(found: "Context") -> None:
    vectors = found.found.fingerprint or "none"
    days = "" if found.found.days is None else f" Days asked for: {days_text(found.found.days)}."
    say(f"\nCompared with {counted(found.found.compared, 'message')}; vectors: {vectors}.{days}")
    for item, hit, reason in zip(found.items, found.hits, found.reasons, strict=True):
        say(f"\nTaken, {reason}: {item.where}: {preview(item.text, _SHOWN)}")
        say(f"  {_scores(hit)}")
    # What only the budget cut would have been next.
    for left in sorted(found.left_out, key=lambda left: left.reason != OVER_BUDGET):
        where = named(left.hit) or f"message {left.hit.message_id}"
        say(f"\nLeft out, {left.reason}: {where}: {preview(left.hit.text, _SHOWN)}")
        say(f"  {_scores(left.hit)}")


def _scores(hit: "Hit") -> str:
    cosine = "" if hit.cosine is None else f", cosine {hit.cosine:.2f}"
    parts = signals_of(hit)
    signals = f" = {' '.join(parts)}, …" if parts else ""
    return (
        f"relevance {two_digits(hit.relevance)}{cosine}; {', '.join(hit.passes)}; score {hit.score:.2f}{signals}"
    )
