"""Times as their reader sees them: in the zone of the settings."""

from zoneinfo import ZoneInfo

from hermes_agent import clock
from hermes_agent.config.load import Settings
from hermes_agent.config.settings import DISPLAY_TIME_ZONE


def local_time(moment: int, settings: Settings) -> str:
    """Write a moment in the reader's time zone: `display.timeZone`, or the machine's."""
    name = settings[DISPLAY_TIME_ZONE]
    return clock.written(moment, None if name is None else ZoneInfo(name))
