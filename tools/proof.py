"""Write docs/proof.md: what was promised, how it was measured, whether it held.

`CLAIMS` is the list of promises. Tests and benchmarks record values under these names through
`tests/counts.py`; this page sets both side by side. A promise without a value, or with one outside its
bounds, fails the run: a proof that silently lost a test is none. Some take hours, or public data, and have a
recipe of their own; the page says so until that was run. A name recorded more than once keeps its worst value.
"""

import json
import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hermes_agent.store.sqlite import driver

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "proof.md"
RECORDS = ".proof*.jsonl"
"""Each recipe has a record of its own, so that none is lost when another runs again."""

Value = int | float | str


@dataclass(frozen=True)
class Claim:
    """One promise: the name tests record it under, a sentence, and the bounds that make it true."""

    name: str
    sentence: str
    at_least: float | None = None
    at_most: float | None = None
    recipe: str | None = None
    """What measures it, if `make proof` does not."""
    is_open: bool = False
    """Known not to be kept yet: the page says so, and the run does not fail for it."""


@dataclass(frozen=True)
class Missing:
    """Nothing was recorded for the claim."""

    claim: Claim


@dataclass(frozen=True)
class Unmeasured:
    """The recipe that measures the claim was not run here."""

    claim: Claim


@dataclass(frozen=True)
class Measured:
    """What was recorded for the claim, and whether it is within the bounds."""

    claim: Claim
    value: Value
    is_kept: bool


Result = Missing | Unmeasured | Measured

_SCALE, _FOUND, _COMPACTED, _CARRIED = "make scale", "make recall", "make compaction", "make transfer"
_SETS = ("locomo", "realtalk", "lme-pool", "lme-s-lite", "beam-100k")
_RECALL = (
    ("local", "locomo", "turn @10", 84.5),
    ("local", "locomo", "session @10", 94.5),
    ("local", "realtalk", "turn @10", 72),
    ("local", "lme-pool", "turn @10", 95),
    ("local", "lme-s-lite", "turn @10", 97),
    ("local", "lme-s-lite", "session any@5", 99.5),
    ("local", "lme-s-lite", "session all@5", 95),
    ("local", "beam-100k", "turn @10", 68),
    ("minilm", "locomo", "turn @10", 85.5),
    ("minilm", "realtalk", "turn @10", 76),
    ("minilm", "lme-pool", "turn @10", 95.5),
    ("minilm", "beam-100k", "turn @10", 68),
    ("none", "locomo", "turn @10", 81.5),
)


def _recall(embedder: str, name: str, figure: str, percent: float) -> Claim:
    sentence = f"Recall on {name}, embedder `{embedder}`, {figure} in percent"
    return Claim(f"recall.{embedder}.{name}.{figure}", sentence, at_least=percent, recipe=_FOUND)


def _pressed(engine: str) -> tuple[Claim, ...]:
    name = "load." + {"SQLite": "sqlite", "PostgreSQL": "postgres"}[engine]
    return (
        Claim(f"{name}.requests", f"Requests of 220 clients in a minute, on {engine}", at_least=1_000),
        Claim(f"{name}.wrong", "Errors, and acknowledged writes lost or doubled", at_most=0),
        Claim(f"{name}.read.p95_ms", "A read among them, p95 in ms"),
        Claim(f"{name}.write.p95_ms", "A write among them, p95 in ms"),
    )


