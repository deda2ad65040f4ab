"""`hermes profile clone` and `rename`: what comes along, what does not, and who is refused."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_agent.config import presence
from hermes_agent.config.paths import Home
from hermes_agent.ids import new_uid
from tests.conftest import Hermes
from tests.engines import ENGINES
from tests.postgres import server_address

DOCUMENT = "---\nname: sort-mail\ndescription: Sort the mail.\n---\n\nSort it.\n"


@pytest.fixture(params=ENGINES)
def work(request: pytest.FixtureRequest, hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch) -> str:
    """A profile with a fact, a note, a skill with a picture, settings and a key, on either engine."""
    if request.param == "postgres":
        monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
        monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
    # The server is one for all tests of the process.
    name = f"work-{new_uid()[-8:]}"
    assert hermes("profile", "create", name).exit_code == 0
    for command in (
        ("memory", "fact", "add", "Rex is afraid of trains"),
        ("notes", "add", "user", "Likes figs"),
        ("config", "set", "memory.poolSize", "7"),
    ):
        assert hermes("-p", name, *command).exit_code == 0, command
    assert hermes("-p", name, "skills", "create", "sort-mail", "--file", "-", input=DOCUMENT).exit_code == 0
    home = own_home.root / "profiles" / name
    (home / "skills" / "sort-mail" / "logo.png").write_bytes(bytes(range(256)))
    (home / ".env").write_text("OPENAI_API_KEY=sk-very-secret\n")
    (home / ".env").chmod(0o600)
    return name


def facts(hermes: Hermes, profile: str) -> list[str]:
    return [one["text"] for one in json.loads(hermes("-p", profile, "memory", "facts", "list", "--json").stdout)]


@pytest.mark.parametrize("with_memory", [False, True])
def test_a_clone_has_notes_skills_and_settings_but_memory_only_when_asked(
    hermes: Hermes, own_home: Home, work: str, with_memory: bool
) -> None:
    lab = f"lab-{new_uid()[-8:]}"
    done = hermes("profile", "clone", work, lab, *(["--memory"] if with_memory else []))
    assert done.exit_code == 0, done
    assert ("without its memory" in done.stdout) != with_memory and "Keys do not come" in done.stdout
    assert facts(hermes, lab) == (["Rex is afraid of trains"] if with_memory else [])
    assert "Likes figs" in hermes("-p", lab, "notes", "show").stdout
    assert "sort-mail" in hermes("-p", lab, "skills", "list").stdout
    assert hermes("-p", lab, "config", "get", "memory.poolSize").stdout.strip() == "7"
    home = own_home.root / "profiles" / lab
    assert (home / "skills" / "sort-mail" / "logo.png").read_bytes() == bytes(range(256))
    assert not (home / ".env").exists()
    assert hermes("-p", lab, "doctor").exit_code == 0
    hermes("-p", lab, "memory", "fact", "add", "Lisbon is sunny")
    assert facts(hermes, work) == ["Rex is afraid of trains"], "the two share nothing"
    assert sorted(one.name for one in (own_home.root / "profiles").iterdir()) == sorted([work, lab])


KILLED = """
import os, signal, sys
from hermes_agent.ops.whole import joining
from hermes_agent.cli.main import run
joining.join = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
run(["profile", "clone", "work", "lab", "--memory"])
"""


def test_a_clone_that_is_killed_leaves_no_profile_and_nothing_for_others(hermes: Hermes, own_home: Home) -> None:
    hermes("profile", "create", "work")
    assert hermes("-p", "work", "memory", "fact", "add", "Rex is afraid of trains").exit_code == 0
    ended = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True)
    assert ended.returncode == -signal.SIGKILL, ended
    assert [one["name"] for one in json.loads(hermes("profile", "list", "--json").stdout)] == ["default", "work"]
    told = [file for file in own_home.root.rglob("*.json") if b"Rex" in file.read_bytes()]
    assert told and all(file.stat().st_mode & 0o077 == 0 for file in told)
    assert hermes("profile", "clone", "work", "lab", "--memory").exit_code == 0
    assert facts(hermes, "lab") == ["Rex is afraid of trains"]
    assert not [file for file in own_home.root.rglob("*.json") if b"Rex" in file.read_bytes()]


def test_a_clone_of_an_encrypted_profile_is_readable_and_says_that_it_is_plain(
    hermes: Hermes, own_home: Home, tmp_path: Path
) -> None:
    for name in ("work", "home"):
        hermes("profile", "create", name)
    assert hermes("-p", "work", "skills", "create", "sort-mail", "--file", "-", input=DOCUMENT).exit_code == 0
    assert hermes("-p", "work", "memory", "fact", "add", "Rex is afraid of trains").exit_code == 0
    assert hermes("-p", "work", "encrypt", "--yes", "--key-file", str(tmp_path / "key")).exit_code == 0
    done = hermes("profile", "clone", "work", "lab", "--memory")
    assert "The profile is encrypted, the clone is not. Encrypt it: hermes -p lab encrypt" in done.stderr, done
    assert (own_home.root / "profiles/lab/skills/sort-mail/SKILL.md").read_text(encoding="utf-8") == DOCUMENT
    assert facts(hermes, "lab") == ["Rex is afraid of trains"]
    given = hermes("profile", "handover", "work", "home", "--summary", "Rex hates trains.", "--yes")
    assert "work is encrypted, home is not. Encrypt it: hermes -p home encrypt" in given.stderr, given


def test_keys_in_the_settings_are_not_cloned(hermes: Hermes, own_home: Home) -> None:
    hermes("profile", "create", "work")
    config = own_home.root / "profiles" / "work" / "config.yaml"
    config.write_text(
        "mcpServers:\n  files:\n    command: x\n    env: {TOKEN: secret-word}\n"
        "memory:\n  connectionString: postgres://u:secret-word@h/d\n  poolSize: 7\n"
    )
    done = hermes("profile", "clone", "work", "lab")
    assert done.exit_code == 0, done
    written = (own_home.root / "profiles" / "lab" / "config.yaml").read_text()
    assert "secret-word" not in written and "poolSize: 7" in written
    assert "memory.connectionString" in done.stderr


def test_a_clone_that_cannot_be_is_refused_and_leaves_nothing(hermes: Hermes, own_home: Home) -> None:
    hermes("profile", "create", "work")
    hermes("profile", "create", "home")
    for source, name in (
        ("work", "home"),
        ("work", "default"),
        ("work", "A b"),
        ("nobody", "lab"),
        ("work", "work"),
    ):
        done = hermes("profile", "clone", source, name)
        assert done.exit_code == 2 and "Traceback" not in done.stderr, (source, name, done)
    assert sorted(one.name for one in (own_home.root / "profiles").iterdir()) == ["home", "work"]


def test_a_memory_on_a_server_whose_address_is_a_key_is_not_cloned_by_halves(
    hermes: Hermes, own_home: Home
) -> None:
    hermes("profile", "create", "work")
    home = own_home.root / "profiles" / "work"
    (home / "config.yaml").write_text("memory:\n  backend: postgres\n  connectionString: ${WORK_DB}\n")
    (home / ".env").write_text(f"WORK_DB={server_address()}\n")
    done = hermes("profile", "clone", "work", "lab", "--memory")
    assert done.exit_code == 2 and "HERMES_MEMORY_CONNECTION_STRING" in done.stderr, done
    assert [one.name for one in (own_home.root / "profiles").iterdir()] == ["work"]


def test_a_renamed_profile_is_the_same_under_another_name(hermes: Hermes, own_home: Home, work: str) -> None:
    office = f"office-{new_uid()[-8:]}"
    hermes("profile", "use", work)
    done = hermes("profile", "rename", work, office)
    assert done.exit_code == 0 and done.stdout.startswith(f"The profile {work} is now called {office}."), done
    assert facts(hermes, office) == ["Rex is afraid of trains"]
    assert "Likes figs" in hermes("-p", office, "notes", "show").stdout
    assert "sort-mail" in hermes("-p", office, "skills", "list").stdout
    assert json.loads(hermes("profile", "show", "--json").stdout)["name"] == office, "still the active one"
    assert (own_home.root / "profiles" / office / ".env").exists()
    assert [one.name for one in (own_home.root / "profiles").iterdir()] == [office]
    assert f"{work} was renamed to {office}" in hermes("-p", office, "memory", "log").stdout
    assert hermes("-p", office, "doctor").exit_code == 0
    hermes("profile", "create", work)
    assert facts(hermes, work) == [], "the name is free, and so is what belongs to it"


def test_a_rename_that_cannot_be_is_refused(hermes: Hermes, own_home: Home) -> None:
    hermes("profile", "create", "work")
    hermes("profile", "create", "home")
    for old, new in (
        ("default", "office"),
        ("work", "home"),
        ("work", "default"),
        ("work", "work"),
        ("work", "../x"),
        ("work", "chat"),
        ("nobody", "office"),
    ):
        done = hermes("profile", "rename", old, new)
        assert done.exit_code == 2 and "Traceback" not in done.stderr, (old, new, done)
    place = own_home.root / "profiles" / "work" / "elsewhere.db"
    hermes("-p", "work", "config", "set", "memory.path", str(place))
    done = hermes("profile", "rename", "work", "office")
    assert done.exit_code == 2 and "elsewhere.db" in done.stderr
    assert sorted(one.name for one in (own_home.root / "profiles").iterdir()) == ["home", "work"]


def test_a_profile_in_use_is_not_renamed(hermes: Hermes, own_home: Home) -> None:
    hermes("profile", "create", "work")
    command = [sys.executable, "-c", "from hermes_agent.cli.main import run; run()", "-p", "work", "chat"]
    chat = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert chat.stdin is not None and chat.stdout is not None
        chat.stdin.write("My name is Ada.\n")
        chat.stdin.flush()
        chat.stdout.readline()
        done = hermes("profile", "rename", "work", "office")
        assert done.exit_code == 2 and "is using" in done.stderr, done
    finally:
        chat.communicate()
    assert hermes("profile", "rename", "work", "office").exit_code == 0
    with presence.inside(Home(own_home.root / "profiles" / "office", "office")):
        assert hermes("profile", "rename", "office", "work").exit_code == 2


def test_a_schema_that_others_use_is_not_renamed(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    from hermes_agent.store.postgres import Postgres, schema_name
    from hermes_agent.store.store import Store

    monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
    monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
    name, other = f"work-{new_uid()[-8:]}", f"office-{new_uid()[-8:]}"
    hermes("profile", "create", name)
    elsewhere = Store(Postgres(server_address(), schema_name(name)), name)
    with elsewhere.read():
        done = hermes("profile", "rename", name, other)
    assert done.exit_code == 2 and "another machine" in done.stderr, done
    elsewhere.close()
    taken = Store(Postgres(server_address(), schema_name(other)), other)
    with taken.read():
        pass
    taken.close()
    done = hermes("profile", "rename", name, other)
    assert done.exit_code == 2 and "memory of a profile" in done.stderr, done


def test_a_word_of_a_rename_that_never_came_about_changes_nothing(hermes: Hermes, own_home: Home) -> None:
    hermes("profile", "create", "work")
    home = own_home.root / "profiles" / "work"
    for left in ('{"from": "work", "to": "office"}', "no json", "[]"):
        (home / ".renaming").write_text(left)
        assert hermes("-p", "work", "memory", "fact", "add", f"A fact {len(left)}").exit_code == 0
    assert hermes("profile", "rename", "work", "office").exit_code == 0
    assert len(facts(hermes, "office")) == 3 and not Path(own_home.root / "profiles/office/.renaming").exists()
