"""`hermes memory export` and `hermes memory import`: all of a memory in one file."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.cli.transfer import destination, report_json, report_lines
from hermes_agent.config import paths
from hermes_agent.config.portable import portable
from hermes_agent.errors import UsageError
from hermes_agent.records.notes import SUBJECTS
from hermes_agent.text.quantities import counted

if TYPE_CHECKING:
    from hermes_agent.app import App
    from hermes_agent.ops.whole.form import Whole
    from hermes_agent.ops.whole.joining import Joined

_TOLD = {
    "sessions": "session",
    "messages": "message",
    "facts": "fact",
    "reflections": "reflection",
    "skills": "skill",
}
_ZSTD = ".zst"
_READ = (
    "It is read what `hermes memory export` wrote, conversations.json of ChatGPT or Claude, exports of Mem0 and"
    " Letta. Of conversations in part broken the rest comes by: hermes sessions import --skip-broken FILE"
)


@click.command(
    "export",
    epilog=examples(
        "hermes memory export --output memory.json",
        "hermes memory export --output memory.json.zst",
        "hermes memory export | age -p > memory.json.age",
    ),
)
@click.option(
    "-o", "--output", "file", default="-", metavar="FILE", help="Where to; standard output if not given."
)
@click.option(
    "--zstd", "is_packed", is_flag=True, help="Compress it; a FILE that ends in .zst is compressed anyway."
)
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@as_json
@pass_invocation
def export_memory(invocation: Invocation, file: str, is_packed: bool, force: bool, is_json: bool) -> None:
    """Write all of your memory to FILE, as one JSON document.

    Conversations, facts with their history, reflections, skills, notes, the journal and the settings, without
    secrets: docs/formats.md tells all of it. It is of one moment, and the agent may go on meanwhile. Vectors and
    indexes are not in it: they are made anew by `hermes memory import`. FILE appears whole or not at all,
    readable by you only; it is not encrypted.
    """
    from hermes_agent.ops.whole.writing import export

    with opened(invocation) as app:
        notes, (settings, left_out) = notes_of(app), portable(app.settings)
        with destination(file, force=force) as out, _packing(out, is_packed or file.endswith(_ZSTD)) as packed:
            rows = follow(export(app.store, packed, notes, settings))
    if file == "-":
        return
    if is_json:
        print_json({"file": file, "rows": dict(rows), "settings_left_out": list(left_out)})
        return
    say(f"Exported to {file}: {things(rows)}.")
    if app.keys is not None:
        say("The home is encrypted, the file is not.", is_error=True)
    if left_out:
        say(f"Settings of this machine were left out: {', '.join(left_out)}.", is_error=True)


def notes_of(app: "App") -> dict[str, str]:
    """Return the notes that have a text, by their names."""
    texts = {name: app.notebook.text(note) for note, name in SUBJECTS.items()}
    return {name: text for name, text in texts.items() if text}


@contextmanager
def _packing(out: BinaryIO, is_packed: bool) -> Iterator[BinaryIO]:
    if not is_packed:
        yield out
        return
    from backports import zstd

    with zstd.ZstdFile(out, "wb") as packed:
        yield cast(BinaryIO, packed)


@click.command(
    "import",
    epilog=examples(
        "hermes memory import memory.json",
        "hermes memory import --dry-run memory.json.zst",
        "hermes memory import --own old-laptop.json",
    ),
)
@click.argument("file")
@click.option("--own", "is_own", is_flag=True, help="It is my own memory: my words in it count as mine.")
@click.option("--dry-run", is_flag=True, help="Only check the file, and tell what it holds.")
@as_json
@pass_invocation
def import_memory(invocation: Invocation, file: str, is_own: bool, dry_run: bool, is_json: bool) -> None:
    """Bring a memory in from FILE, which `hermes memory export` wrote.

    FILE may also be the conversations.json of ChatGPT or Claude, or an export of Mem0 or Letta.

    A home without a memory becomes what was exported. Elsewhere the two are joined: what is here stays, what went
    on is continued, what is new comes beside it, and doing it twice is the same as once. Nobody can see in a file
    who wrote it: beside a memory of yours it brings only conversations and facts, marked as an import's, unless
    you say --own. A file that is damaged, cut off or of a newer hermes is refused before anything is written.
    """
    from hermes_agent.ops.whole import joining, reading

    path = paths.expand(file)
    if not reading.is_one(path):
        _import_elsewhere(invocation, path, is_own=is_own, dry_run=dry_run, is_json=is_json)
        return
    whole = follow(reading.check(path))
    if dry_run:
        _tell_file(whole, is_json)
        return
    with opened(invocation) as app:
        joined = follow(joining.join(app.notebook, path, whole, is_own=is_own))
    if is_json:
        print_json(asdict(joined))
        return
    for line in _told(joined, file):
        say(line)


def _import_elsewhere(invocation: Invocation, path: Path, *, is_own: bool, dry_run: bool, is_json: bool) -> None:
    """Bring in what another program exported: memories, or conversations."""
    from hermes_agent.ops.elsewhere import bringing
    from hermes_agent.ops.transfer import import_file

    found = bringing.read(path)
    if dry_run:
        raise UsageError(f"{path} is no memory of hermes: --dry-run only checks those.")
    with opened(invocation) as app:
        if found is None:
            report = follow(import_file(app.store, path, is_own=is_own, hint=_READ))
            if not any(report.counts().values()):
                raise UsageError(f"{path} holds no memory, and no conversation.")
            told: dict[str, object] = {"sessions": report_json(report)}
        else:
            came = follow(bringing.bring(app.store, found, str(path), is_own=is_own))
            report = came.report
            told = {name: value for name, value in asdict(came).items() if name not in ("program", "report")}
            told["sessions"] = report_json(report)
    if is_json:
        print_json(told)
        return
    if found is not None:
        say(f"Imported from {found.program}: {counted(came.facts, 'fact')}; {came.known:,} were here already.")
        if came.owned:
            say(f"Your own now: {counted(came.owned, 'fact')}.")
        if came.forgotten:
            say(f"Left out, since it was forgotten for good: {counted(came.forgotten, 'fact')}.")
    for line in report_lines(report) if found is None or found.sessions else ():
        say(line)
    if not is_own and (report.has_changes or (found is not None and came.facts)):
        say("Their words are marked as an import's. If they are your own: add --own")


def _tell_file(whole: "Whole", is_json: bool) -> None:
    if is_json:
        print_json({"exported": dict(whole.exported), "rows": dict(whole.rows)})
        return
    say(
        f"It is whole: {things(whole.rows)}; exported at {whole.exported.get('at')}"
        f" from profile {whole.exported.get('profile')}."
    )


def _told(joined: "Joined", file: str) -> Iterator[str]:
    brought = joined.brought
    if brought.is_fresh:
        yield f"Your memory is as it was exported: {things(brought.new)}."
    elif not brought.has_changes and not joined.added and not joined.removed:
        yield f"All that {file} holds is here already."
    else:
        if any(brought.new.get(name) for name in _TOLD):
            yield f"Came: {things(brought.new)}."
        if brought.followed:
            yield f"Changed there since, and here now: {counted(brought.followed, 'thing')}."
    if any(brought.blocked.get(name) for name in _TOLD):
        yield f"Left out, since it was forgotten for good: {things(brought.blocked)}."
    if brought.cut:
        yield f"Came without a sentence that was forgotten for good: {counted(brought.cut, 'message')}."
    if not brought.is_own and any(brought.new.values()):
        yield "Their words are marked as an import's. If it is your own memory: hermes memory import --own"
    for name, count in joined.added.items():
        yield f"{name} got {counted(count, 'entry', 'entries')}."
    for name, count in joined.removed.items():
        yield f"{counted(count, 'entry', 'entries')} of {name} went, as there."
    for skill in brought.kept_apart:
        yield f"A skill that differs from yours was archived as {skill}."
    for one in joined.left:
        yield f"Left: {one}"


def things(rows: Mapping[str, int]) -> str:
    """Say how many there are of what people ask for."""
    told = [counted(rows[name], thing) for name, thing in _TOLD.items() if rows.get(name)]
    return ", ".join(told) or "nothing"