def _threshold(name: str) -> tuple[Claim, Claim]:
    hits = f"Questions about other conversations of {name}, names as they are, that get a hit, in percent"
    cost = f"What the threshold takes from the recall@10 on {name}, in points"
    return (
        Claim(f"recall.{name}.unanswerable.foreign", hits, at_most=20, recipe=_FOUND, is_open=True),
        Claim(f"recall.{name}.threshold.cost", cost, at_most=2, recipe=_FOUND),
    )


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
    Claim(
        "kill.gateway.updates",
        "Updates of chats, doubled and shuffled, while gateways were killed",
        at_least=1000,
    ),
    Claim("kill.gateway.kills", "Gateways killed with SIGKILL while they listened and answered", at_least=100),
    Claim("kill.gateway.wrong", "Messages lost, handled twice, or out of order in their chat", at_most=0),
    Claim(
        "kill.discord.updates",
        "Messages over Discord, doubled, shuffled and missed, while gateways were killed",
        at_least=1000,
    ),
    Claim("kill.discord.kills", "Gateways to Discord killed with SIGKILL at any point", at_least=100),
    Claim("kill.discord.wrong", "Messages lost, handled or answered twice, or out of order there", at_most=0),
    Claim("kill.turn.kills", "Turns with tools killed with SIGKILL while they streamed", at_least=100),
    Claim("kill.turn.lost", "Messages and finished steps missing, or sessions that did not resume", at_most=0),
    Claim("kill.notes.sqlite.kills", "Writers of notes killed with SIGKILL, every note whole after", at_least=100),
    Claim("kill.import.kills", "Imports of a whole memory killed with SIGKILL", at_least=60),
    Claim(
        "kill.import.wrong", "Memories that were there in part after those kills, or not as exported", at_most=0
    ),
    Claim("kill.encrypt.kills", "Encryptions of a home killed with SIGKILL, at every place", at_least=20),
    Claim("kill.encrypt.wrong", "Homes not whole, or not encrypted, when the next run was done", at_most=0),
    Claim("kill.decrypt.kills", "Decryptions killed with SIGKILL, at every place", at_least=15),
    Claim("kill.decrypt.wrong", "Homes not whole, or not plain, when the next run was done", at_most=0),
    Claim("kill.rotate.kills", "Exchanges of the key of a home killed with SIGKILL, at every place", at_least=20),
    Claim("kill.rotate.wrong", "Homes not whole when the next run was done", at_most=0),
    Claim("encryption.append.ratio", "An append to an encrypted store, as a multiple of a plain one", at_most=1.5),
    Claim("encryption.search.ratio", "A search of an encrypted archive, likewise", at_most=1.5),
    Claim("encryption.recall.ratio", "Recall from an encrypted memory, likewise", at_most=1.5),
    Claim("kill.backup.kills", "Backups and restores killed with SIGKILL", at_least=80),
    Claim("kill.backup.wrong", "Half backups, and homes not as they were after another restore", at_most=0),
    Claim("kill.learning.sqlite.kills", "Learners killed with SIGKILL, by rules on SQLite", at_least=100),
    Claim("kill.learning.sqlite.wrong", "Facts doubled, lost or stuck after those kills", at_most=0),
    Claim("kill.learning.sqlite.model.kills", "Learners killed while a light model reads", at_least=80),
    Claim("kill.learning.sqlite.model.wrong", "Facts doubled, lost or stuck after those kills", at_most=0),
    Claim("kill.learning.postgres.kills", "Learners killed with SIGKILL, by rules on PostgreSQL", at_least=20),
    Claim("kill.learning.postgres.wrong", "Facts doubled, lost or stuck after those kills", at_most=0),
    Claim(
        "learn.messages",
        "Messages of public conversations, and random ones, read without a model",
        at_least=10_000,
        recipe=_FOUND,
    ),
    Claim("learn.without_span", "Facts of them without an exact span", at_most=0, recipe=_FOUND),
    Claim("learn.rate", "Messages of them read in a second", at_least=2_000, recipe=_FOUND),
    Claim("extraction.blind.precision", "Precision of facts on messages nobody saw", at_least=0.9, is_open=True),
    Claim("extraction.blind.recall", "Recall of facts on them", at_least=0.7, is_open=True),
    Claim(
        "extraction.blind.trained.precision",
        "Precision on them with the trained reader",
        at_least=0.9,
        is_open=True,
    ),
    Claim("extraction.blind.trained.recall", "Recall on them with the trained reader", at_least=0.7),
    Claim("kill.upkeep.sqlite.kills", "Those who look back killed with SIGKILL, on SQLite", at_least=160),
    Claim("kill.upkeep.sqlite.wrong", "Lessons, skills, summaries or messages doubled, lost or stuck", at_most=0),
    Claim("kill.upkeep.postgres.kills", "The same on PostgreSQL", at_least=40),
    Claim("kill.upkeep.postgres.wrong", "Lessons, skills or summaries doubled, lost or stuck there", at_most=0),
    Claim("kill.discarding.kills", "Those who discard what is compressed killed with SIGKILL", at_least=40),
    Claim("kill.discarding.wrong", "Messages lost without a summary, half discarded or stuck", at_most=0),
    Claim("compaction.log", "Half a year of work, 100,000 messages, in MB", at_least=200, recipe=_COMPACTED),
    Claim("compaction.raw", "Raw episodes less after compaction, in percent", at_least=90, recipe=_COMPACTED),
    Claim("compaction.vectors", "Vectors less, in percent of their bytes", at_least=90, recipe=_COMPACTED),
    Claim("compaction.file", "The file smaller, in percent", at_least=40, recipe=_COMPACTED),
    Claim("compaction.restored", "Every message as it was, byte for byte", at_least=1, recipe=_COMPACTED),
    Claim("compaction.selftest", "What that takes from the self-test, in points", at_most=1, recipe=_COMPACTED),
    Claim("compaction.discarded", "The file without the messages, in MB", at_most=20, recipe=_COMPACTED),
    Claim("compaction.locomo", "What it takes from locomo, session @10, in points", at_most=3, recipe=_COMPACTED),
    Claim("compaction.lme-pool", "What it takes from lme-pool, session @10", at_most=3, recipe=_COMPACTED),
    Claim("tools.hostile.calls", "Hostile or malformed tool calls", at_least=10_000),
    Claim("tools.hostile.escaped", "Exceptions that escaped, or files changed outside the folder", at_most=0),
    Claim("screening.innocent", "Innocent sentences that pass the screening of notes", at_least=60),
    Claim("screening.attacks", "Attacks that do not", at_least=60),
    Claim(
        "attacks_first.header", "Of 128 attacks played with a model that obeys, in the prompt's notes", at_most=0
    ),
    Claim("attacks_first.unmarked", "Of them, recalled without a mark of their source", at_most=0),
    Claim("attacks_first.recognised", "Of them, recognised and quarantined, in percent", at_least=85),
    Claim("attacks_last.header", "Of 40 attacks written after the rules, in the prompt's notes", at_most=0),
    Claim("attacks_last.unmarked", "Of them, recalled without a mark of their source", at_most=0),
    Claim("innocent_first.percent", "Innocent texts of the same kind that are quarantined, in percent", at_most=5),
    Claim("innocent_last.percent", "The same of 40 written after the rules, in percent", at_most=5),
    Claim("turn.messages", "Messages in the archive a turn is measured in", at_least=20_000),
    Claim("turn.first_event.p95_ms", "First event of a turn, embedded default, p95 in ms", at_most=100),
    Claim("start.chat.seconds", "`hermes chat -q`, median of 10 cold starts", at_most=1.5),
    Claim("start.help.seconds", "`hermes --help`, median of 10 cold starts", at_most=0.25),
    Claim("start.sessions.seconds", "`hermes sessions list`, median of 10 cold starts", at_most=0.7),
    Claim(
        "switch.episodes", "Episodes in the store whose embedder is switched while it is searched", at_least=10_000
    ),
    Claim("switch.kills", "Embedding processes killed with SIGKILL on the way", at_least=30),
    Claim("switch.wrong", "Searches meanwhile that failed, or mixed vectors", at_most=0),
    Claim("daemons.episodes", "Episodes that two daemons on one PostgreSQL embedded by turns", at_least=3_000),
    Claim("daemons.twice", "Episodes that both embedded", at_most=0),
    *(claim for name in ("SQLite", "PostgreSQL") for claim in _pressed(name)),
    Claim("load.plain.read.p95_ms", "The same of a plain FastAPI over sqlite3 in the same run"),
    Claim("pages.routes", "Pages and routes asked in a home of 100,000 episodes", at_least=100, recipe=_SCALE),
    Claim("pages.failed", "Of them that failed", at_most=0, recipe=_SCALE),
    Claim("pages.times", "Times each of them was asked", at_least=20, recipe=_SCALE),
    Claim("pages.slowest.page.p95_ms", "The slowest page, server time, p95 in ms", at_most=150, recipe=_SCALE),
    Claim("pages.slowest.api.p95_ms", "The slowest GET of the API, likewise", at_most=150, recipe=_SCALE),
    Claim("transfer.messages", "Messages exported and imported", at_least=1_000_000, recipe=_CARRIED),
    Claim("transfer.missing", "Of them that did not come", at_most=0, recipe=_CARRIED),
    Claim("transfer.export.peak_mb", "Most memory of the export, in MB", at_most=500, recipe=_CARRIED),
    Claim("transfer.import.peak_mb", "Most memory of the import, in MB", at_most=500, recipe=_CARRIED),
    Claim("transfer.joining.peak_mb", "The same where two memories are joined", at_most=500, recipe=_CARRIED),
    Claim("transfer.export.rate", "Messages exported in a second", recipe=_CARRIED),
    Claim("transfer.import.rate", "Messages imported in a second", recipe=_CARRIED),
    Claim("transfer.plain.export.rate", "Rows written as lines of JSON by plain sqlite3", recipe=_CARRIED),
    Claim("transfer.plain.import.rate", "Those lines read and indexed by plain sqlite3", recipe=_CARRIED),
    Claim("vectors.count", "Vectors searched on SQLite", at_least=1_000_000, recipe=_SCALE),
    Claim("vectors.recall", "Share of the exact ten nearest among ours", at_least=0.99, recipe=_SCALE),
    Claim("scale.100k.recall.p95_ms", "Recall in 100,000 episodes, p95 in ms", at_most=50, recipe=_SCALE),
    Claim(
        "scale.100k.cold_search.seconds",
        "`hermes memory search` there, cold, in seconds",
        at_most=1,
        recipe=_SCALE,
    ),
    Claim("scale.1m.recall.p95_ms", "Recall in a million episodes, p95 in ms", at_most=200, recipe=_SCALE),
    Claim("scale.1m.private_mb", "Its private memory in MB", at_most=400, recipe=_SCALE),
    *(_recall(*promised) for promised in _RECALL),
    *(claim for name in _SETS for claim in _threshold(name)),
    Claim("archive.messages", "Messages in the measured archive", at_least=1_000_000),
    Claim("archive.rare.p95_ms", "Search with a rare word, p95 in ms", at_most=30),
    Claim("archive.medium.p95_ms", "Search, every word in 0.5–2 % of the messages, p95 in ms", at_most=150),
    Claim("archive.medium.agreement", "Its agreement with the exhaustive top 10", at_least=9),
    Claim("archive.common.p95_ms", "Search for more common words, p95 in ms", at_most=250),
    Claim("archive.common.agreement", "Its agreement with the exhaustive top 10"),
    Claim("archive.append.p95_ms", "One durable append, p95 in ms", at_most=5),
    # What tools return is screened before it is kept: that takes about as long as keeping it.
    Claim("archive.append.ratio", "The same, as a multiple of plain sqlite3", at_most=3, is_open=True),
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
    return [_judged(claim, values) for claim in claims]


