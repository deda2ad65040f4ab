"""`hermes gateway`: chat platforms through which people write to the agent."""

import signal
import sys
import threading
from collections.abc import Sequence

import click

from hermes_agent.app import App
from hermes_agent.cli.completed_names import gateways
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, print_table, say
from hermes_agent.config import variables
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.daemon import log
from hermes_agent.errors import GatewayRefused, UsageError
from hermes_agent.gateways import found, setting_up, telling
from hermes_agent.gateways.gateway import Platform, Secret
from hermes_agent.gateways.running import Running, State
from hermes_agent.memory.shown.gateways import as_json as health_json
from hermes_agent.memory.shown.gateways import words
from hermes_agent.text.quantities import counted

_MASKED = "(kept as it is)"


@click.group(
    epilog=examples(
        "hermes gateway list",
        "hermes gateway setup telegram --owner 12345",
        "hermes gateway status",
        "hermes gateway run telegram",
    )
)
def gateway() -> None:
    """Talk over chat platforms: set them up, see how they are, try them out.

    The daemon runs those that are set up: hermes start
    """


@gateway.command("list", epilog=examples("hermes gateway list", "hermes gateway list --json"))
@as_json
@pass_invocation
def list_gateways(invocation: Invocation, is_json: bool) -> None:
    """List the gateways there are, and what each still needs."""
    with opened(invocation) as app:
        known = variables.read(app.home)
        told = [setting_up.readiness(app.settings, known, name) for name in found.names()]
    if is_json:
        print_json([one.as_json() for one in told])
        return
    rows = [(one.name, "on" if one.is_enabled else "off", one.needs or "nothing") for one in told]
    print_table(("name", "state", "needs"), rows)


@gateway.command(epilog=examples("hermes gateway status", "hermes gateway status --json"))
@as_json
@pass_invocation
def status(invocation: Invocation, is_json: bool) -> None:
    """Tell how the gateways are that are set up: connected or not, and what waits.

    Exit code 1 if one is not well.
    """
    with opened(invocation) as app:
        health = telling.health_of(app)
        chats = telling.chat_counts(app)
    if is_json:
        print_json([{**health_json(one), "chats": chats.get(one.name, 0)} for one in health])
    elif not health:
        say("No gateway is set up. Set one up: hermes gateway setup NAME")
    for one in [] if is_json else health:
        say(f"{one.name}: {words(one)}, {counted(chats.get(one.name, 0), 'chat')}")
    if not all(one.is_well for one in health):
        raise SystemExit(1)


@gateway.command(
    epilog=examples(
        "hermes gateway setup telegram",
        "hermes gateway setup telegram --owner 12345 --allow 777 --allow 888",
        "echo $TOKEN | hermes gateway setup telegram --owner 12345",
        "hermes gateway setup webhook --new-secret",
        "hermes gateway setup telegram --off",
    )
)
@click.argument("name", shell_complete=gateways)
@click.option(
    setting_up.OWNER, "owners", metavar="ID", multiple=True, help="Your own id there: it works in this memory."
)
@click.option(
    setting_up.ALLOW,
    "allowed",
    metavar="ID",
    multiple=True,
    help="Somebody who may write, in a memory of their own.",
)
@click.option(
    "--new-secret", "is_renewed", is_flag=True, help="Make a secret anew that is made here; the old one ends."
)
@click.option("--off", "is_off", is_flag=True, help="Do not run it any more; everything else stays as it is.")
@as_json
@pass_invocation
def setup(
    invocation: Invocation,
    name: str,
    owners: Sequence[str],
    allowed: Sequence[str],
    is_renewed: bool,
    is_off: bool,
    is_json: bool,
) -> None:
    """Set a gateway up: ask for what it needs, and let the daemon run it.

    Secrets are asked for, or read from standard input, a line each; they are kept in the .env of the home. What is
    given, a secret or ids, takes the place of what was there before.
    """
    platform = found.platform(name)
    home = invocation.home
    if is_off:
        setting_up.turn_off(home, name)
        if is_json:
            _print_readiness(home, name, [])
        else:
            say(f"{platform.title} is off. The daemon learns of it by: hermes restart")
        return
    if is_renewed and not any(secret.is_made for secret in platform.secrets):
        raise UsageError(
            f"{platform.title} has no secret that is made here.", hint=f"Give another: hermes gateway setup {name}"
        )
    owners = setting_up.ids_for(platform, setting_up.OWNER, owners)
    allowed = setting_up.ids_for(platform, setting_up.ALLOW, allowed)
    new_secrets = _keep_secrets(home, platform, is_renewed=is_renewed, is_shown=not is_json)
    setting_up.turn_on(home, name, owners, allowed)
    if is_json:
        _print_readiness(home, name, new_secrets)
    else:
        _tell(platform, has_people=bool(owners or allowed) or setting_up.has_people(home, name))


