"""A provider has a limited time, its failures are words, and after several of them it gets a rest."""

import threading
from typing import Any

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderDown, ProviderError, ToolError
from hermes_agent.providers.provider import MemoryProvider, Schema, Surroundings
from hermes_agent.providers.watched import Breaker, Caller, Watched

_NOW = Caller("s1")


class Scripted(MemoryProvider):
    """Does what a test wants, and notes what it was told."""

    name = "scripted"

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.go_on = threading.Event()

    def is_available(self) -> bool:
        return True

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        self.heard.append(f"initialize {session_id} {kwargs['platform']}")

    def get_tool_schemas(self) -> list[Schema]:
        return []

    def on_session_switch(self, new_session_id: str, **kwargs: Any) -> None:
        self.heard.append(f"switch {new_session_id}")

    def shutdown(self) -> None:
        self.heard.append("shutdown")

    def wait(self) -> str:
        self.go_on.wait()
        return "late"


@pytest.fixture
def provider() -> Scripted:
    return Scripted()


@pytest.fixture
def watched(provider: Scripted, own_home: Home) -> Watched:
    return Watched("scripted", provider, Surroundings(own_home.root))


def test_it_is_initialised_once_and_told_of_each_other_conversation(watched: Watched, provider: Scripted) -> None:
    for session in ("s1", "s1", "s2"):
        assert watched.ask(lambda one: one.prefetch("x"), 5, Caller(session)) == ""
    assert provider.heard == ["initialize s1 cli", "switch s2"]
    watched.close(5)
    assert provider.heard[-1] == "shutdown"


def test_one_that_was_never_asked_is_not_shut_down(watched: Watched, provider: Scripted) -> None:
    watched.close(5)
    assert provider.heard == []


def test_a_slow_one_is_left_and_asked_again_once_it_came_back(watched: Watched, provider: Scripted) -> None:
    with pytest.raises(ProviderDown, match="did not answer within"):
        watched.ask(lambda one: provider.wait(), 0.01, _NOW)
    with pytest.raises(ProviderDown, match="did not answer within 0.01 s"):
        watched.ask(lambda one: "x", 5, _NOW)
    provider.go_on.set()
    for thread in [one for one in threading.enumerate() if one.name.startswith("provider ")]:
        thread.join()
    assert watched.ask(lambda one: "x", 5, _NOW) == "x"


def test_whatever_it_raises_is_a_sentence(watched: Watched) -> None:
    def fail(_: MemoryProvider) -> str:
        raise KeyError("nothing there")

    with pytest.raises(ProviderDown, match="scripted failed: KeyError: 'nothing there'"):
        watched.ask(fail, 5, _NOW)


def test_after_three_failures_it_is_not_asked_for_a_while(watched: Watched) -> None:
    asked = 0

    def fail(_: MemoryProvider) -> str:
        nonlocal asked
        asked += 1
        raise ValueError

    for _ in range(5):
        with pytest.raises(ProviderError):
            watched.ask(fail, 5, _NOW)
    assert asked == 3


def test_an_error_of_the_models_call_is_no_failure_of_the_provider(watched: Watched) -> None:
    def refuse(_: MemoryProvider) -> str:
        raise ToolError("No such id.")

    for _ in range(5):
        with pytest.raises(ToolError):
            watched.ask(refuse, 5, _NOW)


def test_a_breaker_rests_longer_after_each_failure_up_to_ten_minutes() -> None:
    breaker = Breaker()
    rests = []
    for _ in range(9):
        breaker = breaker.failed(100.0)
        rests.append(breaker.rest_seconds(100.0))
    assert rests == [0, 0, 60, 120, 240, 480, 600, 600, 600]
    assert breaker.rest_seconds(701.0) == 0
