"""`hermes doctor`: examine everything, mend what is safe to mend, and say how to mend the rest."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from hermes_agent.cli import status
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import counted, examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.errors import HermesError
from hermes_agent.jobs import backing_up, worker
from hermes_agent.ops import doctor as upkeep
from hermes_agent.ops import examination
from hermes_agent.ops.examination import Finding
from hermes_agent.ops.forgetting import carrying_out

if TYPE_CHECKING:
    from hermes_agent.app import App

_PARTS = ("Home", "Settings", "Database", "Notes", "Skills", "Disk", "Clock", "Backups", *status.SECTIONS)
"""What is examined, for the sentence when nothing is wrong."""


@click.command(epilog=examples("hermes doctor", "hermes doctor --rebuild", "hermes doctor --json"))
@click.option("--rebuild", is_flag=True, help="Make everything anew that is derived: indexes, sketches, links.")
@as_json
@pass_invocation
def doctor(invocation: Invocation, rebuild: bool, is_json: bool) -> None:
    """Examine the home, mend what is safe to mend, and say how to mend the rest.

    Looked at are permissions, settings, the database with its indexes and vectors, notes, skills, jobs, the disk,
    the clock, backups, embedder and model. Exit code 1 if something is left to do.
    """
    with opened(invocation) as app:
        if rebuild:
            count = follow(upkeep.rebuild(app.store, app.zone, has_vectors=app.embedder is not None))
            say(
                f"Made anew from {counted(count, 'message')}: the indexes, and what finds episodes.", is_error=True
            )
        found = list(_examined(app))
    left = examination.only_problems(found)
    if is_json:
        print_json({"is_well": not left, "findings": [asdict(one) for one in found]})
    else:
        _print(found, is_well=not left)
    if left:
        raise SystemExit(1)


def _examined(app: "App") -> Iterator[Finding]:
    home = app.home
    yield from examination.permissions(home)
    for problem in app.settings.problems():
        yield Finding("Settings", problem.message, problem.hint or "See: hermes config show")
    try:
        if freed := worker.free_abandoned(app.store):
            text = f"The jobs of {counted(freed, 'process', 'processes')} that are gone were held."
            yield Finding("Jobs", text, "They are free again.", is_mended=True)
        for receipt in follow(carrying_out.finish(app.forgetting)):
            text = f"{receipt.name} was cut short: what it tells of was forgotten, but not out of every file."
            yield Finding("Forgetting", text, "It is finished now.", is_mended=True)
        yield from examination.database(app.store)
        yield from examination.disk(home, app.store)
        yield from examination.time(app.store)
    except HermesError as error:
        yield Finding("Database", error.message, error.hint or "Run: hermes db repair")
    yield from examination.notes(app.notebook)
    yield from examination.skills(app.library)
    yield from examination.backup_place(home, backing_up.folder_of(home, app.settings))
    for line in status.lines(app):
        if line.advice is not None:
            yield Finding(line.name, line.text, line.advice)


def _print(found: list[Finding], *, is_well: bool) -> None:
    for one in found:
        mark = "mended" if one.is_mended else "wrong" if one.is_problem else "note"
        say(f"{mark:7} {one.about}: {one.text}")
        say(f"        {one.advice}", is_dim=True)
    if is_well:
        names = ", ".join(dict.fromkeys(name.lower() for name in _PARTS))
        say(f"Nothing is wrong. Examined: {names}.")
