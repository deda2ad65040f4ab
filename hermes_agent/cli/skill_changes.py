"""`hermes skills create`, `edit`, `validate`, `archive`, `restore`, `delete`, `history` and `diff`."""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.editing import open_editor
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config import private
from hermes_agent.config.reader_time import local_time
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.memory import skill_history, skill_reading
from hermes_agent.memory import skills as verbs
from hermes_agent.memory.shown.skills import kept_skill_json, skill_difference_json, skill_version_json
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.records.skills import KeptSkill, SkillState
from hermes_agent.skills import folder as folders
from hermes_agent.skills.library import Skill
from hermes_agent.skills.validation import DOCUMENT, LARGEST_FILE
from hermes_agent.text.clean import unix

if TYPE_CHECKING:
    from hermes_agent.app import App
    from hermes_agent.config.paths import Home

_file = click.option(
    "--file",
    "source",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="The SKILL.md to take; - is stdin.",
)


@click.command(
    epilog=examples(
        'hermes skills create deploy-atlas --description "Deploy Atlas to production."',
        "hermes skills create deploy-atlas --category work --file SKILL.md",
    )
)
@click.argument("name")
@click.option("--description", help="What it is for and when to use it.")
@click.option("--category", help="A folder to put it into.")
@_file
@as_json
@pass_invocation
def create(
    invocation: Invocation,
    name: str,
    description: str | None,
    category: str | None,
    source: Path | None,
    is_json: bool,
) -> None:
    """Make a skill from a SKILL.md, or write one in your editor."""
    if description is not None:
        _require_text(description)
    with opened(invocation) as app:
        sync(app)
        verbs.require_free(skill_reading.kept(app.store), name, category)
        template = _template(name, description or "")
        with _text(template, source, app.home) as text:
            if source is None and text == template:
                raise UsageError("Nothing was written, so no skill was made.")
            cause = Cause(why="hermes skills create")
            made = verbs.create(app.store, app.home.skills, name, text, category, cause)
    _tell(made, "was made", is_json=is_json)


@click.command(epilog=examples("hermes skills edit deploy-atlas", "hermes skills edit deploy-atlas --file new.md"))
@click.argument("name")
@_file
@as_json
@pass_invocation
def edit(invocation: Invocation, name: str, source: Path | None, is_json: bool) -> None:
    """Write a skill's SKILL.md anew: in your editor, or from a file."""
    with opened(invocation) as app:
        sync(app)
        name = skill_reading.kept_name(app.library, name)
        former = skill_reading.view(app.store, app.library, name)
        with _text(former, source, app.home) as text:
            if text != former:
                verbs.edit(app.store, app.home.skills, name, text, Cause(why="hermes skills edit"))
        made = skill_reading.kept(app.store)[name]
    if text == former and not is_json:
        say("Nothing was changed.")
        return
    _tell(made, "was changed", is_json=is_json)


@click.command(epilog=examples("hermes skills validate", "hermes skills validate deploy-atlas --json"))
@click.argument("names", nargs=-1)
@as_json
@pass_invocation
def validate(invocation: Invocation, names: tuple[str, ...], is_json: bool) -> None:
    """Hold skills to the rules of agentskills.io; without a name, all of them. Exit code 1 if one breaks them."""
    with opened(invocation) as app:
        chosen = [app.library.find(name) for name in names] or list(app.library.list())
        found = {one.path.parent: _wrong_with(one) for one in chosen}
    if is_json:
        print_json([{"name": one.name, "path": str(one), "problems": wrong} for one, wrong in found.items()])
    elif not found:
        say("There are no skills.")
    for place, wrong in () if is_json else found.items():
        is_one = sum(other.name == place.name for other in found) == 1
        say(f"{place.name if is_one else place}: {'is valid' if not wrong else ' '.join(wrong)}")
    if any(found.values()):
        raise click.exceptions.Exit(1)


def _wrong_with(skill: Skill) -> list[str]:
    files = folders.read(skill.path.parent)
    if DOCUMENT not in files and skill.problem is not None:
        return [skill.problem]
    return list(verbs.wrong_with(skill.path.parent.name, files))


def _state_command(name: str, state: SkillState, help_text: str, told: str) -> click.Command:
    @click.command(name, help=help_text, epilog=examples(f"hermes skills {name} deploy-atlas"))
    @click.argument("skill")
    @as_json
    @pass_invocation
    def command(invocation: Invocation, skill: str, is_json: bool) -> None:
        with opened(invocation) as app:
            cause = Cause(why=f"hermes skills {name}")
            made = verbs.set_state(
                app.store, app.home.skills, skill_reading.kept_name(app.library, skill), state, cause
            )
            left = app.home.skills.joinpath(*([made.category] if made.category else []), made.skill)
        _tell(made, told, is_json=is_json)
        if state == "deleted" and left.is_dir():
            say(f"What is no text of it was left: {left}", is_error=True)

    return command


