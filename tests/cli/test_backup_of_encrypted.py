"""The backup of an encrypted home wants the key that the home had on that day, and says so."""

from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.crypto import unlocked
from tests.conftest import Hermes

pytest.importorskip("sqlcipher3")


@pytest.mark.parametrize("command", [("verify",), ("restore", "--yes")])
def test_another_passphrase_is_told_without_the_folder_it_was_opened_in(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", "correct horse battery")
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    assert hermes("encrypt", "--yes").exit_code == 0
    file = tmp_path / "b.age"
    assert hermes("backup", "create", "--output", str(file)).exit_code == 0
    identity = own_home.backup_key
    unlocked.forget()
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "second"))
    for words in ("another horse battery", ""):
        monkeypatch.setenv("HERMES_PASSPHRASE", words)
        done = hermes("backup", *command, str(file), "--identity", str(identity))
        assert done.exit_code != 0 and ".restore-" not in done.stderr + done.stdout, done
        assert "The backup is of an encrypted home" in done.stderr and "$HERMES_PASSPHRASE" in done.stderr
