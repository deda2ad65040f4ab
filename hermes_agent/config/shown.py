"""Settings as JSON: the value, where it came from, and what is wrong with it. Secrets are masked."""

import json
from contextlib import suppress
from typing import Any

from hermes_agent.config.load import REFERENCE, Settings
from hermes_agent.config.setting import Setting
from hermes_agent.errors import SettingError
from hermes_agent.records.archive import Json

MASK = "********"
_KEYED = ("env", "headers")
"""Where keys stand in an entry of `mcpServers`."""


# The type of the value differs from setting to setting.
def setting_json(settings: Settings, setting: Setting[Any], *, is_from_afar: bool = False) -> dict[str, Json]:
    """Write a setting; one that does not fit has a problem instead of a value.

    From afar a variable is not looked into: the value is shown as written, with `${NAME}` in it.
    """
    origin = settings.origin(setting)
    problem = None
    value: object = None
    try:
        value = settings[setting]
        if is_from_afar and settings.names_variable(setting):
            value = settings.written(setting)
    except SettingError as error:
        problem = error.message
    return {
        "name": setting.name,
        "value": MASK if setting.is_secret and value is not None else without_keys(value),
        "origin": origin.kind,
        "where": origin.where or None,
        "problem": problem,
        "help": setting.help,
    }


def without_keys(value: object) -> object:
    """Return a value without what may be a key in it: of MCP servers what they get told; `${NAME}` may be seen."""
    if isinstance(value, str) and value.lstrip().startswith("{"):  # a mapping with `${NAME}` in it is kept as text
        with suppress(ValueError, RecursionError):
            read = json.loads(value)
            return value if without_keys(read) == read else json.dumps(without_keys(read), ensure_ascii=False)
        return MASK
    if not isinstance(value, dict):
        return value
    return {name: _masked(each) if name in _KEYED else without_keys(each) for name, each in value.items()}


def _masked(told: object) -> object:
    if not isinstance(told, dict):
        return MASK
    return {
        name: each if isinstance(each, str) and REFERENCE.fullmatch(each) else MASK for name, each in told.items()
    }
