"""A turn in its own thread: stopped only where it asks, and over whatever happens in it."""

import threading
from collections.abc import Callable

from hermes_agent import stopping
from hermes_agent.agent.events import Finished, Response, TextDelta
from hermes_agent.agent.turn import Happening
from hermes_agent.web.turns import Turn
from tests.web.talking import PATIENCE_SECONDS

STEPS = 300_000


def begun(happening: Callable[[], Happening]) -> tuple[Turn, threading.Event]:
    """Take a turn; the event tells that its session is free again."""
    turn, freed = Turn(1, "s1", "Hello", 1.0), threading.Event()
    turn.start(happening(), freed.set)
    return turn, freed


def test_a_stop_reaches_a_turn_only_where_it_asks() -> None:
    inside, is_wanted = threading.Event(), threading.Event()
    met: list[str] = []

    def busy() -> Happening:
        yield TextDelta("Half")
        try:
            inside.set()
            is_wanted.wait(PATIENCE_SECONDS)
            # Long enough for an exception that somebody else threw to arrive.
            for _ in range(STEPS):
                pass
            met.append("nothing")
            stopping.check()
        except KeyboardInterrupt:
            met.append("the stop")
            yield Finished(Response("Half", "s1", "interrupted"))

    turn, freed = begun(busy)
    assert inside.wait(PATIENCE_SECONDS)
    turn.stop()
    is_wanted.set()
    assert freed.wait(PATIENCE_SECONDS)
    turn.wait(PATIENCE_SECONDS)
    assert met == ["nothing", "the stop"]
    assert turn.is_over and turn.told[-1].data["ending"] == "interrupted"


def test_a_turn_that_cannot_be_closed_is_over_all_the_same() -> None:
    def stubborn() -> Happening:
        try:
            yield Finished(Response("Done.", "s1", "answered"))
        finally:
            raise ValueError("no")

    turn, freed = begun(stubborn)
    assert freed.wait(PATIENCE_SECONDS)
    turn.wait(PATIENCE_SECONDS)
    assert turn.is_over
