"""What a setting's value is, given the environment, the `.env` and the settings file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.config import envfile, gateway_settings, paths, setting_names, settings
from hermes_agent.config.gateway_settings import OURS
from hermes_agent.config.load import Origin, load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import (
    DISPLAY_TIME_ZONE,
    MEMORY_BACKEND,
    MEMORY_CONNECTION_STRING,
    MEMORY_PATH,
    MEMORY_POOL_SIZE,
    MEMORY_WAL_MODE,
    TABLE,
)
from hermes_agent.config.store_path import store_path
from hermes_agent.config.values import expected, parse
from hermes_agent.errors import SettingError

POSTGRES_OF_THE_GUIDE = """{
  "memory": {
    "backend": "postgres",
    "connectionString": "${HERMES_DB_URL}",
    // e.g. postgres://user:password@localhost:5432/hermes
    "poolSize": 5,
    "sslMode":  "require"
  }
}
"""


@pytest.fixture
def home(own_home: Home) -> Home:
    paths.ensure(own_home)
    return own_home


def test_every_default_fits_its_own_setting() -> None:
    for setting in TABLE:
        assert setting.default is None or parse(setting, setting.default) == setting.default


def test_every_setting_is_named_after_itself_and_no_two_share_a_variable() -> None:
    every_platform = [getattr(one, name) for one in OURS.values() for name in ("enabled", "allowed", "owners")]
    for setting in TABLE:
        module = gateway_settings if setting.name.startswith("gateways.") else settings
        name = setting.variable.removeprefix("HERMES_")
        assert setting in every_platform or getattr(module, name) is setting
    assert len(setting_names.BY_FOLDED_VARIABLE) == len(setting_names.BY_FOLDED_NAME) == len(TABLE)


def test_an_empty_home_has_the_defaults(own_home: Home) -> None:
    loaded = load(own_home)
    assert [loaded[setting] for setting in TABLE] == [setting.default for setting in TABLE]
    assert loaded.origin(MEMORY_POOL_SIZE) == Origin("default")


def test_the_environment_wins_over_the_env_file_over_the_settings_file(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.config_yaml.write_text("memory:\n  poolSize: 2\n")
    assert load(home)[MEMORY_POOL_SIZE] == 2
    assert load(home).origin(MEMORY_POOL_SIZE) == Origin("file", str(home.config_yaml))
    home.env_file.write_text("HERMES_MEMORY_POOL_SIZE=3\n")
    assert load(home)[MEMORY_POOL_SIZE] == 3
    monkeypatch.setenv("HERMES_MEMORY_POOL_SIZE", "4")
    assert load(home)[MEMORY_POOL_SIZE] == 4
    assert load(home).origin(MEMORY_POOL_SIZE) == Origin("environment", "HERMES_MEMORY_POOL_SIZE")
    monkeypatch.setenv("HERMES_MEMORY_POOL_SIZE", "")
    assert load(home)[MEMORY_POOL_SIZE] == 3


@pytest.mark.parametrize(
    "text",
    [
        "memory: {poolSize: 7}",
        "memory: {pool_size: 7}",
        "Memory: {pool-size: 7}",
        "memory.poolSize: 7",
        "memory: {poolSize: '7'}",
    ],
)
def test_every_spelling_means_the_same_setting(home: Home, text: str) -> None:
    home.config_yaml.write_text(text)
    assert load(home)[MEMORY_POOL_SIZE] == 7


def test_one_setting_in_two_spellings_is_an_error_naming_both(home: Home) -> None:
    home.config_yaml.write_text("memory:\n  poolSize: 7\n  pool_size: 8\n")
    with pytest.raises(SettingError, match=r"twice: as memory\.poolSize and as memory\.pool_size"):
        load(home)


def test_one_setting_in_two_variables_is_an_error_naming_both(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_MEMORY_POOL_SIZE", "1")
    monkeypatch.setenv("HERMES_MEMORY_POOLSIZE", "2")
    with pytest.raises(SettingError, match=r"set twice: as HERMES_MEMORY_POOL"):
        load(home)


def test_a_variable_that_is_not_set_matters_only_to_its_own_setting(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.config_jsonc.write_text(POSTGRES_OF_THE_GUIDE)
    loaded = load(home)
    loaded.check()
    assert loaded[MEMORY_BACKEND] == "postgres"
    with pytest.raises(SettingError) as caught:
        loaded[MEMORY_CONNECTION_STRING]
    assert caught.value.message == "memory.connectionString refers to ${HERMES_DB_URL}, which is not set."
    assert caught.value.hint == (
        f"Set HERMES_DB_URL in the environment, or add a line `HERMES_DB_URL=…` to {home.env_file}."
    )
    home.env_file.write_text("PASSWORD=p\nHERMES_DB_URL=postgres://u:${PASSWORD}@h/d\n")
    assert load(home)[MEMORY_CONNECTION_STRING] == "postgres://u:p@h/d"
    monkeypatch.setenv("HERMES_DB_URL", "postgres://from/environment")
    assert load(home)[MEMORY_CONNECTION_STRING] == "postgres://from/environment"


def test_variables_that_refer_to_each_other_are_an_error(home: Home) -> None:
    home.config_yaml.write_text("memory: {path: '${A}'}")
    home.env_file.write_text("A=${B}\nB=${A}\n")
    with pytest.raises(SettingError, match=r"\$\{A\}, which is not set"):
        load(home)[MEMORY_PATH]


def test_two_dollars_keep_a_reference_as_text(home: Home) -> None:
    home.config_yaml.write_text("memory: {path: '/a/$${B}'}")
    assert load(home)[MEMORY_PATH] == "/a/${B}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("memory: {poolSize: many}", "memory.poolSize must be a whole number from 1 to 100, not 'many'"),
        ("memory: {poolSize: true}", "memory.poolSize must be a whole number from 1 to 100, not True"),
        ("memory: {poolSize: 0}", "memory.poolSize must be a whole number from 1 to 100, not 0"),
        ("memory: {poolSize: [1]}", "memory.poolSize must be a whole number from 1 to 100, not [1]"),
        ("memory: {backend: {a: b}}", "memory.backend must be one of sqlite, postgres, not {'a': 'b'}"),
        ("memory: {walMode: 1}", "memory.walMode must be true or false, not 1"),
        ("memory: {path: 5}", "memory.path must be text, not 5"),
        ('memory: {path: "a\\0b"}', "memory.path must be text without NUL characters, not 'a\\x00b'"),
        ("memory: {connectionString: 5}", "memory.connectionString must be text, not the value given"),
        ("baseUrl: javascript:alert(1)", "baseUrl must be an address such as http://localhost:11434/v1, not"),
        ("baseUrl: localhost:11434", "baseUrl must be an address such as http://localhost:11434/v1, not"),
        ("web: {names: [memory.example.org, 'localhost:80']}", "web.names must be names without a port, such as"),
        ("web: {names: ['a b']}", "web.names must be names without a port, such as memory.example.org, and 'a b'"),
        (
            "display: {timeZone: America}",
            "display.timeZone must be a time zone's name, such as Europe/London",
        ),
        (
            "memory: {retrieval: {minRelevanceScore: .nan}}",
            "memory.retrieval.minRelevanceScore must be a number",
        ),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_what_was_expected(home: Home, text: str, message: str) -> None:
    home.config_yaml.write_text(text)
    with pytest.raises(SettingError) as caught:
        load(home).check()
    assert caught.value.message.startswith(message)
    assert caught.value.message.endswith(f"({home.config_yaml}).")


def test_yes_and_empty_values_read_as_people_mean_them(home: Home) -> None:
    home.config_yaml.write_text(
        "memory:\n  walMode: no\n  poolSize:\nsessions:\ndisplay: {timeZone: Asia/Tokyo}\n"
    )
    loaded = load(home)
    assert loaded[MEMORY_WAL_MODE] is False
    assert loaded[MEMORY_POOL_SIZE] == 5
    assert loaded[DISPLAY_TIME_ZONE] == "Asia/Tokyo"
    assert loaded.warnings == ()


def test_unknown_names_are_warned_of_with_the_nearest_setting(home: Home) -> None:
    home.config_yaml.write_text("memory:\n  poolsiez: 3\nzzz: 1\nmemory2: &x {a: *x}\nsessions: 5\n")
    warnings = load(home).warnings
    assert warnings[0] == (
        f"{home.config_yaml}: memory.poolsiez is not a setting and is ignored. Did you mean memory.poolSize?"
    )
    assert "zzz" in warnings[-1]


def test_an_env_file_that_others_can_read_is_warned_of(home: Home) -> None:
    envfile.write(home, "A", "b")
    assert load(home).warnings == ()
    home.env_file.chmod(0o644)
    assert load(home).warnings == (
        f"{home.env_file} can be read by other users. Run `chmod 600 {home.env_file}`.",
    )


def test_the_env_file_does_not_reach_the_environment_of_the_process(home: Home) -> None:
    import os

    envfile.write(home, "HERMES_MEMORY_POOL_SIZE", "3")
    assert load(home)[MEMORY_POOL_SIZE] == 3
    assert "HERMES_MEMORY_POOL_SIZE" not in os.environ


@given(st.dictionaries(st.text("ABC", min_size=1), st.text(st.characters(exclude_categories=["Cs"])), max_size=4))
def test_the_env_file_gives_back_what_was_written_or_refuses_it(variables: dict[str, str]) -> None:
    home = paths.active_home()
    home.env_file.unlink(missing_ok=True)
    kept: dict[str, str] = {}
    for name, value in variables.items():
        try:
            envfile.write(home, name, value)
            kept[name] = value
        except SettingError:
            assert any(character in value for character in "'\\\r\n"), value
    assert envfile.read(home) == kept
    for name in kept:
        assert envfile.erase(home, name)
    assert envfile.read(home) == {}


def test_the_store_is_state_db_unless_a_path_is_set(home: Home) -> None:
    assert store_path(load(home), home) == home.state_db
    home.config_yaml.write_text("memory: {path: ~/elsewhere.db}")
    assert store_path(load(home), home) == Path.home() / "elsewhere.db"
    home.config_yaml.write_text("memory: {path: other.db}")
    assert store_path(load(home), home) == home.root / "other.db"


def test_the_name_of_the_guide_means_state_db_unless_it_is_a_file_of_its_own(home: Home) -> None:
    home.config_yaml.write_text("memory: {path: ~/.hermes/memory.db}")
    assert store_path(load(home), home) == home.state_db
    home.memory_db_link.symlink_to("state.db")
    assert store_path(load(home), home) == home.state_db
    home.memory_db_link.unlink()
    home.memory_db_link.touch()
    assert store_path(load(home), home) == home.memory_db_link


def test_every_type_in_the_table_can_be_described() -> None:
    assert all(expected(setting.form) for setting in TABLE)
