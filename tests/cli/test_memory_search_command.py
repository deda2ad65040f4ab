"""`hermes memory search`, as a person runs it, on both engines."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.memory import episodes
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.memory import NewFact
from hermes_agent.store import facts, jobs, messages, sessions
from tests.conftest import Hermes
from tests.postgres import server_address

SCHEMAS = count()

Remember = Callable[..., None]
"""Keep a conversation of one session: its id, its day, and what user and assistant said in turn."""


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever follows a command in the background says so on stderr; here only the command itself counts."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    monkeypatch.setenv("HERMES_DISPLAY_TIME_ZONE", "Europe/London")


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "postgres":
        monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
        monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
        monkeypatch.setenv("HERMES_MEMORY_SCHEMA", f"search_{os.getpid()}_{next(SCHEMAS)}")
    return str(request.param)


@pytest.fixture
def remember(own_home: Home) -> Remember:
    def keep(session_id: str, day: str, *said: str) -> None:
        app = opened(own_home)
        with app.store.write() as connection:
            sessions.create(connection, NewSession(id=session_id))
            new = [
                NewMessage(("user", "assistant")[place % 2], text, said_at=at(day) + place)
                for place, text in enumerate(said)
            ]
            messages.append(connection, app.store.engine, session_id, new)
        reached: int | None = 0
        while reached is not None:
            reached = episodes.make_next(app.store, reached, app.zone)
        app.close()

    return keep


def opened(home: Home) -> App:
    ensure(home)
    return App(home, load(home))


def at(day: str) -> int:
    return clock.from_datetime(datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC))


def results(hermes: Hermes, *arguments: str) -> list[dict[str, object]]:
    found = json.loads(hermes("memory", "search", "--json", *arguments).stdout)["results"]
    assert isinstance(found, list)
    return found


def names(hermes: Hermes, *arguments: str) -> list[object]:
    return [one["id"] for one in results(hermes, *arguments)]


def test_everything_is_found_together_type_by_type(
    hermes: Hermes, own_home: Home, remember: Remember, engine: str
) -> None:
    remember("first", "2026-07-01", "We moved the Atlas repository to GitHub", "Noted.")
    hermes("memory", "fact", "add", "Project Atlas uses PostgreSQL")
    hermes("notes", "add", "Atlas ships on Fridays")
    skill = own_home.skills / "release" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: release\ndescription: How to bring out Atlas\n---\nTag it.\n")
    hermes("jobs", "run")
    outcome = hermes("memory", "search", "Atlas")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    lines = [line for line in outcome.stdout.splitlines() if line]
    assert [line for line in lines if line[0] not in " ["] == ["Facts", "Episodes", "Notes", "Skills"]
    assert [line.strip() for line in lines if line.startswith("  ")] == [
        "Project >>>Atlas<<< uses PostgreSQL",
        "We moved the >>>Atlas<<< repository to GitHub",
        ">>>Atlas<<< ships on Fridays",
        "release: How to bring out >>>Atlas<<<",
    ]
    (episode,) = (line for line in lines if line.startswith("[episode:1]"))
    assert episode.startswith("[episode:1]  2026-07-01 13:00  user  session first  relevance ")


@pytest.mark.parametrize(
    ("type", "name"),
    [("facts", "fact:001"), ("episodes", "episode:1"), ("notes", "note:memory:1"), ("sessions", "first")],
)
def test_one_type_alone(hermes: Hermes, remember: Remember, engine: str, type: str, name: str) -> None:
    remember("first", "2026-07-01", "We moved the Atlas repository to GitHub", "Noted.")
    hermes("memory", "fact", "add", "Project Atlas uses PostgreSQL")
    hermes("notes", "add", "Atlas ships on Fridays")
    outcome = hermes("memory", "search", "--type", type, "atlas")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith(f"[{name}]  ") and ">>>Atlas<<<" in outcome.stdout


def test_an_episode_is_listed_once_by_its_best_message(hermes: Hermes, remember: Remember) -> None:
    remember("first", "2026-07-01", "Where is the violin?", "The violin of Anna is in the violin case.")
    remember("second", "2026-07-02", "The violin was sold", "A pity.")
    assert sorted(map(str, names(hermes, "--type", "episodes", "violin"))) == ["episode:1", "episode:2"]
    assert len(names(hermes, "--type", "episodes", "--limit", "1", "violin")) == 1


def test_a_skill_is_found_by_the_words_of_its_text(hermes: Hermes, own_home: Home) -> None:
    for name, text in (("tidy", "Sweep the floor."), ("broom", "Take it from the wall."), ("other", "x")):
        skill = own_home.skills / name / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(f"---\nname: {name}\ndescription: About {name}\n---\n{text}\nUse a broom.\n")
    broken = own_home.skills / "broken" / "SKILL.md"
    broken.parent.mkdir()
    broken.write_bytes(b"\xff broom")
    found = results(hermes, "--type", "skills", "broom", "sweeping")
    assert [one["id"] for one in found] == ["skill:broom", "skill:tidy", "skill:other"]
    assert found[1]["snippet"] == ">>>Sweep<<< the floor. Use a >>>broom<<<."


def test_dates_narrow_facts_and_episodes_and_leave_out_what_has_none(
    hermes: Hermes, own_home: Home, remember: Remember, engine: str
) -> None:
    remember("spring", "2026-03-10", "The harbour is closed", "I see.")
    remember("summer", "2026-07-10", "The harbour is open again", "Good.")
    app = opened(own_home)
    with app.store.write() as connection:
        for day in ("2026-03-11", "2026-07-11"):
            new = NewFact(f"The harbour master changed on {day}", "user", 1.0, "said", at(day))
            facts.add(connection, app.store.engine, new)
    app.close()
    hermes("notes", "add", "The harbour is in Porto")
    everything = {"fact:001", "fact:002", "episode:1", "episode:2", "note:memory:1"}
    assert set(names(hermes, "harbour")) == everything
    assert set(names(hermes, "harbour", "--since", "2026-07")) == {"fact:002", "episode:2"}
    assert set(names(hermes, "harbour", "--until", "2026-03-10")) == {"episode:1"}
    assert names(hermes, "--type", "sessions", "harbour", "--since", "2026-07") == ["summer"]
    empty = hermes("memory", "search", "harbour", "--since", "2026-08")
    assert (empty.exit_code, empty.stdout) == (1, "")
    assert "Nothing of that time fits." in empty.stderr


def test_as_of_answers_as_memory_stood_then(
    hermes: Hermes, own_home: Home, remember: Remember, engine: str
) -> None:
    remember("spring", "2026-03-10", "We use MySQL as our database", "I see.")
    remember("summer", "2026-07-10", "We use PostgreSQL as our database", "Good.")
    app = opened(own_home)
    with app.store.write() as connection:
        for text, day in (("The database is MySQL", "2026-03-10"), ("The database is PostgreSQL", "2026-07-10")):
            new = NewFact(text, "user", 1.0, "said", at(day), learned_at=at(day))
            facts.add(connection, app.store.engine, new)
        facts.end(connection, 1, "superseded", at("2026-07-10"))
    app.close()
    hermes("notes", "add", "The database is backed up")
    assert set(names(hermes, "database")) == {"fact:002", "episode:1", "episode:2", "note:memory:1"}
    assert set(names(hermes, "database", "--as-of", "2026-04-01")) == {"fact:001", "episode:1"}
    assert names(hermes, "database", "--type", "sessions", "--as-of", "2026-04-01") == ["spring"]
    assert names(hermes, "database", "--type", "notes", "--as-of", "today") == ["note:memory:1"]


def test_a_note_is_found_as_it_was(hermes: Hermes) -> None:
    hermes("notes", "add", "The server is called Hydra")
    then = clock.iso(clock.now())
    hermes("notes", "replace", "Hydra", "The server is called Lyra")
    assert names(hermes, "--type", "notes", "Hydra") == []
    assert names(hermes, "--type", "notes", "Hydra", "--as-of", then) == ["note:memory:1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--type", "notes", "--since", "2026", "x"), "There are no dates to notes."),
        (("--type", "skills", "--until", "2026", "x"), "There are no dates to skills."),
        (("--type", "skills", "--as-of", "2026", "x"), "Only the skills of today can be searched."),
        (("--as-of", "soonish", "x"), "'soonish' is not a date."),
    ],
)
def test_what_cannot_be_asked_is_said_with_a_hint(hermes: Hermes, arguments: tuple[str, ...], said: str) -> None:
    outcome = hermes("memory", "search", *arguments)
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith(f"Error: {said}\nHint: ")


def test_explain_tells_why_and_with_what(hermes: Hermes, remember: Remember) -> None:
    remember("first", "2026-07-01", "My sister Anna plays the violin", "How long has she played?")
    hermes("memory", "fact", "add", "Anna teaches music")
    hermes("jobs", "run")
    shown = hermes("memory", "search", "--explain", "Anna violin").stdout
    assert "    score " in shown and ", cosine " in shown and "brought by: " in shown and "    signals: " in shown
    assert "2 messages compared, by words and vectors of local/" in shown
    found = results(hermes, "--explain", "Anna violin")
    assert {one["type"] for one in found} == {"facts", "episodes"}
    for one in found:
        explained = one["explain"]
        assert isinstance(explained, dict)
        assert set(explained) == {"passes", "score", "cosine", "contributions"}
    assert "explain" not in results(hermes, "Anna violin")[0]


def test_the_keys_of_json(hermes: Hermes, remember: Remember) -> None:
    remember("first", "2026-07-01", "My sister Anna plays the violin", "Since when?")
    told = json.loads(hermes("memory", "search", "--json", "violin").stdout)
    assert list(told) == [
        "query",
        "types",
        "results",
        "count",
        "compared",
        "fingerprint",
        "days",
        "troubles",
        "advice",
    ]
    (found,) = told["results"]
    del found["relevance"]
    assert found == {
        "type": "episodes",
        "id": "episode:1",
        "text": "My sister Anna plays the violin",
        "snippet": "My sister Anna plays the >>>violin<<<",
        "who": "user",
        "at": "2026-07-01T12:00:00Z",
        "session_id": "first",
        "message_id": 1,
        "source_class": "user",
    }


def test_vectors_that_are_behind_are_told_in_a_line(hermes: Hermes, remember: Remember) -> None:
    remember("first", "2026-07-01", "My sister Anna plays the violin", "Since when?")
    behind = hermes("memory", "search", "violin")
    assert behind.exit_code == 0
    assert behind.stderr == (
        "Not everything could be looked at: 0 of 1 memories have a vector so far; the others are found by words.\n"
    )
    hermes("jobs", "run")
    assert hermes("memory", "search", "violin").stderr == ""


def test_an_embedder_that_cannot_work_is_told_and_words_still_find(
    hermes: Hermes, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember("first", "2026-07-01", "My sister Anna plays the violin", "Since when?")
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "openai")
    outcome = hermes("memory", "search", "violin")
    assert (outcome.exit_code, outcome.stdout.count(">>>violin<<<")) == (0, 1)
    assert "OPENAI_API_KEY" in outcome.stderr and outcome.stderr.count("\n") == 1
    told = json.loads(hermes("memory", "search", "--json", "violin").stdout)
    assert (len(told["troubles"]), told["fingerprint"]) == (1, None)


def test_without_an_embedder_by_choice_there_is_nothing_to_tell(
    hermes: Hermes, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember("first", "2026-07-01", "My sister Anna plays the violin", "Since when?")
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "none")
    assert hermes("memory", "search", "violin").stderr == ""


def test_a_message_in_no_episode_yet_is_found_by_its_words(hermes: Hermes, own_home: Home) -> None:
    app = opened(own_home)
    with app.store.write() as connection:
        session_id = sessions.create(connection, NewSession(id="raw"))
        messages.append(connection, app.store.engine, session_id, [NewMessage("user", "The violin is old")])
        jobs.add(connection, episodes.JOB, episodes.JOB)
    app.close()
    outcome = hermes("memory", "search", "violin")
    assert "Some of what was said is in no episode yet" in outcome.stderr


def test_an_unreadable_note_is_told_and_the_others_are_searched(hermes: Hermes, own_home: Home) -> None:
    hermes("notes", "add", "The violin is old")
    own_home.user_note.write_bytes(b"\xff\xfe violin")
    outcome = hermes("memory", "search", "--type", "notes", "violin")
    assert (outcome.exit_code, outcome.stdout.count("[note:")) == (0, 1)
    assert "USER.md" in outcome.stderr


@pytest.mark.parametrize("type", [(), ("--type", "facts"), ("--type", "episodes"), ("--type", "sessions")])
def test_an_empty_memory_says_how_to_begin(hermes: Hermes, type: tuple[str, ...]) -> None:
    outcome = hermes("memory", "search", *type, "Atlas project")
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert outcome.stderr.startswith("Nothing is remembered yet.")


def test_there_are_no_reflections_yet(hermes: Hermes, remember: Remember) -> None:
    remember("first", "2026-07-01", "My sister Anna plays the violin", "Since when?")
    outcome = hermes("memory", "search", "--type", "reflections", "violin")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (1, "", "There are no reflections yet.\n")


def test_what_does_not_fit_is_not_shown_unless_it_is_wanted(
    hermes: Hermes, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember("first", "2026-07-01", "My sister Anna plays the violin", "Since when?")
    # Nothing is as relevant as that, so only a word in common counts.
    monkeypatch.setenv("HERMES_MEMORY_RETRIEVAL_MIN_RELEVANCE_SCORE", "1.0")
    outcome = hermes("memory", "search", "--type", "episodes", "chromodynamics")
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert "--all" in outcome.stderr
    assert names(hermes, "--type", "episodes", "--all", "chromodynamics") == ["episode:1"]


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "(((",
        "NOT",
        "* OR *",
        "的",
        "🎻",
        "a" * 200_000,
        "violin " * 5_000,
        "\udcff",
        "'; DROP TABLE x",
    ],
)
def test_no_query_is_too_strange(hermes: Hermes, remember: Remember, engine: str, query: str) -> None:
    remember("first", "2026-07-01", "My sister Anna plays the violin", "Since when?")
    for arguments in ((), ("--type", "sessions"), ("--type", "notes", "--json")):
        assert hermes("memory", "search", *arguments, "--", query).exit_code in (0, 1)


def test_what_was_said_cannot_steer_the_terminal(hermes: Hermes, remember: Remember) -> None:
    remember("first", "2026-07-01", "The \x1b[31m violin\x07 \u202ekey", "ok")
    shown = hermes("memory", "search", "violin").stdout
    assert not {"\x1b", "\x07", "\u202e"} & set(shown) and "violin" in shown


def test_searching_changes_nothing_and_runs_no_jobs(
    hermes: Hermes, own_home: Home, remember: Remember, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    remember("first", "2026-07-01", "My sister Anna plays the violin", "Since when?")
    monkeypatch.delenv("HERMES_NO_JOBS")
    waiting = json.loads(hermes("jobs", "list", "--json").stdout)
    assert [job["state"] for job in waiting] == ["waiting"]
    for command in (("search", "violin"), ("search", "--type", "sessions", "violin"), ("status", "--verbose")):
        assert hermes("memory", *command).exit_code == 0
    assert json.loads(hermes("jobs", "list", "--json").stdout) == waiting


@pytest.mark.parametrize("query", ["", "   "])
def test_an_empty_query_is_refused(hermes: Hermes, query: str) -> None:
    outcome = hermes("memory", "search", "--", query)
    assert (outcome.exit_code, outcome.stderr.splitlines()[0]) == (2, "Error: There is nothing to look for.")


def test_the_days_that_are_asked_for_are_found_and_told(hermes: Hermes, remember: Remember) -> None:
    remember("first", "2026-07-01", "My sister Anna plays the violin", "Since when?")
    remember("second", "2026-07-08", "I sold the canoe", "To whom?")
    asked = hermes("memory", "search", "--explain", "what happened on 8 July 2026?")
    assert "I sold the canoe" in asked.stdout and "violin" not in asked.stdout
    assert "Days asked for: 2026-07-08." in asked.stdout
    given = hermes("memory", "search", "--since", "2026-07-08", "--until", "2026-07-08", "what did I do")
    assert "I sold the canoe" in given.stdout
