"""`hermes import`: take over another Hermes home."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, printable, say
from hermes_agent.cli.progress import follow
from hermes_agent.cli.transfer import report_json
from hermes_agent.config import paths
from hermes_agent.config.settings import MEMORY_BACKEND
from hermes_agent.config.store_path import store_path
from hermes_agent.errors import UsageError

if TYPE_CHECKING:
    from hermes_agent.app import App
    from hermes_agent.ops.home_files import FileReport
    from hermes_agent.ops.takeover import Source, Taken, TakeoverReport
    from hermes_agent.store.store import Store


@click.command(
    "import",
    epilog=examples(
        "hermes import ~/old-hermes --dry-run",
        "hermes import ~/old-hermes",
        "hermes import ~/hermes-backup-20260801.zip",
        "hermes import /backup/state.db",
        "hermes import",
    ),
)
@click.argument("path", required=False)
@click.option("--dry-run", "is_dry", is_flag=True, help="Only tell what would be done.")
@click.option("--any-version", is_flag=True, help="Try versions of the database that are not known.")
@as_json
@pass_invocation
def import_home(invocation: Invocation, path: str | None, is_dry: bool, any_version: bool, is_json: bool) -> None:
    """Take over another Hermes home: conversations, notes and skills.

    PATH is its folder, a backup of it (zip, tar, tar.gz), or its state.db for the conversations alone; it is only
    read. Without PATH, a foreign state.db in this home is set aside and taken over. Doing it again adds only what
    is new.
    """
    from hermes_agent.ops.takeover import take_over

    with opened(invocation) as app, _source(app, None if path is None else paths.expand(path)) as source:
        store_file = _store_file(app)
        if not is_dry:
            paths.ensure(app.home)
        store = _target(app, store_file, is_dry=is_dry)
        report = follow(take_over(source, app.home, store, is_dry=is_dry, takes_any_version=any_version))
    if is_json:
        print_json(_json(report))
        return
    for line in _lines(report):
        click.echo(line)


@contextmanager
def _source(app: "App", path: Path | None) -> "Iterator[Source]":
    """Find what is taken over; an archive is unpacked for as long as it is needed."""
    from hermes_agent.ops import home_archive, own_formats
    from hermes_agent.ops.takeover import find_source

    if path is not None:
        own_formats.refuse(path, "backup", "profile")
    kind = None if path is None else home_archive.kind_of(path)
    if path is None or kind is None:
        yield find_source(path, app.home, _store_file(app))
        return
    with home_archive.unpacked(path, kind, app.home) as folder:
        _refuse_ours(path, kind, paths.Home(folder, app.home.profile))
        others = home_archive.profiles_in(folder)
        if others:
            say(f"Of {path} only the default profile is taken over, not: {', '.join(others)}.", is_error=True)
            say("Unpack it, then for each: hermes -p NAME import FOLDER/profiles/NAME", is_error=True)
        yield replace(find_source(folder, app.home, _store_file(app)), archive=path)


def _refuse_ours(archive: Path, kind: str, inside: paths.Home) -> None:
    """Refuse the archive of a home of this program: it is not taken over, but restored."""
    from hermes_agent.store.foreign import identify

    if not inside.encryption.exists() and identify(inside.state_db) != "ours":
        return
    restore = "hermes backup restore FILE"
    raise UsageError(
        f"{archive} is an archive of a home of this program, which is restored, not taken over.",
        hint=restore if kind == "tar.gz" else f"Pack that home as a .tgz: tar czf FILE FOLDER, then: {restore}",
    )


def _store_file(app: "App") -> Path | None:
    is_elsewhere = app.settings[MEMORY_BACKEND] == "postgres"
    return None if is_elsewhere else store_path(app.settings, app.home)


def _target(app: "App", store_file: Path | None, *, is_dry: bool) -> "Store | None":
    """Return the store; a dry run must not make one."""
    from hermes_agent.store.foreign import identify

    key = None if app.keys is None else app.keys.database
    if is_dry and store_file is not None and identify(store_file, key) != "ours":
        return None
    return app.store


def _json(report: "TakeoverReport") -> dict[str, object]:
    return {
        "dry_run": report.is_dry,
        "databases": [
            {
                "path": str(taken.database),
                "schema_version": taken.version,
                "set_aside": None if taken.aside is None else str(taken.aside),
                **report_json(taken.sessions),
            }
            for taken in report.databases
        ],
        "notes": [asdict(note) for note in report.notes],
        "skills": [asdict(skill) for skill in report.skills],
    }


def _lines(report: "TakeoverReport") -> Iterator[str]:
    if report.is_dry:
        yield "Dry run: nothing was written."
    for taken in report.databases:
        yield from _database_lines(taken, "Would import" if report.is_dry else "Imported")
    for kind, files in (("Note", report.notes), ("Skill", report.skills)):
        for file in files:
            line = _file_line(kind, file, is_dry=report.is_dry)
            if line is not None:
                yield printable(line)
    is_idle = all(file.done == "same" for file in (*report.notes, *report.skills))
    if is_idle and not any(taken.sessions.has_changes for taken in report.databases):
        yield "There is nothing new to take over."


def _database_lines(taken: "Taken", done: str) -> Iterator[str]:
    from hermes_agent.ops.importing import report_lines

    version = "unknown" if taken.version is None else taken.version
    yield printable(f"From {taken.database} (schema {version}):")
    if taken.aside is not None:
        yield printable(f"  Set aside as {taken.aside}.")
    for line in report_lines(taken.sessions, done):
        yield f"  {line}"


def _file_line(kind: str, file: "FileReport", *, is_dry: bool) -> str | None:
    would = "would be " if is_dry else ""
    match file.done:
        case "copied":
            return f"{kind} {file.place}: {would}copied to {file.target}."
        case "beside":
            return f"{kind} {file.place}: yours differs and stays; theirs {would}saved as {file.target}."
        case "skipped":
            return f"{kind} {file.place}: left out, {file.reason}."
    return None
