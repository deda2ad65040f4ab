"""`hermes memory cost`: what memory costs, and what it saves."""

from collections.abc import Sequence

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened
from hermes_agent.cli.output import examples, print_json, print_table, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory import spending
from hermes_agent.memory.shown.cost import by_work, cost_json
from hermes_agent.memory.spending import KEPT_DAYS, SETTING, DayCost, Today
from hermes_agent.records.jobs import Job
from hermes_agent.records.spending import Cost
from hermes_agent.text.quantities import counted

_NUMBERS = ["CALLS", "TOKENS IN", "TOKENS OUT", "TIME", "TOKENS SAVED"]


@click.command(
    epilog=examples(
        "hermes memory cost",
        "hermes memory cost --days 30",
        "hermes memory cost --by item --days 1",
        "hermes memory cost --json",
    )
)
@click.option(
    "--days", default=7, show_default=True, type=click.IntRange(1, KEPT_DAYS), help="So many days, with today."
)
@click.option(
    "--by", type=click.Choice(["day", "item"]), default="day", show_default=True, help="Added up by what."
)
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many items.")
@as_json
@pass_invocation
def cost(invocation: Invocation, days: int, by: str, limit: int, is_json: bool) -> None:
    """Tell what memory costs: calls, tokens and time, by day or by item, and the tokens that recall saved.

    Tokens are those that the model's server counted, or a guess where it counts none; a model or an embedder on
    this machine that has no server takes none. Items are listed with the dearest first.
    """
    with opened(invocation) as app:
        found = spending.days(app.store, days, app.zone)
        items = spending.items(app.store, days, app.zone, limit) if by == "item" else []
        today, capped = app.cap.today(app.store), spending.waiting(app.store)
    if is_json:
        print_json(cost_json(found, items, today, capped))
        return
    if not found:
        say(f"Nothing was spent in the last {counted(days, 'day')}. It is counted with the first task.")
    elif by == "item":
        print_table(
            ["ITEM", "WORK", "LAST", *_NUMBERS],
            [
                (one.item or "-", one.work, local_time(one.last_at, invocation.settings), *_cells(one.cost))
                for one in items
            ],
        )
    else:
        print_table(["DAY", "WORK", *_NUMBERS], _rows(found))
    for line in _told(today, capped, local_time(today.until, invocation.settings)):
        say(line)


def _rows(found: Sequence[DayCost]) -> list[tuple[str, ...]]:
    rows = [
        (one.day.isoformat(), work, *_cells(spent)) for one in found for work, spent in sorted(one.by_work.items())
    ]
    totals = by_work(found)
    rows += [("total", work, *_cells(spent)) for work, spent in totals.items()] if len(found) > 1 else []
    return [*rows, ("total", "all", *_cells(spending.total(list(totals.values()))))]


def _cells(spent: Cost) -> tuple[str, ...]:
    counts = (f"{spent.calls:,}", f"{spent.input_tokens:,}", f"{spent.output_tokens:,}")
    return (*counts, _time(spent.milliseconds), f"{spent.saved_tokens:,}" if spent.saved_tokens else "-")


def _time(milliseconds: float) -> str:
    return f"{milliseconds:,.0f} ms" if milliseconds < 10_000 else f"{milliseconds / 1_000:,.0f} s"


def _told(today: Today, capped: Sequence[Job], until: str) -> list[str]:
    """Say how much of the cap is used, and what waits."""
    if not today.cap:
        used = f"Background work took {counted(today.used, 'token')} today; no cap is set."
        lines = [f"{used} One is set by: hermes config set {SETTING} 100000"]
    else:
        lines = [f"Background work took {today.used:,} of {counted(today.cap, 'token')} today ({SETTING})."]
    if today.is_reached:
        lines.append(f"The cap is reached: what would ask a model waits until {until}.")
    if capped:
        lines.append(f"Waiting: {', '.join(f'job {job.id} ({job.kind})' for job in capped)}")
    return lines
