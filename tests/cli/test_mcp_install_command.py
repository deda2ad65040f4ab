"""`hermes mcp install`: prints what a client needs, or puts it into the client's file."""

import json
import tomllib
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes


def test_it_prints_what_can_be_pasted(hermes: Hermes, folder: Path, own_home: Home) -> None:
    outcome = hermes("mcp", "install", "claude-code", "--read-only")
    assert outcome.exit_code == 0
    (entry,) = json.loads(outcome.stdout)["mcpServers"].values()
    assert Path(entry["command"]).is_absolute() and entry["args"] == ["mcp", "--read-only"]
    assert entry["env"] == {"HERMES_HOME": str(own_home.root)}
    assert str(folder / ".mcp.json") in outcome.stderr
    assert list(folder.iterdir()) == []


def test_it_writes_keeps_a_copy_and_does_nothing_twice(hermes: Hermes, folder: Path) -> None:
    place = folder / ".mcp.json"
    place.write_text('{"mcpServers": {"time": {"command": "uvx"}}}')
    assert hermes("mcp", "install", "claude-code", "--write").exit_code == 0
    assert set(json.loads(place.read_text())["mcpServers"]) == {"time", "hermes"}
    (copy,) = folder.glob("*.bak")
    assert copy.read_text() == '{"mcpServers": {"time": {"command": "uvx"}}}'
    again = hermes("mcp", "install", "claude-code", "--write")
    assert "has it already" in again.stdout
    assert len(list(folder.iterdir())) == 2


def test_each_client_has_its_own_file(hermes: Hermes, folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for client in ("cursor", "codex"):
        assert hermes("mcp", "install", client, "--write", "--url", "https://m.example/mcp").exit_code == 0
    cursor = json.loads((home / ".cursor" / "mcp.json").read_text())
    codex = tomllib.loads((home / ".codex" / "config.toml").read_text())
    assert (
        cursor["mcpServers"]["hermes"]["url"] == codex["mcp_servers"]["hermes"]["url"] == "https://m.example/mcp"
    )


def test_the_codex_home_is_heeded(hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    assert hermes("mcp", "install", "codex", "--write").exit_code == 0
    assert (tmp_path / "codex" / "config.toml").exists()


def test_this_home_is_no_client_of_itself(hermes: Hermes, tmp_path: Path, own_home: Home) -> None:
    refused = hermes("mcp", "install", "hermes", "--write")
    assert refused.exit_code == 2 and "very home" in refused.stderr
    assert not own_home.config_yaml.exists()
    other = tmp_path / "other" / "config.yaml"
    assert hermes("mcp", "install", "hermes", "--write", "--file", str(other)).exit_code == 0
    assert "mcp_servers:\n  hermes:" in other.read_text()


def test_a_profile_is_started_and_called_by_its_name(hermes: Hermes, folder: Path) -> None:
    assert hermes("profile", "create", "work").exit_code == 0
    outcome = hermes("-p", "work", "mcp", "install", "claude-code")
    ((name, entry),) = json.loads(outcome.stdout)["mcpServers"].items()
    assert name == "hermes-work" and entry["args"] == ["-p", "work", "mcp"]


@pytest.mark.parametrize(
    "flags", [["--url", "https://x", "--read-only"], ["--read-only", "--as-owner"], ["--file", "/"]]
)
def test_what_does_not_fit_together_is_refused(hermes: Hermes, folder: Path, flags: list[str]) -> None:
    outcome = hermes("mcp", "install", "cursor", "--write", *flags)
    assert outcome.exit_code == 2 and outcome.stdout == ""


def test_a_broken_file_is_left_as_it_is(hermes: Hermes, folder: Path) -> None:
    place = folder / ".mcp.json"
    place.write_text("{ broken")
    outcome = hermes("mcp", "install", "claude-code", "--write")
    assert outcome.exit_code == 2 and "cannot be read" in outcome.stderr
    assert place.read_text() == "{ broken" and len(list(folder.iterdir())) == 1
