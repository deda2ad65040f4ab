"""`hermes config`: show and change settings."""

from typing import Any

import click

from hermes_agent.cli.editing import open_editor
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.output import examples, print_json, print_table
from hermes_agent.config import changing, files, paths
from hermes_agent.config.load import Settings, load
from hermes_agent.config.replace import replace_text
from hermes_agent.config.setting import Setting
from hermes_agent.config.setting_names import find
from hermes_agent.config.settings import TABLE
from hermes_agent.config.shown import MASK, setting_json

STARTER = "# Settings of hermes. `hermes config show` lists them all with their values.\n"


@click.group(
    epilog=examples(
        "hermes config show",
        "hermes config get memory.poolSize",
        'hermes config set memory.embeddings.provider "ollama"',
        "hermes config unset memory.path",
    )
)
def config() -> None:
    """Show and change settings.

    A setting comes from the environment, the home's .env, its settings file, or is the default, in this
    order. memory.poolSize, memory.pool_size and HERMES_MEMORY_POOL_SIZE are the same setting.
    """


@config.command(epilog=examples("hermes config show", "hermes config show --json"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_invocation
def show(invocation: Invocation, as_json: bool) -> None:
    """Show every setting, its value and where the value came from."""
    settings = load(invocation.home)
    if as_json:
        print_json([setting_json(settings, setting) for setting in TABLE])
    else:
        rows = [(setting.name, changing.shown(settings, setting), _origin(settings, setting)) for setting in TABLE]
        print_table(("Setting", "Value", "From"), rows)
    _report(settings)


@config.command(epilog=examples("hermes config get memory.poolSize", "hermes config get memory.path --json"))
@click.argument("key")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with where the value came from.")
@pass_invocation
def get(invocation: Invocation, key: str, as_json: bool) -> None:
    """Print the value of one setting; a secret is masked, an unset one is an empty line."""
    setting = find(key)
    settings = load(invocation.home)
    value = settings[setting]
    if as_json:
        print_json(setting_json(settings, setting))
    else:
        click.echo(MASK if setting.is_secret and value is not None else changing.text_of(value))


@config.command(
    "set",
    # So that `hermes config set memory.poolSize -5` is answered by the setting, not by the option parser.
    context_settings={"ignore_unknown_options": True},
    epilog=examples(
        "hermes config set memory.poolSize 10",
        'hermes config set memory.embeddings.model "nomic-embed-text"',
        "hermes config set memory.connectionString '${HERMES_DB_URL}'",
    ),
)
@click.argument("key")
@click.argument("value")
@pass_invocation
def set_(invocation: Invocation, key: str, value: str) -> None:
    """Change one setting in the home's settings file.

    A secret goes to the home's .env instead, unless it is given as ${NAME}.
    """
    setting = find(key)
    home = invocation.home
    before = load(home)
    put = changing.put(home, setting, value)
    old, new = changing.shown(before, setting), changing.written(setting, value)
    click.echo(f"{setting.name}: {old or '(not set)'} → {new} (in {put.where})")
    for warning in put.warnings:
        click.echo(f"Warning: {warning}", err=True)


@config.command(epilog=examples("hermes config unset memory.path"))
@click.argument("key")
@pass_invocation
def unset(invocation: Invocation, key: str) -> None:
    """Take one setting out of the home's files, so that its default holds again."""
    setting = find(key)
    home = invocation.home
    before = load(home)
    where = [str(place) for place in changing.take_out(home, setting)]
    after = load(home)
    if where:
        shown = changing.shown(after, setting) or "(not set)"
        click.echo(f"{setting.name}: {changing.shown(before, setting)} → {shown} (in {' and '.join(where)})")
    else:
        click.echo(f"{setting.name} is not set in {home.root}.")
    override = changing.overridden(after, setting, None)
    if override is not None:
        click.echo(f"Warning: {override}", err=True)


@config.command(epilog=examples("hermes config path", 'grep pool "$(hermes config path)"'))
@pass_invocation
def path(invocation: Invocation) -> None:
    """Print where the settings file is, or would be."""
    click.echo(files.locate(invocation.home) or invocation.home.config_yaml)


@config.command(epilog=examples("hermes config edit", "EDITOR=nano hermes config edit"))
@pass_invocation
def edit(invocation: Invocation) -> None:
    """Open the settings file in $VISUAL or $EDITOR, and check it afterwards."""
    home = invocation.home
    place = files.locate(home)
    if place is None:
        paths.ensure(home)
        place = home.config_yaml
        replace_text(place, STARTER)
    open_editor(place)
    settings = load(home)
    _report(settings)
    settings.check()
    click.echo(f"{place} is fine.")


def _origin(settings: Settings, setting: Setting[Any]) -> str:
    origin = settings.origin(setting)
    return origin.where or origin.kind


def _report(settings: Settings) -> None:
    for warning in settings.warnings:
        click.echo(f"Warning: {warning}", err=True)
    for problem in settings.problems():
        click.echo(f"Problem: {problem.message}", err=True)
