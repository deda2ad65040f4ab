"""Change settings of a home, for whichever door its owner uses: where a value goes, and what overrides it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_agent.config import envfile, files
from hermes_agent.config.load import REFERENCE, Settings, UnsetVariable, load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.config.replace import locked
from hermes_agent.config.setting import Setting
from hermes_agent.config.shown import MASK, without_keys
from hermes_agent.config.values import parse
from hermes_agent.errors import SettingError


@dataclass(frozen=True, slots=True)
class Put:
    """A value that was written: where, and what its owner should know of it."""

    where: Path
    warnings: Sequence[str]


def _nothing() -> None:
    """Refuse nothing."""


# Any: settings of every type.
def put(
    home: Home,
    setting: Setting[Any],
    value: object,
    *,
    check: Callable[[], None] = _nothing,
    is_from_afar: bool = False,
) -> Put:
    """Write a value to the home's settings file; a secret to its .env, unless it is given as `${NAME}`.

    `check` may refuse: it looks while nobody else changes a setting. What was masked is no value: whoever sends
    back what they were shown would lose their keys. From afar no variable is named: where a value goes, what the
    variable holds would go, too.
    """
    if is_from_afar:
        refuse_variable(value, setting.name)
        # Looked at again when it is read: text may be JSON that spells the `$` as an escape.
        refuse_variable(parse(setting, value), setting.name)
    if MASK in str(value):
        raise SettingError(
            f"{setting.name} would be {MASK}, which is shown in the place of a key.",
            hint="Give the key itself, or the name of a variable that holds it: ${NAME}.",
        )
    ensure(home)
    with locked(home.settings_lock):
        check()
        return _put(home, setting, value)


def _put(home: Home, setting: Setting[Any], value: object) -> Put:
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


def refuse_variable(value: object, name: str) -> None:
    """Refuse a value for a setting that comes from elsewhere and would read a variable of this machine."""
    if REFERENCE.search(str(value)):
        raise SettingError("A variable is named at the terminal.", hint=f"Run there: hermes config set {name} …")


def take_out(home: Home, setting: Setting[Any], *, check: Callable[[], None] = _nothing) -> list[Path]:
    """Take a setting out of the home's files, so that its default holds again; return which held it."""
    if not home.root.exists():
        return []
    with locked(home.settings_lock):
        check()
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
        parse(setting, settings.expand(value, setting), shown=value)
    except UnsetVariable as error:
        return [f"{error.message} {error.hint}"]
    return []
