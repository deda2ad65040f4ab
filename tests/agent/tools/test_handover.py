"""The tool `handover`: off until the owner allows the pair, and then it gives, and reads nothing."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hermes_agent.agent.toolbox import Tool
from hermes_agent.agent.tools.todo import TodoList
from hermes_agent.app import App
from hermes_agent.config import profiles
from hermes_agent.config.load import load
from hermes_agent.memory import facts, handovers
from hermes_agent.records.archive import NewSession
from tests.agent.tools.calls import call, refusal
from tests.conftest import Hermes


@pytest.fixture
def opened(hermes: Hermes) -> Iterator[App]:
    """The profile work, which may hand something over to home, and not to bank."""
    for name in ("work", "home", "bank"):
        hermes("profile", "create", name)
    assert hermes("-p", "work", "config", "set", "profiles.handover.allowed", '["work -> home"]').exit_code == 0
    hermes("-p", "work", "memory", "fact", "add", "Rex is afraid of trains")
    yield from _opened("work")


def _opened(name: str) -> Iterator[App]:
    home = profiles.find(name)
    with closing(App(home, load(home), model="embedded")) as app:
        yield app


def tools(app: App, *, is_incognito: bool = False) -> "dict[str, Tool]":
    session = app.memory.begin(NewSession())
    return dict(app.desk.toolbox(session, Path("/"), TodoList(), is_incognito=is_incognito).tools)


def test_what_is_allowed_is_handed_over_and_both_journals_cite_its_id(hermes: Hermes, opened: App) -> None:
    tool = tools(opened)["handover"]
    told = json.loads(call(tool, to="home", summary="Lisbon is booked.", facts=["fact:1"]).text)
    assert told["success"] is True
    assert [one.uid for one in handovers.listed(opened.store)] == [told["id"]]
    for other in _opened("home"):
        (received,) = handovers.listed(other.store)
        assert received.uid == told["id"] and received.sender == "work" and received.actor == "agent"
        assert [fact.trust for fact in facts.recent(other.store, 9)] == ["untrusted"]
    assert told["id"] in hermes("-p", "home", "memory", "log").stdout
    again = json.loads(call(tool, to="home", facts=["fact:1"]).text)
    assert "already" in again["message"] and "id" not in again


def test_other_pairs_and_nothing_at_all_are_refused_in_a_sentence(hermes: Hermes, opened: App) -> None:
    tool = tools(opened)["handover"]
    for to in ("bank", "default", "work", "../home", ""):
        assert "may be handed over" in refusal(tool, to=to, summary="hello")
    assert "nothing to hand over" in refusal(tool, to="home")
    assert "too much" in refusal(tool, to="home", summary="x" * 3_000)
    assert "fact:077" in refusal(tool, to="home", facts=["77"])
    assert handovers.listed(opened.store) == []


def test_without_an_allowed_pair_there_is_no_such_tool(hermes: Hermes, opened: App) -> None:
    assert "handover" not in tools(opened, is_incognito=True)
    for other in _opened("home"):
        assert "handover" not in tools(other), "the pair is one way"


def test_a_pair_that_is_none_is_refused_as_a_setting(hermes: Hermes) -> None:
    for value in ('["work"]', '["work -> work"]', '["a -> B!"]'):
        assert hermes("config", "set", "profiles.handover.allowed", value).exit_code == 2, value
