"""Settings of a home: what the environment, the files and the defaults say together.

Order: environment, then the home's `.env` (same names), then the settings file, then the default.
A value is checked when it is read, and `${NAME}` in it is looked up then: a command that needs no
database works while the database's address is not set. `check()` looks at all values at once.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from hermes_agent.config import envfile, files
from hermes_agent.config.paths import Home
from hermes_agent.config.setting import Setting
from hermes_agent.config.setting_names import BY_FOLDED_VARIABLE, fold
from hermes_agent.config.settings import TABLE
from hermes_agent.config.values import parse
from hermes_agent.errors import SettingError

T = TypeVar("T")

REFERENCE = re.compile(r"\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)\}")


class UnsetVariable(SettingError):
    """A setting refers to a variable that is not set."""


@dataclass(frozen=True)
class Origin:
    """Where a value came from; `where` is the file or the variable, empty for a default."""

    kind: Literal["default", "file", "environment"]
    where: str = ""


@dataclass(frozen=True)
class Given:
    """A value as somebody wrote it, before it is checked."""

    value: object
    origin: Origin
    is_literal: bool  # the shell has expanded its own variables; a `${` left in them is meant so


class Settings:
    """The settings of one home at one moment: `settings[MEMORY_POOL_SIZE]` is an int."""

    def __init__(
        self, given: Mapping[str, Given], expand: Callable[[str, str], str], warnings: tuple[str, ...] = ()
    ) -> None:
        self._given = given
        self._expand = expand
        self._read: dict[str, object] = {}
        self.warnings = warnings

    def __getitem__(self, setting: Setting[T]) -> T:
        """Return the value; SettingError if it does not fit or refers to a variable that is not set."""
        given = self._given.get(setting.name)
        if given is None:
            return setting.default
        if setting.name not in self._read:
            self._read[setting.name] = self._check(setting, given)
        return cast(T, self._read[setting.name])

    def origin(self, setting: Setting[Any]) -> Origin:
        """Say where the value came from."""
        given = self._given.get(setting.name)
        return Origin("default") if given is None else given.origin

    def written(self, setting: Setting[Any]) -> object:
        """Return the value as it was written, unchecked, with `${NAME}` in it."""
        given = self._given.get(setting.name)
        return setting.default if given is None else given.value

    def names_variable(self, setting: Setting[Any]) -> bool:
        """Tell whether `${NAME}` stands in the value and is looked up."""
        given = self._given.get(setting.name)
        return given is not None and _names_variable(given)

    def problems(self) -> list[SettingError]:
        """Return what is wrong with the values that were given; a variable that is not set is not."""
        found = []
        for setting in TABLE:
            try:
                self[setting]
            except UnsetVariable:
                continue
            except SettingError as error:
                found.append(error)
        return found

    def check(self) -> None:
        """Refuse to go on with a value that does not fit."""
        for problem in self.problems():
            raise problem

    def expand(self, text: str, setting: Setting[Any]) -> str:
        """Replace each `${NAME}` in the text, as if it were the setting's value."""
        return self._expand(text, setting.name)

    def _check(self, setting: Setting[T], given: Given) -> T:
        if not _names_variable(given):
            return parse(setting, given.value, where=given.origin.where)
        value = self._expand(str(given.value), setting.name)
        # A refusal shows the name: what the variable holds may be a secret.
        return parse(setting, value, where=given.origin.where, shown=given.value)


def _names_variable(given: Given) -> bool:
    return isinstance(given.value, str) and not given.is_literal and REFERENCE.search(given.value) is not None


def load(home: Home, *, with_environment: bool = True) -> Settings:
    """Read the environment, the `.env` and the settings file of a home.

    The environment of a process is its owner's: where a guest's home is opened it says nothing.
    """
    file = files.read(home)
    in_env_file = envfile.read(home)
    given = {
        **_from_file(file),
        **_from_variables(in_env_file, str(home.env_file), is_literal=False),
        **(_from_variables(os.environ, "", is_literal=True) if with_environment else {}),
    }
    permissions = envfile.permission_warning(home)
    warnings = [] if file is None else file.warnings()
    return Settings(
        given,
        lambda text, name: expand(text, name, in_env_file, home.env_file),
        (*warnings, *([] if permissions is None else [permissions])),
    )


def expand(
    text: str, name: str, in_env_file: Mapping[str, str], env_file: Path, opened: tuple[str, ...] = ()
) -> str:
    """Replace each `${NAME}` by its value from the environment or the `.env`; `$${NAME}` stays `${NAME}`."""

    def look_up(match: re.Match[str]) -> str:
        escape, variable = match.groups()
        if escape:
            return match.group()[1:]
        if os.environ.get(variable):
            return os.environ[variable]
        if not in_env_file.get(variable) or variable in opened:
            raise UnsetVariable(
                f"{name} refers to ${{{variable}}}, which is not set.",
                hint=f"Set {variable} in the environment, or add a line `{variable}=…` to {env_file}.",
            )
        return expand(in_env_file[variable], name, in_env_file, env_file, (*opened, variable))

    return REFERENCE.sub(look_up, text)


def _from_file(file: files.SettingsFile | None) -> dict[str, Given]:
    if file is None:
        return {}
    origin = Origin("file", str(file.path))
    return {
        name: Given(entry.value, origin, is_literal=False)
        for name, entry in file.entries.items()
        if entry.value is not None
    }


def _from_variables(variables: Mapping[str, str], where: str, *, is_literal: bool) -> dict[str, Given]:
    """Pick the variables that set something; an empty one counts as not set, as in the shell."""
    found: dict[str, Given] = {}
    spelled: dict[str, str] = {}
    for variable, value in variables.items():
        setting = BY_FOLDED_VARIABLE.get(fold(variable)) if variable.upper().startswith("HERMES_") else None
        if setting is None or not value:
            continue
        if setting.name in spelled:
            raise SettingError(f"{setting.name} is set twice: as {spelled[setting.name]} and as {variable}.")
        spelled[setting.name] = variable
        place = f"{variable} in {where}" if where else variable
        found[setting.name] = Given(value, Origin("environment", place), is_literal)
    return found
