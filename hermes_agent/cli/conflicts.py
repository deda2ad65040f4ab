"""`hermes memory conflicts`: facts that contradict each other, for their owner to decide."""

import click

from hermes_agent.cli.fact_lines import name_and_text
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory import fact_history
from hermes_agent.memory.facts import sourced
from hermes_agent.memory.shown.facts import SETTLE, conflict_json


@click.command(epilog=examples("hermes memory conflicts", "hermes memory conflicts --json"))
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many.")
@as_json
@pass_invocation
def conflicts(invocation: Invocation, limit: int, is_json: bool) -> None:
    """List facts that contradict each other and are both kept until you decide, the latest first.

    Delete the one that is wrong, or edit it; the conflict is settled then.
    """
    with opened(invocation) as app:
        found = fact_history.conflicts(app.store, limit)
        pairs = [sourced(app.store, [one.rival, one.fact]) for one in found] if is_json else []
    if is_json:
        print_json([conflict_json(one, pair) for one, pair in zip(found, pairs, strict=True)])
        return
    for one in found:
        say(f"{one.rival.name} and {one.fact.name}: {one.reason}.", is_bold=True)
        for side in (one.rival, one.fact):
            who = "" if side.trust == "owner" else f", {side.source_class}"
            say(f"  {name_and_text(side)} (said {local_time(side.said_at, invocation.settings)}{who})")
    if found:
        ways = " or ".join(way.format(name="NUMBER") for way in SETTLE)
        say(f"Settle it: {ways}")
    else:
        say("No facts contradict each other.")
