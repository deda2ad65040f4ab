"""`hermes sessions export` and `hermes sessions import`: carry conversations between stores."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened, since_option, until_option
from hermes_agent.cli.output import examples, print_json
from hermes_agent.cli.progress import follow
from hermes_agent.config import passing, paths, private
from hermes_agent.errors import UsageError
from hermes_agent.text.dates import moment_of
from hermes_agent.text.quantities import counted

if TYPE_CHECKING:
    from hermes_agent.config.paths import Home
    from hermes_agent.ops.merge import ImportReport
    from hermes_agent.ops.transfer import Form

STANDARD = "-"


@click.command(
    "export",
    epilog=examples(
        "hermes sessions export all.jsonl",
        "hermes sessions export --session 20260414_0912 --format markdown talk.md",
        'hermes sessions export --since "last monday" | gzip > week.jsonl.gz',
    ),
)
@click.argument("file", default=STANDARD)
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "markdown"]),
    default="jsonl",
    show_default=True,
    help="jsonl keeps everything and can be imported; markdown is for reading.",
)
@click.option("--session", metavar="ID", help="Only this session: its id, the start of it, or its title.")
@click.option("--source", metavar="NAME", help="Only sessions from this source (cli, telegram, cron, …).")
@since_option
@until_option
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@pass_invocation
def export_sessions(
    invocation: Invocation,
    file: str,
    form: "Form",
    session: str | None,
    source: str | None,
    since: str | None,
    until: str | None,
    force: bool,
) -> None:
    """Write conversations to FILE, or to standard output.

    A FILE appears whole or not at all, readable by you only.
    """
    from hermes_agent.ops.transfer import export
    from hermes_agent.store.sessions import Listing

    if session is not None and (source or since or until):
        raise UsageError("--session names one conversation; leave --source, --since and --until out.")
    with opened(invocation) as app:
        within = Listing(
            source=source,
            since=moment_of(since, app.zone, is_end=False),
            until=moment_of(until, app.zone, is_end=True),
        )
        with destination(file, force=force) as out:
            count = follow(export(app.store, out, form, session=session, within=within, zone=app.zone))
    if file != STANDARD:
        click.echo(f"Exported {counted(count, 'session')} to {file}.")


@click.command(
    "import",
    epilog=examples(
        "hermes sessions import friend.jsonl",
        "hermes sessions import --own all.jsonl",
        "hermes -p old sessions export | hermes sessions import --own -",
    ),
)
@click.argument("file")
@click.option("--own", "is_own", is_flag=True, help="It is my own export: my words in it count as mine.")
@click.option("--skip-broken", is_flag=True, help="Import the rest of a file with broken entries.")
@as_json
@pass_invocation
def import_sessions(invocation: Invocation, file: str, is_own: bool, skip_broken: bool, is_json: bool) -> None:
    """Bring conversations in from FILE, or from standard input with "-".

    FILE is an export of ours or of the public Hermes: JSON lines, a JSON list, or one JSON object.
    What is here already stays as it is; a conversation that only goes on further is continued.
    Nobody can see in a file who wrote it: without --own its words are marked as an import's.
    """
    from hermes_agent.ops.importing import report_lines
    from hermes_agent.ops.transfer import import_file

    with opened(invocation) as app, _origin(file, app.home) as path:
        name = "standard input" if file == STANDARD else passing.called(path)
        report = follow(import_file(app.store, path, name=name, skips_broken=skip_broken, is_own=is_own))
    if is_json:
        print_json(report_json(report))
        return
    for line in report_lines(report):
        click.echo(line)


def report_json(report: "ImportReport") -> dict[str, object]:
    """Return what became of each session, as data."""
    return asdict(report)


@contextmanager
def destination(file: str, *, force: bool) -> Iterator[BinaryIO]:
    """Give where to write to: a fresh file, or standard output for "-"."""
    from hermes_agent.ops.fresh_file import fresh_file

    if file == STANDARD:
        out = sys.stdout.buffer
        yield out
        out.flush()
        return
    with fresh_file(paths.expand(file), overwrites=force) as fresh:
        yield fresh


@contextmanager
def _origin(file: str, home: "Home") -> Iterator[Path]:
    """Give the file's path; standard input is kept in a temporary file, because it is read twice."""
    if file != STANDARD:
        yield paths.expand(file)
        return
    with tempfile.NamedTemporaryFile(prefix="hermes-", dir=private.for_a_moment(home)) as spool:
        shutil.copyfileobj(sys.stdin.buffer, spool)
        spool.flush()
        yield Path(spool.name)
