"""The load benchmark, in small: a real daemon, many clients at once, and nothing lost."""

import os

import pytest

from benchmarks.load import pressed, report


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_many_clients_at_once_lose_nothing(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("HERMES_")]:
        monkeypatch.delenv(name)
    found = pressed(engine, readers=8, writers=3, seconds=2)
    assert (found.outcome.first_errors, found.lost, found.doubled) == ([], 0, 0)
    assert found.outcome.reads and len(found.outcome.acknowledged) == len(found.outcome.writes) > 0
    assert engine in report([found])
