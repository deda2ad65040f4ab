"""How long a command takes to start, and that nothing heavy is imported on the way."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home, ensure
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession
from tests.counts import IS_PROOF, count, record
from tests.proof.places import open_at
from tests.proof.processes import HERMES, ROOT, environment, hermes_command

_LIST_MODULES = f"import atexit, sys; atexit.register(lambda: sys.stderr.write(' '.join(sys.modules))); {HERMES}"
_DATABASE = {"sqlalchemy", "pysqlite3"}
_NEVER = {"alembic", "mako", "psycopg", "psycopg_pool", "numpy", "dateparser", "rapidfuzz", "pytest"}
_FOR_SETTINGS = {"pydantic", "ruamel"}


@pytest.fixture
def home(own_home: Home) -> Home:
    """A home with 200 sessions."""
    ensure(own_home)
    store = open_at(str(own_home.state_db))
    memory = Memory(store, "default")
    for number in range(200):
        session = memory.begin(NewSession(id=f"s{number:03}", title=f"Session {number}"))
        memory.append(session, NewMessage("user", "a question"), NewMessage("assistant", "an answer"))
    store.close()
    return own_home


def imported(*arguments: str) -> set[str]:
    """Run a command and return the top names of all modules it imported."""
    done = subprocess.run(
        [sys.executable, "-c", _LIST_MODULES, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(),
    )
    assert done.returncode == 0, done.stderr
    return {name.split(".")[0] for name in done.stderr.split(" ")}


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
def test_help_imports_neither_database_nor_settings(arguments: tuple[str, ...]) -> None:
    assert imported(*arguments) & (_NEVER | _DATABASE | _FOR_SETTINGS | {"rich"}) == set()


def test_the_embedded_chat_imports_no_model_library(home: Home) -> None:
    heavy = {"pydantic_ai", "openai", "anthropic", "httpx2", "mcp", "prompt_toolkit", "rich"}
    assert imported("chat", "-q", "What is my name?") & (heavy | {"alembic", "psycopg", "onnxruntime"}) == set()


@pytest.mark.parametrize("command", [("sessions", "list"), ("sessions", "search", "question")])
def test_commands_import_only_what_they_use(home: Home, command: tuple[str, ...]) -> None:
    assert imported(*command) & _NEVER == set()
    as_json = imported(*command, "--json")
    assert as_json & (_NEVER | {"rich"}) == set()
    assert "sqlalchemy" in as_json, "the list of modules is not what it should be"


@pytest.mark.alone
def test_commands_start_fast(home: Home, tmp_path: Path) -> None:
    compiled = tmp_path / "compiled"
    empty = median_seconds([sys.executable, "-c", "pass"], compiled)
    help_seconds = median_seconds(hermes_command("--help"), compiled)
    sessions_seconds = median_seconds(hermes_command("sessions", "list"), compiled)
    chat_seconds = median_seconds(hermes_command("chat", "-q", "What is my name?"), compiled)
    record("start.python.seconds", empty)
    record("start.chat.seconds", chat_seconds)
    record("start.help.seconds", help_seconds)
    record("start.sessions.seconds", sessions_seconds)
    # tools/proof.py judges the seconds; here only what no busy machine can turn round.
    if IS_PROOF:
        assert help_seconds < sessions_seconds


def median_seconds(command: list[str], compiled: Path) -> float:
    """Return the median time of ten processes from start to end.

    An installed program has its modules compiled; here a first run that is not counted compiles them.
    """
    variables = environment() | {"PYTHONPYCACHEPREFIX": str(compiled), "PYTHONDONTWRITEBYTECODE": ""}
    taken = []
    for _ in range(1 + count(1, 10)):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env=variables)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken[1:])
