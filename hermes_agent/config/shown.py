"""Settings as JSON: the value, where it came from, and what is wrong with it. Secrets are masked."""

from typing import Any

from hermes_agent.config.load import Settings
from hermes_agent.config.settings import Setting
from hermes_agent.errors import SettingError
from hermes_agent.records.archive import Json

MASK = "********"


# The type of the value differs from setting to setting.
def setting_json(settings: Settings, setting: Setting[Any]) -> dict[str, Json]:
    """Write a setting; one that does not fit has a problem instead of a value."""
    origin = settings.origin(setting)
    problem = None
    value: object = None
    try:
        value = settings[setting]
    except SettingError as error:
        problem = error.message
    return {
        "name": setting.name,
        "value": MASK if setting.is_secret and value is not None else value,
        "origin": origin.kind,
        "where": origin.where or None,
        "problem": problem,
        "help": setting.help,
    }
