"""`hermes config`: the settings seen and changed from the command line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.config.paths import Home
from hermes_agent.config.settings import TABLE
from tests.conftest import Hermes


def test_the_command_of_the_guide_works(hermes: Hermes, own_home: Home) -> None:
    outcome = hermes("config", "set", "memory.embeddings.provider", "ollama")
    file = own_home.config_yaml
    assert outcome.stdout == f"memory.embeddings.provider: local → ollama (in {file})\n"
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert file.read_text() == "memory:\n  embeddings:\n    provider: ollama\n"
    assert hermes("config", "get", "memory.embeddings.provider").stdout == "ollama\n"


def test_a_value_is_written_in_its_own_type(hermes: Hermes, own_home: Home) -> None:
    hermes("config", "set", "memory.pool-size", "7")
    hermes("config", "set", "memory.wal_mode", "off")
    hermes("config", "set", "memory.schema", "123")
    assert own_home.config_yaml.read_text() == 'memory:\n  poolSize: 7\n  walMode: false\n  schema: "123"\n'
    assert hermes("config", "get", "MEMORY.WALMODE").stdout == "false\n"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("memory.poolSize", "many", "memory.poolSize must be a whole number from 1 to 100, not 'many'."),
        ("memory.poolSize", "-5", "memory.poolSize must be a whole number from 1 to 100, not '-5'."),
        ("memory.backend", "mysql", "memory.backend must be one of sqlite, postgres, not 'mysql'."),
        (
            "memory.connectionString",
            "",
            "memory.connectionString must be text that is not empty.\n"
            "Hint: To take it out: hermes config unset memory.connectionString",
        ),
    ],
)
def test_a_wrong_value_is_refused_and_nothing_is_written(
    hermes: Hermes, own_home: Home, key: str, value: str, message: str
) -> None:
    outcome = hermes("config", "set", key, value)
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (2, "", f"Error: {message}\n")
    assert not own_home.config_yaml.exists()


@pytest.mark.parametrize("command", [("get",), ("unset",), ("set", "1")])
def test_an_unknown_setting_is_answered_with_the_nearest(hermes: Hermes, command: tuple[str, ...]) -> None:
    outcome = hermes("config", command[0], "memory.poolsiez", *command[1:])
    assert outcome.exit_code == 2
    assert outcome.stderr == (
        "Error: There is no setting 'memory.poolsiez'.\nHint: Did you mean memory.poolSize?\n"
    )


def test_a_group_of_settings_is_answered_with_what_is_in_it(hermes: Hermes) -> None:
    outcome = hermes("config", "get", "sessions")
    assert outcome.stderr == (
        "Error: sessions is a group of settings.\nHint: In it: sessions.autoPrune, sessions.retentionDays.\n"
    )


def test_show_lists_every_setting_with_its_origin(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    hermes("config", "set", "memory.poolSize", "7")
    monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
    shown = json.loads(hermes("config", "show", "--json").stdout)
    assert [line["name"] for line in shown] == [setting.name for setting in TABLE]
    by_name = {line["name"]: (line["value"], line["origin"], line["where"]) for line in shown}
    assert by_name["memory.backend"] == ("postgres", "environment", "HERMES_MEMORY_BACKEND")
    assert by_name["memory.poolSize"] == (7, "file", str(own_home.config_yaml))
    assert by_name["memory.walMode"] == (True, "default", None)
    lines = [line.split() for line in hermes("config", "show").stdout.splitlines()]
    assert lines[0] == ["Setting", "Value", "From"]
    assert ["memory.poolSize", "7", str(own_home.config_yaml)] in lines


def test_a_secret_goes_to_the_env_file_and_is_never_shown(hermes: Hermes, own_home: Home) -> None:
    outcome = hermes("config", "set", "memory.connectionString", "postgres://me:hunter2@db/x")
    assert outcome.stdout == f"memory.connectionString: (not set) → ******** (in {own_home.env_file})\n"
    assert outcome.stderr == ""
    assert not own_home.config_yaml.exists()
    assert own_home.env_file.read_text() == "HERMES_MEMORY_CONNECTION_STRING=postgres://me:hunter2@db/x\n"
    assert own_home.env_file.stat().st_mode & 0o777 == 0o600
    for command in (("show",), ("show", "--json"), ("get", "memory.connectionString")):
        printed = hermes("config", *command)
        assert "********" in printed.stdout
        assert "hunter2" not in printed.stdout + printed.stderr
    outcome = hermes("config", "unset", "memory.connectionString")
    assert outcome.stdout == f"memory.connectionString: ******** → (not set) (in {own_home.env_file})\n"
    assert own_home.env_file.read_text() == ""


def test_a_secret_given_as_a_reference_stands_in_the_settings_file(hermes: Hermes, own_home: Home) -> None:
    outcome = hermes("config", "set", "memory.connectionString", "${HERMES_DB_URL}")
    assert outcome.exit_code == 0
    assert "→ ${HERMES_DB_URL} (in" in outcome.stdout
    assert outcome.stderr.startswith("Warning: memory.connectionString refers to ${HERMES_DB_URL}, which is not")
    assert "${HERMES_DB_URL}" in own_home.config_yaml.read_text()
    assert hermes("config", "show").exit_code == 0
    assert hermes("config", "get", "memory.connectionString").exit_code == 2


def test_set_and_unset_say_when_the_environment_still_decides(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_POOL_SIZE", "9")
    warning = "Warning: HERMES_MEMORY_POOL_SIZE still decides: 9.\n"
    assert hermes("config", "set", "memory.poolSize", "7").stderr == warning
    assert hermes("config", "unset", "memory.poolSize").stderr == warning


def test_unset_brings_the_default_back(hermes: Hermes, own_home: Home) -> None:
    hermes("config", "set", "memory.poolSize", "7")
    outcome = hermes("config", "unset", "memory.poolSize")
    assert outcome.stdout == f"memory.poolSize: 7 → 5 (in {own_home.config_yaml})\n"
    outcome = hermes("config", "unset", "memory.poolSize")
    assert outcome.stdout == f"memory.poolSize is not set in {own_home.root}.\n"


@pytest.mark.parametrize("comment", ["", "# mine\n"])
def test_the_last_setting_of_a_file_can_be_unset(hermes: Hermes, own_home: Home, comment: str) -> None:
    own_home.root.mkdir(parents=True, exist_ok=True)
    own_home.config_yaml.write_text(comment)
    assert hermes("config", "set", "model", "anthropic/claude").exit_code == 0
    assert hermes("config", "unset", "model").exit_code == 0
    assert own_home.config_yaml.read_text() == comment
    assert hermes("config", "set", "memory.poolSize", "7").exit_code == 0


def test_a_broken_value_is_shown_and_can_be_mended_by_set(hermes: Hermes, own_home: Home) -> None:
    hermes("config", "set", "memory.poolSize", "7")
    own_home.config_yaml.write_text("memory: {poolSize: many, typo: 1}\n")
    outcome = hermes("config", "show")
    assert outcome.exit_code == 0
    assert "Problem: memory.poolSize must be a whole number" in outcome.stderr
    assert "Warning: " in outcome.stderr
    assert hermes("config", "set", "memory.poolSize", "3").exit_code == 0
    assert own_home.config_yaml.read_text() == "memory: {poolSize: 3, typo: 1}\n"


def test_path_names_the_file_that_is_there(hermes: Hermes, own_home: Home) -> None:
    assert hermes("config", "path").stdout == f"{own_home.config_yaml}\n"
    own_home.root.mkdir()
    own_home.config_jsonc.write_text("{}")
    assert hermes("config", "path").stdout == f"{own_home.config_jsonc}\n"


def test_edit_opens_the_editor_and_checks_what_it_left(
    hermes: Hermes, own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hermes("config", "edit").stderr.startswith("Error: No editor is set.\nHint: ")
    editor = tmp_path / "my editor"
    editor.write_text('#!/bin/sh\necho "memory: {poolSize: $1}" > "$2"\n')
    editor.chmod(0o700)
    monkeypatch.setenv("EDITOR", f"'{editor}' 8")
    outcome = hermes("config", "edit")
    assert (outcome.exit_code, outcome.stdout) == (0, f"{own_home.config_yaml} is fine.\n")
    monkeypatch.setenv("EDITOR", f"'{editor}' '[eight'")
    outcome = hermes("config", "edit")
    assert outcome.exit_code == 2
    assert "line 1" in outcome.stderr
    monkeypatch.setenv("EDITOR", "/no/such/editor")
    assert hermes("config", "edit").stderr.startswith("Error: /no/such/editor cannot be started")


def test_settings_belong_to_the_profile_that_was_asked_for(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    hermes("-p", "work", "config", "set", "memory.poolSize", "7")
    assert hermes("-p", "work", "config", "get", "memory.poolSize").stdout == "7\n"
    assert hermes("config", "get", "memory.poolSize").stdout == "5\n"


words = st.text(st.characters(exclude_characters="\0"))


@given(st.sampled_from([setting.name for setting in TABLE]) | words, words)
def test_any_key_and_value_end_in_an_answer(hermes: Hermes, key: str, value: str) -> None:
    outcome = hermes("config", "set", "--", key, value)
    assert outcome.exit_code in (0, 2)
    assert (outcome.stdout != "") is (outcome.exit_code == 0)
    assert hermes("config", "get", "--", key).exit_code in (0, 2)
    assert hermes("config", "show").exit_code == 0
    assert hermes("config", "unset", "--", key).exit_code in (0, 2)
