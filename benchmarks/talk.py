"""Read ten thousand real and random messages without a model: `python -m benchmarks.talk --data FOLDER`.

The real ones are of the public conversations (docs/benchmarks.md says how to make the folder), the random ones are
made of their words, of letters of many scripts, and of marks. Told is how many facts came of them, whether any has
no exact span, and how many messages are read in a second, beside how fast the same messages are merely cut into
words. `--sample 200` prints facts with their words, to be read by a person.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TypeVar

from benchmarks import conversations
from benchmarks.page import PAGE, measured_on, write_section
from hermes_agent.learn.candidates import candidates
from hermes_agent.learn.hearing import hear
from hermes_agent.records.learning import Candidate, Heard
from hermes_agent.text.words import words
from tests import counts

T = TypeVar("T")
_MESSAGES = 10_000
_RANDOM = 2_000
_MADE_UP = "made up"
_SCRIPTS = (
    "abcdefghijklmnopqrstuvwxyz",
    "äöüßéèñçø",
    "абвгдежз",
    "一二三四五六",
    "אבגדה",
    "😀🎉🐈",
    ".,;:!?\"'()[]{}<>\n\0",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the messages and print what came of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.talk", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of public conversations")
    parser.add_argument("--sample", type=int, default=0, help="print so many facts, chosen by chance")
    parser.add_argument("--seed", type=int, default=1, help="another choice")
    parser.add_argument("--write-docs", action="store_true", help="write the section of docs/benchmarks.md")
    options = parser.parse_args(arguments)
    chance = Random(options.seed)
    real = _chosen(list(_real(options.data)), _MESSAGES - _RANDOM, chance)
    every = [*real, *islice(_random(real, chance), _RANDOM)]
    found = [one for heard in every for one in candidates([heard])]
    without = [one for one in found if not _has_span(one)]
    rate, cut = _rate(real), _rate_of_cutting(real)
    text = "\n".join(
        [
            f"messages      {len(every):,} ({_RANDOM:,} of them random)",
            f"facts         {len(found):,}",
            f"without span  {len(without):,}",
            f"read          {rate:,.0f} messages/s ({cut / rate:.1f}× the time of cutting them into words)",
        ]
    )
    print(text)
    held = [one for one in found if one.heard.uid != _MADE_UP and one.statement.polarity in ("is", "is not")]
    for one in _chosen(held, options.sample, chance):
        quoted = one.heard.text[one.statement.start : one.statement.end]
        print(f"[{one.statement.attribute}] {one.text}  «{' '.join(quoted.split())}»")
    if options.write_docs:
        write_section(PAGE, "talk", f"{measured_on()}.\n\n```text\n{text}\n```")
    counts.record("learn.messages", len(every))
    counts.record("learn.without_span", len(without))
    counts.record("learn.rate", rate)
    return int(bool(without))


def _chosen(every: Sequence[T], number: int, chance: Random) -> list[T]:
    return chance.sample(every, min(number, len(every)))


def _real(folder: Path) -> Iterator[Heard]:
    """Yield what people say in the public conversations."""
    for name in conversations.names(folder):
        for conversation in conversations.read(folder, name):
            for turn in (turn for session in conversation.sessions for turn in session.turns):
                if turn.speaker not in ("assistant", "system", "tool"):
                    yield Heard(turn.id, turn.text, 0, speaker=None if turn.speaker == "user" else turn.speaker)


def _random(real: Sequence[Heard], chance: Random) -> Iterator[Heard]:
    """Yield messages that nobody would write: words in any order, letters of many scripts, marks."""
    known = [word for heard in real[:500] for word in heard.text.split()]
    while True:
        mixed = [chance.choice(known) for _ in range(chance.randrange(1, 60))]
        noise = [
            "".join(chance.choices(chance.choice(_SCRIPTS), k=chance.randrange(1, 9)))
            for _ in range(chance.randrange(0, 20))
        ]
        parts = [*mixed, *noise]
        chance.shuffle(parts)
        yield Heard(_MADE_UP, " ".join(parts), 0)


def _has_span(one: Candidate) -> bool:
    start, end = one.statement.start, one.statement.end
    said, value = (text.replace("’", "'").casefold() for text in (one.heard.text[start:end], one.statement.value))
    return 0 <= start < end <= len(one.heard.text) and value in said


def _rate(real: Sequence[Heard]) -> float:
    hear.cache_clear()
    begun = perf_counter()
    for heard in real:
        for _ in candidates([heard]):
            pass
    return len(real) / (perf_counter() - begun)


def _rate_of_cutting(real: Sequence[Heard]) -> float:
    begun = perf_counter()
    for heard in real:
        words(heard.text)
    return len(real) / (perf_counter() - begun)


if __name__ == "__main__":
    sys.exit(main())
