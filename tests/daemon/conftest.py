"""Real daemons, started by the real command, in homes that end with the test."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import pid_file
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.daemon import process
from hermes_agent.records.jobs import Job
from hermes_agent.store import jobs
from tests.conftest import Hermes

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 120


@dataclass(frozen=True)
class Machine:
    """A home, and what is done in it."""

    home: Home
    hermes: Hermes

    def begin(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start a command in a process of its own."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONWARNINGS": "error",
            "HERMES_HOME": str(self.home.root),
        }
        return subprocess.Popen(
            [sys.executable, "-m", "hermes_agent", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def run(self, *arguments: str, code: int = 0) -> str:
        """Run a command to its end and return what it printed; if it was to fail, also on stderr."""
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("HERMES_HOME", str(self.home.root))
            outcome = self.hermes(*arguments)
        assert outcome.exit_code == code, outcome
        return outcome.stdout if code == 0 else outcome.stdout + outcome.stderr

    def open(self) -> App:
        """Open the home in this process."""
        return App(self.home, load(self.home))

    def add(self, kind: str, key: str, payload: dict[str, object] | None = None) -> int:
        """Add a job."""
        app = self.open()
        with app.store.write() as connection:
            job_id = jobs.add(connection, kind, key, payload)
        app.close()
        return job_id

    def job(self, job_id: int) -> Job:
        """Return a job as it is now."""
        app = self.open()
        with app.store.read() as connection:
            job = jobs.get(connection, job_id)
        app.close()
        assert job is not None
        return job

    @property
    def log(self) -> str:
        return self.home.daemon_log.read_text() if self.home.daemon_log.exists() else ""


def wait_until(is_so: Callable[[], bool]) -> None:
    """Look again and again until something is so; the processor belongs to the daemon meanwhile."""
    deadline = clock.monotonic() + PATIENCE_SECONDS
    between = threading.Event()
    while not is_so():
        assert clock.monotonic() < deadline
        between.wait(0.05)


@pytest.fixture
def machines(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Home], Machine]]:
    """Make machines; whatever daemon is left in their homes is killed in the end."""
    monkeypatch.setenv("HERMES_DAEMON_POLL_SECONDS", "0.1")
    monkeypatch.setenv("HERMES_WEB_PORT", "0")
    made: list[Machine] = []

    def make(home: Home) -> Machine:
        made.append(Machine(home, hermes))
        return made[-1]

    yield make
    for machine in made:
        left = pid_file.running(machine.home)
        if left is not None:
            process.kill(left)
            assert process.has_ended(machine.home, left, PATIENCE_SECONDS)


@pytest.fixture
def machine(own_home: Home, machines: Callable[[Home], Machine]) -> Machine:
    """The machine of a test that needs one."""
    return machines(own_home)
