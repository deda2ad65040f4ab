"""Stretches of time in questions, seen from a Sunday afternoon."""

from datetime import UTC, datetime

import pytest

from hermes_agent.agent.embedded.times import span_of

NOW = datetime(2026, 11, 15, 15, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("this morning", "2026-11-15 00:00", "2026-11-15 12:00"),
        ("this afternoon", "2026-11-15 12:00", "2026-11-15 18:00"),
        ("tonight", "2026-11-15 18:00", "2026-11-16 04:00"),
        ("last night", "2026-11-14 18:00", "2026-11-15 06:00"),
        ("an hour ago", "2026-11-15 14:00", "2026-11-15 15:31"),
        ("since monday", "2026-11-09 00:00", "2026-11-15 15:31"),
        ("on the tenth of November", "2026-11-10 00:00", "2026-11-11 00:00"),
        ("in October", "2026-10-01 00:00", "2026-11-01 00:00"),
    ],
)
def test_a_phrase_means_a_stretch_of_time(phrase: str, start: str, end: str) -> None:
    span = span_of(phrase, NOW)
    assert span is not None
    assert (f"{span.start:%Y-%m-%d %H:%M}", f"{span.end:%Y-%m-%d %H:%M}") == (start, end)
