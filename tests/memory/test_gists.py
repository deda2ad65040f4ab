"""The gists that sketches carry: there wherever somebody embeds, whatever was rebuilt or switched before."""

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.handlers import every_handler
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory.embedding import gists_of
from hermes_agent.store import episodes, jobs, messages, sketches
from tests.conftest import Hermes

PROVIDER = "HERMES_MEMORY_EMBEDDINGS_PROVIDER"


def gists(home: Home) -> list[bytes | None]:
    """Return the gist of each message that has a sketch."""
    app = App(home, load(home))
    with app.store.read() as connection:
        ids = episodes.every_id(connection, 100) or []
        rows = sketches.of_messages(connection, [one for one, _ in sketches.owners(connection, ids)])
    app.close()
    return [row.gist for row in rows]


def expected(home: Home) -> list[bytes | None]:
    app = App(home, load(home))
    with app.store.read() as connection:
        said = messages.searchable(connection, 0, 100)
    app.close()
    return gists_of([message.content for message in said if message.content and message.role != "tool"])


def test_repairing_keeps_them(hermes: Hermes, own_home: Home) -> None:
    hermes("chat", "-q", "I live in Graz.")
    before = gists(own_home)
    assert before == expected(own_home) and None not in before
    assert hermes("db", "repair").exit_code == 0
    assert gists(own_home) == before


def test_the_job_that_rebuilds_keeps_them(hermes: Hermes, own_home: Home) -> None:
    hermes("chat", "-q", "I live in Graz.")
    before = gists(own_home)
    app = App(own_home, load(own_home))
    with app.store.write() as connection:
        jobs.add(connection, "reindex", "reindex")
    assert [outcome.ending for outcome in run_due(app.store, every_handler(app))] == ["done"]
    app.close()
    assert gists(own_home) == before and None not in before


def test_who_embeds_after_nobody_did_adds_them(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PROVIDER, "none")
    hermes("chat", "-q", "I live in Graz.")
    assert gists(own_home) == [None, None]
    monkeypatch.setenv(PROVIDER, "local")
    assert hermes("jobs", "run").exit_code == 0
    assert gists(own_home) == expected(own_home)
    assert None not in gists(own_home)
