"""Which model answers: decided from settings and variables alone."""

import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

from hermes_agent.config import files, variables
from hermes_agent.config import settings as names
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.config.setting_names import find
from hermes_agent.errors import ModelSetupError, SettingError
from hermes_agent.models import vendors
from hermes_agent.models.choose import COMPATIBLE, Choices, EmbeddedChoice, RemoteChoice, choose

KEY = "not-a-real-key"


@pytest.fixture
def decide(own_home: Home) -> "Decide":
    return Decide(own_home)


class Decide:
    """Choose in a home whose settings file holds what the test wants."""

    def __init__(self, home: Home) -> None:
        self.home = home

    def __call__(self, given: Mapping[str, object] | None = None, **found: str) -> Choices:
        for name, value in (given or {}).items():
            files.write(self.home, find(name), value)
        return choose(load(self.home), found)

    def remote(self, given: Mapping[str, object] | None = None, **found: str) -> RemoteChoice:
        main = self(given, **found).main
        assert isinstance(main, RemoteChoice)
        return main


def test_with_nothing_set_the_embedded_default_answers(decide: Decide) -> None:
    choices = decide()
    assert isinstance(choices.main, EmbeddedChoice)
    assert isinstance(choices.light, EmbeddedChoice)
    assert choices.main.reason == "no model is set up and no vendor's key was found"


@pytest.mark.parametrize("vendor", vendors.VENDORS, ids=lambda vendor: vendor.provider)
def test_a_vendors_key_alone_selects_its_default_and_its_light_model(
    decide: Decide, vendor: vendors.Vendor
) -> None:
    for variable in vendor.key_variables:
        choices = decide(None, **{variable: KEY})
        main, light = choices.main, choices.light
        assert isinstance(main, RemoteChoice)
        assert isinstance(light, RemoteChoice)
        assert (main.name, light.name) == (
            f"{vendor.provider}:{vendor.default}",
            f"{vendor.provider}:{vendor.light}",
        )
        assert (main.key, light.key, main.key_variable) == (KEY, KEY, variable)
        assert main.is_ready


def test_of_several_keys_the_first_of_the_table_wins_and_the_others_are_named(decide: Decide) -> None:
    choices = decide(GROQ_API_KEY=KEY, OPENAI_API_KEY=KEY, MISTRAL_API_KEY=KEY)
    assert choices.main.name.startswith("openai:")
    assert choices.notes == ("MISTRAL_API_KEY and GROQ_API_KEY are set too; OpenAI comes first.",)


def test_a_named_model_comes_before_keys_and_servers(decide: Decide) -> None:
    found = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "OLLAMA_BASE_URL": "http://box:11434"}
    main = decide.remote({"model": "anthropic:claude-opus-5-5"}, **found)
    assert (main.provider, main.model, main.base_url) == ("anthropic", "claude-opus-5-5", None)
    assert main.reason == f"set by {decide.home.config_yaml}"


def test_embedded_is_chosen_though_keys_are_set(decide: Decide) -> None:
    choices = decide({"model": "embedded"}, OPENAI_API_KEY=KEY)
    assert isinstance(choices.main, EmbeddedChoice)
    assert isinstance(choices.light, EmbeddedChoice)


def test_the_light_model_can_be_another_vendors(decide: Decide) -> None:
    choices = decide({"lightModel": "groq:openai/gpt-oss-20b"}, ANTHROPIC_API_KEY=KEY, GROQ_API_KEY=KEY)
    assert choices.main.name.startswith("anthropic:")
    assert choices.light.name == "groq:openai/gpt-oss-20b"


def test_what_is_asked_for_once_overrides_the_setting(decide: Decide) -> None:
    decide({"model": "openai:gpt-5"})
    main = choose(load(decide.home), {"OPENAI_API_KEY": KEY}, "openai:gpt-5-mini").main
    assert (main.name, main.reason) == ("openai:gpt-5-mini", "asked for")


def test_a_missing_key_is_known_without_asking_anybody(decide: Decide) -> None:
    main = decide.remote({"model": "openai:gpt-5"})
    assert (main.is_ready, main.key_variable, main.key) == (False, "OPENAI_API_KEY", None)


