"""Measure the archive on both engines beside plain FTS5 and tantivy: `python -m benchmarks.archive`.

`--keep FOLDER` keeps the loaded archives and uses those that are there. The figures of a million messages on
SQLite are recorded for `tools/proof.py`.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import table
from benchmarks.contenders import Exhaustive, Measured, Setting, measure_plain, measure_store, measure_tantivy
from benchmarks.corpus import Corpus
from benchmarks.jsonl import import_rate
from benchmarks.page import PAGE, write_section
from benchmarks.questions import Questions
from benchmarks.table import Run
from tests import counts

_USUAL, _FULL = 100_000, 1_000_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every size that was asked for, and print a table for each."""
    options = _read(arguments)
    engines = ("sqlite", "postgres") if options.engine == "both" else (options.engine,)
    runs = []
    with TemporaryDirectory(prefix="hermes-bench-") as temporary:
        folder = options.keep or Path(temporary)
        for message_count in options.messages:
            # PostgreSQL takes long to load: at full size it is measured when it is asked for by name.
            is_asked = options.engine != "both" or message_count < _FULL
            run = measure_size(folder, message_count, engines if is_asked else ("sqlite",))
            print(table.text(run), flush=True)
            runs.append(run)
            _record(run)
    if options.json is not None:
        options.json.write_text(json.dumps([table.data(run) for run in runs], indent=1) + "\n", encoding="utf-8")
    if options.write_docs:
        write_section(PAGE, "archive", table.section(runs))
    return 0


def measure_size(folder: Path, message_count: int, engines: Sequence[str]) -> Run:
    """Measure all contenders with so many messages, one after the other."""
    corpus = Corpus()
    setting = Setting(folder, corpus, message_count, Questions(corpus, message_count).classes())
    before = os.getloadavg()[0]
    contenders: list[Measured] = []
    exhaustive: Exhaustive = {}
    for engine in engines:
        _say(f"{message_count:,} messages: {engine}")
        measured, exhaustive = measure_store(setting, engine, exhaustive)
        contenders.append(measured)
    _say(f"{message_count:,} messages: plain FTS5")
    contenders.append(measure_plain(setting))
    _say(f"{message_count:,} messages: tantivy")
    contenders.append(measure_tantivy(setting))
    busy = f"{before:.1f} at the start, {os.getloadavg()[0]:.1f} at the end"
    return Run(message_count, contenders, busy, import_rate(corpus))


def _record(run: Run) -> None:
    """Record the promises that only a million messages on SQLite can keep."""
    by_name = {contender.name: contender for contender in run.contenders}
    if run.messages < _FULL or "sqlite" not in by_name:
        return
    ours, plain = by_name["sqlite"], by_name["plain FTS5"]
    counts.record("archive.messages", run.messages)
    for kind in ("rare", "medium", "common"):
        slowest = max(times.p95 for name, times in ours.searches.items() if name.startswith(kind))
        counts.record(f"archive.{kind}.p95_ms", slowest)
    for kind in ("medium", "common"):
        counts.record(f"archive.{kind}.agreement", ours.agreements[f"{kind}, question"])
    if ours.append is not None and plain.append is not None:
        counts.record("archive.append.p95_ms", ours.append.p95)
        counts.record("archive.append.ratio", ours.append.p95 / plain.append.p95)
    counts.record("archive.import.rate", min(ours.load.rate, run.jsonl_rate))


def _read(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.archive", description=__doc__)
    parser.add_argument(
        "--messages",
        type=int,
        nargs="+",
        default=[_USUAL, _FULL] if counts.IS_PROOF else [_USUAL],
        help="sizes to measure (default 100000, in a proof run 1000000 too)",
    )
    parser.add_argument("--engine", choices=("sqlite", "postgres", "both"), default="both")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures as JSON")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep loaded archives here, use those that are"
    )
    parser.add_argument("--write-docs", action="store_true", help="write the section of docs/benchmarks.md")
    return parser.parse_args(arguments)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
