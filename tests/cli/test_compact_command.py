"""`hermes memory compact` and `hermes memory summaries`: what is old takes less room, and nothing is lost."""

import json

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.jobs import compressing as job
from hermes_agent.memory import selftest
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store.sqlite import driver
from tests.cli.conversations import connect
from tests.conftest import Hermes
from tests.openai_server import Call, Use, serve

DAY = 86_400 * clock.MICROSECONDS
ANIMALS = ("heron", "otter", "badger", "lynx", "marten", "weasel", "ibex", "osprey", "plover", "stoat", "vole")


@pytest.fixture
def aged(hermes: Hermes, own_home: Home) -> Hermes:
    """A home with a conversation of two months ago and one of today, with all their vectors."""
    app = App(own_home, load(own_home))
    old = clock.now() - 60 * DAY
    session_id = app.memory.begin(NewSession(id="long-ago", started_at=old))
    for number, animal in enumerate(ANIMALS):
        moment = old + number * 60 * clock.MICROSECONDS
        pages = f"The {animal} report has {number + 20} pages."
        app.memory.append(
            session_id,
            NewMessage("user", f"My {animal} report for Professor Lindqvist is done. {pages}", said_at=moment),
            NewMessage("assistant", f"{pages} " * 12, said_at=moment + 1),
        )
    app.memory.end(session_id, "done")
    app.close()
    for command in (
        ("config", "set", "memory.compression.afterDays", "0"),
        ("chat", "-q", "My favourite colour is green."),
        ("jobs", "run"),
        ("config", "set", "memory.compression.afterDays", "30"),
    ):
        assert hermes(*command).exit_code == 0
    return hermes


def episodes(hermes: Hermes) -> tuple[int, int]:
    """Return how many are raw, and compressed."""
    told = json.loads(hermes("memory", "status", "--json").stdout)["episodes"]
    return told["raw"], told["compressed"]


def test_a_dry_run_changes_nothing(aged: Hermes) -> None:
    assert aged("memory", "compact", "--dry-run").stdout == (
        "11 episodes would be compressed. Nothing was changed.\n"
    )
    assert json.loads(aged("memory", "compact", "--dry-run", "--json").stdout)["episodes"] == 11
    assert episodes(aged) == (12, 0)


def test_what_is_old_is_compressed_measured_and_listed(aged: Hermes) -> None:
    told = aged("memory", "compact").stdout
    assert "1 summary for 11 episodes; " in told and "Recall@10: " in told
    assert episodes(aged) == (1, 11)
    assert "Last compression: 20" in aged("memory", "status").stdout
    assert "Nothing is old enough to be compressed." in aged("memory", "compact").stdout
    assert "summary:001" in aged("memory", "summaries", "list").stdout
    (listed,) = json.loads(aged("memory", "summaries", "list", "--json").stdout)
    assert (listed["id"], listed["episode_count"], listed["written_by"]) == ("summary:001", 11, "rules")
    shown = aged("memory", "summaries", "show", "1", "--messages").stdout
    assert "Professor Lindqvist" in shown and "long-ago  user: My heron report" in shown
    opened = json.loads(aged("memory", "summaries", "show", "1", "--messages", "--json").stdout)
    assert (
        len(opened["messages"]) == 22
        and opened["messages"][1]["content"] == "The heron report has 20 pages. " * 12
    )
    assert "24 >>>pages<<<" in aged("memory", "search", "How many pages has the marten report?").stdout
    assert "The otter report has 21 pages." in aged("sessions", "show", "long-ago").stdout


def test_the_figures_as_json(aged: Hermes) -> None:
    told = json.loads(aged("memory", "compact", "--older-than", "10", "--json").stdout)
    assert told["summaries"] == ["summary:001"] and told["episodes"] == 11
    assert aged("memory", "undo", told["uid"]).exit_code == 0
    assert told["after"]["vectors"] < told["before"]["vectors"] / 4
    assert told["after"]["selftest"]["recall_10"] >= told["before"]["selftest"]["recall_10"]


def test_vectors_are_counted_as_the_status_counts_them(aged: Hermes) -> None:
    before = json.loads(aged("memory", "status", "--json").stdout)["embeddings"]
    told = aged("memory", "compact").stdout
    after = json.loads(aged("memory", "status", "--json").stdout)["embeddings"]
    assert f"of episodes {before['episodes']} → {after['episodes']}, " in told
    assert f"of facts {before['facts']} → {after['facts']}, of summaries 0 → 1\n" in told


def test_the_same_is_asked_before_and_after_messages_are_discarded(aged: Hermes, own_home: Home) -> None:
    aged("config", "set", "memory.compression.discardRaw", "true")
    told = json.loads(aged("memory", "compact", "--yes", "--json").stdout)
    assert told["messages"] == 22
    assert told["before"]["selftest"]["questions"] == told["after"]["selftest"]["questions"] >= 5
    app = App(own_home, load(own_home))
    after, before = selftest.history(app.store, 2)
    app.close()
    assert [one.message for one in before.answers] == [one.message for one in after.answers]


