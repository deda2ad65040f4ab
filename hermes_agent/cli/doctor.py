"""`hermes doctor`: examine everything, mend what is safe to mend, and say how to mend the rest."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_agent import status
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.config import renaming
from hermes_agent.config.enabled_gateways import enabled_gateways
from hermes_agent.config.load import load
from hermes_agent.config.settings import MEMORY_BACKEND
from hermes_agent.config.store_path import store_path
from hermes_agent.errors import HermesError, LockedHome, SettingError
from hermes_agent.jobs import backing_up, worker
from hermes_agent.ops import doctor as upkeep
from hermes_agent.ops import examination
from hermes_agent.ops.examination import Finding
from hermes_agent.ops.forgetting import carrying_out, receipt_file
from hermes_agent.text.quantities import counted

if TYPE_CHECKING:
    from hermes_agent.app import App
    from hermes_agent.config.load import Settings
    from hermes_agent.config.paths import Home

_PARTS = ("Home", "Settings", "Database", "Vectors", "Notes", "Skills", "Disk", "Clock", *status.SECTIONS)
"""What is examined, for the sentence when nothing is wrong."""
_WITHOUT_SETTINGS = "database, vectors, notes, clock, backups, jobs, embedder and model"
_WITHOUT_KEY = "database, vectors, notes, skills, disk, clock, jobs, embedder and model"
_MOST_SECONDS = 10.0


@click.command(
    epilog=examples("hermes doctor", "hermes doctor --online", "hermes doctor --rebuild", "hermes doctor --json")
)
@click.option("--rebuild", is_flag=True, help="Make everything anew that is derived: indexes, sketches, links.")
@click.option("--online", "is_online", is_flag=True, help="Ask the embedder's and the model's server, too.")
@as_json
@pass_invocation
def doctor(invocation: Invocation, rebuild: bool, is_online: bool, is_json: bool) -> None:
    """Examine the home, mend what is safe to mend, and say how to mend the rest.

    Looked at are permissions, settings, the database with its indexes and vectors, notes, skills, jobs, the disk,
    the clock, backups, embedder and model. Servers are asked only with --online. Exit code 1 if something is left
    to do.
    """
    home = invocation.home
    try:
        load(home)
        invocation.unlock()
    except SettingError as error:
        if rebuild:
            raise
        found = list(_without_settings(home, error))
    except LockedHome as error:
        if rebuild:
            raise
        found = list(_without_key(home, error))
    else:
        found = _with_settings(invocation, rebuild=rebuild, is_online=is_online)
    left = examination.only_problems(found)
    if is_json:
        print_json(examination.as_json(found))
    else:
        _print(found, is_well=not left)
    if left:
        raise SystemExit(1)


def _with_settings(invocation: Invocation, *, rebuild: bool, is_online: bool) -> list[Finding]:
    from hermes_agent.app import App

    # Built here: a value that does not fit is a finding, and no reason to look no further.
    app = App(invocation.home, load(invocation.home))
    invocation.opened.append(app)
    try:
        if rebuild:
            count = follow(upkeep.rebuild(app.store, app.zone, has_vectors=app.embedder is not None))
            say(
                f"Made anew from {counted(count, 'message')}: the indexes, and what finds episodes.", is_error=True
            )
        return list(_examined(app, is_online=is_online))
    finally:
        app.close()


def _without_settings(home: "Home", error: SettingError) -> Iterator[Finding]:
    """Examine what can be examined while nobody can say where the memory is."""
    from hermes_agent.skills.library import Library

    yield from examination.permissions(home)
    yield from _part("Home", lambda: examination.leftovers(home))
    yield Finding("Settings", error.message, error.hint or "Mend it with `hermes config edit`.")
    yield from _part("Skills", lambda: examination.skills(Library(home.skills)))
    text = f"Not examined before the settings can be read: {_WITHOUT_SETTINGS}."
    yield Finding("Settings", text, "Mend them, then run: hermes doctor", is_problem=False)


def _without_key(home: "Home", error: LockedHome) -> Iterator[Finding]:
    """Examine what can be examined of an encrypted home that nobody opens."""
    settings = load(home)
    yield from _part("Home", lambda: examination.permissions(home, _store_file(home, settings)))
    yield from _of_settings(settings)
    yield Finding("Encryption", error.message, error.hint or "Give the key, then run: hermes doctor")
    yield from _part("Backups", lambda: examination.backup_place(home, backing_up.folder_of(home, settings)))
    text = f"Not examined without the key: {_WITHOUT_KEY}."
    yield Finding("Encryption", text, "Give the key, then run: hermes doctor", is_problem=False)


def _examined(app: "App", *, is_online: bool) -> Iterator[Finding]:
    home, settings = app.home, app.settings
    yield from _part("Home", lambda: examination.permissions(home, _store_file(home, settings)))
    yield from _part("Home", lambda: examination.leftovers(home))
    yield from _part("Home", lambda: examination.abandoned(home, _store_file(home, settings)))
    yield from _of_settings(settings)
    yield from _part("Database", lambda: _database(app))
    yield from _part("Notes", lambda: examination.notes(app.notebook))
    yield from _part("Skills", lambda: examination.skills(app.library))
    yield from _part("Backups", lambda: _backups(app))
    yield from _part("Embedder", lambda: _embedder(app, is_online=is_online))
    for name in enabled_gateways(settings):
        yield from _part("Gateways", partial(_gateway, name))
    if is_online:
        yield from _part("Model", lambda: _model(app))
    for line in status.lines(app):
        if line.advice is not None:
            yield Finding(line.name, line.text, line.advice, is_problem=line.is_problem)


def _backups(app: "App") -> Iterator[Finding]:
    last = backing_up.last_there(app.home, app.store, app.settings)
    return examination.backup_place(app.home, None if last is None else last.parent)


def _of_settings(settings: "Settings") -> Iterator[Finding]:
    for problem in settings.problems():
        yield Finding("Settings", problem.message, problem.hint or "See: hermes config show")
    for warning in settings.warnings:
        yield Finding("Settings", warning, "See: hermes config show", is_problem=False)


def _database(app: "App") -> Iterator[Finding]:
    if renaming.is_pending(app.home):
        with app.store.read():
            renaming.settle(app.home)
        yield Finding("Profile", "Giving it another name was cut short.", "It is finished now.", is_mended=True)
    if freed := worker.free_abandoned(app.store):
        text = f"The jobs of {counted(freed, 'process', 'processes')} that are gone were held."
        yield Finding("Jobs", text, "They are free again.", is_mended=True)
    yield from _receipts(app)
    for receipt in follow(carrying_out.finish(app.forgetting)):
        text = f"{receipt.name} was cut short: what it tells of was forgotten, but not out of every file."
        yield Finding("Forgetting", text, "It is finished now.", is_mended=True)
    yield from examination.database(app.store)
    yield from examination.vectors(app.store)
    yield from examination.disk(app.home, app.store)
    yield from examination.time(app.store)


def _receipts(app: "App") -> Iterator[Finding]:
    """Bring back receipts that the store lost; tell of those that cannot be."""
    if not app.home.receipts.is_dir():
        return
    found = receipt_file.bring_back(app.home, app.store)
    for name in found.restored:
        text = f"The store had lost {name}: what it tells of could have been learned again."
        yield Finding("Forgetting", text, "It is there again, from its file.", is_mended=True)
    for name in found.left:
        text = f"{app.home.receipts.name}/{name} is not in the store: what it tells of may be learned again."
        yield Finding("Forgetting", text, "Restore a backup, or forget it once more: hermes memory forget")


def _gateway(name: str) -> Iterator[Finding]:
    """Look whether a gateway that is on has its library."""
    from hermes_agent.gateways import found, setting_up

    platform = found.platform(name)
    install = setting_up.missing_library(platform)
    if install is not None:
        yield Finding("Gateways", f"{platform.title} is on, and its library is missing.", install)


def _embedder(app: "App", *, is_online: bool) -> Iterator[Finding]:
    """Let the embedder embed a word; a server's is asked only when that is wanted."""
    embedder = app.embedder
    if embedder is not None and (embedder.is_local or is_online):
        embedder.embed_query("ready")
    yield from ()


