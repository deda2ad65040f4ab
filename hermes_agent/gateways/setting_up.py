"""Setting a gateway up: its secrets into the `.env`, who may talk into the settings; and what one still needs."""

import importlib.util
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hermes_agent.config import envfile, files
from hermes_agent.config.gateway_settings import GATEWAYS_OTHERS, OURS
from hermes_agent.config.load import Settings, load
from hermes_agent.config.paths import Home
from hermes_agent.errors import SettingError, UsageError
from hermes_agent.gateways import found
from hermes_agent.gateways.access import EVERYBODY, access_of
from hermes_agent.gateways.gateway import Platform
from hermes_agent.records.archive import Json

OWNER, ALLOW = "--owner", "--allow"
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether a gateway is to run, and what it still needs."""

    name: str
    title: str
    is_enabled: bool
    needs: str

    def as_json(self) -> dict[str, Json]:
        """Tell it to programs."""
        return {"name": self.name, "title": self.title, "is_enabled": self.is_enabled, "needs": self.needs or None}


def readiness(settings: Settings, known: Mapping[str, str], name: str) -> Readiness:
    """Tell what a gateway still needs; one that cannot be loaded says why."""
    access = access_of(settings, name)
    try:
        platform = found.platform(name)
    except SettingError as error:
        return Readiness(name, name, access.is_enabled, error.message)
    missing = [one.name for one in platform.secrets if one.name not in known]
    install = missing_library(platform)
    missing += [] if install is None else [install]
    missing += [] if access.owners or access.allowed else ["somebody who may write"]
    return Readiness(name, platform.title, access.is_enabled, ", ".join(missing))


def missing_library(platform: Platform) -> str | None:
    """Return how to install a platform's library if it is missing."""
    is_there = platform.library is None or importlib.util.find_spec(platform.library) is not None
    return None if is_there else f"pip install 'hermes-agent[{platform.extra}]'"


def keep_secret(home: Home, name: str, value: str) -> None:
    """Keep a secret where only the owner reads it."""
    envfile.write(home, name, value)


def make_secret(home: Home, name: str) -> str:
    """Make a secret at random, and keep it."""
    value = secrets.token_hex(_SECRET_BYTES)
    envfile.write(home, name, value)
    return value


def ids_for(platform: Platform, option: str, given: Sequence[str]) -> list[str]:
    """Return the ids that an option was given; refuse what nobody can be called there."""
    ids = [one.strip() for one in given]
    if not all(ids):
        raise UsageError(f"An id for {option} is empty.", hint="If it comes from a variable: that is not set.")
    ours = OURS.get(platform.name)
    for one in ids if ours is not None and ours.has_numbers else []:
        is_number = one.isascii() and one.isdecimal()
        if not is_number and (option, one) != (ALLOW, EVERYBODY):
            raise UsageError(
                f"{one!r} is no id on {platform.title}: ids there are numbers.",
                hint="docs/guides/gateways.md tells how to learn yours.",
            )
    return ids


def turn_on(home: Home, name: str, owners: Sequence[str], allowed: Sequence[str]) -> None:
    """Let a gateway run, and keep who may talk; who is not named now stays as they were."""
    ours = OURS.get(name)
    if ours is None:
        given: dict[str, object] = {"enabled": True}
        given |= {"owners": list(owners)} if owners else {}
        given |= {"allowed": list(allowed)} if allowed else {}
        _put_other(home, name, given)
        return
    files.write(home, ours.enabled, True)
    if owners:
        files.write(home, ours.owners, list(owners))
    if allowed:
        files.write(home, ours.allowed, list(allowed))


def turn_off(home: Home, name: str) -> None:
    """Let a gateway run no more."""
    ours = OURS.get(name)
    if ours is None:
        _put_other(home, name, {"enabled": False})
    else:
        files.write(home, ours.enabled, False)


def has_people(home: Home, name: str) -> bool:
    """Tell whether anybody may talk over a gateway."""
    access = access_of(load(home), name)
    return bool(access.owners or access.allowed)


def _put_other(home: Home, name: str, given: Mapping[str, object]) -> None:
    others = {key: dict(value) for key, value in load(home)[GATEWAYS_OTHERS].items()}
    files.write(home, GATEWAYS_OTHERS, {**others, name: {**others.get(name, {}), **given}})
