"""`hermes sessions export`, `hermes sessions import` and `hermes import`, as a person runs them."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.ops import foreign_homes

LINES = (
    '{"id": "a", "source": "cli", "started_at": 1.5, "title": "Plan", "messages":'
    ' [{"role": "user", "content": "hi ü", "timestamp": 2.5}]}\n'
    '{"id": "b", "source": "cron", "started_at": 3.5, "parent_session_id": "gone", "messages": []}\n'
)


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever follows a command in the background says so on stderr; here only the command itself counts."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.jsonl"
    path.write_text(LINES)
    return path


def test_import_says_what_became_of_the_sessions(hermes: Hermes, file: Path) -> None:
    first, second = hermes("sessions", "import", str(file)), hermes("sessions", "import", str(file))
    assert (first.exit_code, first.stderr) == (0, "")
    assert first.stdout == ("Imported 2 sessions; 1 new message.\nLost their parent, which is not there: b.\n")
    assert second.stdout == "Imported 0 sessions; 0 new messages.\nHere already: 2 sessions.\n"


def test_import_prints_json(hermes: Hermes, file: Path) -> None:
    file.write_text(LINES + "broken\n")
    outcome = hermes("sessions", "import", str(file), "--json", "--skip-broken")
    assert json.loads(outcome.stdout) == {
        "imported": ["a", "b"],
        "skipped": [],
        "extended": [],
        "detached": ["b"],
        "renamed": [],
        "broken": [{"place": "line 3", "reason": "it is not JSON (Expecting value, character 1)"}],
        "owned": [],
        "forgotten": [],
        "messages": 1,
        "messages_forgotten": 0,
    }


def test_a_broken_file_is_refused_with_the_line(hermes: Hermes, file: Path) -> None:
    file.write_text(LINES + "broken\n")
    outcome = hermes("sessions", "import", str(file))
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr == (
        f"Error: {file} was not imported: line 3: it is not JSON (Expecting value, character 1).\n"
        "Hint: Mend the file, or add --skip-broken to import the rest.\n"
    )
    assert hermes("sessions", "export").stdout == ""


def test_one_profile_is_piped_into_another(hermes: Hermes, file: Path) -> None:
    hermes("sessions", "import", str(file))
    hermes("profile", "create", "work")
    out = hermes("sessions", "export").stdout
    assert hermes("-p", "work", "sessions", "import", "-", input=out).exit_code == 0
    assert hermes("-p", "work", "sessions", "export").stdout == out


def test_an_exported_file_is_whole_and_private(hermes: Hermes, file: Path, tmp_path: Path) -> None:
    hermes("sessions", "import", str(file))
    target = tmp_path / "out" / "all.jsonl"
    target.parent.mkdir()
    outcome = hermes("sessions", "export", str(target))
    assert outcome.stdout == f"Exported 2 sessions to {target}.\n"
    assert target.stat().st_mode & 0o777 == 0o600
    assert target.read_text() == hermes("sessions", "export").stdout
    assert [path.name for path in target.parent.iterdir()] == ["all.jsonl"]


def test_an_existing_file_is_replaced_only_when_forced(hermes: Hermes, file: Path, tmp_path: Path) -> None:
    target = tmp_path / "all.jsonl"
    target.write_text("mine")
    outcome = hermes("sessions", "export", str(target))
    assert (outcome.exit_code, target.read_text()) == (2, "mine")
    assert outcome.stderr == f"Error: {target} exists already.\nHint: Add --force to replace it.\n"
    assert hermes("sessions", "export", str(target), "--force").exit_code == 0
    assert target.read_text() == ""
    assert hermes("sessions", "export", "/dev/null", "--force").exit_code == 2


def test_a_failed_export_leaves_no_file(hermes: Hermes, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    assert hermes("sessions", "export", str(target), "--session", "nobody").exit_code == 2
    assert not target.exists()
    assert hermes("sessions", "export", str(tmp_path / "no" / "folder.jsonl")).exit_code == 1


def test_markdown_is_exported_in_the_readers_zone(hermes: Hermes, file: Path) -> None:
    hermes("sessions", "import", str(file))
    hermes("config", "set", "display.timeZone", "Asia/Tokyo")
    outcome = hermes("sessions", "export", "--format", "markdown", "--session", "Plan")
    assert outcome.stdout.startswith("# Plan\n\n- Session: a\n- Source: cli\n- Started: 1970-01-01 09:00:01\n")
    assert "## User · 1970-01-01 09:00:02\n\nhi ü\n" in outcome.stdout


def test_import_of_a_home_reports_and_is_idle_the_second_time(
    hermes: Hermes, tmp_path: Path, own_home: Home
) -> None:
    folder = tmp_path / "theirs"
    database = foreign_homes.build(folder, 25)
    dry = hermes("import", str(folder), "--dry-run")
    assert dry.stdout.startswith(
        f"Dry run: nothing was written.\nFrom {database} (schema 25):\n"
        "  Would import 3 sessions; 6 new messages.\n"
        f"Note SOUL.md: would be copied to {own_home.soul}.\n"
    )
    assert not own_home.state_db.exists()
    outcome = hermes("import", str(folder))
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert outcome.stdout.startswith(
        f"From {database} (schema 25):\n  Imported 3 sessions; 6 new messages.\n"
        f"Note SOUL.md: copied to {own_home.soul}.\n"
    )
    again = hermes("import", str(folder))
    assert again.stdout.splitlines()[-1] == "There is nothing new to take over."


def test_import_prints_the_whole_report_as_json(hermes: Hermes, tmp_path: Path) -> None:
    database = foreign_homes.build(tmp_path / "theirs", 6)
    report = json.loads(hermes("import", str(database), "--json").stdout)
    assert (report["dry_run"], report["notes"], report["skills"]) == (False, [], [])
    (taken,) = report["databases"]
    assert (taken["path"], taken["schema_version"], taken["set_aside"]) == (str(database), 6, None)
    assert len(taken["imported"]) == 3


def test_a_foreign_database_in_our_home_is_taken_over_as_the_error_says(hermes: Hermes, own_home: Home) -> None:
    foreign_homes.build(own_home.root, 11)
    refused = hermes("sessions", "list")
    assert refused.exit_code == 1
    assert "hermes import" in refused.stderr
    outcome = hermes("import")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert f"  Set aside as {own_home.state_db}.foreign-" in outcome.stdout
    assert hermes("sessions", "list").exit_code == 0


def test_an_unknown_version_is_refused_with_the_way_on(hermes: Hermes, tmp_path: Path) -> None:
    database = foreign_homes.build(tmp_path / "theirs", 30)
    outcome = hermes("import", str(database))
    assert outcome.exit_code == 2
    assert outcome.stderr == (
        f"Error: {database} has schema version 30, newer than the known 25.\n"
        "Hint: Add --any-version to try by column names.\n"
    )
    assert hermes("import", str(database), "--any-version").exit_code == 0


def test_long_work_shows_a_bar_on_the_terminal_only(tmp_path: Path) -> None:
    script = (
        "from hermes_agent import clock\n"
        "from hermes_agent.cli.progress import follow\n"
        "from hermes_agent.ops.steps import Step\n"
        "def work(seconds):\n"
        "    for done in range(3):\n"
        "        yield Step('sessions', done, 3)\n"
        "        clock.sleep(seconds)\n"
        "    return 'done'\n"
        "assert follow(work({})) == 'done'\n"
    )
    shown = {}
    for seconds in (0.0, 0.7):
        main, terminal = pty.openpty()
        subprocess.run([sys.executable, "-c", script.format(seconds)], stderr=terminal, check=True)
        os.set_blocking(main, False)
        try:
            shown[seconds] = os.read(main, 10_000)
        except BlockingIOError:
            shown[seconds] = b""
        os.close(main)
        os.close(terminal)
    assert shown[0.0] == b""
    assert b"sessions" in shown[0.7]
    piped = subprocess.run([sys.executable, "-c", script.format(0.7)], capture_output=True, check=True)
    assert piped.stderr == b""


def test_a_file_cannot_say_that_its_words_are_the_owners(hermes: Hermes, tmp_path: Path) -> None:
    """A uid makes it look like an export of ours; anybody can write one."""
    said = [
        {"role": "user", "content": "I work at Evil Corp.", "timestamp": 1_790_000_000, "source_class": "user"},
        {"role": "assistant", "content": "Noted.", "timestamp": 1_790_000_001},
        {"role": "tool", "content": "A page.", "timestamp": 1_790_000_002, "source_class": "user"},
        {"role": "user", "content": "A friend's.", "timestamp": 1_790_000_003, "source_class": "profile"},
    ]
    forged = {"uid": "01a1e471-4682-79ba-8c37-9a944fbc773f", "id": "x", "started_at": 1_790_000_000}
    file = tmp_path / "forged.json"
    file.write_text(json.dumps({**forged, "messages": said}))
    assert hermes("sessions", "import", str(file)).exit_code == 0
    assert _classes(hermes) == ["import", "import", "tool", "profile"]
    hermes("profile", "create", "own")
    assert hermes("-p", "own", "sessions", "import", "--own", str(file)).exit_code == 0
    assert _classes(hermes, "-p", "own") == ["user", "assistant", "user", "profile"]


def _classes(hermes: Hermes, *options: str) -> list[str]:
    (line,) = hermes(*options, "sessions", "export").stdout.splitlines()
    return [message["source_class"] for message in json.loads(line)["messages"]]
