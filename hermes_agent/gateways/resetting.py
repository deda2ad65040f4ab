"""When a chat begins a new session by itself: a pure decision."""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from hermes_agent import clock
from hermes_agent.config.gateway_settings import ResetPolicy


@dataclass(frozen=True, slots=True)
class Resetting:
    """The policy: after so many minutes of silence, at an hour of the day, both or never."""

    policy: ResetPolicy = "none"
    idle_minutes: int = 1440
    daily_hour: int = 4


def is_due(resetting: Resetting, heard_at: int, now: int, zone: tzinfo | None) -> bool:
    """Tell whether what is said now begins a new session, when something was last said at a moment."""
    last, current = (clock.to_datetime(one, zone) for one in (heard_at, now))
    is_idle = current - last >= timedelta(minutes=resetting.idle_minutes)
    is_another_day = _latest_reset(current, resetting.daily_hour) > last
    by_idle, by_day = resetting.policy in ("idle", "both"), resetting.policy in ("daily", "both")
    return (by_idle and is_idle) or (by_day and is_another_day)


def _latest_reset(moment: datetime, hour: int) -> datetime:
    """Return the last time before a moment at which that hour of a day began."""
    today = moment.replace(hour=hour, minute=0, second=0, microsecond=0)
    return today if today <= moment else today - timedelta(days=1)
