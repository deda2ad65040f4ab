"""A server that is killed: what it had laid down for others does not stay, and its commands end with it."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import own_process, passing, paths, private
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.daemon.web import open_server
from hermes_agent.errors import HermesError
from hermes_agent.jobs.pulse import Pulse
from hermes_agent.memory import facts
from hermes_agent.web.site import build
from tests.conftest import Hermes
from tests.web.conftest import ADDRESS, Doors
from tests.web.talking import PATIENCE_SECONDS

RUN = """
import sys, time
from hermes_agent.app import App
from hermes_agent.config import profiles
from hermes_agent.config.load import load
from hermes_agent.memory import tokens
from hermes_agent.web.runs import Runs, Terminals, Wanted
home = profiles.find("default")
app = App(home, load(home))
wanted = Wanted(["memory", "reset"], Terminals(stdin=True), files={"m.json": b"The key is under the mat."})
run = Runs(app).start(wanted, tokens.create(app.store, "a", "admin").token)
print(run._process.pid, flush=True)
time.sleep(600)
"""
LAID = """
import time
from hermes_agent.config import passing, profiles
with passing.folder(profiles.find("default")) as folder:
    (folder / "file").write_text("The key is under the mat.")
    print(folder, flush=True)
    time.sleep(600)
"""


@contextmanager
def killed_at(script: str, home: Home) -> Iterator[str]:
    """Run a script until it prints a line, and kill it."""
    command = [*own_process.command("x")[:1], "-c", script]
    with subprocess.Popen(command, env=own_process.environment(), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = process.stdout.readline().strip()
        process.send_signal(signal.SIGKILL)
    yield told


def test_a_command_ends_with_its_server_and_leaves_nothing(own_home: Home) -> None:
    with closing(App(own_home, load(own_home))) as app:
        facts.add(app.store, "It rains.")
    with killed_at(RUN, own_home) as pid:
        deadline = clock.monotonic() + PATIENCE_SECONDS
        while _runs(int(pid)) or list(own_home.root.glob(".passing-*")):
            assert clock.monotonic() < deadline
            clock.sleep(0.05)


def test_the_next_daemon_and_the_doctor_and_forgetting_clear_what_was_left(
    own_home: Home, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    hermes("memory", "fact", "add", "The key is under the mat")
    with killed_at(LAID, own_home) as folder:
        told = hermes("doctor")
        assert not Path(folder).exists() and folder in told.stdout
    with killed_at(LAID, own_home) as folder:
        assert hermes("memory", "forget", "fact:001", "--yes").exit_code == 0
        assert not Path(folder).exists()
    monkeypatch.setenv("HERMES_WEB_PORT", "0")
    with killed_at(LAID, own_home) as folder, closing(App(own_home, load(own_home))) as app:
        open_server(app, Pulse(), lambda: None).close(PATIENCE_SECONDS)
        assert not Path(folder).exists()


def test_what_is_in_use_is_not_cleared(own_home: Home) -> None:
    paths.ensure(own_home)
    with passing.folder(own_home) as folder:
        assert passing.clear(own_home) == [] and folder.exists()
    assert not folder.exists()


def test_files_of_an_encrypted_home_lie_in_memory_or_nowhere(
    hermes: Hermes, own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", "a long way to the harbour")
    hermes("memory", "fact", "add", "Rex is a dog")
    assert hermes("encrypt", "--yes").exit_code == 0
    with killed_at(LAID, own_home) as folder:
        assert Path(folder).parent == private.scratch(own_home)
        hermes("doctor")
        assert not Path(folder).exists()
    with pytest.raises(HermesError, match="encrypted, and there is no folder in memory"):
        private.for_a_moment(own_home, tmp_path / "nowhere")
    with closing(App(own_home, load(own_home))) as app:
        program = Doors(app, TestClient(build(app), base_url=ADDRESS)).program()
        assert "Rex" in program.get("/api/export").text


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    except OSError:
        return False
