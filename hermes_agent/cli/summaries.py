"""`hermes memory summaries`: what stands for old episodes, opened back to the messages."""

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory.shown.learned import opened_summary_json, summary_json
from hermes_agent.records.summaries import Summary
from hermes_agent.text.clean import preview
from hermes_agent.text.quantities import counted

_QUOTED = 200


@click.group(
    epilog=examples(
        "hermes memory summaries list",
        "hermes memory summaries show summary:007",
        "hermes memory summaries show summary:007 --messages --json",
    )
)
def summaries() -> None:
    """See the summaries that stand for old episodes (`hermes memory compact`)."""


@summaries.command("list", epilog=examples("hermes memory summaries list", "hermes memory summaries list -n 5"))
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many.")
@as_json
@pass_invocation
def list_summaries(invocation: Invocation, limit: int, is_json: bool) -> None:
    """List the summaries of the latest time, the newest last."""
    from hermes_agent.memory import compressing

    with opened(invocation) as app:
        latest = compressing.recent(app.store, limit + 1)
    found = latest[:limit][::-1]
    if is_json:
        print_json([summary_json(one) for one in found])
        return
    for one in found:
        say(f"{one.name}  {_days(one, invocation)}  {counted(one.episode_count, 'episode')}: {one.topic}")
    if len(latest) > limit:
        say(f"There are older ones: -n {2 * limit}", is_error=True, is_dim=True)
    if not found:
        say("There are no summaries yet: they are made of what is old, by `hermes memory compact`.", is_error=True)


@summaries.command(epilog=examples("hermes memory summaries show summary:007 --messages"))
@click.argument("summary")
@click.option("--messages", "with_messages", is_flag=True, help="Open it to the messages it stands for.")
@as_json
@pass_invocation
def show(invocation: Invocation, summary: str, with_messages: bool, is_json: bool) -> None:
    """Show a summary, and the messages behind it."""
    from hermes_agent.memory import compressing

    with opened(invocation) as app:
        found, messages = compressing.opened(app.store, summary)
    if is_json:
        print_json(opened_summary_json(found, messages) if with_messages else summary_json(found))
        return
    say(f"{found.name}: {found.topic}", is_bold=True)
    say(f"{_days(found, invocation)}, {counted(found.episode_count, 'episode')}, worded by {found.written_by}")
    for line in found.lines:
        say(f"  {local_time(line['at'], invocation.settings)[:10]}  {line['who']}: {line['text']}")
    if found.is_discarded:
        say("The messages behind it were discarded.", is_dim=True)
    elif with_messages:
        say("")
        for one in messages:
            when = local_time(one.said_at, invocation.settings)[:16]
            say(f"  {when}  {one.session_id}  {one.speaker or one.role}: {preview(one.content or '', _QUOTED)}")
    else:
        say(f"{counted(len(messages), 'message')} behind it: --messages", is_dim=True)


def _days(one: Summary, invocation: Invocation) -> str:
    first, last = (local_time(moment, invocation.settings)[:10] for moment in (one.said_at, one.ended_at))
    return first if first == last else f"{first} to {last}"
