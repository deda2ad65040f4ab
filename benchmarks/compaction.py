"""Compress what is old, and measure what that saves and costs: `python -m benchmarks.compaction --data FOLDER`.

Half a year of an agent's work (`six_months.py`) is kept, compressed, and compared message by message with what it
was; once more with the messages discarded. Then the public conversations are compressed whole and asked their
questions before and after.
"""

import argparse
import hashlib
import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.conversations import Conversation, mean, read, score
from benchmarks.kept import Kept, kept
from benchmarks.page import PAGE, measured_on, table, write_section
from benchmarks.six_months import log
from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.handlers import every_handler
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import compressing, selftest
from hermes_agent.memory.compressing import Wanted
from hermes_agent.ops import doctor
from hermes_agent.recall.grading import score as graded
from hermes_agent.records.selftests import Cause
from hermes_agent.store import episodes, jobs, messages, sessions
from hermes_agent.store.engine import Connection
from hermes_agent.store.sqlite import driver
from tests import counts

Rows = list[Mapping[str, float]]

_DEPTH = 50
_BLOCK = 2_000
_SETS = ("locomo", "lme-pool")
_QUESTIONS = 100
_MONTH = 30 * 86_400 * clock.MICROSECONDS


@dataclass(frozen=True)
class Size:
    """How large a store is and how well it finds."""

    file_mb: float
    raw: int
    vectors_mb: float
    recall: float
    p50_ms: float | None
    p95_ms: float | None
    """What a question of the self-test took; None if nothing is left to ask about."""
    hashes: Sequence[str]
    """Of every message, in order."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure both and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compaction", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of public conversations")
    parser.add_argument("--messages", type=int, default=100_000, help="how long the log is")
    parser.add_argument("--sets", nargs="*", default=_SETS, help="the sets that are compressed and asked")
    parser.add_argument("--write-docs", action="store_true", help="write the section of docs/benchmarks.md")
    options = parser.parse_args(arguments)
    parts = [_log(options.data, options.messages)] if options.messages else []
    parts += [_sets(options.data, options.sets)] if options.sets else []
    print("\n\n".join(parts))
    if options.write_docs:
        write_section(PAGE, "compaction", "\n\n".join([f"{measured_on()}.", *parts]))
    return 0


def _log(data: Path, count: int) -> str:
    with TemporaryDirectory(prefix="hermes-compaction-") as temporary:
        whole, discarding = Path(temporary, "whole"), Path(temporary, "discarding")
        seconds = _build(whole, data, count)
        app = _app(whole)
        before = _measure(app, "before compaction")
        app.close()
        shutil.copytree(whole, discarding)
        after, took = _compress(whole, is_discarding=False)
        least, _ = _compress(discarding, is_discarding=True)
    is_same = before.hashes == after.hashes
    counts.record("compaction.file", 100 * (1 - after.file_mb / before.file_mb))
    counts.record("compaction.raw", 100 * (1 - after.raw / before.raw))
    counts.record("compaction.vectors", 100 * (1 - after.vectors_mb / before.vectors_mb))
    counts.record("compaction.restored", int(is_same))
    counts.record("compaction.selftest", 100 * (before.recall - after.recall))
    counts.record("compaction.discarded", least.file_mb)
    counts.record("compaction.log", before.file_mb)
    rows = [
        _row("file, MB", before.file_mb, after.file_mb, least.file_mb),
        _row("raw episodes", before.raw, after.raw, least.raw),
        _row("vectors, MB", before.vectors_mb, after.vectors_mb, least.vectors_mb),
        _row("self-test recall@10, %", 100 * before.recall, 100 * after.recall, 100 * least.recall),
        _row("recall p50, ms", before.p50_ms, after.p50_ms, least.p50_ms),
        _row("recall p95, ms", before.p95_ms, after.p95_ms, least.p95_ms),
    ]
    told = (
        f"{len(before.hashes):,} messages of half a year, all older than 30 days, kept in {seconds:,.0f} s and"
        f" compressed in {took:,.0f} s. Every message as it was, byte for byte: {'yes' if is_same else 'NO'}."
    )
    return f"{told}\n\n" + table(["", "before", "compressed", "discarded"], rows)


def _row(name: str, *figures: float | None) -> list[str]:
    return [name, *map(_written, figures)]


def _written(figure: float | None) -> str:
    if figure is None:
        return "–"
    return f"{figure:,.1f}" if isinstance(figure, float) else f"{figure:,}"


def _build(folder: Path, data: Path, count: int) -> float:
    begun = perf_counter()
    app = _app(folder)
    for worked in log(data, count):
        with app.store.write() as connection:
            session_id = sessions.create(connection, worked.session)
            messages.append(connection, app.store.engine, session_id, worked.messages)
            sessions.end(connection, session_id, "done")
    with app.store.write() as connection:
        jobs.add(connection, "episodes", "episodes")
        jobs.add(connection, "embed", "embed")
    _run_jobs(app, "episodes", "embed")
    with app.store.write() as connection:
        # Learning is measured elsewhere: what it takes is not what compression takes.
        connection.exec_driver_sql("UPDATE sessions SET learned_to = 9e9, reflected_to = 9e9")
    doctor.vacuum(app.store)
    app.close()
    return perf_counter() - begun


def _app(folder: Path) -> App:
    folder.mkdir(exist_ok=True)
    home = paths.home_at(str(folder))
    return App(home, load(home), model="embedded")


def _run_jobs(app: App, *kinds: str) -> None:
    handlers = {kind: every_handler(app)[kind] for kind in kinds}
    for outcome in run_due(app.store, handlers, slice_seconds=36_000):
        if outcome.reason is not None:
            raise RuntimeError(f"{outcome.job.kind}: {outcome.reason}")


def _compress(folder: Path, *, is_discarding: bool) -> tuple[Size, float]:
    app = _app(folder)
    begun = perf_counter()
    wanted = Wanted(clock.now() - _MONTH, is_discarding=is_discarding)
    made = sum(one is not None for one in compressing.compress(app.store, wanted))
    _run_jobs(app, "embed")
    doctor.vacuum(app.store)
    took = perf_counter() - begun
    print(f"{made:,} summaries in {took:,.0f} s", file=sys.stderr)
    measured = _measure(app, "after compaction")
    app.close()
    return measured, took


def _measure(app: App, cause: Cause) -> Size:
    now = clock.to_datetime(clock.now(), app.zone)
    testing = selftest.run(app.store, app.embedder, now, cause, _QUESTIONS)
    while True:
        try:
            next(testing)
        except StopIteration as end:
            tested = end.value
            break
    with app.store.read() as connection:
        raw = episodes.count_by_state(connection).get("raw", 0)
        hashes = list(_hashes(connection))
        size_bytes = app.store.engine.inspect(connection, is_thorough=False).size_bytes
    vectors_mb = _vector_bytes(app.home.state_db) / 1e6
    if not isinstance(tested, selftest.Tested):
        return Size(size_bytes / 1e6, raw, vectors_mb, 0.0, None, None, hashes)
    recall = graded(tested.run.answers).recall_10
    return Size(size_bytes / 1e6, raw, vectors_mb, recall, tested.run.p50_ms, tested.run.p95_ms, hashes)


def _hashes(connection: Connection) -> Iterator[str]:
    """Yield what tells each message from any other, all its bodies together."""
    last = 0
    while block := messages.searchable(connection, last, _BLOCK):
        for one in block:
            told = json.dumps([one.uid, one.content, one.reasoning, one.sent, one.tool_calls])
            yield hashlib.sha256(told.encode()).hexdigest()
        last = block[-1].id


def _vector_bytes(path: Path) -> int:
    connection = driver().connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        sums = (
            "SELECT coalesce(sum(length(vector)), 0) FROM vectors",
            "SELECT coalesce(sum(length(vectors)), 0) FROM passages",
            "SELECT coalesce(sum(length(gist)), 0) FROM sketches",
            "SELECT coalesce(sum(length(bits)), 0) FROM outlines",
        )
        return sum(connection.execute(statement).fetchone()[0] for statement in sums)
    finally:
        connection.close()


def _sets(data: Path, names: Sequence[str]) -> str:
    rows = []
    for name in names:
        before, after = _asked(list(read(data, name)))
        for what in ("session", "turn"):
            figures = (mean(before[what])["recall@10"], mean(after[what])["recall@10"])
            rows.append([name, f"{what} @10", *(f"{100 * figure:.1f}" for figure in figures)])
            if what == "session":
                counts.record(f"compaction.{name}", 100 * (figures[0] - figures[1]))
    return table(["set", "", "before", "compressed"], rows)


def _asked(conversations: Sequence[Conversation]) -> tuple[dict[str, Rows], dict[str, Rows]]:
    before: dict[str, Rows] = {"turn": [], "session": []}
    after: dict[str, Rows] = {"turn": [], "session": []}
    for conversation in conversations:
        with kept(conversation, "local") as memory:
            _ask(memory, conversation, before)
            made = list(compressing.compress(memory.app.store, Wanted(clock.now())))
            if not all(made):
                raise RuntimeError(f"{conversation.id}: some episodes were changed meanwhile")
            _run_jobs(memory.app, "embed")
            _ask(memory, conversation, after)
    return before, after


def _ask(memory: Kept, conversation: Conversation, into: dict[str, Rows]) -> None:
    for question in conversation.scored:
        ranked = memory.ask(question.text, question.now, _DEPTH).turns()[:_DEPTH]
        gold = frozenset(conversation.session_of[turn] for turn in question.evidence)
        into["turn"].append(score(ranked, question.evidence))
        into["session"].append(score([conversation.session_of[turn] for turn in ranked], gold))


if __name__ == "__main__":
    sys.exit(main())
