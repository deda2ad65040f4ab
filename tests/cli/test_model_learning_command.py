"""Learning with a light model, as the owner of a home meets it: jobs, status, facts."""

import json

import pytest

from hermes_agent.config.paths import Home
from tests.cli.ended import keep_ended
from tests.conftest import Hermes
from tests.learn.claimed import claim, hand_in
from tests.openai_server import Say, serve

LYON = claim("I live in Lyon")


@pytest.fixture
def talked(own_home: Home) -> None:
    """A home with a conversation that is over."""
    keep_ended(own_home, "Nice weather! I live in Lyon, you know.")


@pytest.mark.usefixtures("talked")
def test_a_session_waits_while_the_model_is_down_and_is_learned_from_when_it_is_back(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as server:
        monkeypatch.setenv("HERMES_BASE_URL", server.url)
    monkeypatch.setenv("HERMES_MODEL", "scripted-1")
    failed = hermes("jobs", "run")
    assert failed.exit_code == 1 and "No server answers" in failed.stderr
    assert "There are no facts" in hermes("memory", "facts", "list").stdout
    told = json.loads(hermes("status", "--json").stdout)
    assert (told["is_well"], told["learning"]["waiting"], told["learning"]["by"]) == (False, 1, "scripted-1")
    (advice,) = [one["advice"] for one in told["advice"] if one["about"] == "learning"]
    number = advice.partition("hermes jobs retry ")[2].split()[0]
    with serve(hand_in(LYON)) as server:
        monkeypatch.setenv("HERMES_BASE_URL", server.url)
        hermes("jobs", "retry", number)
        assert hermes("jobs", "run").exit_code == 0
        told = json.loads(hermes("status", "--json").stdout)
    assert (told["is_well"], told["learning"]["waiting"], told["learning"]["trouble"]) == (True, 0, None)
    (fact,) = json.loads(hermes("memory", "facts", "list", "--json").stdout)
    assert (fact["text"], fact["source"]["quote"]) == ("User lives in Lyon", "I live in Lyon")
    assert fact["confidence_reason"] == "as scripted-1 reads it"


@pytest.mark.usefixtures("talked")
def test_a_refusal_is_in_the_log_and_in_the_status(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_MODEL", "scripted-1")
    with serve(Say("I cannot help with that.")) as server:
        monkeypatch.setenv("HERMES_BASE_URL", server.url)
        assert hermes("jobs", "run").exit_code == 0
        status = hermes("status")
    assert status.exit_code == 0 and "the rules 1 time" in status.stdout
    assert "gave no answer that could be used" in hermes("memory", "log").stdout
    assert "User lives in Lyon" in hermes("memory", "facts", "list").stdout


@pytest.mark.usefixtures("talked")
def test_no_command_waits_for_a_language_model_afterwards(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve() as server:
        monkeypatch.setenv("HERMES_BASE_URL", server.url)
        monkeypatch.setenv("HERMES_MODEL", "scripted-1")
        hermes("jobs", "run", "--limit", "1")
        for number in json.loads(hermes("jobs", "list", "--state", "waiting", "--json").stdout):
            hermes("jobs", "retry", str(number["id"]))
        before = len(server.requests)
        assert hermes("memory", "fact", "add", "The sky is blue").exit_code == 0
        assert len(server.requests) == before


@pytest.mark.usefixtures("talked")
def test_without_a_language_model_the_rules_read(hermes: Hermes) -> None:
    assert json.loads(hermes("status", "--json").stdout)["learning"]["by"] == "rules"
    assert hermes("jobs", "run").exit_code == 0
    assert "User lives in Lyon" in hermes("memory", "facts", "list").stdout
