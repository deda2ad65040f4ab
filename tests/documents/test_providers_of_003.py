"""What document 003 prints of external memories: their names, how one is chosen, Honcho's modes and tools."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.agent.tools.todo import TodoList
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.providers.honcho_server import HonchoServer
from tests.providers.vendor_server import serving

NAMES = {"honcho", "openviking", "mem0", "hindsight", "holographic", "retaindb", "byterover", "custom"}


@pytest.fixture
def honcho(monkeypatch: pytest.MonkeyPatch) -> Iterator[HonchoServer]:
    with serving(HonchoServer()) as server:
        monkeypatch.setenv("HONCHO_API_KEY", server.key)
        monkeypatch.setenv("HONCHO_BASE_URL", server.url)
        yield server


def test_eight_external_memories_can_be_chosen(hermes: Hermes) -> None:
    listed = json.loads(hermes("memory", "setup", "--list", "--json").stdout)
    assert {one["name"] for one in listed} >= NAMES
    assert all(one["about"] for one in listed)


def test_setup_asks_which_and_what_it_wants_to_know(honcho: HonchoServer, hermes: Hermes) -> None:
    asked = hermes("memory", "setup", input="honcho\n" + "\n" * 20)
    assert asked.exit_code == 0, asked.stderr
    assert "Which one" in asked.stdout and "honcho is used from now on" in asked.stdout
    assert hermes("config", "get", "memory.provider").stdout == "honcho\n"
    assert honcho.key not in hermes("config", "show").stdout


def test_it_is_configured_by_the_printed_command(honcho: HonchoServer, hermes: Hermes, own_home: Home) -> None:
    assert hermes("config", "set", "memory.provider", "honcho").exit_code == 0
    app = App(own_home, load(own_home))
    try:
        tools = app.desk.toolbox("s1", Path(), TodoList()).tools
        assert {"honcho_profile", "honcho_search", "honcho_context", "honcho_conclude"} <= set(tools)
    finally:
        app.close()


def test_the_mode_is_shown_and_switched_by_the_printed_command(honcho: HonchoServer, hermes: Hermes) -> None:
    hermes("config", "set", "memory.provider", "honcho")
    assert hermes("honcho", "mode").stdout.startswith("Mode: hybrid")
    for mode in ("honcho", "local", "hybrid"):
        assert hermes("honcho", "mode", mode).exit_code == 0
        assert hermes("honcho", "mode").stdout.startswith(f"Mode: {mode}")
    assert hermes("honcho", "mode", "nonsense").exit_code == 2


def test_status_tells_the_numbers_of_002_first_and_the_provider_after(
    honcho: HonchoServer, hermes: Hermes
) -> None:
    hermes("config", "set", "memory.provider", "honcho")
    lines = hermes("memory", "status").stdout.splitlines()
    assert lines[0].startswith("Episodes: ") and lines[6].startswith("Last compression: ")
    assert lines[-1].startswith("Provider: honcho (hybrid)")
