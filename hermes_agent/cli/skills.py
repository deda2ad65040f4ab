"""`hermes skills`: the procedures the agent knows."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from hermes_agent import clock
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, local_time, print_json, print_table, say
from hermes_agent.cli.skill_changes import archive, create, delete, diff, edit, history, restore, validate
from hermes_agent.memory import skills as verbs
from hermes_agent.memory.skill_upkeep import NEVER, uses
from hermes_agent.records.skills import SkillUse
from hermes_agent.skills.library import Skill

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


@skills.command("list", epilog=examples("hermes skills list", "hermes skills list --json"))
@as_json
@pass_invocation
def list_skills(invocation: Invocation, is_json: bool) -> None:
    """List the skills; one that cannot be used says why."""
    with opened(invocation) as app:
        verbs.sync(app.store, app.home.skills)
        found = app.library.list()
        used = uses(app.store)
    if is_json:
        print_json(
            [
                {
                    "name": skill.name,
                    "description": skill.description,
                    "category": skill.category,
                    "path": str(skill.path),
                    "problem": skill.problem,
                    "used_count": _use(skill, used).count,
                    "last_used_at": None if (at := _use(skill, used).last_at) is None else clock.iso(at),
                }
                for skill in found
            ]
        )
        return
    if not found:
        say("There are no skills yet. A skill is a folder with a SKILL.md in the home's skills folder.")
        return
    print_table(
        ("NAME", "CATEGORY", "USED", "WHAT IT IS FOR"),
        [
            (
                skill.name,
                skill.category or "",
                _used(_use(skill, used), invocation.settings),
                f"Cannot be used: {skill.problem}" if skill.problem else skill.description,
            )
            for skill in found
        ],
    )


def _use(skill: Skill, used: Mapping[str, SkillUse]) -> SkillUse:
    return used.get(skill.path.parent.name, NEVER)


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
        text = app.library.view(name, file)
        files = list(app.library.files(name))
    if is_json:
        print_json({"name": name, "file": file, "content": text, "files": files})
        return
    for line in text.splitlines():
        say(line)
    if file is None and files:
        say(f"\nFiles: {', '.join(files)}", is_dim=True)