def test_a_key_is_taken_without_the_spaces_around_it(decide: Decide) -> None:
    assert decide.remote(OPENAI_API_KEY=f" {KEY}\n").key == KEY
    assert not decide.remote({"model": "openai:gpt-5"}, OPENAI_API_KEY="  ").is_ready


def test_an_empty_variable_counts_as_not_set(decide: Decide) -> None:
    assert isinstance(decide(OPENAI_API_KEY="", OPENAI_BASE_URL=" ").main, EmbeddedChoice)


def test_a_key_that_cannot_be_one_is_refused_without_being_shown(decide: Decide) -> None:
    with pytest.raises(ModelSetupError) as caught:
        decide(OPENAI_API_KEY="schlüssel")
    assert caught.value.message == "OPENAI_API_KEY holds characters that no key has."


def test_a_key_never_shows_in_a_choice(decide: Decide) -> None:
    assert KEY not in repr(decide(OPENAI_API_KEY=KEY))


@pytest.mark.parametrize(
    ("address", "checked"),
    [
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
        ("http://localhost:11434/v1/", "http://localhost:11434/v1"),
        ("http://localhost:11434", "http://localhost:11434/v1"),
        ("https://gateway.example/openai", "https://gateway.example/openai"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
    ],
)
def test_an_address_alone_is_enough(decide: Decide, address: str, checked: str) -> None:
    for choice in (decide.remote(OPENAI_BASE_URL=address), decide.remote({"baseUrl": address})):
        assert (choice.provider, choice.model, choice.base_url, choice.is_ready) == (
            COMPATIBLE,
            None,
            checked,
            True,
        )


@pytest.mark.parametrize(
    "address", ["localhost:11434", "ftp://box/v1", "http://", "http://box:port/v1", "nonsense"]
)
def test_what_is_no_address_is_refused(decide: Decide, address: str) -> None:
    with pytest.raises(SettingError, match="^baseUrl must be an address such as"):
        decide({"baseUrl": address})


def test_a_password_in_an_address_is_refused_without_being_shown(decide: Decide) -> None:
    with pytest.raises(SettingError) as caught:
        decide(OPENAI_BASE_URL="http://me:hunter2@box/v1")
    assert "hunter2" not in f"{caught.value.message}{caught.value.hint}"


def test_openais_key_goes_to_another_server_only_beside_its_address(decide: Decide) -> None:
    beside = decide.remote(OPENAI_BASE_URL="http://box/v1", OPENAI_API_KEY=KEY)
    assert (beside.key, beside.key_variable) == (KEY, "OPENAI_API_KEY")
    by_setting = decide.remote({"baseUrl": "http://box/v1"}, OPENAI_API_KEY=KEY)
    assert (by_setting.key, by_setting.key_variable) == (None, "HERMES_API_KEY")
    assert decide.remote(OPENAI_API_KEY=KEY, HERMES_API_KEY="of-the-box").key == "of-the-box"


@pytest.mark.parametrize("address", ["https://api.openai.com/v1", "https://eu.api.openai.com/v1"])
def test_openais_own_address_is_openai(decide: Decide, address: str) -> None:
    choice = decide.remote(OPENAI_BASE_URL=address, OPENAI_API_KEY=KEY)
    assert choice.provider == "openai"
    assert decide.remote(OPENAI_BASE_URL="https://notopenai.com/v1", OPENAI_API_KEY=KEY).provider == COMPATIBLE


@pytest.mark.parametrize("name", ["llama3.2", "qwen3:8b", "openai:my-model", "openai-chat:my-model", "gpt-5"])
def test_with_an_address_every_name_but_a_vendors_is_a_model_there(decide: Decide, name: str) -> None:
    choice = decide.remote({"baseUrl": "http://box:1234/v1", "model": name})
    assert choice.base_url == "http://box:1234/v1"
    assert choice.model == name.removeprefix("openai-chat:").removeprefix("openai:")
    assert choice.name == choice.model


def test_a_model_on_a_server_does_background_work_too(decide: Decide) -> None:
    choices = decide({"baseUrl": "http://box/v1", "model": "llama3.2", "contextWindow": 16_000})
    assert isinstance(choices.light, RemoteChoice)
    assert (choices.light.model, choices.light.context_window) == ("llama3.2", 16_000)


@pytest.mark.parametrize(("provider", "port"), [("ollama", 11434), ("vllm", 8000)])
def test_servers_have_their_usual_place(decide: Decide, provider: str, port: int) -> None:
    choice = decide.remote({"model": f"{provider}:llama3.2:3b"})
    assert (choice.model, choice.base_url) == ("llama3.2:3b", f"http://localhost:{port}/v1")
    assert choice.is_ready
    elsewhere = decide.remote(None, **{f"{provider.upper()}_BASE_URL": "http://box:1"})
    assert (elsewhere.provider, elsewhere.base_url) == (provider, "http://box:1/v1")


def test_a_vendors_own_address_variable_is_taken_as_it_is(decide: Decide) -> None:
    choice = decide.remote(
        {"model": "anthropic:claude-opus-5-5"}, ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL="https://proxy.example/"
    )
    assert (choice.base_url, choice.is_ready) == ("https://proxy.example", True)


@pytest.mark.parametrize(
    ("bare", "full"),
    [
        ("gpt-5", "openai:gpt-5"),
        ("claude-sonnet-5-5", "anthropic:claude-sonnet-5-5"),
        ("gemini-3.8-flash", "google:gemini-3.8-flash"),
        ("muse-spark-1.3", "meta:muse-spark-1.3"),
    ],
)
def test_a_bare_name_that_can_only_mean_one_model_is_enough(decide: Decide, bare: str, full: str) -> None:
    assert decide.remote({"model": bare}).name == full


def test_a_bare_name_that_resellers_have_too_means_the_vendor(decide: Decide) -> None:
    assert decide.remote({"model": "gpt-oss-120b"}).provider == "cerebras"


def test_a_bare_name_that_may_mean_several_models_is_refused(decide: Decide) -> None:
    with pytest.raises(ModelSetupError) as caught:
        decide({"model": "claude-4-sonnet"})
    assert caught.value.message == "'claude-4-sonnet' may mean heroku:claude-4-sonnet, snowflake:claude-4-sonnet."
    assert caught.value.hint == "Write it with its provider."


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [("gpt5", "openai:gpt-5"), ("claude-sonet-5-5", "anthropic:claude-sonnet-5-5"), ("opnai:gpt-5", "openai")],
)
def test_a_wrong_name_is_answered_with_the_nearest(decide: Decide, wrong: str, hint: str) -> None:
    with pytest.raises(ModelSetupError) as caught:
        decide({"model": wrong})
    assert caught.value.hint == f"Did you mean {hint}?"


