"""`hermes checkpoints`: the copies of folders from before the agent changed them."""

from pathlib import Path

import click

from hermes_agent import clock
from hermes_agent.agent.checkpoints import RETENTION_DAYS, KeptFolder, Snapshot
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, print_table, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.records.archive import Json
from hermes_agent.text.quantities import size


@click.group(epilog=examples("hermes checkpoints list", "hermes checkpoints list .", "hermes checkpoints prune"))
def checkpoints() -> None:
    """See and drop the copies of folders the agent changed.

    Before the first change of a turn the folder is copied; `/rollback` in a chat goes back.
    """


@checkpoints.command(
    "list",
    epilog=examples(
        "hermes checkpoints list", "hermes checkpoints list ~/project", "hermes checkpoints list --json"
    ),
)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@as_json
@pass_invocation
def list_(invocation: Invocation, folder: Path | None, is_json: bool) -> None:
    """List the folders that have checkpoints, or the checkpoints of FOLDER, the newest first."""
    with opened(invocation) as app:
        if folder is None:
            _show_folders(invocation, list(app.checkpoints.folders()), is_json)
        else:
            _show_snapshots(invocation, folder, list(app.checkpoints.list(folder)), is_json)


@checkpoints.command(epilog=examples("hermes checkpoints prune", "hermes checkpoints prune --days 0"))
@click.option(
    "--days", default=RETENTION_DAYS, show_default=True, type=click.IntRange(0, 36_500), help="Keep so many days."
)
@as_json
@pass_invocation
def prune(invocation: Invocation, days: int, is_json: bool) -> None:
    """Drop old checkpoints, and the oldest of all beyond 500 MB."""
    with opened(invocation) as app:
        pruned = app.checkpoints.prune(days)
    if is_json:
        print_json(
            {"dropped": pruned.snapshots, "freed_bytes": pruned.freed_bytes, "left_bytes": pruned.left_bytes}
        )
        return
    many = "1 checkpoint" if pruned.snapshots == 1 else f"{pruned.snapshots} checkpoints"
    say(f"Dropped {many}, freed {size(pruned.freed_bytes)}; {size(pruned.left_bytes)} are left.")


def _show_folders(invocation: Invocation, kept: list[KeptFolder], is_json: bool) -> None:
    if is_json:
        print_json([_folder_json(one) for one in kept])
    elif not kept:
        say("No checkpoints.")
    else:
        rows = [(one.path, one.snapshots, local_time(one.newest_at, invocation.settings)) for one in kept]
        print_table(["FOLDER", "CHECKPOINTS", "NEWEST"], rows)


def _show_snapshots(invocation: Invocation, folder: Path, found: list[Snapshot], is_json: bool) -> None:
    if is_json:
        print_json([_snapshot_json(one) for one in found])
    elif not found:
        say(f"No checkpoints of {folder.resolve()}.")
    else:
        rows = [(one.number, local_time(one.at, invocation.settings), one.files, one.reason) for one in found]
        print_table(["N", "TAKEN", "FILES", "BEFORE"], rows)


def _folder_json(kept: KeptFolder) -> dict[str, Json]:
    return {
        "folder": str(kept.path),
        "checkpoints": kept.snapshots,
        "newest_at": clock.iso(kept.newest_at),
        "oldest_at": clock.iso(kept.oldest_at),
    }


def _snapshot_json(snapshot: Snapshot) -> dict[str, Json]:
    return {
        "number": snapshot.number,
        "hash": snapshot.hash,
        "at": clock.iso(snapshot.at),
        "reason": snapshot.reason,
        "files": snapshot.files,
    }
