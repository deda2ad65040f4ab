"""A new home on each of the engines, its memory and its USER.md."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.ids import new_uid
from hermes_agent.memory.memory import Memory
from hermes_agent.store.postgres import schema_name
from tests.engines import ENGINES
from tests.postgres import server_address


@pytest.fixture(autouse=True, params=ENGINES)
def engine(request: pytest.FixtureRequest, own_home: Home, monkeypatch: pytest.MonkeyPatch) -> str:
    """A new home on each of the engines; nothing follows a command in the background, times are UTC."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    monkeypatch.setenv("HERMES_DISPLAY_TIME_ZONE", "UTC")
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "none")
    if request.param == "postgres":
        monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
        monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
        monkeypatch.setenv("HERMES_MEMORY_SCHEMA", schema_name(new_uid()))
    ensure(own_home)
    return str(request.param)


@pytest.fixture
def memory(own_home: Home) -> Iterator[Memory]:
    """The memory that the commands work in."""
    app = App(own_home, load(own_home))
    yield app.memory
    app.close()


@pytest.fixture
def note(own_home: Home) -> Path:
    own_home.user_note.parent.mkdir(parents=True, exist_ok=True)
    return own_home.user_note
