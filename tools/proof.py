"""Write docs/proof.md: what was promised, how it was measured, whether it held.

`CLAIMS` is the list of promises. Tests and benchmarks record values under these names through
`tests/counts.py`; this page sets both side by side. A promise without a value, or with one outside its
bounds, fails the run: a proof that silently lost a test is none. A name recorded more than once keeps
its worst value.
"""

import json
import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "proof.md"

Value = int | float | str


@dataclass(frozen=True)
class Claim:
    """One promise: the name tests record it under, a sentence, and the bounds that make it true."""

    name: str
    sentence: str
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True)
class Missing:
    """Nothing was recorded for the claim."""

    claim: Claim


@dataclass(frozen=True)
class Measured:
    """What was recorded for the claim, and whether it is within the bounds."""

    claim: Claim
    value: Value
    is_kept: bool


Result = Missing | Measured

CLAIMS = (
    Claim("concurrent.processes", "Processes appending to one SQLite store at once", at_least=8),
    Claim("concurrent.seconds", "Seconds they kept appending", at_least=30),
    Claim("concurrent.messages", "Messages they appended", at_least=1),
    Claim("concurrent.errors", "Errors they met", at_most=0),
    Claim("concurrent.lost", "Messages lost or doubled by them", at_most=0),
    Claim("kill.append.kills", "Writers killed with SIGKILL while appending", at_least=200),
    Claim("kill.append.lost", "Acknowledged messages missing after those kills", at_most=0),
    Claim("kill.migrate.kills", "Migrations killed with SIGKILL", at_least=50),
    Claim("kill.migrate.damaged", "Stores that did not open or did not pass the check afterwards", at_most=0),
    Claim("property.query.examples", "Strings tried as a query, on both engines", at_least=1_000),
    Claim("property.message.examples", "Strings stored and read back, on both engines", at_least=1_000),
    Claim("property.export.examples", "Archives exported, imported and exported again", at_least=200),
    Claim("property.profiles.examples", "Pairs of profiles searched for each other's rows", at_least=200),
    Claim("kill.turn.kills", "Turns with tools killed with SIGKILL while they streamed", at_least=100),
    Claim("kill.turn.lost", "Messages and finished steps missing, or sessions that did not resume", at_most=0),
    Claim("kill.notes.sqlite.kills", "Writers of notes killed with SIGKILL, every note whole after", at_least=100),
    Claim("tools.hostile.calls", "Hostile or malformed tool calls", at_least=10_000),
    Claim("tools.hostile.escaped", "Exceptions that escaped, or files changed outside the folder", at_most=0),
    Claim("screening.innocent", "Innocent sentences that pass the screening of notes", at_least=60),
    Claim("screening.attacks", "Attacks that do not", at_least=60),
    Claim("turn.messages", "Messages in the archive a turn is measured in", at_least=20_000),
    Claim("turn.first_event.p95_ms", "First event of a turn, embedded default, p95 in ms", at_most=100),
    Claim("start.chat.seconds", "`hermes chat -q`, median of 10 cold starts", at_most=1.5),
    Claim("start.help.seconds", "`hermes --help`, median of 10 cold starts", at_most=0.25),
    Claim("start.sessions.seconds", "`hermes sessions list`, median of 10 cold starts", at_most=0.7),
    Claim("archive.messages", "Messages in the measured archive", at_least=1_000_000),
    Claim("archive.rare.p95_ms", "Search with a rare word, p95 in ms", at_most=30),
    Claim("archive.medium.p95_ms", "Search, every word in 0.5–2 % of the messages, p95 in ms", at_most=150),
    Claim("archive.medium.agreement", "Its agreement with the exhaustive top 10", at_least=9),
    Claim("archive.common.p95_ms", "Search for more common words, p95 in ms", at_most=250),
    Claim("archive.common.agreement", "Its agreement with the exhaustive top 10"),
    Claim("archive.append.p95_ms", "One durable append, p95 in ms", at_most=5),
    Claim("archive.append.ratio", "The same, as a multiple of plain sqlite3", at_most=3),
    Claim("archive.import.rate", "Bulk import, messages a second at 300 characters", at_least=5_000),
)


