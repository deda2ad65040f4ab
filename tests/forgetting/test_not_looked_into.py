"""What forgetting cannot look into is named: other profiles, and databases of an encrypted home that lie aside."""

from pathlib import Path

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.forgetting.test_phrases import NOTE, WORD
from tests.proof.processes import as_ordinary_user
from tests.proof.processes import hermes as run


def test_other_profiles_are_named_as_not_looked_into(hermes: Hermes) -> None:
    hermes("notes", "add", "-t", "memory", NOTE)
    assert hermes("profile", "create", "work").exit_code == 0
    done = hermes("memory", "forget", "--about", WORD, "--yes")
    assert "Other profiles were not looked into: work" in done.stdout
    verified = hermes("memory", "verify-deletion", "receipt:1")
    assert (verified.exit_code, "Other profiles were not looked into: work" in verified.stdout) == (0, True)


def test_an_encrypted_database_that_lies_aside_is_named(hermes: Hermes, own_home: Home, tmp_path: Path) -> None:
    hermes("notes", "add", "-t", "memory", NOTE)
    key = str(tmp_path / "usb" / "hermes.key")
    assert hermes("encrypt", "--key-file", key, "--yes").exit_code == 0
    aside = own_home.backups / "replaced-20260101T000000Z" / "state.db"
    aside.parent.mkdir(parents=True)
    aside.write_bytes(own_home.state_db.read_bytes())
    done = hermes("memory", "forget", "--about", WORD, "--yes")
    assert done.exit_code == 1
    told = "not looked through, since it is encrypted: backups/replaced-20260101T000000Z/state.db"
    assert told in done.stdout
    assert "A folder backups/replaced-… may be deleted whole" in done.stdout


def test_a_file_that_may_not_be_read_is_named_and_stops_nothing(hermes: Hermes, own_home: Home) -> None:
    user = as_ordinary_user()
    hermes("notes", "add", "-t", "memory", NOTE)
    closed, folder = own_home.logs / "closed.log", own_home.workspace / "closed"
    own_home.logs.mkdir(exist_ok=True)
    closed.write_text("x")
    folder.mkdir(parents=True)
    closed.chmod(0)
    folder.chmod(0)
    try:
        done = run("memory", "forget", "--about", WORD, "--yes", prefix=user)
        assert (done.returncode, done.stderr.count("Error")) == (1, 0)
        for name in ("logs/closed.log", "workspace/closed"):
            assert f"not looked through, since it may not be read: {name}\n" in done.stdout
        verified = run("memory", "verify-deletion", "receipt:1", prefix=user)
        assert verified.returncode == 1 and "since it may not be read: logs/closed.log" in verified.stdout
    finally:
        closed.chmod(0o600)
        folder.chmod(0o700)
    assert hermes("memory", "verify-deletion", "receipt:1").exit_code == 0