def test_the_environment_comes_before_the_env_file_and_stays_as_it_is(
    own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure(own_home)
    own_home.env_file.write_text(
        "OPENAI_API_KEY=from-file\nGROQ_API_KEY=${SHARED_KEY}\nMISTRAL_API_KEY=${NOWHERE}\n"
    )
    own_home.env_file.chmod(0o600)
    monkeypatch.setenv("SHARED_KEY", "from-elsewhere")
    found = variables.read(own_home)
    assert (found["OPENAI_API_KEY"], found["GROQ_API_KEY"]) == ("from-file", "from-elsewhere")
    monkeypatch.setenv("OPENAI_API_KEY", "from-environment")
    monkeypatch.setenv("GROQ_API_KEY", "")
    found = variables.read(own_home)
    assert (found["OPENAI_API_KEY"], found["GROQ_API_KEY"]) == ("from-environment", "from-elsewhere")
    assert "MISTRAL_API_KEY" not in os.environ


def test_the_window_of_the_setting_is_the_main_models_alone(decide: Decide) -> None:
    choices = decide({"contextWindow": 50_000}, ANTHROPIC_API_KEY=KEY)
    assert isinstance(choices.main, RemoteChoice)
    assert isinstance(choices.light, RemoteChoice)
    assert (choices.main.context_window, choices.light.context_window) == (50_000, None)
    assert names.CONTEXT_WINDOW.default is None


def test_choosing_imports_no_library_of_models() -> None:
    code = "import sys, hermes_agent.models.choose; print([m for m in sys.modules if m.startswith('pydantic')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
