"""Measure the search among vectors on SQLite beside a plain float scan: `python -m benchmarks.vectors`.

The vectors are those of made-up sentences by the local embedder and mixtures of two of them. They are loaded
through the store; every figure of ours is taken in a process of its own that opens it. Recall is the share of
the ten nearest by exact float32 cosine that we list among our ten.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy
from numpy.typing import NDArray

from benchmarks.corpus import Corpus
from benchmarks.measure import Times, since
from benchmarks.page import PAGE, measured_on, sections, write_section
from hermes_agent.embedders.local import Local
from hermes_agent.store import fingerprints, vectors
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests import counts

Floats = NDArray[numpy.float32]

_USUAL, _FULL = 100_000, 1_000_000
_SENTENCES = 20_000
_QUERIES = 60
_BATCH = 20_000
TOP = 10


@dataclass(frozen=True)
class Searched:
    """What one process measured: the first search, the others, what they found, and the memory it took."""

    first_milliseconds: float
    times: Times
    processor: Times
    """Of all cores together; on a busy machine this is what can be compared."""
    found: list[list[int]]
    private_megabytes: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every size that was asked for, and print what came out."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vectors", description=__doc__)
    sizes = [_USUAL, _FULL] if counts.IS_PROOF else [_USUAL]
    parser.add_argument("--vectors", type=int, nargs="+", default=sizes, help="sizes to measure")
    parser.add_argument("--write-docs", action="store_true", help="write the sections of docs/benchmarks.md")
    options = parser.parse_args(arguments)
    missing = {f"vectors {size}" for size in options.vectors} - set(sections(PAGE))
    if options.write_docs and missing:
        parser.error(f"docs/benchmarks.md has no section {', '.join(sorted(missing))}")
    for size in options.vectors:
        with TemporaryDirectory(prefix="hermes-bench-") as temporary:
            text = measure_size(Path(temporary), size)
        print(text, flush=True)
        if options.write_docs:
            write_section(PAGE, f"vectors {size}", f"{measured_on()}.\n\n```text\n{text}\n```")
    return 0


def measure_size(folder: Path, size: int) -> str:
    """Load so many vectors, search them our way and the plain way, and say what both took."""
    made = make(size + _QUERIES)
    matrix, queries = made[:size], made[size:]
    begun = perf_counter()
    load(folder, matrix)
    loaded_seconds = perf_counter() - begun
    built = in_new_process(folder, queries[:1])
    ours = in_new_process(folder, queries)
    plain, plain_processor, exact = scan_plainly(matrix, queries)
    shares = [len(set(mine) & set(best.tolist())) / TOP for mine, best in zip(ours.found, exact, strict=True)]
    recall = sum(shares) / len(shares)
    file_megabytes = sum(file.stat().st_size for file in (folder / "cache").glob("vectors-*")) / 1e6
    lines = [f"{size:,} vectors of {matrix.shape[1]} dimensions, loaded at {size / loaded_seconds:,.0f}/s"]
    for name, times, worked in (
        ("ours", ours.times, ours.processor),
        ("plain float", plain, plain_processor),
    ):
        pair = f"p50 {times.p50:7.1f} ms   p95 {times.p95:7.1f} ms"
        lines.append(f"  {name:12} {pair}   processor {worked.p50:7.1f} ms")
    first = f"{ours.first_milliseconds:.0f} ms, private memory then: {ours.private_megabytes:.0f} MB"
    lines += [
        f"  recall@10 {recall:.4f}, {plain.p50 / ours.times.p50:.1f}× as fast as plain float",
        f"  the file: {file_megabytes:,.0f} MB, made by the first search in {built.first_milliseconds:,.0f} ms",
        f"  the first search of a process: {first}",
    ]
    if size >= _FULL:
        counts.record("vectors.count", size)
        counts.record("vectors.p95_ms", ours.times.p95)
        counts.record("vectors.recall", recall)
        counts.record("vectors.private_mb", ours.private_megabytes)
    return "\n".join(lines)


def make(size: int) -> Floats:
    """Return vectors of length 1: those of sentences, then mixtures of two of them with some noise."""
    corpus = Corpus()
    sentences = islice((m.content or "" for c in corpus.conversations(_SENTENCES) for m in c.messages), size)
    real = Local().embed(list(sentences))
    real = real[numpy.linalg.norm(real, axis=1) > 0]
    chance = numpy.random.default_rng(7)
    made = numpy.empty((size, real.shape[1]), numpy.float32)
    made[: len(real)] = real
    for start in range(len(real), size, _BATCH):
        block = made[start : start + _BATCH]
        one, other = (real[chance.integers(0, len(real), len(block))] for _ in range(2))
        share = chance.uniform(0.5, 1, (len(block), 1)).astype(numpy.float32)
        noise = chance.normal(0, 0.02, block.shape).astype(numpy.float32)
        block[:] = share * one + (1 - share) * other + noise
        block /= numpy.linalg.norm(block, axis=1, keepdims=True)
    chance.shuffle(made)
    return made


def load(folder: Path, matrix: Floats) -> None:
    """Keep the vectors as those of episodes 1, 2, …"""
    (folder / "cache").mkdir()
    store = open_store(folder)
    for start in range(0, len(matrix), _BATCH):
        with store.write() as connection:
            fingerprint = fingerprints.require(connection, "bench", matrix.shape[1])
            block = enumerate(matrix[start : start + _BATCH], start + 1)
            vectors.put(connection, fingerprint.id, vectors.EPISODE, dict(block))
    store.close()


def in_new_process(folder: Path, queries: Floats) -> Searched:
    """Search in a process that has done nothing else."""
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as process:
        return process.submit(search, folder, queries).result()


def search(folder: Path, queries: Floats) -> Searched:
    """Search for every query; the first one opens everything."""
    store = open_store(folder)
    milliseconds, processor, found = [], [], []
    with store.read() as connection:
        fingerprint = fingerprints.require(connection, "bench", queries.shape[1])
        for query in (queries[0], *queries):
            begun, worked = perf_counter(), process_time()
            nearest = store.engine.match_vectors(connection, fingerprint, query, TOP)
            milliseconds.append(since(begun))
            processor.append((process_time() - worked) * 1_000)
            found.append([near.item for near in nearest.items])
    memory = private_megabytes()
    store.close()
    times, worked_times = Times(tuple(milliseconds[1:])), Times(tuple(processor[1:]))
    return Searched(milliseconds[0], times, worked_times, found[1:], memory)


def scan_plainly(matrix: Floats, queries: Floats) -> tuple[Times, Times, list[NDArray[numpy.int64]]]:
    """Multiply everything in float32 with numpy and take the best: no file, no store, no rounding."""
    milliseconds, processor, found = [], [], []
    for query in queries:
        begun, worked = perf_counter(), process_time()
        cosines = matrix @ query
        best = numpy.argpartition(-cosines, TOP)[:TOP]
        milliseconds.append(since(begun))
        processor.append((process_time() - worked) * 1_000)
        found.append(best + 1)
    return Times(tuple(milliseconds)), Times(tuple(processor)), found


def private_megabytes() -> float:
    """Return the memory only this process has; pages of a mapped file are not counted."""
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty:")) / 1024


def open_store(folder: Path) -> Store:
    """Open the store of the vectors."""
    return Store(Sqlite(folder / "state.db", cache=folder / "cache"), owner="bench")


if __name__ == "__main__":
    sys.exit(main())
