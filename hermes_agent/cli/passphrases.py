"""Ask for a passphrase on the terminal; it is not shown, and goes nowhere but into the key."""

import sys

import click

from hermes_agent.config import encryption
from hermes_agent.config.owner_key import PASSPHRASE, Ask, passphrase_in
from hermes_agent.config.paths import Home
from hermes_agent.errors import UsageError


def asking(home: Home | str) -> Ask | None:
    """Return how the passphrase of a home, or of what we call one, is asked for; None with nobody to ask."""
    if not sys.stdin.isatty():
        return None
    called = home if isinstance(home, str) else home.root
    return lambda: _hidden(f"Passphrase of {called}: ")


def for_daemon(home: Home) -> dict[str, str]:
    """Return what a daemon in the background needs to open an encrypted home: the passphrase, asked for here."""
    found = encryption.read(home)
    ask = asking(home)
    if found is None or found.source.kind != "passphrase" or passphrase_in() or ask is None:
        return {}
    words = ask()
    encryption.keys_of(home, found, lambda: words)
    return {PASSPHRASE: words}


def new(variable: str) -> str:
    """Ask twice for a new passphrase."""
    if not sys.stdin.isatty():
        raise UsageError("There is nobody to ask for a passphrase.", hint=f"Set {variable}.")
    words = _hidden("New passphrase: ")
    if _hidden("Once more: ") != words:
        raise UsageError("The two are not the same.")
    return words


def _hidden(prompt: str) -> str:
    return str(click.prompt(prompt, hide_input=True, prompt_suffix="", err=True))
