"""`hermes db`: look after the database."""

from collections.abc import Sequence

import click

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import confirm, examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.config.reader_time import local_time
from hermes_agent.errors import DamagedStore
from hermes_agent.ops import doctor, salvage
from hermes_agent.ops.forgetting import receipt_file
from hermes_agent.store import jobs, meta
from hermes_agent.store.migrate import HEAD
from hermes_agent.text.quantities import size


@click.group(epilog=examples("hermes db status", "hermes db check", "hermes db migrate"))
def db() -> None:
    """Look after the database: migrate, check, repair, vacuum."""


@db.command(epilog=examples("hermes db migrate"))
@pass_invocation
def migrate(invocation: Invocation) -> None:
    """Bring the database to the shape this version knows; other commands do it too when they first open it."""
    with opened(invocation) as app:
        with app.store.read():
            found = app.store.shape_found
        if found.is_current:
            say(f"{app.store.engine.place} has shape {HEAD} already.")
        elif found.found is None:
            say(f"{app.store.engine.place}: created with shape {HEAD}.")
        else:
            say(f"{app.store.engine.place}: migrated from shape {found.found} to {HEAD}.")


@db.command(epilog=examples("hermes db status", "hermes db status --json"))
@as_json
@pass_invocation
def status(invocation: Invocation, is_json: bool) -> None:
    """Tell where the database is, its size and its shape."""
    with opened(invocation) as app, app.store.read() as connection:
        condition = app.store.engine.inspect(connection, is_thorough=False)
        vacuumed = meta.get(connection, meta.LAST_VACUUM)
        waiting = jobs.counts(connection)
        place, engine = app.store.engine.place, app.store.engine.name
    if is_json:
        print_json(
            {
                "place": place,
                "engine": engine,
                "version": condition.version,
                "shape": HEAD,
                "size_bytes": condition.size_bytes,
                "last_vacuum": None if vacuumed is None else clock.iso(int(vacuumed)),
                "jobs": waiting,
            }
        )
        return
    say(f"Database: {place}")
    say(f"Engine: {condition.version}, shape {HEAD}")
    say(f"DB size: {size(condition.size_bytes)}")
    say(f"Last vacuum: {'never' if vacuumed is None else local_time(int(vacuumed), invocation.settings)[:10]}")
    say("Jobs: " + (", ".join(f"{number} {state}" for state, number in sorted(waiting.items())) or "none"))


@db.command(epilog=examples("hermes db check", "hermes db check --json"))
@as_json
@pass_invocation
def check(invocation: Invocation, is_json: bool) -> None:
    """Check the database, its messages, and that the indexes agree. Exit code 1 if something is wrong."""
    with opened(invocation) as app:
        checked = doctor.check(app.store)
    if is_json:
        print_json(
            {
                "place": checked.place,
                "ok": checked.is_well,
                "messages": checked.messages,
                "shape": checked.shape,
                "problems": list(checked.problems),
                "unchecked": checked.unchecked,
            }
        )
    elif checked.is_well and checked.unchecked is not None:
        say(f"{checked.place}: {checked.messages:,} messages, nothing wrong was found; {checked.unchecked}.")
    elif checked.is_well:
        say(f"{checked.place}: {checked.messages:,} messages, indexes agree, nothing is wrong.")
    else:
        for problem in checked.problems:
            say(f"Problem: {problem}")
        say("Mend it with: hermes db repair", is_error=True)
    if not checked.is_well:
        raise SystemExit(1)


@db.command(epilog=examples("hermes db repair", "hermes db repair --yes"))
@click.option("--force", is_flag=True, help="Set a damaged file aside even if nothing in it can be saved.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask before a damaged file is set aside.")
@pass_invocation
def repair(invocation: Invocation, force: bool, yes: bool) -> None:
    """Mend the database: rebuild the indexes, or save every readable row of a damaged file into a new one.

    A damaged file is never changed: it is set aside, and its new name is told. A message that is damaged inside a
    whole file is replaced by a sentence that says so.
    """
    with opened(invocation) as app:
        if not _mend(app):
            if not confirm(f"Save what can be read of {app.store.engine.place} into a new file?", yes=yes):
                say("The damaged file was left in its place.")
                return
            saved = salvage.salvage(app.store, is_forced=force)
            say(f"The damaged file is kept as {saved.set_aside}.")
            for table, count in saved.rows.items():
                say(f"  {table}: {count:,} rows saved")
            if saved.lost:
                say(f"Not readable: {', '.join(saved.lost)}", is_error=True)
            _tell_unreadable(saved.unreadable)
            _rebuild(app)
            back = receipt_file.bring_back(app.home, app.store)
            for name in back.restored:
                say(f"  {name}: brought back from its file")
            for name in back.left:
                say(f"Not brought back: {name}; what it tells of may be learned again.", is_error=True)
        checked = doctor.check(app.store)
    for problem in checked.problems:
        say(f"Problem: {problem}", is_error=True)
    if checked.problems:
        raise SystemExit(1)
    say(f"{checked.place}: {checked.messages:,} messages, indexes agree, nothing is wrong.")


def _mend(app: App) -> bool:
    """Rebuild what is derived; tell whether the file is whole, which some damage shows only then."""
    if salvage.needs_salvage(app.store):
        return False
    try:
        _rebuild(app)
    except DamagedStore:
        if app.store.engine.name != "sqlite":
            raise
        return False
    return True


def _rebuild(app: App) -> None:
    _tell_unreadable(doctor.replace_unreadable(app.store))
    follow(doctor.rebuild(app.store, app.zone, has_vectors=app.embedder is not None))


def _tell_unreadable(names: Sequence[str]) -> None:
    for lost in names:
        say(f"Cannot be read, and now says so: {lost}", is_error=True)


@db.command(epilog=examples("hermes db vacuum"))
@pass_invocation
def vacuum(invocation: Invocation) -> None:
    """Give unused room back to the disk."""
    with opened(invocation) as app:
        freed = doctor.vacuum(app.store)
    say(f"Freed {size(freed)}.")
