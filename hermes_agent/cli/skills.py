"""`hermes skills`: the procedures the agent knows."""

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, print_table, say
from hermes_agent.cli.skill_changes import archive, create, delete, diff, edit, history, restore, validate
from hermes_agent.memory import skills as verbs


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
    if is_json:
        print_json(
            [
                {
                    "name": skill.name,
                    "description": skill.description,
                    "category": skill.category,
                    "path": str(skill.path),
                    "problem": skill.problem,
                }
                for skill in found
            ]
        )
        return
    if not found:
        say("There are no skills yet. A skill is a folder with a SKILL.md in the home's skills folder.")
        return
    print_table(
        ("NAME", "CATEGORY", "WHAT IT IS FOR"),
        [
            (s.name, s.category or "", f"Cannot be used: {s.problem}" if s.problem else s.description)
            for s in found
        ],
    )


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
