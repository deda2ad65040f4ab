"""`hermes memory reflections`: what tasks taught."""

from typing import get_args

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.jobs.reflecting import count_waiting
from hermes_agent.memory import reflections as verbs
from hermes_agent.memory.shown.learned import reflection_json
from hermes_agent.records.reflections import TaskType
from hermes_agent.text.quantities import counted

_TYPES = get_args(TaskType)


@click.group(
    epilog=examples(
        "hermes memory reflections list",
        "hermes memory reflections list --type coding --json",
        "hermes memory reflections show reflection:007",
        "hermes memory reflections delete reflection:007",
    )
)
def reflections() -> None:
    """See what tasks taught: how each went, what worked, and what to do differently.

    A task is reflected on when its conversation is over. The lessons come back when a task like it is asked for.
    They are also in workspace/REFLECTIONS.md.
    """


@reflections.command(
    "list", epilog=examples("hermes memory reflections list", "hermes memory reflections list -n 5 --json")
)
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many.")
@click.option("--type", "task_type", type=click.Choice(_TYPES), help="Only of one type of task.")
@as_json
@pass_invocation
def list_reflections(invocation: Invocation, limit: int, task_type: str | None, is_json: bool) -> None:
    """List the latest reflections, the newest last; in workspace/REFLECTIONS.md the newest is first."""
    with opened(invocation) as app:
        found = verbs.recent(app.store, limit, task_type)[::-1]
        waiting = 0 if found else count_waiting(app.memory)
    if is_json:
        print_json([reflection_json(one) for one in found])
        return
    for one in found:
        when = local_time(one.began_at, invocation.settings)
        say(f"{one.name}  {when}  {one.task_type}, {one.outcome}: {one.task}")
        for lesson in (*one.differently, *one.worked):
            say(f"    {lesson}", is_dim=True)
    if not found:
        told = "Tasks are reflected on when their conversation is over."
        if waiting:
            verb = "waits" if waiting == 1 else "wait"
            told = f"{counted(waiting, 'conversation')} {verb} for `hermes jobs run` or the daemon."
        say(f"No task has taught anything yet. {told}", is_error=True)


@reflections.command(epilog=examples("hermes memory reflections show reflection:007"))
@click.argument("reflection")
@as_json
@pass_invocation
def show(invocation: Invocation, reflection: str, is_json: bool) -> None:
    """Show a reflection and where it comes from."""
    with opened(invocation) as app:
        found = verbs.get(app.store, reflection)
    if is_json:
        print_json(reflection_json(found))
        return
    seconds = (found.ended_at - found.began_at) / 1_000_000
    say(f"{found.name}: {found.task}", is_bold=True)
    say(f"{found.task_type}, {found.outcome}, {local_time(found.began_at, invocation.settings)}, {seconds:,.0f} s")
    for name, lessons in (("Differently", found.differently), ("Worked", found.worked)):
        for lesson in lessons:
            say(f"{name}: {lesson}")
    if found.occurrences > 1:
        say(f"It went so {counted(found.occurrences, 'time')}.")
    if found.state != "current":
        why = " into one that says the same" if found.state == "merged" else ""
        say(f"It was {found.state}{why} and is brought to no task any more.")
    say(f"From session {found.session_id}; worded by {found.written_by}.", is_dim=True)


@reflections.command(epilog=examples("hermes memory reflections delete reflection:007"))
@click.argument("names", nargs=-1, required=True)
@as_json
@pass_invocation
def delete(invocation: Invocation, names: tuple[str, ...], is_json: bool) -> None:
    """Delete reflections; `hermes memory undo` brings them back.

    All that are named go as one change, or none.
    """
    with opened(invocation) as app:
        gone = verbs.delete(app.store, *names, cause="hermes memory reflections delete")
    if is_json:
        print_json([one.name for one in gone])
        return
    for one in gone:
        say(f"{one.name} was deleted: {one.task}")
