"""`hermes memory export` and `hermes memory import`: all of a memory in one file."""

from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.cli.transfer import destination
from hermes_agent.config import passing, paths
from hermes_agent.config.portable import portable
from hermes_agent.errors import UsageError

if TYPE_CHECKING:
    from hermes_agent.ops.importing import Outcome
    from hermes_agent.ops.whole.form import Whole

_ZSTD = ".zst"


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
    from hermes_agent.ops import exporting
    from hermes_agent.ops.importing import things

    with opened(invocation) as app:
        _, left_out = portable(app.settings)
        packs = is_packed or file.endswith(_ZSTD)
        with destination(file, force=force) as out:
            rows = follow(exporting.write(app.notebook, app.settings, out, is_packed=packs))
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
    from hermes_agent.ops import importing
    from hermes_agent.ops.whole import reading

    path = paths.expand(file)
    if dry_run:
        if not reading.is_one(path):
            raise UsageError(f"{passing.called(path)} is no memory of hermes: --dry-run only checks those.")
        _tell_file(follow(reading.check(path)), is_json)
        return
    name = file if reading.is_one(path) else passing.called(path)
    with opened(invocation) as app:
        outcome = follow(importing.bring(app.notebook, path, name, is_own=is_own))
    if is_json:
        print_json(importing.outcome_json(outcome))
        return
    for line in importing.lines(outcome, name, is_own=is_own, mine=_mine(outcome)):
        say(line)


def _mine(outcome: "Outcome") -> str:
    """Say how the words of an import are made one's own."""
    from hermes_agent.ops.whole.joining import Joined

    return "hermes memory import --own" if isinstance(outcome, Joined) else "add --own"


def _tell_file(whole: "Whole", is_json: bool) -> None:
    from hermes_agent.ops.importing import things

    if is_json:
        print_json({"exported": dict(whole.exported), "rows": dict(whole.rows)})
        return
    say(
        f"It is whole: {things(whole.rows)}; exported at {whole.exported.get('at')}"
        f" from profile {whole.exported.get('profile')}."
    )
