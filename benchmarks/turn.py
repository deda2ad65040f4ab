"""Measure a turn with the embedded default on a used archive: `python -m benchmarks.turn`.

The time to the first event is what a user waits before anything moves; the whole turn ends with its last
commit. Beside them, in the same run: two bare durable appends, the least any turn can cost. Of three rounds the
calmest counts.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.corpus import Corpus
from benchmarks.loaded import fill
from benchmarks.measure import ROUNDS, Times, calmest, since
from benchmarks.page import PAGE, measured_on, write_section
from benchmarks.questions import Questions
from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.records.archive import NewMessage, NewSession
from tests import counts

_MESSAGES = 20_000
_TURNS = 200


def main(arguments: Sequence[str] | None = None) -> int:
    """Load an archive, take turns in it, print what they took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.turn", description=__doc__)
    parser.add_argument("--messages", type=int, default=_MESSAGES, help="messages in the archive")
    parser.add_argument("--turns", type=int, default=_TURNS, help="turns to take in a round")
    parser.add_argument("--write-docs", action="store_true", help="write the section of docs/benchmarks.md")
    options = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="hermes-bench-") as temporary:
        home = paths.home_at(temporary)
        app = App(home, load(home), model="embedded")
        corpus = Corpus()
        fill(app.store, corpus, options.messages)
        saying = _said(corpus, options.messages)
        rounds = [list(islice(saying, options.turns)) for _ in range(ROUNDS)]
        firsts, wholes = zip(*(take_turns(app, said) for said in rounds), strict=True)
        first, whole = calmest(firsts), calmest(wholes)
        bare = calmest([append_pairs(app, said) for said in rounds])
        app.close()
    rows = (("first event", first), ("whole turn", whole), ("two bare appends", bare))
    lines = [f"{name:18} p50 {times.p50:7.1f} ms   p95 {times.p95:7.1f} ms" for name, times in rows]
    text = "\n".join([*lines, f"a whole turn takes {whole.p50 / bare.p50:.1f}× two bare appends"])
    print(text)
    if options.write_docs:
        about = f"{options.turns} turns in an archive of {options.messages:,} messages. {measured_on()}."
        write_section(PAGE, "turn", f"{about}\n\n```text\n{text}\n```")
    counts.record("turn.messages", options.messages)
    counts.record("turn.first_event.p95_ms", first.p95)
    counts.record("turn.whole.p95_ms", whole.p95)
    return 0


def take_turns(app: App, said: Sequence[str]) -> tuple[Times, Times]:
    """Say everything in one conversation after the other, ten turns each."""
    firsts, wholes = [], []
    for start in range(0, len(said), 10):
        conversation = Conversation(app.desk, Opening("cli", Path.cwd()))
        for text in said[start : start + 10]:
            begun = perf_counter()
            first = None
            for _ in conversation.say(text):
                first = since(begun) if first is None else first
            wholes.append(since(begun))
            firsts.append(first or wholes[-1])
        conversation.end()
    return Times(tuple(firsts)), Times(tuple(wholes))


def append_pairs(app: App, said: Sequence[str]) -> Times:
    """Append the same words without a turn around them."""
    session_id = app.memory.begin(NewSession(source="bench"))
    taken = []
    for text in said:
        begun = perf_counter()
        app.memory.append(session_id, NewMessage("user", text))
        app.memory.append(session_id, NewMessage("assistant", text))
        taken.append(since(begun))
    return Times(tuple(taken))


def _said(corpus: Corpus, message_count: int) -> Iterator[str]:
    """Alternate what a user says: a statement about themselves, a question about the archive's words."""
    asks = [ask for kind in Questions(corpus, message_count).classes() for ask in kind.asks]
    for number, ask in enumerate(asks):
        yield f"My favourite word number {number} is word{number}."
        yield f"What did I say about {ask.typed}?"


if __name__ == "__main__":
    sys.exit(main())
