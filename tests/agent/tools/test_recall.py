"""Calls of the tool `recall`, as wrong as models make them."""

import json
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from hermes_agent.agent.tools.recall import Recall
from hermes_agent.memory.memory import Memory
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.agent.tools.calls import call, refusal
from tests.recall.conversations import talk


@pytest.fixture
def tool(tmp_path: Path) -> Iterator[Recall]:
    store = Store(Sqlite(tmp_path / "state.db"), "default")
    memory = Memory(store, "default", UTC)
    for number in range(25):
        talk(memory, f"s{number}", f"Zeppelin {number} is green.", "Nice.", day=number, ended="cli_close")
    yield Recall(memory, "now")
    store.close()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "query is missing. Send query, a string."),
        ({"query": None}, "query is missing. Send query, a string."),
        ({"query": ["zeppelin"]}, "query is not a string. Send query, a string."),
        ({"query": " \n"}, "query is empty. Send what you want to know."),
        ({"query": "\ud800"}, "query holds half a character. Send it as well-formed Unicode."),
        ({"query": "x", "limit": "many"}, "limit is not a whole number. Send limit, a whole number."),
        ({"query": "x", "since": {"day": 1}}, "since is not a string. Send since, a string."),
    ],
)
def test_a_wrong_call_is_told_what_to_send(tool: Recall, arguments: dict[str, object], sentence: str) -> None:
    assert refusal(tool, **arguments) == sentence


@pytest.mark.parametrize("name", ["since", "until"])
def test_what_is_no_date_is_told_how_to_write_one(tool: Recall, name: str) -> None:
    assert refusal(tool, query="x", **{name: "soonish"}).startswith("'soonish' is not a date. Write 2026-04-14, ")
    assert len(refusal(tool, query="x", **{name: "z" * 50_000})) < 300


@pytest.mark.parametrize(
    ("limit", "count"), [(1, 1), ("5", 5), (None, 8), (0, 1), (-3, 1), (20, 20), (21, 20), (10**30, 20)]
)
def test_the_limit_is_held_between_one_and_twenty(tool: Recall, limit: object, count: int) -> None:
    assert json.loads(call(tool, query="zeppelin", limit=limit).text)["count"] == count


def test_an_empty_date_is_none(tool: Recall) -> None:
    assert json.loads(call(tool, query="zeppelin", since="", until="").text)["count"] == 8


@pytest.mark.parametrize("query", ["?!", "the and of", "的", "🎈", "\0", "zeppelin " * 20_000, "a" * 200_000, 42])
def test_no_query_is_too_strange(tool: Recall, query: object) -> None:
    assert json.loads(call(tool, query=query).text)["success"] is True
