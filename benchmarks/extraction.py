"""Score what is learned without a model on labelled messages: `python -m benchmarks.extraction`.

The messages are in `tests/learn/labelled/`. `seen.jsonl` and `ordinary.jsonl` were there while the rules were
written. `many.jsonl` and `more.jsonl`, by twenty writers, are what the trained reader learned from, beside those;
`tuning.jsonl` settled how sure it must be. `blind.jsonl`, `fresh.jsonl` and `wild.jsonl` were written, with their
labels, by others who had not seen the rules; they are scored, and neither learned from nor read by who writes
rules. Each set is scored twice, `stated` and `strict`, see `agreement`; the goal is about `stated`. `--wrong`
prints what is wrong and what is missed (`stated`), of the sets that may be read only. `--reader trained` lets the
trained reader help the rules (extra `minilm`).
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.agreement import Label, agrees, paired, states
from benchmarks.page import PAGE, write_section
from hermes_agent.learn.candidates import read_by_rules
from hermes_agent.learn.trained.reading import read_trained
from hermes_agent.records.learning import Candidate, Heard, Part
from tests import counts

FOLDER = Path(__file__).parent.parent / "tests" / "learn" / "labelled"
LEARNED = ("seen", "ordinary", "many", "more")
SEEN = (*LEARNED, "tuning")
UNSEEN = ("blind", "fresh", "wild")
SETS = (*SEEN, *UNSEEN)
RULES, TRAINED = READERS = ("rules", "trained")


@dataclass(frozen=True)
class Labelled:
    """A message with its labels."""

    id: str
    style: str
    text: str
    facts: Sequence[Label]


@dataclass
class Tally:
    """How many facts were learned and right, wanted and found, in both ways, and how many spans fit."""

    learned: int = 0
    wanted: int = 0
    right: int = 0
    found: int = 0
    strictly_right: int = 0
    strictly_found: int = 0
    spans: int = 0
    wrong: list[str] = field(default_factory=list)

    def scores(self) -> tuple[float, float, float, float]:
        """Return precision and recall, stated and strict."""
        learned, wanted = max(self.learned, 1), max(self.wanted, 1)
        return (
            *(self.right / learned, self.found / wanted),
            *(self.strictly_right / learned, self.strictly_found / wanted),
        )


def read(path: Path) -> Iterator[Labelled]:
    """Read the messages of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Labelled(row["id"], row["style"], row["text"], [Label(**fact) for fact in row["facts"]])


def learn(message: Labelled, reader: str) -> Sequence[Candidate]:
    """Return what is learned from a message by itself."""
    part = Part(0, 1, [Heard(message.id, message.text, 0)])
    return (read_trained(part) if reader == TRAINED else read_by_rules(part)).candidates


def add(tally: Tally, message: Labelled, learned: Sequence[Candidate]) -> None:
    """Compare what was learned from a message with its labels."""
    right = [one for one in learned if any(states(one, label, message.text) for label in message.facts)]
    found = paired(learned, message.facts, message.text)
    tally.learned += len(learned)
    tally.wanted += len(message.facts)
    tally.right += len(right)
    tally.found += len(found)
    tally.strictly_right += sum(
        any(agrees(one, label, message.text) for label in message.facts) for one in learned
    )
    tally.strictly_found += sum(
        any(agrees(one, label, message.text) for one in learned) for label in message.facts
    )
    tally.spans += sum(_is_exact(one, message.text) for one in learned)
    tally.wrong += [f"{message.id} wrong   {_shown(one)} | {message.text}" for one in learned if one not in right]
    tally.wrong += [
        f"{message.id} missed  {_wanted(label)} | {message.text}" for label in message.facts if label not in found
    ]


def _is_exact(one: Candidate, text: str) -> bool:
    """Tell whether a fact's span is of the message and its value, but for capitals, stands in it."""
    start, end = one.statement.start, one.statement.end
    is_inside = 0 <= start < end <= len(text)
    return is_inside and one.statement.value.casefold() in text[start:end].replace("’", "'").casefold()


def _shown(one: Candidate) -> str:
    return f"({one.subject}, {one.statement.attribute}, {one.statement.value}, {one.statement.polarity})"


def _wanted(label: Label) -> str:
    return f"({label.subject}, {label.attribute}, {label.value}, {label.polarity})"


def score(path: Path, reader: str) -> tuple[dict[str, Tally], Tally]:
    """Score the messages of a file, by style and as a whole."""
    by_style: dict[str, Tally] = {}
    whole = Tally()
    for message in read(path):
        learned = learn(message, reader)
        for tally in (whole, by_style.setdefault(message.style, Tally())):
            add(tally, message, learned)
    return by_style, whole


def table(name: str, by_style: dict[str, Tally], whole: Tally) -> Iterator[str]:
    """Yield the lines of a table: precision and recall, stated and strict, by style."""
    yield f"{name:10}   stated P     R   strict P     R  learned  wanted  spans"
    for style, tally in (*by_style.items(), ("all", whole)):
        numbers = "".join(
            f"{score:{width}.2f}" for score, width in zip(tally.scores(), (11, 6, 11, 6), strict=True)
        )
        exact = tally.spans / max(tally.learned, 1)
        yield f"  {style:8} {numbers} {tally.learned:8} {tally.wanted:7} {exact:6.0%}"


def main() -> int:
    """Score one set, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.extraction", description=__doc__)
    parser.add_argument("--set", choices=SETS, action="append", help="only this set; repeatable")
    parser.add_argument("--reader", choices=READERS, action="append", help="only with this reader; repeatable")
    parser.add_argument("--file", type=Path, action="append", default=[], help="messages of your own; repeatable")
    parser.add_argument(
        "--wrong", action="store_true", help="print what is wrong or missed, of sets that may be read"
    )
    parser.add_argument("--write-docs", action="store_true", help="write the section of docs/benchmarks.md")
    options = parser.parse_args()
    sets = options.set or ([] if options.file else SETS)
    paths = (*(FOLDER / f"{name}.jsonl" for name in sets), *options.file)
    lines: list[str] = []
    for reader in options.reader or READERS:
        for path in paths:
            if reader == RULES or path.stem not in LEARNED:  # on what it learned from a score says nothing
                lines += _scored(path, reader, is_telling=options.wrong and path.stem not in UNSEEN)
    if options.write_docs:
        write_section(PAGE, "extraction", "```text\n" + "\n".join(lines) + "\n```")
    return 0


def _scored(path: Path, reader: str, *, is_telling: bool) -> list[str]:
    """Score a file with a reader; print, record and return the table."""
    by_style, whole = score(path, reader)
    precision, recall, *_ = whole.scores()
    name = path.stem if reader == RULES else f"{path.stem}.{reader}"
    counts.record(f"extraction.{name}.precision", round(precision, 3))
    counts.record(f"extraction.{name}.recall", round(recall, 3))
    lines = list(table(name, by_style, whole))
    print("\n".join([*lines, *(whole.wrong if is_telling else ())]), flush=True)
    return lines


if __name__ == "__main__":
    raise SystemExit(main())
