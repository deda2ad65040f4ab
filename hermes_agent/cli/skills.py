"""`hermes skills`: the procedures the agent knows."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, print_table, say
from hermes_agent.cli.skill_changes import (
    archive,
    create,
    delete,
    diff,
    edit,
    history,
    restore,
    sync,
    validate,
)
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory.shown.skills import ListedSkill, gone, listed_skill_json, live, skill_text_json
from hermes_agent.memory.skill_reading import kept, view
from hermes_agent.memory.skill_upkeep import uses
from hermes_agent.records.skills import KeptSkill, SkillUse

if TYPE_CHECKING:
    from hermes_agent.config.load import Settings


@click.group(
    epilog=examples(
        "hermes skills list",
        "hermes skills show deploy",
        'hermes skills create deploy --description "Deploy Atlas."',
        "hermes skills history deploy",
    )
)
def skills() -> None:
    """See and change the procedures the agent knows."""


for change in (create, edit, validate, archive, restore, delete, history, diff):
    skills.add_command(change)


@skills.command(
    "list", epilog=examples("hermes skills list", "hermes skills list --all", "hermes skills list --json")
)
@click.option("--all", "is_all", is_flag=True, help="Also those that are archived or deleted.")
@as_json
@pass_invocation
def list_skills(invocation: Invocation, is_all: bool, is_json: bool) -> None:
    """List the skills; one that cannot be used says why."""
    with opened(invocation) as app:
        sync(app)
        found, known, used = app.library.scanned(), kept(app.store), uses(app.store)
    # Of one without a file only the name is left: it was forgotten or reset, and cannot be brought back.
    away = [one for one in known.values() if one.state != "live" and one.files]
    listed = [live(one, used) for one in found] + [gone(one, used) for one in away if is_all]
    if is_json:
        print_json([listed_skill_json(one) for one in listed])
        return
    if not listed:
        say(_none_live(away))
        return
    columns = ("NAME", "CATEGORY", *(["STATE"] if is_all else []), "USED", "WHAT IT IS FOR")
    print_table(columns, [_row(one, invocation.settings, is_all=is_all) for one in listed])


def _none_live(gone: Sequence[KeptSkill]) -> str:
    """Say that there are no skills, or that there are none but those that were put away, and how to see them."""
    if not gone:
        return "There are no skills yet. A skill is a folder with a SKILL.md in the home's skills folder."
    counts = {state: sum(one.state == state for one in gone) for state in ("archived", "deleted")}
    told = " and ".join(f"{count:,} {state}" for state, count in counts.items() if count)
    return f"No skill is in use; {told}. See: hermes skills list --all. Bring one back: hermes skills restore NAME"


def _row(one: ListedSkill, settings: "Settings", *, is_all: bool) -> list[str]:
    state = [one.state] if is_all else []
    return [one.name, one.category or "", *state, _used(one.use, settings), one.told]


def _used(use: SkillUse, settings: "Settings") -> str:
    if use.last_at is None:
        return "never"
    return f"{use.count:,}, last {local_time(use.last_at, settings)[: len('2026-06-30')]}"


@skills.command(epilog=examples("hermes skills show deploy", "hermes skills show deploy references/hosts.md"))
@click.argument("name")
@click.argument("file", required=False)
@as_json
@pass_invocation
def show(invocation: Invocation, name: str, file: str | None, is_json: bool) -> None:
    """Print a skill, or one of its files."""
    with opened(invocation) as app:
        text = view(app.store, app.library, name, file)
        files = list(app.library.files(name))
    if is_json:
        print_json(skill_text_json(name, file, text, files))
        return
    for line in text.splitlines():
        say(line)
    if file is None and files:
        say(f"\nFiles: {', '.join(files)}", is_dim=True)