def test_an_undo_takes_a_summary_back(aged: Hermes) -> None:
    aged("memory", "compact")
    assert "Undone: summary:001 stands for 11 episodes." in aged("memory", "undo", "summary:001").stdout
    assert episodes(aged) == (12, 0)
    assert aged("memory", "summaries", "show", "1").exit_code == 2


def test_messages_are_discarded_only_if_wanted_and_confirmed(aged: Hermes) -> None:
    assert json.loads(aged("memory", "compact", "--dry-run", "--json").stdout)["discards_messages"] is False
    aged("config", "set", "memory.compression.discardRaw", "true")
    assert aged("memory", "compact", "--dry-run").stdout.splitlines()[0] == (
        "11 episodes would be compressed and their messages deleted for good. Nothing was changed."
    )
    assert json.loads(aged("memory", "compact", "--dry-run", "--json").stdout)["discards_messages"] is True
    assert "Nothing was changed." in aged("memory", "compact", input="n\n").stdout
    assert episodes(aged) == (12, 0)
    assert "22 messages discarded" in aged("memory", "compact", "--yes").stdout
    undone = aged("memory", "undo")
    assert undone.exit_code != 0 and "discarded and cannot be brought back" in undone.stderr
    assert "The messages behind it were discarded." in aged("memory", "summaries", "show", "1").stdout
    assert "Lindqvist" in aged("memory", "search", "Professor Lindqvist").stdout


def test_the_nightly_job_does_the_same(aged: Hermes) -> None:
    assert aged("jobs", "run").exit_code == 0
    assert episodes(aged) == (1, 11)


def test_a_disk_that_fills_up_on_the_way_is_told_with_what_was_kept(aged: Hermes, own_home: Home) -> None:
    connection = driver().connect(own_home.state_db)
    connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON summaries WHEN (SELECT count(*) FROM summaries) >= 1"
        " BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
    )
    connection.commit()
    connection.close()
    outcome = aged("memory", "compact", "--older-than", "0")
    assert outcome.exit_code == 1 and "is full or failing" in outcome.stderr
    raw, compressed = episodes(aged)
    assert raw > 0 and compressed > 0
    assert f"1 summary for {compressed} episodes was kept, the rest is as it was." in outcome.stderr


@pytest.mark.parametrize("typed", ["", "fact:1", "x", "9" * 40])
def test_what_is_no_summary_is_a_clear_error(hermes: Hermes, typed: str) -> None:
    told = hermes("memory", "summaries", "show", typed)
    assert told.exit_code == 2 and "not the number of a summary" in told.stderr


def test_where_nothing_is_ever_old_a_compaction_must_say_how_old(aged: Hermes) -> None:
    aged("config", "set", "memory.compression.afterDays", "0")
    for options in ((), ("--dry-run",), ("--yes",)):
        told = aged("memory", "compact", *options)
        assert told.exit_code == 2
        assert "memory.compression.afterDays is 0" in told.stderr and "--older-than 30" in told.stderr
    assert "11 episodes would" in aged("memory", "compact", "--older-than", "30", "--dry-run").stdout
    assert episodes(aged) == (12, 0)


def test_a_bare_undo_takes_back_a_compaction_by_hand_with_all_its_summaries(aged: Hermes, own_home: Home) -> None:
    bring(own_home, "cron")
    told = aged("memory", "compact").stdout
    assert "2 summaries for 13 episodes; " in told
    assert "Take one back: hermes memory undo summary:002; all: hermes memory undo 01" in told
    assert "Summaries: 2\n" in aged("memory", "status", "--verbose").stdout
    assert "There are older ones: -n 2" in aged("memory", "summaries", "list", "-n", "1").stderr
    assert aged("memory", "summaries", "list", "-n", "2").stderr == ""
    assert episodes(aged) == (1, 13)
    undone = aged("memory", "undo").stdout
    assert "summary:001 stands for 11 episodes." in undone and "summary:002 stands for 2 episodes." in undone
    assert episodes(aged) == (14, 0)


