"""Press a daemon with many clients: `python -m benchmarks.load`.

200 readers and 20 writers ask as fast as they are answered, for a minute, over loopback: a real daemon in a
process of its own, on SQLite and on PostgreSQL, and beside it a plain FastAPI over sqlite3 that only keeps
sentences. Every write that was acknowledged is looked for afterwards: it must be there once. Clients, daemon and
database share the cores, so the milliseconds are those of a server at its limit; the rate tells what that is.
"""

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.clients import Outcome, Target, press
from benchmarks.corpus import SEED
from benchmarks.page import PAGE, measured_on, table, write_section
from hermes_agent.app import App
from hermes_agent.config import pid_file
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.daemon import process
from hermes_agent.ids import new_uid
from hermes_agent.memory import facts, tokens
from tests import counts
from tests.postgres import server_address

READERS, WRITERS, SECONDS = 200, 20, 60.0
FACTS = 500
_TOKEN = "plain"
_PATIENCE_SECONDS = 60
_THINGS = ("keys", "stones", "boats", "lamps", "maps", "coins", "shells", "bells")


@dataclass(frozen=True)
class Pressed:
    """One server after its minute: what the clients met, and what was found of what they wrote."""

    name: str
    outcome: Outcome
    lost: int
    doubled: int
    worked_seconds: float
    """What the server took of the processor; on a busy machine this is what can be compared."""

    @property
    def worked_milliseconds(self) -> float:
        """The same of one request."""
        return 1_000 * self.worked_seconds / (len(self.outcome.reads) + len(self.outcome.writes))

    @property
    def rate(self) -> float:
        """Requests answered in a second."""
        return (len(self.outcome.reads) + len(self.outcome.writes)) / self.outcome.seconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Press each server, print what came of it; fail if anything was lost, doubled or refused."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--readers", type=int, default=READERS)
    parser.add_argument("--writers", type=int, default=WRITERS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--server", choices=("sqlite", "postgres", "plain"), nargs="+")
    parser.add_argument("--write-docs", action="store_true", help="write the section of docs/benchmarks.md")
    options = parser.parse_args(arguments)
    found = [
        pressed(name, options.readers, options.writers, options.seconds)
        for name in options.server or ("sqlite", "postgres", "plain")
    ]
    text = report(found)
    print(text)
    if options.write_docs:
        about = f"{options.readers} readers and {options.writers} writers, {options.seconds:.0f} seconds each."
        write_section(PAGE, "load", f"{about} {measured_on()}.\n\n{text}")
    for one in found:
        _record(one)
    for one in found:
        for error in one.outcome.first_errors:
            print(f"{one.name}: {error}", file=sys.stderr)
    return 1 if any(one.outcome.errors or one.lost or one.doubled for one in found) else 0


def pressed(name: str, readers: int, writers: int, seconds: float) -> Pressed:
    """Start a server, press it, end it, and look for what was acknowledged."""
    with TemporaryDirectory(prefix="hermes-load-") as temporary:
        serving = plain if name == "plain" else daemon
        with serving(Path(temporary), name) as server:
            first = [f"/api/facts/{number}" for number in range(1, FACTS + 1, 7)]
            reads = [path for one in first for path in (one, "/api/facts?limit=20")]
            before = _worked(server.pid)
            outcome = press(server.target, readers, writers, seconds, reads, sentence)
            worked = _worked(server.pid) - before
            kept = server.kept()
    times = Counter(kept)
    lost = sum(1 for text in outcome.acknowledged if not times[text])
    doubled = sum(1 for text in outcome.acknowledged if times[text] > 1)
    return Pressed(name, outcome, lost, doubled, worked)


def sentence(writer: int, turn: int) -> str:
    """Return something nobody said before."""
    thing = _THINGS[(writer + turn) % len(_THINGS)]
    return f"Box {writer}-{turn} in the cellar has {Random(SEED + turn).randrange(2, 900)} {thing}"


def report(found: Sequence[Pressed]) -> str:
    """Write a row for each server, and how the daemon compares with the plain one."""
    head = [
        "server",
        "requests/s",
        "processor ms",
        "read p50 / p95 ms",
        "write p50 / p95 ms",
        "written",
        "errors",
        "lost",
        "doubled",
    ]
    rows = [
        [
            one.name,
            f"{one.rate:,.0f}",
            f"{one.worked_milliseconds:.1f}",
            _pair(one.outcome.read_times.p50, one.outcome.read_times.p95),
            _pair(one.outcome.write_times.p50, one.outcome.write_times.p95),
            f"{len(one.outcome.acknowledged):,}",
            str(one.outcome.errors),
            str(one.lost),
            str(one.doubled),
        ]
        for one in found
    ]
    return table(head, rows)


class Serving:
    """A server that runs."""

    def __init__(self, target: Target, pid: int, home: App | None, database: Path) -> None:
        self.target = target
        self.pid = pid
        self._home = home
        self._database = database

    def kept(self) -> list[str]:
        """Return every sentence that the server has kept, read from what is on the disk."""
        if self._home is not None:
            return [one.text for one in facts.recent(self._home.store, 10**6, with_ended=True)]
        import sqlite3

        with closing(sqlite3.connect(self._database)) as connection:
            return [row[0] for row in connection.execute("SELECT text FROM facts")]


@contextmanager
def daemon(folder: Path, engine: str) -> Iterator[Serving]:
    """Run a daemon in a home of its own; no limit for its token, any free port."""
    settings = {"HERMES_WEB_PORT": "0", "HERMES_WEB_REQUESTS_PER_MINUTE": "0", "HERMES_HOME": str(folder)}
    if engine == "postgres":
        settings["HERMES_MEMORY_BACKEND"] = "postgres"
        settings["HERMES_MEMORY_CONNECTION_STRING"] = server_address()
        settings["HERMES_MEMORY_SCHEMA"] = f"h{new_uid().replace('-', '')}"
    os.environ.update(settings)
    home = Home(folder, "default")
    with closing(App(home, load(home))) as app:
        for number in range(FACTS):
            facts.add(app.store, f"Shelf {number} of the library is about subject {number * 7}")
        token = tokens.create(app.store, "load", "write").shown
        launched = process.launch(home, {})
        if launched.code is not None:
            raise RuntimeError(launched.said)
        running = pid_file.running(home)
        try:
            assert running is not None and running.address is not None
            yield Serving(Target(running.address, token), running.pid, app, folder)
        finally:
            assert running is not None
            process.ask_to_end(running)
            if not process.has_ended(home, running, _PATIENCE_SECONDS):
                process.kill(running)


@contextmanager
def plain(folder: Path, name: str) -> Iterator[Serving]:
    """Run the plain server."""
    database = folder / f"{name}.db"
    command = [sys.executable, "-m", "benchmarks.plain_server", str(database), _TOKEN, str(FACTS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            target = Target(f"http://127.0.0.1:{int(server.stdout.readline())}", _TOKEN)
            yield Serving(target, server.pid, None, database)
        finally:
            server.terminate()


def _worked(pid: int) -> float:
    """Return the seconds of processor a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _record(one: Pressed) -> None:
    counts.record(f"load.{one.name}.requests", len(one.outcome.reads) + len(one.outcome.writes))
    counts.record(f"load.{one.name}.wrong", one.outcome.errors + one.lost + one.doubled)
    counts.record(f"load.{one.name}.read.p95_ms", one.outcome.read_times.p95)
    counts.record(f"load.{one.name}.write.p95_ms", one.outcome.write_times.p95)


def _pair(first: float, second: float) -> str:
    return f"{first:,.0f} / {second:,.0f}"


if __name__ == "__main__":
    sys.exit(main())
