"""`hermes model`: the language model seen, chosen and tried from the command line."""

import json

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.openai_server import Fail, Say, serve

KEY = "not-a-real-key"


def test_without_a_model_it_says_that_the_embedded_default_answers(hermes: Hermes) -> None:
    outcome = hermes("model")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert outcome.stdout.splitlines() == [
        "Model: embedded (no model is set up and no vendor's key was found)",
        "For background work: embedded (the same as the model that talks)",
        "It keeps and quotes what you say. A language model is added with: hermes model set provider:name",
    ]


def test_a_key_is_enough_and_the_reason_is_said(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    outcome = hermes("model")
    assert outcome.stdout.splitlines() == [
        "Model: anthropic:claude-sonnet-5-5 (ANTHROPIC_API_KEY is set)",
        "For background work: anthropic:claude-haiku-5-5 (the small model of Anthropic)",
        "Note: OPENAI_API_KEY is set too; Anthropic comes first.",
    ]
    shown = json.loads(hermes("model", "--json").stdout)
    assert shown["model"] == {
        "name": "anthropic:claude-sonnet-5-5",
        "reason": "ANTHROPIC_API_KEY is set",
        "provider": "anthropic",
        "base_url": None,
        "key_variable": "ANTHROPIC_API_KEY",
        "is_key_set": True,
        "is_ready": True,
    }
    assert KEY not in json.dumps(shown)


def test_the_key_may_stand_in_the_env_file(hermes: Hermes, own_home: Home) -> None:
    own_home.root.mkdir()
    own_home.env_file.write_text(f"MISTRAL_API_KEY={KEY}\n")
    own_home.env_file.chmod(0o600)
    assert hermes("model").stdout.startswith("Model: mistral:mistral-large-latest (MISTRAL_API_KEY is set)\n")


def test_set_writes_the_setting_and_warns_of_a_missing_key(hermes: Hermes, own_home: Home) -> None:
    outcome = hermes("model", "set", "gpt-5")
    assert (outcome.exit_code, outcome.stdout) == (
        0,
        f"model: (not set) → openai:gpt-5 (in {own_home.config_yaml})\n",
    )
    assert outcome.stderr == "Warning: OPENAI_API_KEY is not set, and openai:gpt-5 needs it.\n"
    assert own_home.config_yaml.read_text() == 'model: "openai:gpt-5"\n'
    assert hermes("model").stdout.startswith(f"Model: openai:gpt-5 (set by {own_home.config_yaml})\n")


def test_set_light_writes_the_other_setting(hermes: Hermes, own_home: Home) -> None:
    outcome = hermes("model", "set", "--light", "embedded")
    assert outcome.stdout == f"lightModel: (not set) → embedded (in {own_home.config_yaml})\n"
    assert outcome.stderr == ""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gpt5", "Error: No known model is called 'gpt5'.\nHint: Did you mean openai:gpt-5?\n"),
        ("opnai:gpt-5", "Error: There is no provider 'opnai' (in 'opnai:gpt-5').\nHint: Did you mean openai?\n"),
    ],
)
def test_a_wrong_name_is_refused_and_nothing_is_written(
    hermes: Hermes, own_home: Home, name: str, message: str
) -> None:
    outcome = hermes("model", "set", name)
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (1, "", message)
    assert not own_home.config_yaml.exists()


def test_a_name_nobody_has_heard_of_is_taken_with_a_doubt(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    outcome = hermes("model", "set", "openai:gpt-5-minni")
    assert outcome.exit_code == 0
    assert outcome.stderr == (
        "Note: openai:gpt-5-minni is not among the known names. Did you mean openai:gpt-5-mini?\n"
    )


def test_an_override_from_the_environment_is_said(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_MODEL", "embedded")
    outcome = hermes("model", "set", "ollama:llama3.2")
    assert outcome.stderr == "Warning: HERMES_MODEL still decides: embedded.\n"


def test_list_filters_by_provider_and_text(hermes: Hermes) -> None:
    lines = hermes("model", "list", "--provider", "anthropic", "SONNET").stdout.splitlines()
    assert "anthropic:claude-sonnet-5-5" in lines
    assert all(line.startswith("anthropic:") and "sonnet" in line for line in lines)
    assert json.loads(hermes("model", "list", "--provider", "anthropic", "sonnet", "--json").stdout) == lines


def test_list_knows_models_of_every_vendor(hermes: Hermes) -> None:
    providers = {line.partition(":")[0] for line in hermes("model", "list").stdout.splitlines()}
    assert {"anthropic", "openai", "google", "groq", "openrouter", "together"} <= providers


def test_list_says_when_nothing_fits(hermes: Hermes) -> None:
    outcome = hermes("model", "list", "no-such-name")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith("Error: No known model fits.\n")
    outcome = hermes("model", "list", "--provider", "nobody")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith("Error: There is no provider 'nobody'.\n")


def test_list_asks_a_server_of_ones_own(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(models=[{"id": "llama3.2"}, {"id": "qwen3:8b"}]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert hermes("model", "list").stdout == "llama3.2\nqwen3:8b\n"
        assert json.loads(hermes("model", "list", "--json", "qwen").stdout) == ["qwen3:8b"]


def test_test_asks_one_tiny_question(hermes: Hermes) -> None:
    with serve(Say("rea", "dy")) as server:
        hermes("config", "set", "baseUrl", server.url)
        hermes("model", "set", "qwen3:8b")
        outcome = hermes("model", "test")
        assert outcome.exit_code == 0
        first, second = outcome.stdout.splitlines()
        assert first.startswith("qwen3:8b answered in ")
        assert first.endswith(" s: ready")
        assert second == "100 tokens in, 20 out."
        shown = json.loads(hermes("model", "test", "--json").stdout)
        assert (shown["model"], shown["answer"], shown["tokens"]) == (
            *("qwen3:8b", "ready"),
            {"input": 100, "output": 20},
        )
        assert [sent.json["model"] for sent in server.requests] == ["qwen3:8b"] * 2


def test_test_says_plainly_what_is_wrong(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Fail(404)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("HERMES_MODEL", "wrong")
        outcome = hermes("model", "test")
        assert (outcome.exit_code, outcome.stdout) == (1, "")
        assert outcome.stderr == (
            f"Error: The server at {server.url} has no model 'wrong'.\n"
            "Hint: `hermes model list` asks the server what it has. An address usually ends with /v1.\n"
        )


def test_test_needs_something_to_test(hermes: Hermes) -> None:
    outcome = hermes("model", "test")
    assert outcome.exit_code == 2
    assert outcome.stderr.splitlines()[1] == "Hint: Add a model: hermes model set provider:name"
    hermes("model", "set", "openai:gpt-5")
    outcome = hermes("model", "test")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("Error: OPENAI_API_KEY is not set, and openai:gpt-5 needs it.\n")
