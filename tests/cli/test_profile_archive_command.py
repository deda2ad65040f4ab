"""`hermes profile export` and `hermes profile import`: a profile goes to another machine, its keys do not."""

import tarfile
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes

DOCUMENT = "---\nname: sort-mail\ndescription: Sort the mail.\n---\n\nSort it.\n"


@pytest.fixture
def archive(hermes: Hermes, own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The default profile with a fact, a note, a skill with a picture, a setting and a key, exported."""
    monkeypatch.chdir(tmp_path)
    for command in (
        ("memory", "fact", "add", "Rex is afraid of trains"),
        ("notes", "add", "user", "Likes figs"),
        ("config", "set", "memory.poolSize", "7"),
    ):
        assert hermes(*command).exit_code == 0, command
    assert hermes("skills", "create", "sort-mail", "--file", "-", input=DOCUMENT).exit_code == 0
    (own_home.skills / "sort-mail" / "logo.png").write_bytes(bytes(range(256)))
    own_home.env_file.write_text("OPENAI_API_KEY=sk-very-secret\n")
    own_home.env_file.chmod(0o600)
    done = hermes("profile", "export", "default")
    assert done.exit_code == 0 and "1 fact" in done.stdout, done
    return tmp_path / "default.tar.gz"


def test_a_profile_comes_back_under_another_name_without_its_keys(
    hermes: Hermes, own_home: Home, archive: Path, tmp_path: Path
) -> None:
    done = hermes("profile", "import", str(archive), "--name", "laptop")
    assert done.exit_code == 0, done
    assert "Rex is afraid of trains" in hermes("-p", "laptop", "memory", "facts", "list").stdout
    assert "Likes figs" in hermes("-p", "laptop", "notes", "show").stdout
    assert "sort-mail" in hermes("-p", "laptop", "skills", "list").stdout
    assert hermes("-p", "laptop", "config", "get", "memory.poolSize").stdout.strip() == "7"
    home = own_home.root / "profiles" / "laptop"
    assert (home / "skills" / "sort-mail" / "logo.png").read_bytes() == bytes(range(256))
    assert not (home / ".env").exists() and b"very-secret" not in archive.read_bytes()
    with tarfile.open(archive) as tar:
        assert "memory.json" in tar.getnames() and ".env" not in tar.getnames()


def test_a_profile_that_is_here_is_never_changed(hermes: Hermes, archive: Path) -> None:
    assert hermes("profile", "import", str(archive)).exit_code == 2, "default is reserved"
    hermes("profile", "create", "work")
    done = hermes("profile", "import", str(archive), "--name", "work")
    assert done.exit_code == 2 and "exists already" in done.stderr


def test_what_is_no_archive_makes_no_profile(hermes: Hermes, own_home: Home, tmp_path: Path) -> None:
    (tmp_path / "no.tar.gz").write_bytes(b"hello")
    (tmp_path / "empty.tar.gz").write_bytes(b"")
    for name in ("no.tar.gz", "empty.tar.gz", "missing.tar.gz"):
        done = hermes("profile", "import", str(tmp_path / name), "--name", "laptop")
        assert done.exit_code == 2 and "Traceback" not in done.stderr, (name, done)
    assert not (own_home.root / "profiles" / "laptop").exists()
