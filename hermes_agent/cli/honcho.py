"""`hermes honcho`: the external memory Honcho, in the words its users know."""

import click

from hermes_agent.cli import provider_setup
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config import changing
from hermes_agent.config import settings as names
from hermes_agent.memory import provider_health

_NAME = "honcho"
# 003 calls it by the provider's name; the setting is for every provider.
_MODES = {"hybrid": "hybrid", "honcho": "provider", "local": "local"}
_ABOUT = {
    "hybrid": "Honcho and our own memory are asked together",
    "honcho": "only Honcho is asked; the archive is still written",
    "local": "Honcho is left alone",
}


@click.group(epilog=examples("hermes honcho mode", "hermes honcho mode hybrid", "hermes honcho status"))
def honcho() -> None:
    """Use Honcho as the external memory; `hermes memory setup` has the others."""


@honcho.command(epilog=examples("hermes honcho mode", "hermes honcho mode local"))
@click.argument("mode", required=False, type=click.Choice(list(_MODES)))
@as_json
@pass_invocation
def mode(invocation: Invocation, mode: str | None, is_json: bool) -> None:
    """Show what is recalled from where, or change it: hybrid, honcho (only Honcho) or local (not Honcho)."""
    if mode is not None:
        changing.put(invocation.home, names.MEMORY_PROVIDER_MODE, _MODES[mode])
        shown = mode
    else:
        kept = invocation.settings[names.MEMORY_PROVIDER_MODE]
        shown = next(name for name, value in _MODES.items() if value == kept)
    used = invocation.settings[names.MEMORY_PROVIDER]
    if is_json:
        print_json({"mode": shown, "provider": used})
        return
    say(f"Mode: {shown} ({_ABOUT[shown]})")
    if used != _NAME:
        say("Honcho is not used. Choose it: hermes memory setup honcho", is_error=True)


@honcho.command(epilog=examples("hermes honcho status", "hermes honcho status --json"))
@as_json
@pass_invocation
def status(invocation: Invocation, is_json: bool) -> None:
    """Tell whether Honcho is used, what waits for it, and what went wrong. `hermes memory test` tries it."""
    with opened(invocation) as app:
        used = app.settings[names.MEMORY_PROVIDER] == _NAME
        health = provider_health.read(app.store, _NAME)
    if is_json:
        print_json({"is_used": used, "waiting": health.waiting, "trouble": health.trouble})
        return
    say("Honcho is used." if used else "Honcho is not used. Choose it: hermes memory setup honcho")
    say(f"Waiting to be told: {health.waiting:,}")
    if health.trouble is not None:
        say(f"The last time: {health.trouble}", is_error=True)


@honcho.command(epilog=examples("hermes honcho setup", "HONCHO_API_KEY=… hermes honcho setup --no-input"))
@click.option("--set", "given", multiple=True, metavar="KEY=VALUE", help="Answer a question beforehand.")
@click.option("--no-input", is_flag=True, help="Ask nothing; what is not given keeps its value or its default.")
@click.pass_context
def setup(ctx: click.Context, given: tuple[str, ...], no_input: bool) -> None:
    """Use Honcho beside our own memory; the same as `hermes memory setup honcho`."""
    ctx.invoke(provider_setup.setup, name=_NAME, given=given, no_input=no_input, is_listing=False, is_json=False)
