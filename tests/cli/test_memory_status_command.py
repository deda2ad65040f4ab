"""`hermes memory status`, and what `hermes status` says of embedder and index."""

import json

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import fingerprints, messages, sessions
from tests.conftest import Hermes

EMPTY = """Episodes: 0 (raw: 0, compressed: 0)
Facts: 0
Reflections: 0
Embeddings: 0 episode + 0 fact vectors
"""


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")


@pytest.fixture
def app(own_home: Home) -> App:
    ensure(own_home)
    return App(own_home, load(own_home))


def say(app: App, text: str) -> None:
    with app.store.write() as connection:
        session_id = sessions.create(connection, NewSession(id="talk"))
        messages.append(connection, app.store.engine, session_id, [NewMessage("user", text)])


def test_a_new_home_has_nothing_of_everything(hermes: Hermes, own_home: Home) -> None:
    hermes("db", "migrate")  # while the store is made, its log counts to its size
    outcome = hermes("memory", "status")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert outcome.stdout.startswith(EMPTY)
    assert outcome.stdout.endswith("Last vacuum: never\nLast compression: never\n")
    verbose = hermes("memory", "status", "--verbose").stdout
    assert verbose.startswith(outcome.stdout)
    assert str(own_home.state_db) in verbose and "Text index: up to date\n" in verbose


def test_what_is_remembered_is_counted(hermes: Hermes, app: App) -> None:
    say(app, "My sister Anna plays the violin")
    hermes("memory", "fact", "add", "Anna teaches music")
    hermes("memory", "fact", "add", "Anna lives in Porto")
    hermes("memory", "fact", "delete", "2")
    hermes("jobs", "run")
    hermes("jobs", "run")
    hermes("db", "vacuum")
    told = json.loads(hermes("memory", "status", "--json").stdout)
    assert told["episodes"] == {"total": 1, "raw": 1, "compressed": 0}
    assert (told["facts"], told["reflections"]) == (1, 0)
    assert told["embeddings"]["episodes"] == 1 and told["vectors"]["done"] == told["vectors"]["total"] == 2
    assert told["last_vacuum"].endswith("Z") and told["last_compression"] is None
    assert told["entities"] > 0 and told["missing_episodes"] == 0


def test_a_text_index_that_lost_messages_is_told_until_it_is_mended(hermes: Hermes, app: App) -> None:
    say(app, "My sister Anna plays the violin")
    hermes("jobs", "run")
    hermes("jobs", "run")
    assert hermes("status").exit_code == 0
    with app.store.write() as connection:
        app.store.engine.text.clear(connection)
    app.close()
    broken = hermes("status")
    assert broken.exit_code == 1
    assert "not found by their words" in broken.stdout and "hermes db repair" in broken.stdout
    assert "Text index: lacks the newest messages" in hermes("memory", "status", "-v").stdout
    assert hermes("db", "repair", "--yes").exit_code == 0
    assert hermes("status").exit_code == 0


def test_exchanges_in_no_episode_are_told(hermes: Hermes, app: App) -> None:
    say(app, "My sister Anna plays the violin")
    outcome = hermes("status")
    assert (outcome.exit_code, "1 exchange in no episode yet" in outcome.stdout) == (1, True)
    assert "Exchanges without an episode: 1\n" in hermes("memory", "status", "--verbose").stdout


def test_the_trouble_of_an_embedder_is_told_with_advice(
    hermes: Hermes, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = app.embedder
    assert embedder is not None
    with app.store.write() as connection:
        made = fingerprints.require(connection, embedder.fingerprint, embedder.dimensions)
        fingerprints.set_trouble(connection, made.id, "The server does not answer.")
    outcome = hermes("status")
    assert outcome.exit_code == 1 and "The server does not answer." in outcome.stdout
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "openai")
    told = json.loads(hermes("status", "--json").stdout)
    assert [one["about"] for one in told["advice"]] == ["embedder"]
    assert "OPENAI_API_KEY" in told["advice"][0]["trouble"]
    assert "OPENAI_API_KEY" in hermes("memory", "status", "-v").stdout
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "none")
    assert hermes("status").exit_code == 0
