"""The daemon as its owner meets it: started, looked at, stopped, killed; real processes in a real home."""

import json
import os
import re
import shutil
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hermes_agent.config import paths, pid_file
from hermes_agent.config.paths import Home
from hermes_agent.daemon import process
from hermes_agent.records.archive import NewMessage, NewSession
from tests.daemon.conftest import PATIENCE_SECONDS, Machine, wait_until
from tests.openai_server import Hang, Say, serve


class SlowServer(ThreadingHTTPServer):
    """A model's server that answers, with a refusal, when it is allowed to."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), SlowAnswer)
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self.was_asked = threading.Event()
        self.may_answer = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class SlowAnswer(BaseHTTPRequestHandler):
    server: SlowServer

    def do_GET(self) -> None:
        self.answer(200, b'{"object": "list", "data": [{"id": "slow", "object": "model"}]}')

    def do_POST(self) -> None:
        self.server.was_asked.set()
        self.server.may_answer.wait(PATIENCE_SECONDS)
        self.answer(400, b'{"error": {"message": "not today", "code": "refused"}}')

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *words: object) -> None:
        """Stay quiet."""


def daemon_status(machine: Machine, code: int = 0) -> dict[str, object]:
    """Return what `hermes status` tells of the daemon; its exit code tells whether all is well."""
    found = json.loads(machine.run("status", "--json", code=code))["daemon"]
    assert isinstance(found, dict)
    return found


def say(machine: Machine, *texts: str) -> str:
    app = machine.open()
    session_id = app.memory.begin(NewSession())
    for text in texts:
        app.memory.append(session_id, NewMessage("user", text))
    app.close()
    return session_id


def add_review(machine: Machine) -> int:
    """Add a job that asks the model, and so takes as long as the model's server likes."""
    return machine.add("review", "review", {"session": say(machine, "I always use tabs."), "memory": True})


def test_start_status_stop(machine: Machine) -> None:
    pid = int(re.findall(r"pid (\d+)", machine.run("start"))[0])
    assert f"The daemon runs already (pid {pid})" in machine.run("start")
    told = daemon_status(machine)
    assert (told["is_running"], told["pid"]) == (True, pid)
    assert machine.home.daemon_pid.read_text().splitlines()[0] == str(pid)
    assert machine.run("stop") == (
        f"The daemon (pid {pid}) has ended.\nEverything is in {machine.home.state_db}.\n"
    )
    assert daemon_status(machine) == {"is_running": False}
    assert machine.run("stop") == f"No daemon runs.\nEverything is in {machine.home.state_db}.\n"
    lines = machine.log.splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (INFO|WARNING|ERROR) ", line) for line in lines)
    assert lines[-1].endswith("Stopped.")


def test_a_copy_of_memory_db_after_stop_is_whole(machine: Machine, tmp_path: Path) -> None:
    before = say(machine, "The harbour is in Rotterdam.")
    machine.run("start")
    meanwhile = say(machine, "The lighthouse is in Ostend.")
    # A chat that stays open keeps SQLite from folding its log by itself.
    other = machine.open()
    with other.store.read():
        pass
    machine.run("stop")
    copied = tmp_path / "backup" / "memory.db"
    copied.parent.mkdir()
    shutil.copy(machine.home.memory_db_link, copied)
    other.close()
    restored = Machine(Home(tmp_path / "restored", "default"), machine.hermes)
    restored.home.root.mkdir()
    copied.rename(restored.home.state_db)
    assert "The harbour is in Rotterdam." in restored.run("sessions", "show", before)
    assert "The lighthouse is in Ostend." in restored.run("sessions", "show", meanwhile)
    assert meanwhile in restored.run("sessions", "search", "lighthouse")
    assert "nothing is wrong" in restored.run("db", "check")


def test_stop_says_when_a_copy_would_not_be_whole(machine: Machine) -> None:
    say(machine, "one")
    reader = machine.open()
    with reader.store.read() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM messages")
        say(machine, "two")
        told = machine.run("stop", code=1)
    reader.close()
    assert "would not be whole" in told


def test_two_starts_at_once_make_one_daemon(machine: Machine) -> None:
    commands = [machine.begin("start") for _ in range(3)]
    told = [command.communicate() for command in commands]
    assert [command.returncode for command in commands] == [0, 0, 0], told
    assert len({pid for stdout, _ in told for pid in re.findall(r"pid (\d+)", stdout)}) == 1
    assert sum("in the background" in stdout for stdout, _ in told) == 1
    assert machine.log.count("Started:") == 1


def test_work_that_is_added_later_is_done(machine: Machine) -> None:
    machine.run("start")
    job_id = machine.add("prune", "by hand")
    wait_until(lambda: machine.job(job_id).state == "done")
    assert f"Job {job_id} (prune): done" in machine.log


def test_a_killed_daemon_is_recognised_and_the_next_one_finishes_its_job(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Hang("Let me"), Say("Nothing to save.")) as server:
        monkeypatch.setenv("HERMES_BASE_URL", server.url)
        job_id = add_review(machine)
        machine.run("start")
        wait_until(lambda: bool(server.requests))
        killed = pid_file.running(machine.home)
        assert killed is not None
        os.kill(killed.pid, signal.SIGKILL)
        wait_until(lambda: pid_file.running(machine.home) is None)
        assert machine.job(job_id).state == "running"
        assert daemon_status(machine, code=1) == {"is_running": False, "killed_pid": killed.pid}
        machine.run("start")
        wait_until(lambda: machine.job(job_id).state == "done")
    assert machine.job(job_id).attempts == 2
    assert f"(pid {killed.pid}) was killed" in machine.log
    assert pid_file.running(machine.home) is not None