def _judged(claim: Claim, values: Mapping[str, Value]) -> Result:
    if claim.name in values:
        return Measured(claim, values[claim.name], is_within(claim, values[claim.name]))
    return Missing(claim) if claim.recipe is None else Unmeasured(claim)


def is_within(claim: Claim, value: Value) -> bool:
    """Say whether the value keeps the claim; text keeps only a claim without bounds."""
    if isinstance(value, str):
        return claim.at_least is None and claim.at_most is None
    if claim.at_least is not None and value < claim.at_least:
        return False
    return not (claim.at_most is not None and value > claim.at_most)


def failures(results: Iterable[Result]) -> list[str]:
    """Return a line for every claim that is missing or broken, but for those known to be open."""
    lines: list[str] = []
    for result in results:
        match result:
            case Missing(claim):
                lines.append(f"{claim.name}: nothing was recorded")
            case Measured(claim, value, is_kept=False) if not claim.is_open:
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
            case Unmeasured(claim):
                lines.append(f"| {claim.sentence} | {promise(claim)} | – | not measured here: `{claim.recipe}` |")
            case Measured(claim, value, is_kept):
                kept = "yes" if is_kept else "**no**, open" if claim.is_open else "**no**"
                lines.append(f"| {claim.sentence} | {promise(claim)} | {show(value)} | {kept} |")
    claimed = {result.claim.name for result in results}
    others = {name: value for name, value in values.items() if name not in claimed and not _is_fault(name)}
    if others:
        lines += ["", "Also measured:", "", "| name | value |", "|---|---|"]
        lines += [f"| `{name}` | {show(value)} |" for name, value in sorted(others.items())]
    return "\n".join(lines) + "\n"


def _is_fault(name: str) -> bool:
    """Tell whether a value is for the page of faults (`tools/reliability.py`)."""
    return name.startswith("fault.")


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
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "date": f"{datetime.now():%Y-%m-%d}",
        "system": f"{platform.system()} {platform.machine()}",
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GB",
        "Python": platform.python_version(),
        "SQLite": str(driver().sqlite_version),
    }


def main() -> int:
    """Turn the records of the recipes into the page; fail when a claim is missing or broken."""
    records = [file.read_text(encoding="utf-8") for file in sorted(ROOT.glob(RECORDS))]
    values = read_record("".join(records), CLAIMS)
    results = judge(CLAIMS, values)
    about = {**describe_machine(), "tried at random": f"`make proof SEED={os.environ.get('PROOF_SEED', '…')}`"}
    PAGE.write_text(page(results, about, values), encoding="utf-8")
    broken = failures(results)
    for line in broken:
        print(line, file=sys.stderr)
    unmeasured = sum(isinstance(result, Unmeasured) for result in results)
    kept = sum(isinstance(result, Measured) and result.is_kept for result in results)
    print(f"{PAGE.relative_to(ROOT)}: {kept} of {len(CLAIMS)} promises kept, {unmeasured} not measured here.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
