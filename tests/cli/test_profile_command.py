"""`hermes profile`: homes that share nothing."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.config import paths, presence
from hermes_agent.config.paths import Home
from tests.conftest import Hermes


def test_a_fresh_root_has_the_default_profile(hermes: Hermes, own_home: Home) -> None:
    assert json.loads(hermes("profile", "list", "--json").stdout) == [
        {"name": "default", "active": True, "folder": str(own_home.root)}
    ]


def test_create_makes_a_whole_home_closed_to_others(hermes: Hermes) -> None:
    home = paths.home_of("work")
    outcome = hermes("profile", "create", "work")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert outcome.stdout == (
        f"Created the profile work: {home.root}\n"
        "Use it once with `hermes -p work …`, or always after `hermes profile use work`.\n"
    )
    assert all(folder.stat().st_mode & 0o777 == 0o700 for folder in (home.root, *home.folders))
    assert hermes("profile", "list").stdout == (
        f"   Profile  Folder\n*  default  {paths.root_folder()}\n   work     {home.root}\n"
    )


@pytest.mark.parametrize("name", ["default", "test", "sudo", "config", "sessions", "import"])
def test_a_reserved_name_is_refused(hermes: Hermes, name: str) -> None:
    outcome = hermes("profile", "create", name)
    assert outcome.exit_code == 2
    assert outcome.stderr == f"Error: The name '{name}' is reserved.\nHint: Choose another name.\n"


def test_a_profile_is_created_only_once(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    outcome = hermes("profile", "create", "work")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("Error: The profile 'work' exists already: ")


def test_a_clone_takes_settings_but_no_memory_no_secrets_and_no_shared_store(
    hermes: Hermes, own_home: Home
) -> None:
    hermes("config", "set", "memory.poolSize", "7")
    hermes("config", "set", "memory.path", "~/shared.db")
    hermes("config", "set", "memory.schema", "shared")
    hermes("config", "set", "memory.connectionString", "postgres://secret")
    own_home.state_db.write_text("memory")
    (own_home.memories / "MEMORY.md").write_text("memory")
    outcome = hermes("profile", "create", "work", "--clone")
    work = paths.home_of("work")
    assert f"The secrets in {own_home.env_file} were not copied" in outcome.stdout
    assert work.config_yaml.read_text() == "memory:\n  poolSize: 7\n"
    assert not work.env_file.exists()
    assert not work.state_db.exists()
    assert list(work.memories.iterdir()) == []
    hermes("profile", "create", "lab", "--clone", "--with-secrets")
    lab = paths.home_of("lab")
    assert lab.env_file.read_text() == own_home.env_file.read_text()
    assert lab.env_file.stat().st_mode & 0o777 == 0o600
    assert hermes("profile", "create", "x", "--with-secrets").exit_code == 2


def test_use_chooses_the_profile_of_later_commands(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    assert hermes("profile", "use", "work").stdout == "The active profile is work.\n"
    assert hermes("config", "path").stdout == f"{paths.home_of('work').config_yaml}\n"
    assert hermes("-p", "default", "config", "path").stdout == f"{paths.home_of('default').config_yaml}\n"
    assert hermes("profile", "use", "default").exit_code == 0
    assert not paths.active_profile_file().exists()
    assert hermes("profile", "use", "nobody").exit_code == 2


def test_a_chosen_profile_that_is_gone_is_an_error_that_use_default_mends(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    paths.active_profile_file().write_text("gone\n")
    outcome = hermes("config", "path")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("Error: There is no profile 'gone'.\nHint: ")
    assert hermes("profile", "list").exit_code == 0
    assert hermes("profile", "use", "default").exit_code == 0
    assert hermes("config", "path").exit_code == 0


def test_hermes_home_that_names_a_profile_still_decides_after_use(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    hermes("profile", "create", "work")
    monkeypatch.setenv("HERMES_HOME", str(paths.home_of("work").root))
    assert json.loads(hermes("profile", "show", "--json").stdout)["name"] == "work"
    outcome = hermes("profile", "use", "default")
    assert outcome.stderr == "Warning: $HERMES_HOME names the profile work and still decides.\n"
    assert hermes("profile", "delete", "work", "--yes").exit_code == 2


def test_show_says_where_everything_is(hermes: Hermes, own_home: Home) -> None:
    assert hermes("profile", "show").stdout == (
        "Profile:  default (active)\n"
        f"Folder:   {own_home.root}\n"
        "Settings: none; defaults hold\n"
        f"Store:    {own_home.state_db}\n"
    )


def test_delete_asks_and_removes_only_that_profile(hermes: Hermes, own_home: Home) -> None:
    hermes("profile", "create", "work")
    hermes("profile", "create", "lab")
    root = paths.home_of("work").root
    outcome = hermes("profile", "delete", "work", input="n\n")
    assert (outcome.exit_code, outcome.stdout) == (0, "Nothing was deleted.\n")
    assert outcome.stderr == f"Delete the profile work and everything in {root}? [y/N] "
    outcome = hermes("profile", "delete", "work", input="y\n")
    assert (outcome.exit_code, outcome.stdout) == (0, "Deleted the profile work.\n")
    assert [entry.name for entry in paths.profiles_folder().iterdir()] == ["lab"]


def test_a_profile_in_use_is_not_deleted(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    home = paths.home_of("work")
    with presence.inside(home):
        refused = hermes("profile", "delete", "work", "--yes")
    assert (refused.exit_code, "using" in refused.stderr) == (2, True), refused
    assert home.memories.is_dir()
    assert hermes("profile", "delete", "work", "--yes").exit_code == 0
    assert not home.root.exists()


def test_a_home_whose_lock_cannot_be_had_is_not_entered_without_it(hermes: Hermes, own_home: Home) -> None:
    assert hermes("notes", "add", "Figs").exit_code == 0
    own_home.presence.unlink()
    own_home.presence.mkdir()
    refused = hermes("notes", "add", "Dates")
    assert (refused.exit_code, f"{own_home.presence} cannot be opened" in refused.stderr) == (1, True), refused
    own_home.presence.rmdir()
    assert "Dates" not in hermes("notes", "show").stdout


def test_delete_with_nobody_to_ask_wants_yes(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    outcome = hermes("profile", "delete", "work", input="")
    assert outcome.exit_code == 2
    assert outcome.stderr.endswith(
        "Error: There is nobody to ask.\nHint: Add --yes to go on without the question.\n"
    )
    assert hermes("profile", "delete", "work", "--yes").exit_code == 0


def test_the_default_and_the_active_profile_are_not_deleted(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    hermes("profile", "use", "work")
    assert hermes("profile", "delete", "default", "--yes").exit_code == 2
    outcome = hermes("profile", "delete", "work", "--yes")
    assert outcome.stderr == (
        "Error: The profile 'work' is the active one.\nHint: Run `hermes profile use default` first.\n"
    )


def test_delete_follows_no_link(hermes: Hermes, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").touch()
    hermes("profile", "create", "work")
    (paths.profiles_folder() / "linked").symlink_to(precious)
    (paths.home_of("work").workspace / "inside").symlink_to(precious)
    outcome = hermes("profile", "delete", "linked", "--yes")
    assert outcome.exit_code == 2
    assert "which is not ours to delete" in outcome.stderr
    assert hermes("profile", "delete", "work", "--yes").exit_code == 0
    assert (precious / "file").exists()


def test_delete_names_the_memory_that_lies_elsewhere(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    hermes("-p", "work", "config", "set", "memory.path", "/elsewhere/x.db")
    outcome = hermes("profile", "delete", "work", "--yes")
    assert outcome.stdout.endswith("Its memory lies elsewhere and was kept: /elsewhere/x.db\n")


@given(st.text(st.characters(exclude_characters="\0")))
def test_any_name_ends_in_an_answer(hermes: Hermes, name: str) -> None:
    assert hermes("profile", "create", "--", name).exit_code in (0, 2)
    assert hermes("profile", "use", "--", name).exit_code in (0, 2)
    assert hermes("profile", "show", "--", name).exit_code in (0, 2)
    hermes("profile", "use", "default")
    assert hermes("profile", "delete", "--yes", "--", name).exit_code in (0, 2)
    assert [entry for entry in paths.root_folder().parent.iterdir() if entry != paths.root_folder()] == []
