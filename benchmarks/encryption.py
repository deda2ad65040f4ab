"""Measure what encryption at rest costs: `python -m benchmarks.encryption`.

The same messages in a plain store and in an encrypted one, the same work in both by turns: appends, each durable
before the next; searches of the archive; recall by words and meaning. The plain store keeps copies of vectors in
files, the encrypted one in memory only, as their homes do.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TypeVar

from benchmarks.corpus import Corpus
from benchmarks.loaded import PROFILE, fill
from benchmarks.measure import ROUNDS, Times, fresh_messages, since
from benchmarks.page import PAGE, measured_on, table, write_section
from benchmarks.questions import Questions
from hermes_agent.crypto import keys
from hermes_agent.embedders.local import Local
from hermes_agent.jobs import embedding
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import episodes
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.looking import Request
from hermes_agent.records.archive import NewSession
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests import counts

_MESSAGES = 20_000
_TIMES = 100

T = TypeVar("T")


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill both stores, work in both, print what the encrypted one takes as a multiple of the plain one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.encryption", description=__doc__)
    parser.add_argument("--messages", type=int, default=_MESSAGES, help="messages in each store")
    parser.add_argument("--times", type=int, default=_TIMES, help="how many things are done, three times each")
    parser.add_argument("--write-docs", action="store_true", help="write the section of docs/benchmarks.md")
    options = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="hermes-bench-") as folder:
        rows = measure(Path(folder), options.messages, options.times)
    shown = [
        (name, _shown(plain), _shown(sealed), f"{_ratio(sealed, plain):.2f}×") for name, plain, sealed in rows
    ]
    text = table(("", "plain, p50 / p95 ms", "encrypted, p50 / p95 ms", "ratio of p50"), shown)
    print(text)
    if options.write_docs:
        about = f"{options.messages:,} messages, {options.times} things, {ROUNDS} times each. {measured_on()}."
        write_section(PAGE, "encryption", f"{about}\n\n{text}")
    for name, plain, sealed in rows:
        counts.record(f"encryption.{name.split()[0]}.ratio", _ratio(sealed, plain))
    return 0


def measure(folder: Path, message_count: int, times: int) -> list[tuple[str, Times, Times]]:
    """Return what each kind of work took in the plain store and in the encrypted one."""
    corpus = Corpus()
    plain = _filled(Sqlite(folder / "plain.db", cache=folder), corpus, message_count)
    sealed = _filled(Sqlite(folder / "sealed.db", key=keys.new().database), corpus, message_count)
    new = fresh_messages(corpus, times * ROUNDS)
    typed = [ask.typed for kind in Questions(corpus, message_count).classes() for ask in kind.asks]
    # Some of every class, not all of the first.
    typed = typed[:: max(1, len(typed) // times)][:times]
    sessions = {memory: memory.begin(NewSession()) for memory in (plain, sealed)}
    rows = [
        ("append", *_by_turns(plain, sealed, new, lambda memory, one: memory.append(sessions[memory], one))),
        ("search of the archive", *_by_turns(plain, sealed, typed * ROUNDS, _search)),
        ("recall", *_by_turns(plain, sealed, typed * ROUNDS, lambda memory, words: memory.recall(words))),
    ]
    for memory in (plain, sealed):
        memory.store.close()
    return rows


def _by_turns(
    plain: Memory, sealed: Memory, things: Sequence[T], work: Callable[[Memory, T], object]
) -> tuple[Times, Times]:
    """Do each thing in both stores, now the one first and now the other: what disturbs, disturbs both."""
    taken: dict[Memory, list[float]] = {plain: [], sealed: []}
    for memory in taken:
        work(memory, things[0])
    for number, one in enumerate(things):
        for memory in (plain, sealed) if number % 2 else (sealed, plain):
            begun = perf_counter()
            work(memory, one)
            taken[memory].append(since(begun))
    return Times(tuple(taken[plain])), Times(tuple(taken[sealed]))


def _filled(engine: Sqlite, corpus: Corpus, message_count: int) -> Memory:
    store = Store(engine, owner=PROFILE)
    fill(store, corpus, message_count)
    embedder = Local()
    reached: int | None = 0
    while reached is not None:
        reached = episodes.make_next(store, reached, None, has_vectors=True)
    embedding.enqueue_due(store, embedder)
    for _ in run_due(store, {embedding.JOB: lambda job: embedding.run(store, embedder, job)}):
        pass
    return Memory(store, PROFILE, embedder=lambda: embedder)


def _search(memory: Memory, words: str) -> object:
    return memory.discover(Request(words, detail="full"))


def _shown(times: Times) -> str:
    return f"{times.p50:.1f} / {times.p95:.1f}"


def _ratio(sealed: Times, plain: Times) -> float:
    return sealed.p50 / plain.p50


if __name__ == "__main__":
    sys.exit(main())
