"""Measure recall in memories of several sizes beside plain searches: `python -m benchmarks.scale`.

A memory is filled through the store's own functions: messages, episodes with their sketches, vectors of the
local embedder. Beside it are measured our text index alone and our vectors alone, in the same store, and a
plain product of numpy with as many random vectors: its time does not depend on what they are.

A memory of more than 100,000 is made of copies of that (`grown.py`): filling a million takes hours.
Each size is measured in three rounds, of which the calmest counts, of the baselines too. `--folder DIR` keeps what
was built, and uses what is there. On SQLite a cold `hermes memory search` is measured too. The figures are
recorded for `tools/proof.py`.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy

from benchmarks import cold
from benchmarks.corpus import SEED
from benchmarks.exchanges import FIRST, YEARS, Exchanges, Session
from benchmarks.grown import grow
from benchmarks.loaded import PROFILE, served
from benchmarks.measure import ROUNDS, Times, calmest, since
from benchmarks.page import PAGE, measured_on, sections, write_section
from hermes_agent.embedders.local import Local
from hermes_agent.memory import embedding, episodes
from hermes_agent.recall import passes
from hermes_agent.recall.asking import Asking, Retrieval, ask
from hermes_agent.recall.finding import find
from hermes_agent.recall.loading import load
from hermes_agent.recall.ranking import score
from hermes_agent.records.memory import Exchange
from hermes_agent.store import episodes as stored
from hermes_agent.store import fingerprints, messages, sessions
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from hermes_agent.text.query import any_of, parse
from hermes_agent.text.stopwords import STOP_WORDS
from hermes_agent.text.words import words
from tests import counts

_USUAL = (10_000, 100_000)
_NAMES = {100_000: "100k", 1_000_000: "1m"}
"""The sizes that something is promised of."""
_FILLED = 100_000
_BLOCK = 500
_AHEAD = 8
_EACH = 34
_COLD = 10
_TOP = 10
_NOW = FIRST + YEARS
_EPISODES_A_SECOND = 120
"""What building gave on two busy cores; for the estimate only."""

Made = tuple[list[episodes.Prepared], list[embedding.Prepared]]


@dataclass(frozen=True)
class Figures:
    """What was measured of one size on one engine; milliseconds by what was done."""

    times: dict[str, Times]
    processor: Times
    """Of a whole recall, all threads together; on a busy machine this is what can be compared."""
    private_megabytes: float
    mapped_megabytes: float


@dataclass(frozen=True)
class Size:
    """One size on one engine: what building it took, and a search in a new process."""

    engine: str
    episodes: int
    built_seconds: float
    kept_bytes: int
    cold_seconds: float | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Build and measure every size that was asked for."""
    options = _read(arguments)
    results = []
    with TemporaryDirectory(prefix="hermes-bench-") as temporary:
        for count in options.episodes:
            folder = (options.folder or Path(temporary)) / f"{options.engine}-{count}"
            with served(options.engine, folder) as address:
                built_seconds = _built(options.engine, address.place, folder, count)
                measured = _calmest([_measured(options.engine, address.place, count) for _ in range(ROUNDS)])
            is_sqlite = options.engine == "sqlite"
            cold_seconds = (
                cold.search_seconds(folder, questions(min(count, _FILLED))[:_COLD]) if is_sqlite else None
            )
            size = Size(options.engine, count, built_seconds, _kept_bytes(folder), cold_seconds)
            results.append(_report(size, measured, is_for_docs=options.write_docs))
    if options.json is not None:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


