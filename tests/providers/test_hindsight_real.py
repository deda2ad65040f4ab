"""Hindsight's real server takes, finds, replaces and forgets what the provider brings, and survives a kill."""

import json

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderDown
from hermes_agent.providers.hindsight import Hindsight
from hermes_agent.providers.provider import Surroundings
from tests.providers.hindsight_real import RealServer, running

pytestmark = pytest.mark.proof

_LONG = "Ünïcødé 漢字 🦊 " * 1_000


def test_the_real_server(own_home: Home) -> None:
    with running() as server:
        hindsight = Hindsight(Surroundings(own_home.root, options={"api_url": server.url}))
        hindsight.initialize("s1", hermes_home=str(own_home.root), platform="cli")
        _finds_nothing_before_the_first_document(hindsight)
        _keeps_once_and_finds(hindsight)
        _answers_the_tools(hindsight)
        _takes_long_and_foreign_texts(hindsight)
        _loses_nothing_when_it_is_killed(hindsight, server)
        _forgets(hindsight)


def _finds_nothing_before_the_first_document(hindsight: Hindsight) -> None:
    assert hindsight.prefetch("what is the cat called") == ""
    assert list(hindsight.memories()) == []


def _keeps_once_and_finds(hindsight: Hindsight) -> None:
    for _ in range(2):
        hindsight.remember("The cat is called Minka")
        hindsight.sync_turn("My sister lives in Oslo", "Noted.", session_id="s1")
    assert len(list(hindsight.memories())) == 2
    assert "The cat is called Minka" in hindsight.prefetch("what is the cat called")
    assert "My sister lives in Oslo" in hindsight.prefetch("where does my sister live")


def _answers_the_tools(hindsight: Hindsight) -> None:
    assert "retained" in json.loads(hindsight.handle_tool_call("hindsight_retain", {"content": "Tea with milk"}))
    recalled = json.loads(hindsight.handle_tool_call("hindsight_recall", {"query": "tea with milk"}))
    assert "Tea with milk" in recalled["results"][0]
    reflected = json.loads(hindsight.handle_tool_call("hindsight_reflect", {"query": "what is the cat called"}))
    assert "Minka" in reflected["answer"]


def _takes_long_and_foreign_texts(hindsight: Hindsight) -> None:
    hindsight.sync_turn(_LONG, _LONG, session_id="s1")
    assert "漢字" in hindsight.prefetch("Ünïcødé 漢字")


def _loses_nothing_when_it_is_killed(hindsight: Hindsight, server: RealServer) -> None:
    server.stop(is_killed=True)
    with pytest.raises(ProviderDown):
        hindsight.sync_turn("I moved to Bergen", "Noted.", session_id="s1")
    server.start()
    hindsight.sync_turn("I moved to Bergen", "Noted.", session_id="s1")
    found = hindsight.prefetch("the cat, and who moved to Bergen")
    assert "Minka" in found
    assert "Bergen" in found


def _forgets(hindsight: Hindsight) -> None:
    for one in list(hindsight.memories()):
        hindsight.forget(one.id)
    assert list(hindsight.memories()) == []
    assert hindsight.prefetch("what is the cat called") == ""
