"""`hermes memory setup`: what it asks, where the answers go, and what it refuses."""

import json

import pytest

from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import MEMORY_PROVIDERS
from hermes_agent.providers.fields import Field, fields, typed
from tests.conftest import Hermes

_CODE = """
from agent.memory_provider import MemoryProvider


class Vault(MemoryProvider):
    name = "vault"

    def is_available(self):
        return True

    def initialize(self, session_id, **kwargs):
        pass

    def get_tool_schemas(self):
        return []

    def get_config_schema(self):
        return [
            {"key": "mode", "description": "Which kind", "choices": ["cloud", "own"], "default": "cloud"},
            {"key": "address", "description": "Its address", "required": True, "when": {"mode": "own"}},
            {"key": "key", "description": "Its key", "secret": True, "env_var": "VAULT_API_KEY"},
            {"key": "limit", "description": "How many", "default": "5"},
            {"description": "has no key"},
        ]


def register(ctx):
    ctx.register_memory_provider(Vault())
"""


def _vault(home: Home) -> None:
    folder = home.root / "plugins" / "vault"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(_CODE)


def test_keys_go_to_the_env_file_and_the_rest_to_the_settings(own_home: Home, hermes: Hermes) -> None:
    _vault(own_home)
    done = hermes("memory", "setup", "vault", input="own\nhttp://localhost:1\nsesame\n7\n")
    assert done.exit_code == 0, done.stderr
    assert load(own_home)[MEMORY_PROVIDERS] == {
        "vault": {"mode": "own", "address": "http://localhost:1", "limit": 7}
    }
    assert "VAULT_API_KEY=sesame" in own_home.env_file.read_text()
    assert "sesame" not in own_home.config_yaml.read_text() + done.stdout + done.stderr


def test_a_key_that_no_variable_holds_is_the_providers_to_keep(own_home: Home, hermes: Hermes) -> None:
    _vault(own_home)
    file = own_home.root / "plugins" / "vault" / "__init__.py"
    kept = "(Path(hermes_home) / 'vault.txt').write_text(str(values))"
    method = f"    def save_config(self, values, hermes_home): {kept}"
    code = file.read_text().replace(', "env_var": "VAULT_API_KEY"', "")
    code = code.replace("\n\n\ndef register", f"\n\n{method}\n\n\ndef register")
    file.write_text(f"from pathlib import Path\n{code}")
    done = hermes("memory", "setup", "vault", "--no-input", "--set", "key=sesame")
    assert done.exit_code == 0, done.stderr
    assert "'key': 'sesame'" in (own_home.root / "vault.txt").read_text()
    assert "sesame" not in own_home.config_yaml.read_text()


def test_a_second_time_the_key_stays_and_is_not_shown(own_home: Home, hermes: Hermes) -> None:
    _vault(own_home)
    hermes("memory", "setup", "vault", input="cloud\nsesame\n5\n")
    again = hermes("memory", "setup", "vault", input="cloud\n\n6\n")
    assert again.exit_code == 0 and "sesame" not in again.stdout
    assert "VAULT_API_KEY=sesame" in own_home.env_file.read_text()


def test_what_is_missing_unknown_or_not_a_choice_is_refused_and_nothing_kept(
    own_home: Home, hermes: Hermes
) -> None:
    _vault(own_home)
    for given, words in (
        (["--set", "mode=own"], "needs address"),
        (["--set", "mode=none"], "one of cloud, own"),
        (["--set", "colour=red"], "does not know colour"),
        (["--set", "nonsense"], "no KEY=VALUE"),
    ):
        refused = hermes("memory", "setup", "vault", "--no-input", *given)
        assert refused.exit_code == 2 and words in refused.stderr
    assert hermes("config", "get", "memory.provider").stdout.strip() == ""


def test_without_a_name_and_without_asking_there_is_a_hint(own_home: Home, hermes: Hermes) -> None:
    _vault(own_home)
    refused = hermes("memory", "setup", "--no-input")
    assert refused.exit_code == 2 and "vault" in refused.stderr


def test_the_list_is_for_programs_too(own_home: Home, hermes: Hermes) -> None:
    _vault(own_home)
    (vault,) = [one for one in json.loads(hermes("memory", "setup", "--json").stdout) if one["name"] == "vault"]
    assert vault["is_ready"] is True and vault["is_used"] is False


def test_fields_are_read_with_care() -> None:
    assert fields([{"key": 1}, {}, {"key": "a", "choices": "xy", "when": 3}]) == [Field("a", "a")]
    assert Field("a", "A").checked(" b\r\nc\0 ") == "bc"
    assert [typed(one) for one in ("true", "False", "12", "1.5", "text")] == [True, False, 12, "1.5", "text"]


@pytest.mark.parametrize("method", ["get_config_schema(self)", "save_config(self, values, hermes_home)"])
def test_one_that_ends_when_it_is_set_up_is_a_sentence(own_home: Home, hermes: Hermes, method: str) -> None:
    folder = own_home.root / "plugins" / "vault"
    folder.mkdir(parents=True)
    ending = f"    def {method}:\n        raise SystemExit(0)\n\n\ndef register("
    (folder / "__init__.py").write_text(_CODE.replace("\n\ndef register(", ending))
    made = hermes("memory", "setup", "vault", "--no-input")
    assert made.exit_code == 1 and "vault failed: SystemExit: 0." in made.stderr