def _model(app: "App") -> Iterator[Finding]:
    """Ask each model one tiny question."""
    from hermes_agent.cli.model import ask
    from hermes_agent.models.choose import EmbeddedChoice

    choices = {choice.name: choice for choice in (app.choices.main, app.choices.light)}
    for choice in choices.values():
        if not isinstance(choice, EmbeddedChoice):
            ask(choice, _MOST_SECONDS)
    yield from ()


def _store_file(home: "Home", settings: "Settings") -> Path | None:
    return None if settings[MEMORY_BACKEND] == "postgres" else store_path(settings, home)


def _part(about: str, examine: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """Examine one part; what hinders that is a finding, and the other parts are examined all the same."""
    try:
        yield from examine()
    except HermesError as error:
        yield Finding(about, error.message, error.hint or _MENDS.get(about, "Read the message above."))


_MENDS = {
    "Database": "Run: hermes db repair",
    "Gateways": "See: hermes gateway list",
    "Embedder": "See the settings memory.embeddings.*: hermes config show",
    "Model": "Try it: hermes model test",
}


def _print(found: list[Finding], *, is_well: bool) -> None:
    for one in found:
        mark = "mended" if one.is_mended else "wrong" if one.is_problem else "note"
        say(f"{mark:7} {one.about}: {one.text}")
        say(f"        {one.advice}", is_dim=True)
    if is_well:
        names = ", ".join(dict.fromkeys(name.lower() for name in _PARTS))
        say(f"Nothing is wrong. Examined: {names}.")
