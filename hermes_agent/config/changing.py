"""Change one setting of a home: in its settings file, or, if it is a secret, in its `.env`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hermes_agent.config import envfile, files
from hermes_agent.config.load import REFERENCE
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import Setting
from hermes_agent.config.values import parse


# Any: the type of the value differs from setting to setting.
def put(home: Home, setting: Setting[Any], value: object) -> Path:
    """Set a value; return where it stands now. `${NAME}` is kept as it is written."""
    if isinstance(value, str) and REFERENCE.search(value):
        return files.write(home, setting, value)
    parsed = parse(setting, value)
    if not setting.is_secret:
        return files.write(home, setting, parsed)
    envfile.write(home, setting.variable, parsed)
    return home.env_file


def unset(home: Home, setting: Setting[Any]) -> Sequence[Path]:
    """Take a setting out of the home's files; return those it stood in."""
    places = [files.erase(home, setting)]
    if envfile.erase(home, setting.variable):
        places.append(home.env_file)
    return [place for place in places if place is not None]
