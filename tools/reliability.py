"""Write docs/reliability.md: each fault, how often it was tried, what was lost, and what people saw.

The tests in `tests/faults/` write down every try through `tests/counts.py`; this page adds them up. A fault that
was not tried, or one after which anything was wrong, fails the run.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.proof import RECORDS, describe_machine, show

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reliability.md"
_PREFIX = "fault."
_MOST_SEEN = 2
_NOTHING = "nothing"


@dataclass(frozen=True)
class Fault:
    """A fault: the name tests record it under, what it is, how it is made, and what it may take."""

    name: str
    title: str
    how: str
    loses: str = _NOTHING


FAULTS = (
    Fault(
        "kill",
        "killed at a write",
        "SIGKILL before a write, sync, rename or removal; the table below tells before how many of all (of pages"
        " written in a row into one file the first, the last and three between count)",
    ),
    Fault("tear", "killed within a write", "half of the bytes are written, then SIGKILL"),
    Fault("full", "disk full", "from one write on nothing grows (ENOSPC)"),
    Fault("broken", "disk broken", "from one write on nothing can be changed (EIO)"),
    Fault("hiccup", "one write fails", "one write, sync, rename or removal fails (EIO)"),
    Fault("unreadable", "disk cannot be read", "from one read on nothing of the home can be read (EIO)"),
    Fault("readonly", "read-only home", "nothing in the home can be written (EROFS)"),
    Fault("back", "clock jumps back", "by a minute, a day or 400 days, in the middle of a command"),
    Fault("newer", "older program, newer home", "commands of this version on the store of a later one"),
    Fault("upgraded", "upgraded while it runs", "a later version changes the store that this one has open"),
    Fault(
        "older", "newer program, older home", "a store of each former shape, migrated while another process reads"
    ),
    Fault(
        "server", "PostgreSQL dies", "all its processes are killed with SIGKILL in the middle; it is started again"
    ),
    Fault(
        "cut log",
        "log cut off",
        "SQLite's write-ahead log, not folded in yet, is cut at a random byte",
        loses="what stood behind the cut; nothing before it",
    ),
    Fault(
        "damaged page",
        "page damaged",
        "1 to 200 bytes in the middle of the database are inverted",
        loses="what stood in those bytes; `hermes db repair` saves the rest and keeps the damaged file",
    ),
)


@dataclass
class Tried:
    """What was written down about a fault."""

    tries: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    """How many moments there were at which it could be tried."""
    wrong: int = 0
    seen: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(self.tries.values())


def read(records: Iterable[str]) -> tuple[dict[str, Tried], dict[str, int]]:
    """Return what was written down about each fault, and other counts by their names."""
    found: dict[str, Tried] = {}
    others: dict[str, int] = {}
    for line in records:
        entry = json.loads(line)
        if not entry["name"].startswith(_PREFIX):
            continue
        fault, kind, *rest = entry["name"].removeprefix(_PREFIX).split(".", 2)
        tried = found.setdefault(fault, Tried())
        match kind:
            case "tries":
                tried.tries[rest[0]] = tried.tries.get(rest[0], 0) + int(entry["value"])
            case "places":
                tried.places[rest[0]] = max(tried.places.get(rest[0], 0), int(entry["value"]))
            case "wrong":
                tried.wrong += int(entry["value"])
            case "seen":
                tried.seen.append(str(entry["value"]))
            case _:
                others[f"{fault}.{kind}"] = others.get(f"{fault}.{kind}", 0) + int(entry["value"])
    return found, others


def failures(found: Mapping[str, Tried]) -> list[str]:
    """Return a line for every fault that was not tried, or after which something was wrong."""
    untried = [f"{one.name}: it was never tried" for one in FAULTS if one.name not in found]
    return untried + [
        f"{name}: {tried.wrong} times something was wrong" for name, tried in found.items() if tried.wrong
    ]


def page(found: Mapping[str, Tried], others: Mapping[str, int], machine: Mapping[str, str]) -> str:
    """Write the whole page."""
    lines = [*_INTRODUCTION]
    lines += [f"- {name}: {value}" for name, value in machine.items()]
    lines += [
        "",
        "| fault | how it is made | tried | acknowledged things lost | what you see |",
        "|---|---|---|---|---|",
    ]
    for one in FAULTS:
        tried = found.get(one.name, Tried())
        lost = one.loses if not tried.wrong else f"**{tried.wrong} times something was wrong**"
        lines.append(f"| {one.title} | {one.how} | {show(tried.count)} | {lost} | {_seen(tried.seen)} |")
    if "damaged page.unnoticed" in others:
        lines += ["", _UNNOTICED.format(count=show(others["damaged page.unnoticed"]))]
    if others.get("damaged page.hopeless"):
        lines += ["", _HOPELESS.format(count=show(others["damaged page.hopeless"]))]
    lines += ["", *_commands(found)]
    return "\n".join(lines) + "\n"


def _commands(found: Mapping[str, Tried]) -> list[str]:
    """Write how often each command was disturbed."""
    kinds = ("kill", "tear", "full", "broken", "hiccup", "unreadable", "readonly", "back")
    names = sorted({name for kind in kinds if kind in found for name in found[kind].tries})
    titles = {one.name: one.title for one in FAULTS}
    lines = ["## By command", "", f"| command | {' | '.join(titles[kind] for kind in kinds)} |"]
    lines.append("|---" * (len(kinds) + 1) + "|")
    for name in names:
        counts = [_count(found.get(kind, Tried()), name) for kind in kinds]
        lines.append(f"| {name} | {' | '.join(counts)} |")
    return lines


def _count(tried: Tried, name: str) -> str:
    """Write how often a command was disturbed, and of how many moments."""
    tries, places = tried.tries.get(name, 0), tried.places.get(name)
    return show(tries) if places is None else f"{show(min(tries, places))} of {show(places)}"


def _seen(sentences: Sequence[str]) -> str:
    """Write some of what people saw, the shortest first; temporary files are left out."""
    clean = {_at_home(one).replace("|", "\\|") for one in sentences}
    chosen = sorted((one for one in clean if not _TEMPORARY.search(one)), key=lambda one: (len(one), one))
    return "<br>".join(chosen[:_MOST_SEEN]) or "–"


def _at_home(sentence: str) -> str:
    """Write paths and servers of the tests as they are at home."""
    for pattern, instead in _PLACES:
        sentence = pattern.sub(instead, sentence)
    return sentence


_TEMPORARY = re.compile(r"/\.(?!hermes/)")
_PLACES = (
    (re.compile(r"(PostgreSQL at )?postgresql:\S+ schema \S+"), "PostgreSQL"),
    (re.compile(r"(?<!\S)/home/"), "~/.hermes/"),
    (re.compile(r"(?<!\S)/\S+/([^/\s]+)"), r"~/.hermes/\1"),
    (re.compile(r"(?<!\S)/([^/\s]+)"), r"\1"),
)
_INTRODUCTION = (
    "# Reliability: what happens when something breaks",
    "",
    "Written from what the tests in `tests/faults/` tried; `make faults` tries everything, and writes it anew.",
    "Real `hermes` processes are disturbed at their writes by a small library that is loaded before the C",
    "library, then looked at: every row and file that was acknowledged before must be there byte for byte,",
    "nothing may be there by half, the database and the doctor must find nothing wrong, the error must be a",
    "sentence, and the same command run again must end as if nothing had happened. What was found wrong on the",
    "way was mended and tried again; the changelog tells it. `PROOF_SEED` repeats a run. More counts are in",
    "[proof](proof.md).",
    "",
)
_HOPELESS = (
    "Of the damaged pages {count} held the list of the tables itself. Nothing can be read then: the repair says"
    " so, leaves the file as it is and names the way to restore a backup."
)
_UNNOTICED = (
    "SQLite keeps no checksums: of the damaged pages {count} changed a number, a time or an identifier without"
    " anybody noticing. Texts are noticed. A [backup](guides/backup.md) has a checksum of every file."
)


def main() -> int:
    """Turn what the tests wrote down into the page; fail when a fault is missing or took something."""
    lines = [line for file in sorted(ROOT.glob(RECORDS)) for line in file.read_text(encoding="utf-8").splitlines()]
    found, others = read(lines)
    PAGE.write_text(page(found, others, describe_machine()), encoding="utf-8")
    broken = failures(found)
    for line in broken:
        print(line, file=sys.stderr)
    print(f"{PAGE.relative_to(ROOT)}: {show(sum(tried.count for tried in found.values()))} faults tried.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
