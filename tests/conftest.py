"""Every test gets a home of its own and an environment without keys; none can reach the real home."""

import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from hermes_agent.cli.main import run
from hermes_agent.config.paths import Home
from tests.counts import load_hypothesis_profile

load_hypothesis_profile()

# Taken when the tests are collected, before any of them moves HOME.
REAL_HOME = os.environ.get("HERMES_HOME") or str(Path.home() / ".hermes")
KEY_ENDINGS = ("_API_KEY", "_TOKEN", "_SECRET", "_BASE_URL")


def _heed_signals() -> None:
    """Undo what `nohup` and `&` do: processes begun by a test inherit that a signal is ignored."""
    if threading.current_thread() is threading.main_thread():
        for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
            if signal.getsignal(number) is signal.SIG_IGN:
                signal.signal(number, handler)


_heed_signals()


@dataclass(frozen=True)
class Outcome:
    """How a command ended and what it printed."""

    exit_code: int
    stdout: str
    stderr: str


Hermes = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Move HOME and HERMES_HOME into the test's folder and take every key out of the environment."""
    for name in os.environ:
        if name.upper().startswith("HERMES_") or name.upper().endswith(KEY_ENDINGS):
            monkeypatch.delenv(name)
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "home"
    home.mkdir()
    root = home / ".hermes"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("HERMES_HOME", str(root))
    monkeypatch.setenv("HERMES_TEST_GUARD", REAL_HOME)
    return Home(root, "default")


@pytest.fixture
def hermes() -> Hermes:
    """Run the command line in this process, with the same handling of errors as the real command."""

    def run_hermes(*arguments: str, input: str | None = None) -> Outcome:
        with CliRunner().isolation(input=input) as (stdout, stderr, _):
            try:
                run(arguments)
            except SystemExit as left:
                code = left.code
        assert isinstance(code, int)
        return Outcome(code, stdout.getvalue().decode(), stderr.getvalue().decode())

    return run_hermes
