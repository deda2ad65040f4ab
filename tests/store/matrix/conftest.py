"""A store on SQLite whose vectors stand in a file too."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store


@pytest.fixture
def open_again(tmp_path: Path) -> Callable[[], Store]:
    """Open the one store as another process would: with nothing in memory."""
    (tmp_path / "cache").mkdir()
    return lambda: Store(Sqlite(tmp_path / "state.db", cache=tmp_path / "cache"), "default")


@pytest.fixture
def store(open_again: Callable[[], Store]) -> Store:
    return open_again()


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"
