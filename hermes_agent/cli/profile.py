"""`hermes profile`: separate homes with separate memories."""

import click

from hermes_agent.cli.handover import handover, list_handovers
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.main import COMMANDS
from hermes_agent.cli.output import confirm, examples, print_json, print_table
from hermes_agent.cli.profile_archive import export_profile, import_profile
from hermes_agent.cli.profile_changes import clone, rename
from hermes_agent.config import files, paths, pid_file, profiles
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import MEMORY_BACKEND
from hermes_agent.config.store_path import store_path
from hermes_agent.errors import SettingError, UsageError


@click.group(
    epilog=examples(
        "hermes profile list",
        "hermes profile create work --clone",
        "hermes profile use work",
        "hermes -p work sessions list",
    )
)
def profile() -> None:
    """Keep separate memories.

    Each profile is a whole home: settings, secrets, notes, skills and memory of its own.
    """


@profile.command("list", epilog=examples("hermes profile list", "hermes profile list --json"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> None:
    """List the profiles; the active one is marked."""
    found = profiles.list_all()
    if as_json:
        print_json([profiles.profile_json(one) for one in found])
        return
    rows = [("*" if one.is_active else "", one.name, one.home.root) for one in found]
    print_table(("", "Profile", "Folder"), rows)


@profile.command(
    epilog=examples(
        "hermes profile create work",
        "hermes profile create work --clone",
        "hermes -p work profile create lab --clone --with-secrets",
    )
)
@click.argument("name")
@click.option("--clone", is_flag=True, help="Copy the settings of the profile in use, never its memory.")
@click.option("--with-secrets", is_flag=True, help="Copy its .env too.")
@pass_invocation
def create(invocation: Invocation, name: str, clone: bool, with_secrets: bool) -> None:
    """Create a profile."""
    if with_secrets and not clone:
        raise UsageError("--with-secrets needs --clone.")
    source = invocation.home if clone else None
    home = profiles.create(name, COMMANDS, clone=source, with_secrets=with_secrets)
    click.echo(f"Created the profile {name}: {home.root}")
    if source is not None and source.env_file.exists() and not with_secrets:
        click.echo(f"The secrets in {source.env_file} were not copied; --with-secrets does that.")
    click.echo(f"Use it once with `hermes -p {name} …`, or always after `hermes profile use {name}`.")


@profile.command(epilog=examples("hermes profile use work", "hermes profile use default"))
@click.argument("name")
def use(name: str) -> None:
    """Make a profile the active one."""
    profiles.use(name)
    click.echo(f"The active profile is {name}.")
    pinned = paths.pinned_profile()
    if pinned not in (None, name):
        click.echo(f"Warning: $HERMES_HOME names the profile {pinned} and still decides.", err=True)


@profile.command(epilog=examples("hermes profile show", "hermes profile show work --json"))
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_invocation
def show(invocation: Invocation, name: str | None, as_json: bool) -> None:
    """Show a profile: the one named, or else the one in use."""
    home = invocation.home if name is None else profiles.find(name)
    is_active = home.profile == paths.active_profile()
    settings, store = files.locate(home), _store(home)
    if as_json:
        print_json(
            {
                "name": home.profile,
                "active": is_active,
                "folder": str(home.root),
                "settings": None if settings is None else str(settings),
                "store": store,
            }
        )
        return
    click.echo(f"Profile:  {home.profile}{' (active)' if is_active else ''}")
    click.echo(f"Folder:   {home.root}")
    click.echo(f"Settings: {settings or 'none; defaults hold'}")
    click.echo(f"Store:    {store}")


@profile.command(epilog=examples("hermes profile delete work", "hermes profile delete work --yes"))
@click.argument("name")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
def delete(name: str, yes: bool) -> None:
    """Delete a profile with its settings, notes and memory."""
    home = profiles.check_deletable(name)
    if pid_file.running(home) is not None:
        raise UsageError(f"The daemon of the profile {name} runs.", hint=f"Stop it first: hermes -p {name} stop")
    kept = _kept(home)
    if not confirm(f"Delete the profile {name} and everything in {home.root}?", yes=yes):
        click.echo("Nothing was deleted.")
        return
    profiles.delete(name)
    click.echo(f"Deleted the profile {name}.")
    if kept is not None:
        click.echo(f"Its memory lies elsewhere and was kept: {kept}")


profile.add_command(export_profile)
profile.add_command(import_profile)
profile.add_command(clone)
profile.add_command(rename)
profile.add_command(handover)
profile.add_command(list_handovers, "handovers")


def _store(home: Home) -> str:
    settings = load(home)
    return "PostgreSQL" if settings[MEMORY_BACKEND] == "postgres" else str(store_path(settings, home))


def _kept(home: Home) -> str | None:
    """Return where the memory is if that is not in the home; broken settings do not stop a deletion."""
    try:
        store = _store(home)
    except SettingError:
        return None
    return None if store.startswith(f"{home.root}/") else store
