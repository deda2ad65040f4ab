"""How fast `hermes sessions import` takes a JSONL file in: read, checked, merged, indexed, durable."""

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks import loaded
from benchmarks.corpus import Corpus
from hermes_agent.ops import transfer
from hermes_agent.ops.steps import finish
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store

MESSAGES = 60_000


def import_rate(corpus: Corpus) -> float:
    """Export an archive, import the file into an empty store, and return the messages a second."""
    with TemporaryDirectory(prefix="hermes-jsonl-") as folder:
        file = Path(folder) / "sessions.jsonl"
        filled = Store(Sqlite(Path(folder) / "from.db"), loaded.PROFILE)
        loaded.fill(filled, corpus, MESSAGES)
        with file.open("wb") as out:
            finish(transfer.export(filled, out, "jsonl"))
        filled.close()
        empty = Store(Sqlite(Path(folder) / "to.db"), loaded.PROFILE)
        with empty.read():
            pass
        begun = perf_counter()
        report = finish(transfer.import_file(empty, file))
        seconds = perf_counter() - begun
        empty.close()
    return report.messages / seconds
