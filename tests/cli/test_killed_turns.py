"""Turns that were killed before their last commit: what was said gets its episode from the next program."""

import json

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.store.talk import say


@pytest.fixture
def app(own_home: Home, hermes: Hermes) -> App:
    """A home whose daily look for missing episodes was just done."""
    app = App(own_home, load(own_home))
    say(app.store, "The violin is in the attic.")
    assert hermes("jobs", "run").exit_code == 0
    return app


def missing(hermes: Hermes) -> int:
    told = json.loads(hermes("status", "--json").stdout)
    return int(told["index"]["missing_episodes"])


def test_what_status_advises_for_exchanges_without_an_episode_makes_them(app: App, hermes: Hermes) -> None:
    say(app.store, "The cello is in the cellar.")
    assert "1 exchange in no episode yet" in hermes("status").stdout
    assert "Make them: hermes jobs run" in hermes("status").stdout
    assert "(episodes): done" in hermes("jobs", "run").stdout
    assert missing(hermes) == 0


def test_the_jobs_after_a_command_make_them_too(app: App, hermes: Hermes) -> None:
    say(app.store, "The cello is in the cellar.")
    assert hermes("notes", "add", "Prefers tabs").exit_code == 0
    assert missing(hermes) == 0


def test_where_nothing_is_missing_no_job_is_added(app: App, hermes: Hermes) -> None:
    assert hermes("jobs", "run").stdout == "Nothing is due.\n"