@pytest.mark.parametrize("is_discarding", [False, True])
def test_a_bare_undo_means_the_compaction_whatever_was_learned_behind_it(
    aged: Hermes, own_home: Home, is_discarding: bool
) -> None:
    app = App(own_home, load(own_home))
    session_id = app.memory.begin(NewSession(id="unread"))
    app.memory.append(session_id, NewMessage("user", "My dog is called Rex."), NewMessage("assistant", "Noted."))
    app.memory.end(session_id, "done")
    app.close()
    aged("config", "set", "memory.compression.discardRaw", str(is_discarding).lower())
    assert "1 summary for 11 episodes; " in aged("memory", "compact", "--yes").stdout
    assert aged("jobs", "run").exit_code == 0
    assert "Rex" in aged("memory", "facts", "list").stdout
    undone = aged("memory", "undo")
    if is_discarding:
        assert undone.exit_code != 0 and "The latest change cannot be undone: summary:001" in undone.stderr
    else:
        assert undone.stdout.startswith("Undone: summary:001 stands for 11 episodes.")
        assert "Rex" in aged("memory", "facts", "list").stdout
    aged("chat", "-q", "My cat is called Mia.")
    assert "Mia" in aged("memory", "undo").stdout
    assert "Rex" in aged("memory", "facts", "list").stdout


def test_all_of_a_compaction_is_taken_back_by_its_uid_whatever_came_since(aged: Hermes, own_home: Home) -> None:
    bring(own_home, "cron")
    told = aged("memory", "compact").stdout
    command = next(line for line in told.splitlines() if line.startswith("Take one back"))
    aged("memory", "fact", "add", "Deploys run on Fridays")
    undone = aged(*command.rpartition("all: hermes ")[2].split())
    assert len(undone.stdout.splitlines()) == 2 and "summary:001 stands for 11 episodes." in undone.stdout
    assert episodes(aged) == (14, 0) and "Fridays" in aged("memory", "facts", "list").stdout
    again = aged(*command.rpartition("all: hermes ")[2].split())
    assert (again.exit_code, again.stderr) == (1, "Error: That compaction is undone already.\n")


def test_what_the_owner_took_back_is_compressed_again_only_by_hand(aged: Hermes, own_home: Home) -> None:
    assert aged("jobs", "run").exit_code == 0
    assert aged("memory", "undo", "summary:001").exit_code == 0
    assert "Last compression: never" in aged("memory", "status").stdout
    app = App(own_home, load(own_home))
    assert job.wanted(app.settings) is not None and list(job.run(app.memory, app.settings)) == []
    app.close()
    assert episodes(aged) == (12, 0)
    assert "1 summary for 11 episodes; " in aged("memory", "compact").stdout


def bring(home: Home, source: str) -> None:
    """Let old messages come in that no episode holds yet."""
    app = App(home, load(home))
    old = clock.now() - 60 * DAY
    session_id = app.memory.begin(NewSession(source, id=f"of-{source}", started_at=old))
    for number in range(2):
        said = NewMessage("user", f"Report {number} of the {source} door is kept by Hedwig Sperling.", said_at=old)
        app.memory.append(session_id, said, NewMessage("assistant", "Noted.", said_at=old))
    app.close()


def test_a_bare_undo_leaves_what_the_night_did(aged: Hermes) -> None:
    aged("jobs", "run")
    aged("memory", "undo")
    assert episodes(aged) == (1, 11)


def test_what_is_not_read_yet_is_told_and_read(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    bring(own_home, "cli")
    told = hermes("memory", "compact", "--dry-run").stdout
    assert told == "2 exchanges are not read yet: hermes jobs run\n"
    assert "1 summary for 2 episodes; " in hermes("memory", "compact").stdout


def test_what_nothing_was_learned_from_yet_is_told_before_it_is_discarded(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    bring(own_home, "cli")
    hermes("config", "set", "memory.compression.discardRaw", "true")
    told = hermes("memory", "compact", "--yes").stdout
    assert told == "2 episodes wait until facts and lessons are taken from what was said: hermes jobs run\n"
    assert hermes("jobs", "run").exit_code == 0
    assert "4 messages discarded" in hermes("memory", "compact", "--yes").stdout


def test_where_there_were_no_vectors_no_share_is_told(hermes: Hermes, own_home: Home) -> None:
    bring(own_home, "cli")
    told = hermes("memory", "compact").stdout
    assert "Vectors: 0 → " in told and "%" not in told.partition("Vectors: ")[2].partition("\n")[0]


def test_when_the_cap_is_reached_what_was_made_is_told(
    aged: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(own_home, "cron")
    monkeypatch.setenv("HERMES_MEMORY_COST_DAILY_TOKEN_CAP", "1")
    lines = [{"text": "Professor Lindqvist gets a report on each animal.", "passages": [1]}]
    with serve(Use(Call("summarize", json.dumps({"lines": lines})))) as server:
        connect(monkeypatch, server)
        told = aged("memory", "compact")
    assert "1 summary for " in told.stdout and "Take one back: hermes memory undo summary:001" in told.stdout
    assert told.exit_code != 0 and "The daily cap of tokens is reached" in told.stderr


def test_no_age_is_so_large_that_it_is_before_all_time(hermes: Hermes) -> None:
    outcome = hermes("memory", "compact", "--dry-run", "--older-than", "800000")
    assert outcome.exit_code == 2 and "0<=x<=36500" in outcome.stderr
