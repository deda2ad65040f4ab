"""Write what was measured of the archive as a table in plain text, as data, and for docs/benchmarks.md."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.contenders import Measured
from benchmarks.measure import Times
from tools.proof import describe_machine

Figure = str | int | float | None

_NOTES = """\
### How to read it

- Each number pair is p50 / p95 in milliseconds. The classes: *rare* has one rare word and two that are in
  5–40 % of the messages; *medium* has two to four words, each in 0.5–2 %; *common* two to four, each in 5–40 %.
  A *question* is a sentence, in which any word counts; *plain* are words side by side: all of them are wanted,
  and any of them counts when no message holds all. *absent* is a word that stands nowhere.
- Our columns measure `discover` with full detail: conversations with the window around the hit, and how they
  began and ended. The baselines return ten ids. Plain FTS5 answers a question with the exhaustive OR and words
  side by side with its implicit AND; tantivy always ranks any of the words.
- Every class is asked in a process of its own, each query once, with the files in the operating system's cache;
  of three such rounds the one with the lowest p95 counts, of the baselines and of the appends, too: what else the
  machine does can only make a round slower. *First search* is the first query of such a process, opening the store
  included.
- *Agreement* is how many of the ten best messages of the exhaustive ranking (FTS5's bm25 over every posting) are
  among our ten, on average.
- An append is one durable transaction with one message, on the loaded archive. The import commits
  about a thousand messages at a time, whole sessions, as `hermes sessions import` does; so does plain FTS5.
  The text of the corpus is counted, not its ids and times. *JSONL import* is that command's own work on a file of
  60,000 messages: read, checked, merged, indexed.
- The baselines hold what search looks through: what people and the assistant said, without tool output. Our
  archive holds both, with ids, times, sessions, and a second index for parts of identifiers.
"""


@dataclass(frozen=True)
class Run:
    """One size with all that was measured of it, and how busy the machine was."""

    messages: int
    contenders: Sequence[Measured]
    busy: str
    jsonl_rate: float
    """Messages a second that `hermes sessions import` takes in, on SQLite."""


def rows(run: Run) -> list[tuple[str, ...]]:
    """Lay out one size: a heading row, then a row for each thing measured."""

    def row(name: str, figure: Callable[[Measured], str]) -> tuple[str, ...]:
        return (name, *(figure(contender) for contender in run.contenders))

    classes = list(dict.fromkeys(name for contender in run.contenders for name in contender.searches))
    compared = [name for name in classes if any(name in m.agreements for m in run.contenders)]
    return [
        (f"{run.messages:,} messages", *(contender.name for contender in run.contenders)),
        row("bulk import, messages/s", lambda m: f"{m.load.rate:,.0f}"),
        row("bulk import, MB/s of text", lambda m: f"{m.load.megabytes_rate:.2f}"),
        row("database, bytes a message", lambda m: f"{m.load.bytes_per_message:,.0f}"),
        row("durable append", lambda m: _pair(m.append)),
        *(row(f"search: {name}", partial(_search, name)) for name in classes),
        row("first search of a process", lambda m: _one(m.first_milliseconds)),
        *(row(f"agreement of 10: {name}", partial(_agreement, name)) for name in compared),
        *(row(f"answered, %: {name}", partial(_answered, name)) for name in classes),
    ]


def ratios(run: Run) -> list[str]:
    """Say how our store compares with the baselines; below 1 is better for us but for rates."""
    by_name = {contender.name: contender for contender in run.contenders}
    lines = []
    for ours in (by_name[name] for name in ("sqlite", "postgres") if name in by_name):
        for other in (by_name[name] for name in ("plain FTS5", "tantivy") if name in by_name):
            parts = [f"import rate {ours.load.rate / other.load.rate:.2f}×"]
            if ours.append is not None and other.append is not None:
                parts.append(f"append p95 {ours.append.p95 / other.append.p95:.1f}×")
            parts += [
                f"{name} p95 {ours.searches[name].p95 / times.p95:.1f}×"
                for name, times in other.searches.items()
                if name in ours.searches
            ]
            lines.append(f"{ours.name} against {other.name}: {', '.join(parts)}")
    return lines


def text(run: Run) -> str:
    """Write the table with its columns under each other."""
    table = rows(run)
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]
    return "\n".join([*lines, "", *ratios(run), *_remarks(run), ""])


def _remarks(run: Run) -> list[str]:
    return [f"JSONL import: {run.jsonl_rate:,.0f} messages/s", f"load of the machine: {run.busy}"]


def data(run: Run) -> dict[str, object]:
    """Return the figures as data."""
    return {
        "messages": run.messages,
        "busy": run.busy,
        "jsonl_import": round(run.jsonl_rate),
        "machine": describe_machine(),
        "contenders": {contender.name: _figures(contender) for contender in run.contenders},
    }


def section(runs: Sequence[Run]) -> str:
    """Write the section of docs/benchmarks.md."""
    about = [f"- {name}: {value}" for name, value in describe_machine().items()]
    tables = "\n".join(f"```text\n{text(run)}```\n" for run in runs)
    return "\n".join(
        [
            "Measured by `make bench ARGS=--write-docs`; other sizes and engines:",
            "`python -m benchmarks.archive --messages 10000 1000000 --engine sqlite`. With `--keep FOLDER`",
            "the loaded archives stay and are measured again without loading.",
            "",
            *about,
            "",
            tables,
            _NOTES,
        ]
    )


def _figures(contender: Measured) -> dict[str, Figure]:
    figures: dict[str, Figure] = {
        "import.rate": contender.load.rate,
        "import.megabytes": contender.load.megabytes_rate,
        "bytes_per_message": contender.load.bytes_per_message,
        "first_ms": contender.first_milliseconds,
    }
    named = dict(contender.searches)
    if contender.append is not None:
        named["append"] = contender.append
    for name, times in named.items():
        figures |= {
            f"{name}.p50_ms": times.p50,
            f"{name}.p95_ms": times.p95,
            f"{name}.max_ms": max(times.milliseconds),
        }
    figures |= {f"{name}.agreement": value for name, value in contender.agreements.items()}
    return figures


def _search(name: str, contender: Measured) -> str:
    return _pair(contender.searches.get(name))


def _agreement(name: str, contender: Measured) -> str:
    return _one(contender.agreements.get(name))


def _answered(name: str, contender: Measured) -> str:
    share = contender.found_shares.get(name)
    return "–" if share is None else f"{100 * share:.0f}"


def _pair(times: Times | None) -> str:
    return "–" if times is None else f"{times.p50:.1f} / {times.p95:.1f}"


def _one(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
