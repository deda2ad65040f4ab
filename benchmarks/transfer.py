"""Measure export and import of a large memory: `python -m benchmarks.transfer`, `make transfer`.

`hermes memory export` writes the memory to a file, `hermes memory import` brings it into an empty home and, with
`--own`, beside another memory. Beside it the same messages as anyone would copy them: out of a table as lines of
JSON, and from those into another table, with a text index as ours has one. Each runs in a process of its own,
whose memory is measured.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import loaded
from benchmarks.apart import Taken, apart
from benchmarks.corpus import Corpus
from benchmarks.page import PAGE, measured_on, table, write_section
from hermes_agent.app import App
from hermes_agent.cli.main import run
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.memory import facts
from hermes_agent.store.sqlite import driver
from tests import counts

_MESSAGES = 1_000_000
_BLOCK = loaded.BATCH_MESSAGES
_TITLES = {
    "export": "`hermes memory export`",
    "import": "`hermes memory import`, into an empty home",
    "joining": "`hermes memory import --own`, beside a memory",
    "plain.export": "plain: rows of a table to lines of JSON",
    "plain.import": "plain: those into another table, indexed",
}
_COLUMNS = ("id", "session", "role", "said_at", "content")


@dataclass(frozen=True)
class Figure:
    """A piece of work, how many messages it moved, and what it took."""

    name: str
    messages: int
    taken: Taken[int]

    @property
    def rate(self) -> float:
        """Messages a second."""
        return self.messages / self.taken.seconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill a memory, carry it out and in, print what it took; fail if a message is missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.transfer", description=__doc__)
    parser.add_argument("--messages", type=int, default=_MESSAGES)
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the homes and files are made")
    parser.add_argument("--write-docs", action="store_true", help="write the section of docs/benchmarks.md")
    options = parser.parse_args(arguments)
    before = os.getloadavg()[0]
    with TemporaryDirectory(prefix="hermes-bench-", dir=options.folder) as folder:
        found = measure(Path(folder), options.messages)
    text = report(found)
    print(text)
    if options.write_docs:
        about = f"{options.messages:,} messages. Load {before:.1f} at the start. {measured_on()}."
        write_section(PAGE, "transfer", f"{about}\n\n{text}")
    _record(found)
    return 0 if all(one.taken.value == one.messages for one in found) else 1


def measure(folder: Path, message_count: int) -> list[Figure]:
    """Carry so many messages out of a home and into others, by hermes and plainly."""
    _fill(folder / "home", message_count)
    _fill(folder / "other", 0)
    file, lines = folder / "memory.json", folder / "messages.jsonl"
    plain, copy = folder / "plain.db", folder / "copy.db"
    _fill_plainly(plain, message_count)
    work: dict[str, Callable[[], Taken[int]]] = {
        "export": lambda: apart(_hermes, folder / "home", "export", "--output", str(file)),
        "import": lambda: apart(_hermes, folder / "empty", "import", str(file)),
        "joining": lambda: apart(_hermes, folder / "other", "import", "--own", str(file)),
        "plain.export": lambda: apart(_copy_out, plain, lines),
        "plain.import": lambda: apart(_copy_in, lines, copy),
    }
    found = []
    for name, doing in work.items():
        print(f"{message_count:,} messages: {_TITLES[name]}", file=sys.stderr, flush=True)
        found.append(Figure(name, message_count, doing()))
    return found


def report(found: Sequence[Figure]) -> str:
    """Write the figures as a table."""
    head = ["", "messages", "seconds", "of the processor", "messages a second", "peak memory, MB"]
    rows = [
        [
            _TITLES[one.name],
            f"{one.taken.value:,}",
            f"{one.taken.seconds:,.0f}",
            f"{one.taken.worked_seconds:,.0f}",
            f"{one.rate:,.0f}",
            f"{one.taken.peak_megabytes:,.0f}",
        ]
        for one in found
    ]
    return table(head, rows)


def _record(found: Sequence[Figure]) -> None:
    counts.record("transfer.messages", min(one.messages for one in found))
    counts.record("transfer.missing", sum(one.messages - one.taken.value for one in found))
    for one in found:
        counts.record(f"transfer.{one.name}.peak_mb", one.taken.peak_megabytes)
        counts.record(f"transfer.{one.name}.rate", one.rate)


def _fill(folder: Path, message_count: int) -> None:
    """Make a home with so many messages; one without any knows a fact."""
    home = paths.home_at(folder)
    paths.ensure(home)
    with closing(App(home, load(home))) as app:
        if message_count:
            loaded.fill(app.store, Corpus(), message_count)
        else:
            facts.add(app.store, "The harp stands in the attic")


def _hermes(home: Path, *arguments: str) -> int:
    """Run `hermes memory …` in a home; return how many messages it says it moved."""
    os.environ["HERMES_HOME"] = str(home)
    said = StringIO()
    try:
        with redirect_stdout(said):
            run(["memory", *arguments, "--json"])
    except SystemExit as ended:
        if ended.code:
            raise RuntimeError(f"hermes memory {arguments[0]} ended with {ended.code}") from ended
    told = json.loads(said.getvalue())
    rows = told["rows"] if "rows" in told else told["brought"]["new"]
    return int(rows["messages"])


def _fill_plainly(database: Path, message_count: int) -> None:
    """Put the same messages into a table."""
    with closing(_plain(database)) as connection:
        _insert(connection, _rows(message_count))


def _rows(message_count: int) -> Iterator[Sequence[object]]:
    number = 0
    for conversation in Corpus().conversations(message_count):
        for message in conversation.messages:
            number += 1
            yield number, conversation.session.id, message.role, message.said_at, message.content


def _copy_out(database: Path, file: Path) -> int:
    """Write every row as a line of JSON."""
    count = 0
    with closing(_plain(database)) as connection, file.open("w", encoding="utf-8") as out:
        for row in connection.execute(f"SELECT {', '.join(_COLUMNS)} FROM messages ORDER BY id"):
            out.write(json.dumps(dict(zip(_COLUMNS, row, strict=True))) + "\n")
            count += 1
    return count


def _copy_in(file: Path, database: Path) -> int:
    """Read the lines into a table and index its texts; as durable as our store."""
    with closing(_plain(database)) as connection, file.open(encoding="utf-8") as lines:
        connection.execute("CREATE VIRTUAL TABLE said USING fts5(content, content='')")
        return _insert(connection, (list(json.loads(line).values()) for line in lines), is_indexed=True)


def _plain(database: Path) -> Any:
    # Any: the connection of a driver chosen at run time.
    connection: Any = driver().connect(str(database), isolation_level=None)
    for setting in ("journal_mode = WAL", "synchronous = FULL", "cache_size = -32768"):
        connection.execute(f"PRAGMA {setting}")
    connection.execute(f"CREATE TABLE IF NOT EXISTS messages ({', '.join(_COLUMNS)})")
    return connection


def _insert(connection: Any, rows: Iterator[Sequence[object]], *, is_indexed: bool = False) -> int:
    """Insert rows, as many in one transaction as our own import takes."""
    count = 0
    while block := list(islice(rows, _BLOCK)):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO messages VALUES (?, ?, ?, ?, ?)", block)
        if is_indexed:
            said = [(row[0], row[4]) for row in block if row[2] != "tool"]
            connection.executemany("INSERT INTO said(rowid, content) VALUES (?, ?)", said)
        connection.execute("COMMIT")
        count += len(block)
    return count


if __name__ == "__main__":
    sys.exit(main())
