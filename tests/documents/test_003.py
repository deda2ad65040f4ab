"""What document 003 prints, as it is printed: the query syntax, the tables, the session commands."""

import json

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.store.sqlite import driver
from tests.conftest import Hermes

SAID = (
    "the docker deployment went well",
    "an exact phrase stands here",
    "kubernetes is next",
    "python without the other",
    "python and java together",
)


@pytest.fixture
def archive(hermes: Hermes) -> None:
    for said in SAID:
        hermes("chat", "-q", said)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("docker deployment", {0}),
        ('"exact phrase"', {1}),
        ("docker OR kubernetes", {0, 2}),
        ("python NOT java", {3}),
        ("deploy*", {0}),
    ],
)
def test_the_query_syntax(hermes: Hermes, archive: None, query: str, expected: set[int]) -> None:
    answer = json.loads(hermes("sessions", "search", query, "--json", "--limit", "10", "--detail", "full").stdout)
    hits = [
        message["content"]
        for result in answer["results"]
        for message in result["messages"]
        if message.get("anchor")
    ]
    assert set(hits) == {SAID[place] for place in expected}


def test_the_four_tables_are_in_state_db(archive: None, own_home: Home) -> None:
    connection = driver().connect(own_home.state_db)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    mode = connection.execute("PRAGMA journal_mode").fetchone()
    connection.close()
    assert {"sessions", "messages", "messages_fts", "schema_version"} <= tables
    assert mode == ("wal",)


def test_the_session_commands(hermes: Hermes, archive: None) -> None:
    assert hermes("sessions", "stats").stdout.startswith("Sessions: 5\n")
    exported = hermes("sessions", "export").stdout.splitlines()
    assert [json.loads(line)["messages"][0]["content"] for line in exported] == list(SAID)
