"""A passphrase at a real terminal: asked for, never shown, and handed to the daemon in the background."""

import pytest

from hermes_agent.config import pid_file
from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.terminal import open_chat

PASSPHRASE = "correct horse battery"


def test_a_passphrase_is_asked_for_and_never_shown(
    own_home: Home, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hermes("notes", "add", "Frobnitz").exit_code == 0
    with open_chat("encrypt", columns=200) as terminal:
        terminal.expect("[y/N]")
        terminal.type("y\r")
        terminal.expect("New passphrase:")
        terminal.type(f"{PASSPHRASE}\r")
        terminal.expect("Once more:")
        terminal.type(f"{PASSPHRASE}\r")
        terminal.expect("opened by its passphrase")
        assert terminal.end() == 0
    shown = terminal.text
    with open_chat("start", columns=200) as terminal:
        terminal.expect(f"Passphrase of {own_home.root}:")
        terminal.type(f"{PASSPHRASE}\r")
        terminal.expect("The daemon runs in the background")
        assert terminal.end() == 0
    shown += terminal.text
    assert pid_file.running(own_home) is not None
    with open_chat("stop", columns=200) as terminal:
        terminal.expect("no passphrase was given. Its log is folded")
        assert terminal.end() == 0
    shown += terminal.text
    assert pid_file.running(own_home) is None
    with monkeypatch.context() as changed:
        changed.setenv("HERMES_PASSPHRASE", PASSPHRASE)
        assert f"Everything is in {own_home.state_db}" in hermes("stop").stdout
    with open_chat("chat", columns=200) as terminal:
        terminal.expect(f"Passphrase of {own_home.root}:")
        terminal.type(f"{PASSPHRASE}\r")
        terminal.ready()
        terminal.type("I live in Oslo\r")
        terminal.expect("Noted")
        terminal.ready()
    shown += terminal.text
    assert PASSPHRASE not in shown
    assert not own_home.chat_history.exists()


def test_two_passphrases_that_differ_change_nothing(own_home: Home, hermes: Hermes) -> None:
    assert hermes("notes", "add", "Frobnitz").exit_code == 0
    with open_chat("encrypt", "--yes", columns=200) as terminal:
        terminal.expect("New passphrase:")
        terminal.type(f"{PASSPHRASE}\r")
        terminal.expect("Once more:")
        terminal.type("another horse\r")
        terminal.expect("The two are not the same")
        assert terminal.end() == 2
    assert not own_home.encryption.exists()


def test_a_key_that_was_exchanged_while_somebody_typed_is_not_overwritten(
    own_home: Home, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", PASSPHRASE)
    assert hermes("notes", "add", "Frobnitz").exit_code == 0
    assert hermes("encrypt", "--yes").exit_code == 0
    with open_chat("encrypt", "--rekey", columns=200) as terminal:
        terminal.expect("New passphrase:")
        assert hermes("encrypt", "--rotate", "--yes").exit_code == 0
        terminal.type("another horse\r")
        terminal.expect("Once more:")
        terminal.type("another horse\r")
        terminal.expect("Another process has just")
        assert terminal.end() != 0
    assert "Frobnitz" in hermes("notes", "show").stdout
    assert hermes("sessions", "list").exit_code == 0
