"""`hermes profile clone` and `hermes profile rename`."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation
from hermes_agent.cli.main import COMMANDS
from hermes_agent.cli.options import opened
from hermes_agent.cli.output import examples, say
from hermes_agent.cli.progress import follow
from hermes_agent.config import paths, pid_file, profiles, renaming
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.portable import portable
from hermes_agent.config.replace import put_in_place
from hermes_agent.errors import UsageError
from hermes_agent.jobs import backing_up
from hermes_agent.ops.steps import finish

if TYPE_CHECKING:
    from hermes_agent.app import App

_MEMORY = "memory.json"


@click.command(epilog=examples("hermes profile clone default lab", "hermes profile clone work lab --memory"))
@click.argument("source", metavar="FROM")
@click.argument("name", metavar="TO")
@click.option("--memory", "with_memory", is_flag=True, help="Copy its memory, too: conversations, facts, journal.")
def clone(source: str, name: str, with_memory: bool) -> None:
    """Make a profile like another: its notes, skills and settings, never its keys.

    It is there whole or not at all. Its memory comes along only with --memory. Of the settings those are left out
    in which keys may stand.
    """
    from hermes_agent.ops import cloning
    from hermes_agent.ops.unfinished_profile import place, unfinished

    origin = profiles.find(source)
    profiles.check_new(name, COMMANDS)
    with opened(Invocation(origin.profile)) as app, unfinished(name) as (folder, home):
        paths.ensure(home)
        left_out = cloning.copy_settings(origin, home)
        cloning.copy_skills(origin, home)
        if with_memory:
            cloning.check_reach(home)
            brought = _bring_memory(app, home, paths.cached(folder, _MEMORY))
        else:
            cloning.copy_notes(app.notebook.texts(), home)
            brought = "without its memory"
        place(home, profiles.check_new(name, COMMANDS))
    say(f"Cloned the profile {origin.profile} as {name}: {brought}. Keys do not come with it.")
    if app.keys is not None:
        say(f"The profile is encrypted, the clone is not. Encrypt it: hermes -p {name} encrypt", is_error=True)
    if left_out:
        say(f"Settings in which keys may stand were left out: {', '.join(left_out)}.", is_error=True)
    say(f"Use it once with `hermes -p {name} …`, or always after `hermes profile use {name}`.")


@click.command(epilog=examples("hermes profile rename work office"))
@click.argument("old")
@click.argument("new")
def rename(old: str, new: str) -> None:
    """Give a profile another name: its folder, and whose memory it is, on PostgreSQL also the schema.

    Nobody may be at work in it. Stopped in the middle, it is whole under one of the two names.
    """
    home = profiles.find(old)
    if home.profile != new or old == new:  # else somebody was stopped in the middle: only the rest is to be done
        renaming.check(home)
        renamed = profiles.check_new(new, COMMANDS)
        if pid_file.running(home) is not None:
            raise UsageError(f"The daemon of the profile {old} runs.", hint=f"Stop it first: hermes -p {old} stop")
        _check_store(old, new)
        renaming.move(home, renamed)
    with opened(Invocation(new)) as app:
        former = _names_of_backups(app)
    say(f"The profile {old} is now called {new}.")
    if former:
        say(f"Its backups made so far keep the name {' or '.join(former)}.")


def _names_of_backups(app: "App") -> list[str]:
    """Return the names of before that the backups of a profile bear."""
    from hermes_agent.ops.backups import keeping

    found = keeping.of_home(app.home, app.store, backing_up.folder_of(app.home, app.settings))
    return sorted({one.profile for one in found} - {app.home.profile})


def _check_store(old: str, new: str) -> None:
    """Open the store once: what cannot be opened is not renamed, nor what others use from another machine."""
    from hermes_agent.store.postgres import Postgres

    with opened(Invocation(old)) as app, app.store.read() as connection:
        engine = app.store.engine
        if not isinstance(engine, Postgres):
            return
        if engine.count_others(connection):
            raise UsageError(
                f"{engine.place} is in use by another process, maybe on another machine.",
                hint="Stop it there, then try again.",
            )
        if engine.has_schema(connection, new):
            raise UsageError(
                f"The database holds a memory of a profile {new!r} already.", hint="Choose another name."
            )


def _bring_memory(source: "App", home: Home, file: Path) -> str:
    """Bring the memory of a profile into another that is being made, by way of a file; tell how much it was."""
    from hermes_agent.app import App
    from hermes_agent.ops.importing import things
    from hermes_agent.ops.whole import joining, reading, writing
    from hermes_agent.store import canonical

    settings, _ = portable(source.settings)
    with put_in_place(file, 0o600) as out:
        follow(writing.export(source.store, out, source.notebook.texts(), settings))
    with closing(App(home, load(home))) as app:
        with app.store.read() as connection:
            if not canonical.is_empty(connection):
                raise UsageError(f"{app.store.engine.place} holds a memory already.", hint="Choose another name.")
        joined = follow(joining.join(app.notebook, file, finish(reading.check(file)), is_own=True))
    return things(joined.brought.new)
