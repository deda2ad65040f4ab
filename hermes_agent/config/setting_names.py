"""Finding a setting by its name, in whichever spelling, and saying which one may be meant."""

from typing import Any

# Their lines stand in the table, too: whoever looks for a setting finds those of the gateways.
from hermes_agent.config import gateway_settings as gateway_settings
from hermes_agent.config.setting import Setting
from hermes_agent.config.settings import TABLE
from hermes_agent.errors import SettingError


def fold(name: str) -> str:
    """Reduce every spelling of a name to one: lower case, no `_`, no `-`."""
    return name.replace("_", "").replace("-", "").lower()


BY_FOLDED_NAME = {fold(setting.name): setting for setting in TABLE}
BY_FOLDED_VARIABLE = {fold(setting.variable): setting for setting in TABLE}
SECTIONS = {
    fold(setting.name.rsplit(".", depth)[0]): setting.name.rsplit(".", depth)[0]
    for setting in TABLE
    for depth in range(1, setting.name.count(".") + 1)
}


def find(name: str) -> Setting[Any]:
    """Return the setting of that name in any spelling, or say which one may be meant."""
    found = BY_FOLDED_NAME.get(fold(name))
    if found is not None:
        return found
    section = SECTIONS.get(fold(name))
    if section is not None:
        inside = [setting.name for setting in TABLE if setting.name.startswith(section + ".")]
        raise SettingError(f"{section} is a group of settings.", hint=f"In it: {', '.join(inside)}.")
    raise SettingError(
        f"There is no setting {name!r}.", hint=suggestion(name) or "`hermes config show` lists all settings."
    )


def suggestion(name: str) -> str | None:
    """Say which setting may be meant by a name that does not exist."""
    from rapidfuzz import process

    best = process.extractOne(fold(name), BY_FOLDED_NAME.keys(), score_cutoff=60)
    return None if best is None else f"Did you mean {BY_FOLDED_NAME[best[0]].name}?"
