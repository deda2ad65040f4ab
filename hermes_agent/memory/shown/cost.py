"""What memory costs as JSON: by day, by item, in total, and how much of the day's cap is used."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from hermes_agent import clock
from hermes_agent.memory import spending
from hermes_agent.memory.spending import DayCost, Today
from hermes_agent.records.archive import Json
from hermes_agent.records.jobs import Job
from hermes_agent.records.spending import Cost, ItemCost


def cost_json(
    found: Sequence[DayCost], items: Sequence[ItemCost], today: Today, capped: Sequence[Job]
) -> dict[str, Json]:
    """Write what the days cost; `capped` are the jobs that wait because the cap is reached."""
    totals = by_work(found)
    return {
        "days": [{"day": one.day.isoformat(), "work": _costs(one.by_work)} for one in found],
        "items": [
            {"item": one.item, "work": one.work, "last_at": clock.iso(one.last_at), **asdict(one.cost)}
            for one in items
        ],
        "totals": _costs(totals),
        "total": asdict(spending.total(list(totals.values()))),
        "cap": {
            "daily_tokens": today.cap or None,
            "used_today": today.used,
            "is_reached": today.is_reached,
            "until": clock.iso(today.until),
            "waiting_jobs": [job.id for job in capped],
        },
    }


def by_work(found: Sequence[DayCost]) -> dict[str, Cost]:
    """Add up what each kind of work cost over all days."""
    totals: dict[str, Cost] = {}
    for one in found:
        for work, spent in one.by_work.items():
            totals[work] = totals.get(work, Cost()) + spent
    return dict(sorted(totals.items()))


def _costs(costs: Mapping[str, Cost]) -> dict[str, Json]:
    return {work: asdict(spent) for work, spent in sorted(costs.items())}
