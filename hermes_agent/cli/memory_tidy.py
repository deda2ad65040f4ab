"""`hermes memory tidy`: bring memory into order, and say what was done."""

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.jobs import tidying as job
from hermes_agent.jobs.shown import tidied_json
from hermes_agent.learn.same_things import Join
from hermes_agent.learn.tidying import FactMerge, ReflectionMerge
from hermes_agent.memory.full_notes import proposed
from hermes_agent.memory.skill_upkeep import Unused
from hermes_agent.memory.tidying import Tidying, told
from hermes_agent.text.quantities import counted

_KINDS: tuple[tuple[type[Tidying], str, str], ...] = (
    (FactMerge, "fact", "merged"),
    (ReflectionMerge, "reflection", "merged"),
    (Join, "spelling", "joined"),
    (Unused, "skill", "archived"),
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
        print_json(tidied_json(done, is_dry=is_dry))
        return
    changes = done.proposals.changes if is_dry else done.made
    for kind, noun, verb in _KINDS:
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