def _measured(engine: str, place: str, count: int) -> Figures:
    """Measure in a process of its own: what one round has warmed up helps no other."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(measure, engine, place, count).result()


def _calmest(rounds: Sequence[Figures]) -> Figures:
    """Return of each thing the round that was disturbed least, and the most memory."""
    return Figures(
        {name: calmest([one.times[name] for one in rounds]) for name in rounds[0].times},
        calmest([one.processor for one in rounds]),
        max(one.private_megabytes for one in rounds),
        max(one.mapped_megabytes for one in rounds),
    )


def _read(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--episodes", type=int, nargs="+", default=list(_USUAL), help="sizes to measure")
    parser.add_argument("--engine", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="keep built stores here, use those that are")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures as JSON")
    parser.add_argument("--write-docs", action="store_true", help="write the sections of docs/benchmarks.md")
    options = parser.parse_args(arguments)
    missing = {f"scale {options.engine} {count}" for count in options.episodes} - set(sections(PAGE))
    if options.write_docs and missing:
        parser.error(f"docs/benchmarks.md has no section {', '.join(sorted(missing))}")
    return options


def open_store(engine: str, place: str) -> Store:
    """Open the store; beside one of SQLite is the folder of its mapped vectors."""
    if engine == "sqlite":
        path = Path(place)
        return Store(Sqlite(path, cache=path.parent / "cache"), owner=PROFILE)
    return Store(Postgres(place, schema_name(PROFILE)), owner=PROFILE)


def _built(engine: str, place: str, folder: Path, count: int) -> float:
    """Fill the store unless it is there; return the seconds that took."""
    done = folder / "built.json"
    if done.exists():
        return float(json.loads(done.read_text(encoding="utf-8")))
    (folder / "cache").mkdir(exist_ok=True)
    minutes = min(count, _FILLED) / _EPISODES_A_SECOND / 60
    print(f"{count:,} episodes: about {minutes:.0f} minutes to build", file=sys.stderr)
    begun = perf_counter()
    store = open_store(engine, place)
    copies = count // _FILLED if engine == "sqlite" else 1
    fill(store, count // max(copies, 1))
    grow(store, copies - 1)
    store.close()
    seconds = perf_counter() - begun
    done.write_text(json.dumps(seconds), encoding="utf-8")
    return seconds


def fill(store: Store, count: int) -> None:
    """Fill a store with so many exchanges, as if they had been said in it."""
    for batch in _batches(Exchanges(count)):
        with store.write() as connection:
            for one in batch:
                session_id = sessions.create(connection, one.session)
                messages.append(connection, store.engine, session_id, one.messages)
    with store.write() as connection:
        fingerprint = fingerprints.require(connection, Local.fingerprint, Local.dimensions)
    blocks = _missing(store)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        while group := list(islice(blocks, _AHEAD)):
            for exchanges, made in zip(group, pool.map(_prepare, group), strict=True):
                _keep(store, fingerprint.id, exchanges, made)
    with store.write() as connection:
        fingerprints.mark_complete(connection, fingerprint.id)
    if store.engine.name == "postgres":
        with store.bare() as connection:
            store.engine.vacuum(connection)


def _batches(all_sessions: Exchanges) -> Iterator[list[Session]]:
    left = iter(all_sessions)
    while batch := list(islice(left, 100)):
        yield batch


def _missing(store: Store) -> Iterator[list[Exchange]]:
    after = 0
    while True:
        with store.read() as connection:
            requests = stored.missing(connection, after, _BLOCK)
            exchanges = stored.exchanges(connection, requests)
        if not requests:
            return
        yield exchanges
        after = requests[-1]


def _prepare(exchanges: list[Exchange]) -> Made:
    spoken = [[embedding.Spoken(said.role, said.text) for said in one.said] for one in exchanges]
    return episodes.prepare(exchanges, UTC, has_vectors=True), embedding.prepare(Local(), spoken)


def _keep(store: Store, fingerprint_id: int, exchanges: list[Exchange], made: Made) -> None:
    prepared, vectors = made
    with store.write() as connection:
        ids = {one.first_message: one.id for one in episodes.keep(connection, prepared)}
        kept = [
            embedding.Kept(ids[one.first_message], [said.message_id for said in one.said], vector)
            for one, vector in zip(exchanges, vectors, strict=True)
        ]
        embedding.keep(connection, fingerprint_id, kept)


def questions(count: int) -> list[str]:
    """Ask for rare words, common ones, something said in other order, people, days, and what is nowhere."""
    exchanges, chance = Exchanges(count), Random(SEED)
    rank = {str(word): place for place, word in enumerate(exchanges.corpus.words)}

    def said() -> list[str]:
        session = exchanges.session(chance.randrange(exchanges.sessions))
        return words(chance.choice(session.messages).content or "")

    def of_ranks(low: int, high: int, wanted: int) -> str:
        while True:
            found = [word for word in dict.fromkeys(said()) if low <= rank.get(word, -1) < high]
            if len(found) >= wanted:
                return " ".join(chance.sample(found, wanted))

    def shuffled() -> str:
        found = [word for word in said() if word not in STOP_WORDS]
        return " ".join(chance.sample(found, min(len(found), 12)))

    kinds: tuple[Callable[[], str], ...] = (
        lambda: f"What did we say about {of_ranks(20_000, 10**9, 1)} {of_ranks(0, 300, 2)}?",
        lambda: f"Where did we talk about {of_ranks(0, 100, chance.choice((2, 3)))}?",
        shuffled,
        lambda: f"What did I do with {chance.choice(exchanges.people[:300])}?",
        lambda: f"What did I say about {of_ranks(100, 5_000, 1)} in {chance.choice(('March 2024', 'June 2025'))}?",
        lambda: f"When is the {''.join(chance.choices('bcdfghjklmnpqrstvwxz', k=8))} due?",
    )
    return [kind() for _ in range(_EACH) for kind in kinds]


def measure(engine: str, place: str, count: int) -> Figures:
    """Ask everything in this process, the first questions once before."""
    store, embedder = open_store(engine, place), Local()
    asked = [ask(text, _NOW) for text in questions(min(count, _FILLED))]
    for asking in asked[:6]:
        find(store, embedder, asking, Retrieval(), _TOP)
    whole, processor = [], []
    for asking in asked:
        begun, worked = perf_counter(), process_time()
        find(store, embedder, asking, Retrieval(), _TOP)
        whole.append(since(begun))
        processor.append((process_time() - worked) * 1_000)
    private, mapped = _memory()
    times = {"recall": Times(tuple(whole))} | _stages(store, embedder, asked) | _baselines(store, embedder, asked)
    store.close()
    return Figures(times, Times(tuple(processor)), private, mapped)


def _stages(store: Store, embedder: Local, asked: Sequence[Asking]) -> dict[str, Times]:
    found: dict[str, list[float]] = {"passes": [], "loading": [], "ranking": []}
    for asking in asked:
        begun = perf_counter()
        brought = passes.run(store, embedder, asking, Retrieval())
        found["passes"].append(since(begun))
        with store.read() as connection:
            begun = perf_counter()
            fields = load(connection, asking, brought)
            found["loading"].append(since(begun))
        begun = perf_counter()
        for field in fields:
            score(field, asking, brought)
        found["ranking"].append(since(begun))
    return {name: Times(tuple(taken)) for name, taken in found.items()}


def _baselines(store: Store, embedder: Local, asked: Sequence[Asking]) -> dict[str, Times]:
    by_words, by_vectors, plainly = [], [], []
    matrix = numpy.random.default_rng(SEED).standard_normal(
        (_vector_count(store), embedder.dimensions), numpy.float32
    )
    with store.read() as connection:
        fingerprint = fingerprints.require(connection, embedder.fingerprint, embedder.dimensions)
        for asking in asked:
            begun = perf_counter()
            store.engine.text.match(connection, "talk", any_of(parse(asking.question.text)), _TOP, "best")
            by_words.append(since(begun))
            begun = perf_counter()
            topic = embedder.embed_query(asking.question.topic)
            store.engine.match_vectors(connection, fingerprint, topic, _TOP, kinds=("episode",))
            by_vectors.append(since(begun))
            begun = perf_counter()
            numpy.argpartition(-(matrix @ embedder.embed_query(asking.question.topic)), _TOP)
            plainly.append(since(begun))
    return {
        "words alone": Times(tuple(by_words)),
        "vectors alone": Times(tuple(by_vectors)),
        "numpy scan": Times(tuple(plainly)),
    }


def _vector_count(store: Store) -> int:
    with store.read() as connection:
        return sum(stored.count_by_state(connection).values())


def _memory() -> tuple[float, float]:
    """Return the megabytes only this process has, and those of files that it has mapped."""
    rollup = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in rollup[1:]}
    return sizes["Private_Dirty"], sizes["Rss"] - sizes["Anonymous"]


def _kept_bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def _report(size: Size, found: Figures, *, is_for_docs: bool) -> dict[str, object]:
    """Print and record what was measured, and return it as data."""
    load_now = os.getloadavg()[0]
    rows = {**found.times, "recall, processor": found.processor}
    rate, kept = size.episodes / size.built_seconds, size.kept_bytes / size.episodes
    lines = [f"{size.engine}, {size.episodes:,} episodes: built at {rate:,.0f}/s, {kept:,.0f} bytes each"]
    lines += [f"  {name:18} p50 {times.p50:7.1f} ms   p95 {times.p95:7.1f} ms" for name, times in rows.items()]
    lines.append(f"  memory: private {found.private_megabytes:.0f} MB, mapped {found.mapped_megabytes:.0f} MB")
    if size.cold_seconds is not None:
        lines.append(f"  cold search: {size.cold_seconds:.2f} s")
    text = "\n".join([*lines, f"  load of the machine: {load_now:.1f}"])
    print(text, flush=True)
    if is_for_docs:
        name = f"scale {size.engine} {size.episodes}"
        write_section(PAGE, name, f"{measured_on()}.\n\n```text\n{text}\n```")
    _record(size, found)
    return {
        "engine": size.engine,
        "episodes": size.episodes,
        "built_seconds": size.built_seconds,
        "bytes_per_episode": kept,
        "cold_seconds": size.cold_seconds,
        "private_megabytes": found.private_megabytes,
        "mapped_megabytes": found.mapped_megabytes,
        "load": load_now,
        "milliseconds": {name: {"p50": times.p50, "p95": times.p95} for name, times in rows.items()},
    }


def _record(size: Size, found: Figures) -> None:
    if size.episodes not in _NAMES or size.cold_seconds is None:
        return
    name = f"scale.{_NAMES[size.episodes]}"
    counts.record(f"{name}.recall.p95_ms", found.times["recall"].p95)
    counts.record(f"{name}.private_mb", found.private_megabytes)
    counts.record(f"{name}.cold_search.seconds", size.cold_seconds)


if __name__ == "__main__":
    sys.exit(main())
