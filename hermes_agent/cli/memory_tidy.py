"""`hermes memory tidy`: bring memory into order, and say what was done."""

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.jobs import tidying as job
from hermes_agent.jobs.tidying import Tidied
from hermes_agent.learn.same_things import Join
from hermes_agent.learn.tidying import FactMerge, ReflectionMerge
from hermes_agent.memory.full_notes import FullNote, UnreadNote, proposed
from hermes_agent.memory.skill_upkeep import Unused
from hermes_agent.memory.tidying import Tidying, told
from hermes_agent.records.archive import Json
from hermes_agent.text.quantities import counted

_KINDS: tuple[tuple[type[Tidying], str, str, str], ...] = (
    (FactMerge, "facts", "fact", "merged"),
    (ReflectionMerge, "reflections", "reflection", "merged"),
    (Join, "things", "spelling", "joined"),
    (Unused, "skills", "skill", "archived"),
)


@click.command(epilog=examples("hermes memory tidy --dry-run", "hermes memory tidy", "hermes memory tidy --json"))
@click.option("--dry-run", "is_dry", is_flag=True, help="Only say what would be done.")
@as_json
@pass_invocation
def tidy(invocation: Invocation, is_dry: bool, is_json: bool) -> None:
    """Merge facts and reflections that say the same, join spellings of one thing, archive skills nobody uses.

    Nothing is merged that contradicts, holds at another time or is pinned; each change is in `hermes memory log`
    and can be undone. Notes that are nearly full are named, never rewritten. The daemon tidies once a week.
    """
    with opened(invocation) as app:
        for sentence in [] if is_dry else app.sync_skills():
            say(sentence, is_error=True)
        done = follow(job.run(app.notebook, app.settings, is_dry=is_dry))
    if is_json:
        print_json(_payload(done, is_dry=is_dry))
        return
    changes = done.proposals.changes if is_dry else done.made
    for kind, _, noun, verb in _KINDS:
        found = [change for change in changes if isinstance(change, kind)]
        if found:
            say(f"{counted(len(found), noun)} {'would be ' if is_dry else ''}{verb}:")
        for change in found:
            say(f"  {told(change)}")
    if not changes:
        say("There is nothing to tidy.")
    if done.proposals.stale_reflections:
        stale = counted(done.proposals.stale_reflections, "reflection")
        say(f"{stale} ranked lower: old, never met again, not brought back since.")
    for note in done.proposals.notes:
        say(proposed(note))


def _payload(done: Tidied, *, is_dry: bool) -> dict[str, Json]:
    changes = done.proposals.changes if is_dry else done.made
    payload: dict[str, Json] = {"dry_run": is_dry}
    for kind, name, _, _ in _KINDS:
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
