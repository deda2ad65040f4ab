"""The only place that asks the time.

The store keeps integer microseconds in UTC; people see their own time zone. Order in the store
is by id, never by clock: clocks jump.
"""

import time
from datetime import UTC, datetime, tzinfo

MICROSECONDS = 1_000_000


def now() -> int:
    """Return the time in microseconds since 1970, UTC."""
    return time.time_ns() // 1_000


def monotonic() -> float:
    """Return seconds on a clock that never goes back, for measuring how long something took."""
    return time.monotonic()


def sleep(seconds: float) -> None:
    """Wait."""
    time.sleep(seconds)


def from_seconds(seconds: float) -> int:
    """Turn the unix seconds of exports and foreign stores into microseconds, exactly."""
    return round(seconds * MICROSECONDS)


def to_seconds(moment: int) -> float:
    """Turn microseconds into unix seconds; a double holds them exactly until the year 2255."""
    return moment / MICROSECONDS


def to_datetime(moment: int, zone: tzinfo | None = UTC) -> datetime:
    """Return the moment as a date and time, in UTC or in `zone` (None: this machine's zone)."""
    in_utc = datetime.fromtimestamp(moment // MICROSECONDS, UTC).replace(microsecond=moment % MICROSECONDS)
    try:
        return in_utc.astimezone(zone)
    except (OverflowError, ValueError):  # in the first or last hours that dates can have
        return in_utc


def from_datetime(value: datetime) -> int:
    """Turn a date and time into microseconds; one without a zone is in this machine's zone."""
    aware = value.astimezone(UTC)
    return int(aware.replace(microsecond=0).timestamp()) * MICROSECONDS + aware.microsecond


def written(moment: int, zone: tzinfo | None = UTC) -> str:
    """Write a moment for people, `2026-04-14 09:30:00`; years have four digits, also the first thousand."""
    # Not by strftime: on Linux %Y writes the year 1 as "1".
    return to_datetime(moment, zone).replace(tzinfo=None).isoformat(" ", "seconds")


def iso(moment: int) -> str:
    """Write a moment for machines: ISO 8601 in UTC."""
    return to_datetime(moment).isoformat().replace("+00:00", "Z")
