"""What work came to as JSON: jobs that were run, and memory that was tidied."""

from hermes_agent.jobs.tidying import Tidied
from hermes_agent.jobs.worker import Outcome
from hermes_agent.learn.same_things import Join
from hermes_agent.learn.tidying import FactMerge, ReflectionMerge
from hermes_agent.memory.full_notes import FullNote, UnreadNote
from hermes_agent.memory.skill_upkeep import Unused
from hermes_agent.memory.tidying import Tidying, told
from hermes_agent.records.archive import Json

_KINDS: tuple[tuple[type[Tidying], str], ...] = (
    (FactMerge, "facts"),
    (ReflectionMerge, "reflections"),
    (Join, "things"),
    (Unused, "skills"),
)


def outcome_json(outcome: Outcome) -> dict[str, Json]:
    """Write how a job went."""
    return {
        "id": outcome.job.id,
        "kind": outcome.job.kind,
        "ending": outcome.ending,
        "reason": outcome.reason,
    }


def tidied_json(done: Tidied, *, is_dry: bool) -> dict[str, Json]:
    """Write what was tidied, or in a dry run what would be."""
    changes = done.proposals.changes if is_dry else done.made
    payload: dict[str, Json] = {"dry_run": is_dry}
    for kind, name in _KINDS:
        payload[name] = [_change_json(change) for change in changes if isinstance(change, kind)]
    payload["stale_reflections"] = done.proposals.stale_reflections
    payload["notes"] = [
        {"note": one.target, "characters": one.characters, "limit": one.limit, "percent": one.percent}
        for one in done.proposals.notes
        if isinstance(one, FullNote)
    ]
    payload["unreadable_notes"] = [one.target for one in done.proposals.notes if isinstance(one, UnreadNote)]
    return payload


def _change_json(change: Tidying) -> dict[str, Json]:
    match change:
        case FactMerge(kept, merged) | ReflectionMerge(kept, merged):
            return {"merged": merged.name, "into": kept.name, "text": told(change)}
        case Join(other, thing):
            return {"spelling": other.name, "thing": thing.name, "text": told(change)}
        case Unused(kept, days):
            return {"name": kept.skill, "unused_days": days, "text": told(change)}
