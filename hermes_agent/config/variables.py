"""The variables of a home: the process's environment, and behind it the home's `.env`.

Keys of vendors are looked up here. They are handed on as values and never put into the environment, so
that a command the agent starts does not inherit what stands only in the `.env`.
"""

import os
from collections.abc import Mapping

from hermes_agent.config import envfile
from hermes_agent.config.load import UnsetVariable, expand
from hermes_agent.config.owner_key import KEY_FILE, NEW_PASSPHRASE, PASSPHRASE
from hermes_agent.config.paths import Home

_OPENING = {PASSPHRASE, NEW_PASSPHRASE, KEY_FILE, "HERMES_BACKUP_PASSPHRASE", "HERMES_TOKEN"}


def read(home: Home) -> Mapping[str, str]:
    """Return every variable that is set and not empty; `${NAME}` in the `.env` is looked up."""
    in_file = envfile.read(home)
    found = {name: _expanded(home, in_file, name) for name, value in in_file.items() if value}
    return found | {name: value for name, value in os.environ.items() if value}


def of_process() -> Mapping[str, str]:
    """Return the process's own environment, without the `.env`."""
    return dict(os.environ)


def for_commands() -> Mapping[str, str]:
    """Return what a command that the agent starts inherits: not what opens the home, its backups or a server."""
    return {name: value for name, value in os.environ.items() if name not in _OPENING}


def _expanded(home: Home, in_file: Mapping[str, str], name: str) -> str:
    try:
        return expand(in_file[name], name, in_file, home.env_file, (name,))
    except UnsetVariable:
        return in_file[name]  # whoever needs it will find that it is no key


def prepare(values: Mapping[str, str]) -> None:
    """Set what a library reads from the environment when it is imported, and takes in no other way.

    What is set already stays. Never for keys: commands that the agent starts inherit it.
    """
    for name, value in values.items():
        os.environ.setdefault(name, value)
