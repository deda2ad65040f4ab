"""`hermes login` and `logout`: the token that opens a server elsewhere, saved for this machine."""

import sys

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.output import examples, say
from hermes_agent.cli.server import connect, strange
from hermes_agent.config import credentials
from hermes_agent.errors import NotFound, UsageError


@click.command(
    epilog=examples(
        "hermes login https://memory.example.org:8642",
        "hermes --server https://memory.example.org:8642 memory search lisbon",
        "hermes config set server.url https://memory.example.org:8642",
    )
)
@click.argument("url")
@pass_invocation
def login(invocation: Invocation, url: str) -> None:
    """Try a token with a server, and save it for this machine.

    The token is asked for, or read from standard input: `hermes token create NAME --scope admin` prints one there;
    with a lesser scope you look and talk, but change nothing in your own name. It is saved in a file that only you
    can read. `--server URL`, $HERMES_SERVER or the setting server.url then send commands
    there.
    """
    address = credentials.address_of(url)
    server = connect(address, invocation.settings, _token(address))
    told = server.ask("GET", "/api/server")
    profile, token = told.get("profile"), told.get("token")
    scope = token.get("scope") if isinstance(token, dict) else None
    if profile is None or scope is None:
        raise strange(address)
    credentials.save(address, server.token)
    say(f"{address} has the memory of profile {profile}; this machine may {scope}.")
    if scope != "admin":
        say("Changing facts, notes and skills in your name needs another: hermes token create NAME --scope admin")
    say(f"Send commands there with --server {address}, or always: hermes config set server.url {address}")


@click.command(epilog=examples("hermes logout https://memory.example.org:8642"))
@click.argument("url")
def logout(url: str) -> None:
    """Forget the token of a server; the server knows it until it is revoked there."""
    address = credentials.address_of(url)
    if not credentials.forget(address):
        raise NotFound(f"There is no token for {address}.")
    say(f"The token for {address} is forgotten here. Revoke it there: hermes token revoke NAME")


def _token(address: str) -> str:
    if sys.stdin.isatty():
        shown = str(click.prompt(f"Token for {address}", hide_input=True, err=True))
    else:
        shown = sys.stdin.readline()
    if not shown.strip():
        raise UsageError("There is no token.", hint="Make one there: hermes token create NAME --scope admin")
    return shown.strip()
