"""Long work that a page starts: it is begun once, shown when it is done, and begun anew for who comes later."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from threading import Event
from typing import TypeVar
from weakref import WeakSet

import pytest

from hermes_agent import clock
from hermes_agent.errors import NotFound
from hermes_agent.web.followed import Followed
from hermes_agent.web.problems import Ending, TooMany

T = TypeVar("T")


@pytest.fixture
def followed() -> Iterator[Followed[int]]:
    made = Followed[int]()
    yield made
    made.stop()


def eventually(followed: Followed[int], name: str) -> int:
    while (found := followed.done(name, lambda: -1)) is None:
        pass
    return found


def test_what_takes_long_is_there_later_and_only_once(followed: Followed[int]) -> None:
    go_on = Event()
    assert followed.done("one", lambda: 7 if go_on.wait(60) else 0) is None
    assert followed.done("one", lambda: 8) is None
    go_on.set()
    assert eventually(followed, "one") == 7
    assert eventually(followed, "one") == -1


def test_an_error_reaches_whoever_asks(followed: Followed[int]) -> None:
    def fail() -> int:
        raise NotFound("It is not there.")

    with pytest.raises(NotFound):
        while followed.done("one", fail) is None:
            pass


def test_not_everything_is_begun_at_once(followed: Followed[int]) -> None:
    go_on = Event()
    with pytest.raises(TooMany):
        for number in range(100):
            assert followed.done(str(number), lambda: 7 if go_on.wait(60) else 0) is None
    go_on.set()


def abandon(followed: Followed[T], name: str, found: Callable[[], T], last: T) -> None:
    """Begin something and come for it never; return when it is done."""
    go_on = Event()
    assert followed.done(name, lambda: found() if go_on.wait(60) else last) is None
    go_on.set()
    # One after the other: when this is done, so is that.
    while followed.done("last", lambda: last) is None:
        pass


def test_what_nobody_comes_for_keeps_nobody_out(followed: Followed[int]) -> None:
    for number in range(12):
        abandon(followed, str(number), partial(int, number), 99)
    assert eventually(followed, "11") == 11
    assert eventually(followed, "0") == -1


def test_what_nobody_comes_for_is_not_kept() -> None:
    class Found:
        """What was found."""

    kept = WeakSet[Found]()

    def find() -> Found:
        made = Found()
        kept.add(made)
        return made

    followed = Followed[Found](kept_seconds=0.2)
    abandon(followed, "one", find, Found())
    deadline = clock.monotonic() + 60
    while kept:
        assert clock.monotonic() < deadline
    followed.stop()


def test_what_waits_when_the_server_ends_is_told_so(followed: Followed[int]) -> None:
    go_on = Event()
    assert followed.done("one", lambda: 7 if go_on.wait(60) else 0) is None
    with ThreadPoolExecutor(1) as others:
        waiting = others.submit(followed.done, "two", lambda: 8)
        wait([waiting], 0.02)  # it waits 0.08 s for what is behind the other
        followed.stop()
        go_on.set()
        with pytest.raises(Ending):
            assert waiting.result() is None and followed.done("two", lambda: 8)
    with pytest.raises(Ending):
        followed.done("three", lambda: 9)