def test_a_job_that_outlasts_the_timeout_is_given_back(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Hang("Let me")) as server:
        monkeypatch.setenv("HERMES_BASE_URL", server.url)
        job_id = add_review(machine)
        machine.run("start")
        wait_until(lambda: bool(server.requests))
        told = machine.run("stop", "--timeout", "0")
    assert "1 job given back" in told
    job = machine.job(job_id)
    assert (job.state, job.attempts, job.leased_by) == ("waiting", 0, None)
    assert daemon_status(machine) == {"is_running": False}


def test_a_running_job_comes_to_its_end_before_the_daemon_does(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SlowServer() as server:
        monkeypatch.setenv("HERMES_BASE_URL", server.url)
        job_id = add_review(machine)
        machine.run("start")
        assert server.was_asked.wait(PATIENCE_SECONDS)
        daemon = pid_file.running(machine.home)
        assert daemon is not None
        os.kill(daemon.pid, signal.SIGTERM)
        assert pid_file.running(machine.home) == daemon
        server.may_answer.set()
        wait_until(lambda: pid_file.running(machine.home) is None)
        server.shutdown()
    job = machine.job(job_id)
    assert (job.state, job.attempts) == ("waiting", 1), "the answer it waited for was an error"
    assert "not today" in (job.reason or "")
    assert machine.log.splitlines()[-1].endswith("Stopped.")


def test_restart_is_a_new_process_with_the_settings_of_now(machine: Machine) -> None:
    first = re.findall(r"pid (\d+)", machine.run("start"))
    machine.run("config", "set", "display.timeZone", "Europe/London")
    assert "hermes restart" in machine.run("status", code=1)
    told = machine.run("restart")
    assert f"(pid {first[0]}) has ended" in told and "in the background" in told
    assert "hermes restart" not in machine.run("status")


def test_the_foreground_logs_to_stderr_and_ends_with_a_signal(machine: Machine) -> None:
    command = machine.begin("start", "--foreground")
    assert command.stderr is not None
    assert "Started:" in command.stderr.readline()
    refused = machine.run("start", "--foreground", code=1)
    assert f"runs already (pid {command.pid}" in refused
    command.send_signal(signal.SIGINT)
    stdout, stderr = command.communicate()
    assert (command.returncode, stdout) == (0, "") and "Stopped." in stderr
    assert machine.log == ""


def test_a_store_that_cannot_be_opened_is_said_by_start(machine: Machine) -> None:
    machine.home.root.mkdir()
    machine.home.state_db.write_bytes(b"\0" * 4096)
    assert "first bytes are wrong" in machine.run("start", code=1)
    assert pid_file.running(machine.home) is None
    assert pid_file.written(machine.home) is None


@pytest.mark.parametrize(
    "left", [b"", b"\xff\xfe\0", b"1\n", b"0\n{}", b"-1\n{}", b"9" * 100_000, b'{"pid": 1}', b"[1]\n[2]\n"]
)
def test_whatever_stands_in_the_pid_file_is_no_daemon_without_its_lock(machine: Machine, left: bytes) -> None:
    machine.home.root.mkdir()
    machine.home.daemon_pid.write_bytes(left)
    assert pid_file.running(machine.home) is None
    assert pid_file.written(machine.home) is None
    with pid_file.hold(machine.home, pid_file.this_process("w")) as before:
        assert before is None
        assert pid_file.running(machine.home) == pid_file.written(machine.home)
    assert machine.home.daemon_pid.read_bytes() == b""


def test_a_file_in_the_folder_of_the_start_is_not_taken_for_a_module(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ruamel.py").write_text("raise SystemExit('not yours')")
    (tmp_path / "sqlalchemy.py").write_text("raise SystemExit('not yours')")
    monkeypatch.chdir(tmp_path)
    launched = process.launch(machine.home, {})
    assert (launched.code, launched.said) == (None, "")


def test_the_log_says_nothing_of_what_was_said(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    job_id = machine.add("review", "review", {"session": "the words of my diary"})
    monkeypatch.setenv("HERMES_BASE_URL", "http://127.0.0.1:9/v1")
    machine.run("start")
    wait_until(lambda: machine.job(job_id).reason is not None)
    machine.run("stop")
    assert "diary" in (machine.job(job_id).reason or "")
    assert f"hermes jobs show {job_id}" in machine.log and "diary" not in machine.log


def test_a_profile_with_a_daemon_is_not_deleted(machine: Machine) -> None:
    machine.run("profile", "create", "work")
    home = paths.home_of("work")
    with pid_file.hold(home, pid_file.this_process("w")):
        assert "hermes -p work stop" in machine.run("profile", "delete", "work", "--yes", code=2)
    machine.run("profile", "delete", "work", "--yes")
    assert not home.root.exists()


def test_what_was_said_to_a_daemon_that_was_killed_gets_its_episode_from_the_next(machine: Machine) -> None:
    machine.run("start")
    wait_until(lambda: "(episodes): done" in machine.log)
    killed = pid_file.running(machine.home)
    assert killed is not None
    process.kill(killed)
    assert process.has_ended(machine.home, killed, PATIENCE_SECONDS)
    say(machine, "The cello is in the cellar.")
    machine.run("start")
    wait_until(lambda: json.loads(machine.run("status", "--json"))["index"]["missing_episodes"] == 0)
