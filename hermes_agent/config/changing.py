"""Change settings of a home, for whichever door its owner uses: where a value goes, and what overrides it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_agent.config import envfile, files
from hermes_agent.config.load import REFERENCE, Settings, UnsetVariable, load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import Setting
from hermes_agent.config.shown import MASK, without_keys
from hermes_agent.config.values import parse


@dataclass(frozen=True, slots=True)
class Put:
    """A value that was written: where, and what its owner should know of it."""

    where: Path
    warnings: Sequence[str]


# Any: settings of every type.
def put(home: Home, setting: Setting[Any], value: object) -> Put:
    """Write a value to the home's settings file; a secret to its .env, unless it is given as `${NAME}`."""
    if isinstance(value, str) and REFERENCE.search(value):
        warnings = _unset_reference(load(home), setting, value)
        where = files.write(home, setting, value)
    elif setting.is_secret:
        warnings = []
        envfile.write(home, setting.variable, parse(setting, value))
        where = home.env_file
    else:
        warnings = []
        where = files.write(home, setting, parse(setting, value))
    override = overridden(load(home), setting, where)
    return Put(where, warnings if override is None else [*warnings, override])


def take_out(home: Home, setting: Setting[Any]) -> list[Path]:
    """Take a setting out of the home's files, so that its default holds again; return which held it."""
    places = [files.erase(home, setting)]
    if envfile.erase(home, setting.variable):
        places.append(home.env_file)
    return [place for place in places if place is not None]


def overridden(settings: Settings, setting: Setting[Any], written_to: Path | None) -> str | None:
    """Say that a change has no effect because something stronger sets the same; None if it has."""
    origin = settings.origin(setting)
    if origin.kind == "environment" and not origin.where.endswith(f" in {written_to}"):
        return f"{origin.where} still decides: {shown(settings, setting)}."
    return None


def shown(settings: Settings, setting: Setting[Any]) -> str:
    """Write a value as somebody wrote it, with `${NAME}` in it; secrets are masked."""
    return written(setting, settings.written(setting))


def written(setting: Setting[Any], value: object) -> str:
    """Write a value as it was given; a secret only if it is nothing but `${NAME}`."""
    is_reference = isinstance(value, str) and REFERENCE.fullmatch(value)
    return MASK if setting.is_secret and value is not None and not is_reference else text_of(without_keys(value))


def text_of(value: object) -> str:
    """Write a value as it is typed: nothing for one that is not set."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _unset_reference(settings: Settings, setting: Setting[Any], value: str) -> list[str]:
    """Check the value behind `${NAME}` if it is set already; it may be set later."""
    try:
        parse(setting, settings.expand(value, setting))
    except UnsetVariable as error:
        return [f"{error.message} {error.hint}"]
    return []
