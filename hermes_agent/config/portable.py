"""The settings that may go from one home to another: how memory behaves, never where it lies or what may be done.

Keys, addresses and paths are a machine's own, and what the agent may run or whom it may ask is its owner's to say
at each place: a file that somebody made must not decide that.
"""

from collections.abc import Mapping

from hermes_agent.config.load import Settings
from hermes_agent.config.settings import TABLE
from hermes_agent.config.values import parse

_PORTABLE = (
    "contextWindow",
    "display.",
    "maxToolRounds",
    "memory.compression.",
    "memory.cost.",
    "memory.curateUserNote",
    "memory.learning.",
    "memory.memoryCharLimit",
    "memory.nudgeInterval",
    "memory.poolSize",
    "memory.retrieval.",
    "memory.userCharLimit",
    "memory.vacuumSchedule",
    "sessions.",
    "skills.",
)


def portable(settings: Settings) -> tuple[dict[str, object], list[str]]:
    """Return the settings of the file that may leave the home, as written, and the names of the others."""
    written = [one for one in TABLE if settings.origin(one).kind == "file"]
    kept = {one.name: settings.written(one) for one in written if is_portable(one.name)}
    return kept, [one.name for one in written if one.name not in kept]


def is_portable(name: str) -> bool:
    """Tell whether a setting may come from another home."""
    return name.startswith(_PORTABLE)


def check(given: Mapping[str, object]) -> None:
    """Refuse values that do not fit; SettingError names the first."""
    for setting in TABLE:
        if setting.name in given and is_portable(setting.name):
            parse(setting, given[setting.name])