archive = _state_command(
    "archive", "archived", "Put a skill out of the agent's sight; `restore` brings it back.", "was archived"
)
restore = _state_command("restore", "live", "Bring back a skill that was archived or deleted.", "was restored")
delete = _state_command(
    "delete", "deleted", "Delete a skill; its versions stay, and `restore` brings it back.", "was deleted"
)


@click.command(epilog=examples("hermes skills history deploy-atlas", "hermes skills history deploy-atlas --json"))
@click.argument("name")
@as_json
@pass_invocation
def history(invocation: Invocation, name: str, is_json: bool) -> None:
    """List the versions of a skill, the newest first."""
    with opened(invocation) as app:
        sync(app)
        found = skill_history.versions(app.store, skill_reading.kept_name(app.library, name))
    if is_json:
        print_json([skill_version_json(one) for one in found])
        return
    for one in found:
        when = local_time(one.entry.at, invocation.settings)
        why = f" ({one.entry.cause})" if one.entry.cause else ""
        say(f"{one.number:>3}  {when}  {one.entry.actor}: {one.entry.text}{why}")


@click.command(epilog=examples("hermes skills diff deploy-atlas", "hermes skills diff deploy-atlas 1 3"))
@click.argument("name")
@click.argument("a", type=int, required=False)
@click.argument("b", type=int, required=False)
@as_json
@pass_invocation
def diff(invocation: Invocation, name: str, a: int | None, b: int | None, is_json: bool) -> None:
    """Show what differs between two versions of a skill; without them, what the last change did."""
    with opened(invocation) as app:
        sync(app)
        one, other = skill_reading.two_versions(app.store, app.library, name, a, b)
    lines = list(skill_history.lines_between(one, other))
    if is_json:
        print_json(skill_difference_json(one.number, other.number, lines))
        return
    for line in lines:
        say(line)
    if not lines:
        say(f"Version {one.number} and version {other.number} say the same.", is_error=True)


def _template(name: str, description: str) -> str:
    # Between quotation marks, as JSON writes it: a colon or a hash in it would be YAML's otherwise.
    quoted = json.dumps(description, ensure_ascii=False)
    return f"---\nname: {name}\ndescription: {quoted}\n---\n\n# {name}\n\n1. \n"


def _read(source: Path) -> str:
    """Read a SKILL.md, and of what is too large or goes on for ever no more than shows that."""
    is_stdin = str(source) == "-"
    name = "stdin" if is_stdin else str(source)
    if is_stdin:
        data = sys.stdin.buffer.read(LARGEST_FILE + 1)
    elif source.is_file():
        with source.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    else:
        raise UsageError(f"{name} is no file.", hint="Give a file, or - for stdin.")
    if len(data) > LARGEST_FILE:
        raise UsageError(f"{name} is larger than a megabyte.")
    try:
        return unix(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8 text.") from error


def _require_text(description: str) -> None:
    """Refuse what a shell passed on that no file of text can hold: bytes of another encoding."""
    try:
        description.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError("The description is not UTF-8 text.", hint="Give it in UTF-8, or use --file.") from error


@contextmanager
def _text(template: str, source: Path | None, home: "Home") -> Iterator[str]:
    """Give what is in the file, or is written in the editor; what is refused then stays where it was written."""
    if source is not None:
        yield _read(source)
        return
    place = Path(tempfile.mkdtemp(prefix="hermes-skill-", dir=private.for_a_moment(home))) / DOCUMENT
    place.write_text(template, encoding="utf-8")
    try:
        open_editor(place, instead="or give the text with --file.")
        yield _read(place)
    except HermesError as error:
        if place.read_bytes() != template.encode():
            kept_at = f"What you wrote is kept: {place}"
            raise UsageError(error.message, hint=f"{error.hint} {kept_at}" if error.hint else kept_at) from error
        shutil.rmtree(place.parent)
        raise
    shutil.rmtree(place.parent)


def sync(app: "App") -> None:
    """Bring the skills in step, and say what was in doubt."""
    for sentence in verbs.sync(app.store, app.home.skills):
        say(sentence, is_error=True)


def _tell(made: KeptSkill, what: str, *, is_json: bool) -> None:
    if is_json:
        print_json(kept_skill_json(made))
    else:
        say(f"The skill {made.skill} {what}.")