def _print_readiness(home: Home, name: str, new_secrets: Sequence[str]) -> None:
    told = setting_up.readiness(load(home), variables.read(home), name)
    print_json({**told.as_json(), "new_secrets": list(new_secrets)})


def _tell(platform: Platform, *, has_people: bool) -> None:
    """Say that a gateway is set up, and what it still needs."""
    name = platform.name
    trying = "" if platform.is_over_http else f" Try it: hermes gateway run {name}"
    say(f"{platform.title} is set up. It runs with the daemon: hermes restart.{trying}")
    install = setting_up.missing_library(platform)
    if install is not None:
        say(f"Its library is missing: {install}", is_error=True)
    if not has_people:
        say(f"Nobody may write yet: hermes gateway setup {name} --owner ID", is_error=True)


def _keep_secrets(home: Home, platform: Platform, *, is_renewed: bool, is_shown: bool) -> list[str]:
    """Keep the secrets that are given or made; return the names of those that are new."""
    known = variables.read(home)
    new = []
    for secret in platform.secrets:
        is_known = secret.name in known
        if secret.is_made and (is_renewed or not is_known):
            _make(home, secret, is_shown=is_shown)
        elif secret.is_made or not _ask(home, secret, is_known=is_known):
            continue
        new.append(secret.name)
        if variables.of_process().get(secret.name):
            say(f"The environment here has a {secret.name}, too, which wins. Take it out there.", is_error=True)
    return new


def _make(home: Home, secret: Secret, *, is_shown: bool) -> None:
    """Make a secret of ours; show it this once, but not to programs, whose output may be kept anywhere."""
    value = setting_up.make_secret(home, secret.name)
    if is_shown:
        say(f"{secret.name} is made; it is shown this once. {secret.help}", is_error=True)
        say(value)
    else:
        say(f"{secret.name} is made; it stands in {home.env_file}.", is_error=True)


def _ask(home: Home, secret: Secret, *, is_known: bool) -> bool:
    """Ask for a secret and keep it; one that is known stays if nothing is given. Tell whether it is new."""
    value = _asked(secret, is_known=is_known)
    if value is None:
        return False
    setting_up.keep_secret(home, secret.name, value)
    if is_known:
        say(f"{secret.name} is replaced.", is_error=True)
    return True


def _asked(secret: Secret, *, is_known: bool) -> str | None:
    """Ask for a secret, or read it from a pipe; None if the one that is known stays."""
    is_person = sys.stdin.isatty()
    if is_person or not is_known:
        say(secret.help, is_error=True)
    if is_person:
        shown = _MASKED if is_known else None
        value = str(click.prompt(secret.name, default=shown, hide_input=True, err=True)).strip()
    else:
        value = sys.stdin.readline().strip()
    if is_known and value in ("", _MASKED):
        return None
    if not value:
        raise UsageError(
            f"There is no {secret.name}.", hint="Give it in a line of standard input, or in the .env."
        )
    return value


@gateway.command(epilog=examples("hermes gateway run telegram"))
@click.argument("name", shell_complete=gateways)
@pass_invocation
def run(invocation: Invocation, name: str) -> None:
    """Run one gateway here, in the foreground, for trying it out; Ctrl-C ends it.

    What is under way then finishes, or is kept. What waiting does not mend, such as a wrong token, ends it, too. A
    gateway over HTTP needs the daemon.
    """
    platform = found.platform(name)
    if platform.is_over_http:
        raise UsageError(f"{platform.title} is reached over HTTP: it runs with the daemon.", hint="hermes start")
    with opened(invocation) as app:
        log.to_stderr()
        _run(app, platform)


def _run(app: App, platform: Platform) -> None:
    over = threading.Event()

    def tell(state: State) -> None:
        if state.condition == "ended":
            over.set()
        if state.condition != "ended" or state.trouble is None:
            trouble = "" if state.trouble is None else f": {state.trouble}"
            say(f"{state.name}: {state.condition}{trouble}", is_error=True)

    running = Running(app, platform, tell, is_patient=False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: running.stop())
    running.start()
    while not over.wait(0.2):
        pass
    running.wait()
    if running.state.trouble is not None:
        raise GatewayRefused(running.state.trouble)
