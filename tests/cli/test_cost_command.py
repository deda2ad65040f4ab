"""`hermes memory cost`, as the owner of a home meets it: what was spent, the cap, and what waits because of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.records.archive import NewMessage, NewSession
from tests.cli.conversations import connect
from tests.conftest import Hermes
from tests.learn.claimed import claim, hand_in
from tests.openai_server import Call, Say, Use, serve

CAP = "HERMES_MEMORY_COST_DAILY_TOKEN_CAP"


def cost(hermes: Hermes, *options: str) -> dict[str, Any]:  # Any: JSON as it is printed
    told: dict[str, Any] = json.loads(hermes("memory", "cost", "--json", *options).stdout)
    return told


@pytest.fixture
def talked(own_home: Home) -> None:
    """A home with two conversations that are over."""
    app = App(own_home, load(own_home))
    for words in ("I live in Lyon, you know.", "I work at Siemens, you know."):
        session_id = app.memory.begin(NewSession())
        app.memory.append(session_id, NewMessage("user", words))
        app.memory.end(session_id, "user_exit")
    app.close()


def test_a_home_in_which_nothing_was_done_says_so(hermes: Hermes) -> None:
    told = hermes("memory", "cost")
    assert told.exit_code == 0
    assert "Nothing was spent in the last 7 days." in told.stdout and "no cap is set" in told.stdout
    empty = cost(hermes)
    assert (empty["days"], empty["items"], empty["totals"]) == ([], [], {})
    assert empty["cap"]["daily_tokens"] is None and empty["cap"]["is_reached"] is False


@pytest.mark.usefixtures("talked")
def test_what_was_spent_stands_by_day_and_by_item(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(hand_in(claim("I live in Lyon")), hand_in()) as server:
        connect(monkeypatch, server)
        assert hermes("jobs", "run").exit_code == 0
    told = cost(hermes, "--by", "item")
    (day,) = told["days"]
    extraction = day["work"]["extraction"]
    assert (extraction["calls"], extraction["input_tokens"], extraction["output_tokens"]) == (2, 200, 40)
    assert told["totals"]["extraction"] == extraction and told["total"]["input_tokens"] == 200
    sessions = [one for one in told["items"] if one["work"] == "extraction"]
    assert [(one["calls"], one["input_tokens"]) for one in sessions] == [(1, 100), (1, 100)]
    assert told["cap"]["used_today"] == 240
    by_day = hermes("memory", "cost").stdout
    assert "DAY" in by_day and "extraction" in by_day and "total" in by_day and "240 tokens today" in by_day
    by_item = hermes("memory", "cost", "--by", "item", "-n", "1").stdout
    assert sessions[0]["item"] in by_item and sessions[1]["item"] not in by_item


def test_a_task_tells_what_recall_took_and_what_it_saved(
    hermes: Hermes, own_home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = App(own_home, load(own_home))
    session_id = app.memory.begin(NewSession())
    for number in range(40):
        question, answer = (
            f"What is the {number}. stop of the tram?",
            f"Stop {number} is in street {number}. " * 20,
        )
        app.memory.append(session_id, NewMessage("user", question), NewMessage("assistant", answer))
    app.memory.end(session_id, "user_exit")
    history = app.memory.history_tokens("", 1_000_000)
    app.close()
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    with serve(Say("In street 7.")) as server:
        connect(monkeypatch, server)
        assert hermes("chat", "-q", "Where is stop 7 of the tram?").exit_code == 0
        sent = server.requests[-1].json["messages"][-1]["content"]
    assert "<memory-context>" in sent
    told = cost(hermes, "--by", "item")
    recall = told["totals"]["recall"]
    assert 0 < recall["input_tokens"] < history and recall["milliseconds"] > 0
    assert recall["saved_tokens"] == history - recall["input_tokens"]
    (item,) = [one["item"] for one in told["items"] if one["work"] == "recall"]
    assert ", message " in item
    assert told["cap"]["used_today"] == 0, "recall is no background work"
    assert f"{recall['saved_tokens']:,}" in hermes("memory", "cost").stdout


@pytest.mark.usefixtures("talked")
def test_a_cap_stops_background_work_and_says_so_everywhere(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CAP, "100")
    with serve(
        hand_in(claim("I live in Lyon")), hand_in(claim("I work at Siemens", "employer", "Siemens"))
    ) as server:
        connect(monkeypatch, server)
        ran = hermes("jobs", "run")
        assert ran.exit_code == 0 and "The daily cap of tokens is reached: 120 of 100" in ran.stderr
        assert len(server.requests) == 1
        assert hermes("jobs", "run").stdout == "Nothing is due.\n"
        (job,) = json.loads(hermes("jobs", "list", "--state", "waiting", "--json").stdout)
        assert (job["kind"], job["attempts"]) == ("learn", 0)
        assert "The daily cap of tokens is reached" in hermes("jobs", "list").stdout
        status = hermes("status")
        assert (
            status.exit_code == 0 and "120 of 100 tokens" in status.stdout and "learn waits until" in status.stdout
        )
        assert "cap 100; reached, learn waits until" in hermes("memory", "status", "--verbose").stdout
        shown = hermes("memory", "cost").stdout
        assert "120 of 100 tokens today" in shown and f"Waiting: job {job['id']} (learn)" in shown
        assert cost(hermes)["cap"]["waiting_jobs"] == [job["id"]]
        monkeypatch.setenv(CAP, "100000")
        assert hermes("jobs", "run").exit_code == 0
        assert len(server.requests) == 2
    assert cost(hermes)["cap"]["waiting_jobs"] == []
    facts = [fact["text"] for fact in json.loads(hermes("memory", "facts", "list", "--json").stdout)]
    assert sorted(facts) == ["User lives in Lyon", "User works at Siemens"]


@pytest.mark.usefixtures("talked")
def test_what_asks_no_model_goes_on_while_the_cap_is_reached(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CAP, "1")
    with serve(hand_in(claim("I live in Lyon"))) as server:
        connect(monkeypatch, server)
        hermes("jobs", "run")
        assert "Lyon" in own_home.user_note.read_text()
        hermes("memory", "fact", "delete", "fact:001")
        assert hermes("jobs", "run").exit_code == 0
        assert "Lyon" not in own_home.user_note.read_text()
        assert hermes("jobs", "run").stdout == "Nothing is due.\n"
        assert len(server.requests) == 1


def test_a_review_is_counted_and_capped(hermes: Hermes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_MEMORY_NUDGE_INTERVAL", "1")
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    with serve(Say("Well.")) as server:
        connect(monkeypatch, server)
        hermes("chat", "-q", "The weather was fine, and the walk was long.")
        monkeypatch.setenv(CAP, "1")
        hermes("jobs", "run")
        assert cost(hermes)["totals"]["review"]["input_tokens"] == 100
        hermes("chat", "-q", "The bridge was closed, so we turned round.")
        before = len(server.requests)
        assert hermes("jobs", "run").exit_code == 0
        assert len(server.requests) == before
    kinds = {job["kind"] for job in json.loads(hermes("jobs", "list", "--state", "waiting", "--json").stdout)}
    assert "review" in kinds


@pytest.mark.usefixtures("talked")
def test_without_a_model_no_cap_stops_anything(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CAP, "1")
    assert hermes("jobs", "run").exit_code == 0
    assert json.loads(hermes("jobs", "list", "--state", "waiting", "--json").stdout) == []
    assert cost(hermes)["totals"]["extraction"]["calls"] == 0


def test_a_cap_below_nothing_is_refused(hermes: Hermes) -> None:
    wrong = hermes("config", "set", "memory.cost.dailyTokenCap", "-5")
    assert wrong.exit_code == 2


@pytest.mark.usefixtures("talked")
def test_what_a_light_model_sums_up_for_a_search_is_counted_and_capped(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    search = Use(Call("session_search", json.dumps({"query": "Lyon", "summarize": True})))
    with serve(search, Say("They spoke of Lyon."), Say("In Lyon.")) as server:
        connect(monkeypatch, server)
        assert hermes("chat", "-q", "Where do I live?").exit_code == 0
    (spent,) = [one for one in cost(hermes, "--by", "item")["items"] if one["work"] == "search"]
    assert spent["calls"] == 1 and spent["input_tokens"] + spent["output_tokens"] > 0 and spent["item"]
    assert cost(hermes)["cap"]["used_today"] == spent["input_tokens"] + spent["output_tokens"]
    monkeypatch.setenv(CAP, "1")
    with serve(search, Say("In Lyon.")) as server:
        connect(monkeypatch, server)
        assert hermes("chat", "-q", "Where do I live?").exit_code == 0
    assert cost(hermes)["totals"]["search"]["calls"] == 1, "the words themselves are taken when the cap is reached"


def test_the_summary_of_a_conversation_that_grew_long_is_counted(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    monkeypatch.setenv("HERMES_CONTEXT_WINDOW", "6000")
    long = "We walked along the river. " * 220
    with serve(Say(long), Say("A walk, told at length."), Say("Go on."), Say("Good.")) as server:
        connect(monkeypatch, server)
        assert hermes("chat", "-q", long).exit_code == 0
        told = hermes("chat", "--continue", "-q", long)
    assert told.exit_code == 0 and "a summary stands for them" in told.stderr
    spent = cost(hermes)["totals"]["window"]
    assert spent["calls"] >= 1 and spent["input_tokens"] > 0
