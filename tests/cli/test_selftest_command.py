"""`hermes memory selftest`, as a person runs it, on a history of their own."""

import json
from collections.abc import Sequence

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.memory import episodes
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import episodes as stored
from tests.conftest import Hermes

THINGS = ("violin", "kettle", "compass", "lantern", "tunnel", "orchard", "bakery", "glacier", "garden", "saddle")


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows a command in the background says so on stderr."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")


def talk(home: Home, count: int, things: Sequence[str] = THINGS) -> None:
    """Tell things of which each has a price, two each day, the last today."""
    ensure(home)
    app = App(home, load(home))
    for number in range(count):
        thing, price = things[number % len(things)], 1_000 + 37 * number
        said_at = clock.now() - (count - number) * 43_200 * clock.MICROSECONDS
        session = app.memory.begin(NewSession())
        told = [
            NewMessage(
                "user", f"I bought the wooden {thing} from an old shop for {price} crowns", said_at=said_at
            ),
            NewMessage("assistant", "Noted.", said_at=said_at),
        ]
        app.memory.append(session, *told)
        with app.store.write() as connection:
            episodes.record(connection, app.store.engine, session, None)
    app.close()


def test_a_small_home_says_so(hermes: Hermes, own_home: Home) -> None:
    talk(own_home, 2)
    outcome = hermes("memory", "selftest")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("Your history gives 2 questions so far; a test needs 5.")


def test_a_test_is_kept_and_shown_beside_the_next(hermes: Hermes, own_home: Home) -> None:
    talk(own_home, 24)
    first = json.loads(hermes("memory", "selftest", "--json").stdout)
    assert (first["run"]["questions"], first["last"], first["is_drop"]) == (24, None, False)
    assert first["run"]["recall_10"] > 0.8
    second = hermes("memory", "selftest")
    assert second.exit_code == 0, second.stdout
    assert "recall@10" in second.stdout and "+0.0" in second.stdout
    history = json.loads(hermes("memory", "selftest", "history", "--json").stdout)
    assert [run["cause"] for run in history] == ["by hand", "by hand"]
    assert history[1] == first["run"]


def test_a_drop_is_told_and_ends_with_1(hermes: Hermes, own_home: Home) -> None:
    talk(own_home, 24)
    hermes("memory", "selftest")
    app = App(own_home, load(own_home))
    with app.store.write() as connection:
        # Half of the history is lost to recall: neither words nor an episode lead to it.
        lost = list(range(1, 25))
        app.store.engine.text.remove(connection, lost)
        stored.remove_at(connection, lost)
    app.close()
    outcome = hermes("memory", "selftest", "--show-misses")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("Recall got worse: recall@10 changed by -")
    assert "I bought the wooden" in outcome.stdout


def test_without_a_test_there_is_no_history(hermes: Hermes) -> None:
    assert hermes("memory", "selftest", "history").stdout.startswith("There was no self-test yet.")
    assert hermes("memory", "selftest", "accept").stdout == "There is nothing to accept.\n"
