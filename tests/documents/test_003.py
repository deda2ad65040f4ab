"""What document 003 prints, as it is printed: the query syntax, the tables, the session commands."""

import json
import subprocess
from pathlib import Path

import pytest

from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.store.sqlite import driver
from tests.conftest import Hermes
from tests.fakes import ScriptedModel, reply

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


def test_soul_md_comes_first_and_verbatim(own_home: Home) -> None:
    soul = (
        "# Personality\nYou are a pragmatic senior engineer with strong taste.\n\n## What to avoid\n- Sycophancy\n"
    )
    own_home.root.mkdir(parents=True)
    own_home.soul.write_text(soul)
    model = ScriptedModel([reply("Yes.")])
    say(own_home, model, "Hello")
    assert model.requests[0].system_prompt.startswith(soul.strip() + "\n\n")


def test_without_soul_md_the_agent_is_hermes(own_home: Home) -> None:
    model = ScriptedModel([reply("Yes.")])
    say(own_home, model, "Hello")
    assert model.requests[0].system_prompt.startswith("You are Hermes")


def test_a_note_at_the_printed_place_is_moved_and_read(own_home: Home) -> None:
    own_home.root.mkdir(parents=True)
    (own_home.root / "MEMORY.md").write_text("The staging server is called heron.")
    model = ScriptedModel([reply("Yes.")])
    say(own_home, model, "Hello")
    assert "The staging server is called heron." in model.requests[0].system_prompt
    assert (own_home.memories / "MEMORY.md").read_text() == "The staging server is called heron."
    # `nano ~/.hermes/MEMORY.md` goes on working.
    assert (own_home.root / "MEMORY.md").read_text() == "The staging server is called heron."


def test_remember_that_i_prefer_typescript(hermes: Hermes, own_home: Home) -> None:
    hermes("chat", "-q", "Remember that I prefer TypeScript over JavaScript for all projects.")
    assert "TypeScript over JavaScript" in (own_home.memories / "USER.md").read_text()


def test_what_did_i_tell_you_about_the_auth_service(hermes: Hermes) -> None:
    hermes("chat", "-q", "The auth service signs its tokens with Ed25519.")
    answer = hermes("chat", "-q", "What did I tell you about the auth service?").stdout
    assert "The auth service signs its tokens with Ed25519" in answer


def test_the_sentence_at_the_end_of_a_session_gives_proposals(hermes: Hermes) -> None:
    talk = "My favourite editor is Helix.\nWhat should I add to your memory from today's conversation?\n"
    told = hermes("chat", input=talk)
    assert told.exit_code == 0
    assert "Helix" in told.stdout


def say(home: Home, model: ScriptedModel, text: str) -> None:
    app = App(home, load(home), model=model)
    app.notebook.reconcile()
    Conversation(app.desk, Opening("cli", home.root)).ask(text)
    app.close()


def test_the_printed_archive_of_a_home_is_restored_by_the_printed_command_and_by_ours(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    user = own_home.root.parent
    subprocess.run(["tar", "czf", "hermes-backup-20261117.tgz", f"{own_home.root}/"], cwd=user, check=True)
    archive = user / "hermes-backup-20261117.tgz"
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "new machine"))
    assert hermes("backup", "restore", str(archive)).exit_code == 0
    assert "Rex is afraid of trains" in hermes("memory", "facts", "list").stdout


def test_a_profile_is_exported_by_the_printed_command(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    assert hermes("profile", "export", "default").exit_code == 0
    assert hermes("profile", "import", "default.tar.gz", "--name", "managed").exit_code == 0
    assert "Rex is afraid of trains" in hermes("-p", "managed", "memory", "facts", "list").stdout