def read_record(text: str, claims: Iterable[Claim]) -> dict[str, Value]:
    """Return the recorded values by name; of several under one name the worst counts."""
    by_name = {claim.name: claim for claim in claims}
    values: dict[str, Value] = {}
    for line in text.splitlines():
        entry = json.loads(line)
        name, value = entry["name"], entry["value"]
        values[name] = worse(by_name.get(name), values[name], value) if name in values else value
    return values


def worse(claim: Claim | None, first: Value, second: Value) -> Value:
    """Return the value that makes the claim harder to keep; the later one where that has no meaning."""
    if isinstance(first, str) or isinstance(second, str) or claim is None:
        return second
    if claim.at_least is not None:
        return min(first, second)
    if claim.at_most is not None:
        return max(first, second)
    return second


def judge(claims: Iterable[Claim], values: Mapping[str, Value]) -> list[Result]:
    """Set every claim beside its value."""
    return [
        Measured(claim, values[claim.name], is_within(claim, values[claim.name]))
        if claim.name in values
        else Missing(claim)
        for claim in claims
    ]


def is_within(claim: Claim, value: Value) -> bool:
    """Say whether the value keeps the claim; text keeps only a claim without bounds."""
    if isinstance(value, str):
        return claim.at_least is None and claim.at_most is None
    if claim.at_least is not None and value < claim.at_least:
        return False
    return not (claim.at_most is not None and value > claim.at_most)


def failures(results: Iterable[Result]) -> list[str]:
    """Return a line for every claim that is missing or broken."""
    lines: list[str] = []
    for result in results:
        match result:
            case Missing(claim):
                lines.append(f"{claim.name}: nothing was recorded")
            case Measured(claim, value, is_kept=False):
                lines.append(f"{claim.name}: {show(value)}, promised {promise(claim)}")
    return lines


def page(results: Sequence[Result], machine: Mapping[str, str], values: Mapping[str, Value]) -> str:
    """Write the whole page; values that belong to no claim follow in a table of their own."""
    lines = ["# Proof", "", "Written by `make proof`: every full count, with what was measured.", ""]
    lines += [f"- {name}: {value}" for name, value in machine.items()]
    lines += ["", "| what | promised | measured | kept |", "|---|---|---|---|"]
    for result in results:
        match result:
            case Missing(claim):
                lines.append(f"| {claim.sentence} | {promise(claim)} | – | **missing** |")
            case Measured(claim, value, is_kept):
                kept = "yes" if is_kept else "**no**"
                lines.append(f"| {claim.sentence} | {promise(claim)} | {show(value)} | {kept} |")
    claimed = {result.claim.name for result in results}
    others = {name: value for name, value in values.items() if name not in claimed}
    if others:
        lines += ["", "Also measured:", "", "| name | value |", "|---|---|"]
        lines += [f"| `{name}` | {show(value)} |" for name, value in sorted(others.items())]
    return "\n".join(lines) + "\n"


def promise(claim: Claim) -> str:
    """Write the bounds of a claim for people."""
    bounds = []
    if claim.at_least is not None:
        bounds.append(f"≥ {show(claim.at_least)}")
    if claim.at_most is not None:
        bounds.append(f"≤ {show(claim.at_most)}")
    return ", ".join(bounds) or "printed"


def show(value: Value) -> str:
    """Write a value for people: thousands separated, at most three decimals."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.3f}".rstrip("0").rstrip(".")
    return f"{int(value):,}"


def describe_machine() -> dict[str, str]:
    """Say when and on what this was measured."""
    try:
        from pysqlite3 import sqlite_version
    except ImportError:
        from sqlite3 import sqlite_version
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "date": f"{datetime.now():%Y-%m-%d}",
        "system": f"{platform.system()} {platform.machine()}",
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GB",
        "Python": platform.python_version(),
        "SQLite": sqlite_version,
    }


def main() -> int:
    """Turn the record of this run into the page; fail when a claim is missing or broken."""
    source = Path(os.environ.get("HERMES_PROOF_RECORD", ROOT / ".proof.jsonl"))
    values = read_record(source.read_text(encoding="utf-8") if source.exists() else "", CLAIMS)
    results = judge(CLAIMS, values)
    PAGE.write_text(page(results, describe_machine(), values), encoding="utf-8")
    broken = failures(results)
    for line in broken:
        print(line, file=sys.stderr)
    print(f"{PAGE.relative_to(ROOT)}: {len(CLAIMS) - len(broken)} of {len(CLAIMS)} promises kept.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
