"""From where on Discord is asked for what was missed."""

from hermes_agent.gateways.discord_missed import floors_of
from hermes_agent.gateways.gateway import Place

NOW = 1_700_000_000_000
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


def snowflake(milliseconds: int) -> int:
    return (milliseconds - 1_420_070_400_000) << 22


def test_a_channel_is_asked_from_a_minute_before_what_was_kept_last_there() -> None:
    last = {Place("5"): snowflake(NOW - HOUR), Place("6", "group", "7"): snowflake(NOW)}
    floors = floors_of(last, NOW + DAY)
    assert floors.of(5) == snowflake(NOW - HOUR - MINUTE)
    assert floors.of(7) == snowflake(NOW - MINUTE)


def test_elsewhere_it_is_asked_from_where_anything_was_kept_last() -> None:
    floors = floors_of({Place("5"): snowflake(NOW - HOUR), Place("6"): snowflake(NOW)}, NOW + DAY)
    assert floors.of(8) == snowflake(NOW - MINUTE)


def test_a_channel_that_was_silent_for_long_is_not_read_from_there() -> None:
    floors = floors_of({Place("5", "group"): snowflake(NOW - 90 * DAY), Place("6"): snowflake(NOW)}, NOW + DAY)
    assert floors.of(5) == snowflake(NOW - DAY)


def test_at_the_first_start_it_is_a_day() -> None:
    assert floors_of({}, NOW).of(5) == snowflake(NOW - DAY)
