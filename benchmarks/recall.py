"""Score recall on public conversations: `python -m benchmarks.recall --data FOLDER`.

Each conversation becomes a home of its own: its sessions are appended as they would be, the jobs make
episodes and vectors, and each question goes through the product's own recall with its default settings.
What is found is compared with the turns that hold the answer. No language model is asked.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.conversations import CHAT, Conversation, Question, Session, mean, names, read, score
from benchmarks.measure import Times, since
from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.jobs.worker import run_due
from hermes_agent.recall.asking import Retrieval, ask
from hermes_agent.recall.finding import find
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import jobs

_DATA = Path("../shared/bench/data")
_DEPTH = 50
_COLUMNS = ("recall@5", "recall@10", "recall@20", "any@5", "all@5", "mrr", "ndcg@10")


@dataclass
class Result:
    """The rows of one set: a row of figures for each question, of turns and of sessions, by category."""

    turns: dict[str, list[dict[str, float]]] = field(default_factory=lambda: defaultdict(list))
    sessions: dict[str, list[dict[str, float]]] = field(default_factory=lambda: defaultdict(list))
    best_relevance: dict[bool, list[float]] = field(default_factory=lambda: defaultdict(list))
    """How relevant the best hit is said to be, where memory holds an answer and where it does not."""
    kept: list[float] = field(default_factory=list)
    """Recall@10 of what is above the threshold."""
    milliseconds: list[float] = field(default_factory=list)
    turns_kept: int = 0
    seconds_kept: float = 0.0

    def figures(self) -> dict[str, object]:
        """Return everything as plain numbers."""
        times = Times(tuple(self.milliseconds))
        return {
            "questions": len(self.turns["all"]),
            "turn": {category: mean(rows) for category, rows in self.turns.items()},
            "session": {category: mean(rows) for category, rows in self.sessions.items()},
            "above_threshold": self._above(),
            "speed": {
                "turns_per_s": self.turns_kept / self.seconds_kept,
                "search_ms_p50": times.p50,
                "search_ms_p95": times.p95,
            },
        }

    def _above(self) -> dict[str, float]:
        threshold = Retrieval().min_relevance
        shares = {
            kind: sum(best >= threshold for best in self.best_relevance[is_held])
            / len(self.best_relevance[is_held])
            for kind, is_held in (("answerable", True), ("unanswerable", False))
            if self.best_relevance[is_held]
        }
        return {**shares, "recall@10": sum(self.kept) / len(self.kept)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Score every set, or one, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description=__doc__)
    parser.add_argument("--data", type=Path, default=_DATA, help="folder with NAME.jsonl.gz")
    parser.add_argument("--embedder", choices=("local", "minilm", "none"), default="local")
    parser.add_argument("--set", dest="chosen", help="one set; all when left out")
    parser.add_argument("--json", type=Path, help="write every number to this file")
    options = parser.parse_args(arguments)
    results = {}
    for name in [options.chosen] if options.chosen else names(options.data):
        result = Result()
        for conversation in read(options.data, name):
            measure(conversation, options.embedder, result)
        results[name] = result.figures()
        print(f"{name}, {options.embedder}\n{table(result)}\n{json.dumps(results[name]['above_threshold'])}")
        print(f"{json.dumps(results[name]['speed'])}\n", flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 0


def measure(conversation: Conversation, embedder: str, result: Result) -> None:
    """Keep one conversation in a home and ask its questions."""
    with TemporaryDirectory(prefix="hermes-recall-") as temporary:
        app = _app(Path(temporary), embedder)
        begun = perf_counter()
        turn_of = _keep(app, conversation.sessions)
        result.seconds_kept += since(begun) / 1_000
        result.turns_kept += len(turn_of)
        for question in conversation.questions:
            _ask(app, conversation, question, turn_of, result)
        app.close()


def _app(folder: Path, embedder: str) -> App:
    home = paths.home_at(str(folder))
    home.config_yaml.write_text(f"memory:\n  embeddings:\n    provider: {embedder}\ndisplay:\n  timeZone: UTC\n")
    return App(home, load(home), model="embedded")


def _keep(app: App, sessions: Sequence[Session]) -> Mapping[int, str]:
    """Append the sessions and let the jobs do their work; return the turn of each message."""
    turn_of: dict[int, str] = {}
    for session in sessions:
        started = _moment(session.date or session.turns[0].date)
        session_id = app.memory.begin(NewSession(started_at=started))
        new = [
            NewMessage(
                turn.speaker if turn.speaker in CHAT else "user",
                turn.text,
                said_at=_moment(turn.date or session.date),
                speaker=None if turn.speaker in CHAT else turn.speaker,
            )
            for turn in session.turns
        ]
        ids = app.memory.append(session_id, *new)
        turn_of |= dict(zip(ids, (turn.id for turn in session.turns), strict=True))
    with app.store.write() as connection:
        jobs.add(connection, "episodes", "episodes")
        jobs.add(connection, "embed", "embed")
    for outcome in run_due(app.store, app.handlers, slice_seconds=3_600):
        if outcome.reason is not None:
            raise RuntimeError(f"{outcome.job.kind}: {outcome.reason}")
    return turn_of


def _ask(
    app: App, conversation: Conversation, question: Question, turn_of: Mapping[int, str], result: Result
) -> None:
    now = datetime.fromisoformat(question.now or conversation.sessions[-1].date or "").replace(tzinfo=UTC)
    begun = perf_counter()
    asking = ask(question.text, now)
    found = find(app.store, app.embedder, asking, Retrieval(), _DEPTH, kinds=("episode",))
    result.milliseconds.append(since(begun))
    best = max((hit.relevance for hit in found.hits), default=0.0)
    result.best_relevance[question.scored].append(best)
    if not question.scored:
        return
    ranked = [turn_of[hit.message_id] for hit in found.hits if hit.message_id is not None]
    gold_sessions = frozenset(conversation.session_of[turn] for turn in question.evidence)
    turns = score(ranked, question.evidence)
    sessions = score([conversation.session_of[turn] for turn in ranked], gold_sessions)
    for category in ("all", question.category):
        result.turns[category].append(turns)
        result.sessions[category].append(sessions)
    above = [
        turn_of[hit.message_id]
        for hit in found.hits[:10]
        if hit.message_id and hit.relevance >= Retrieval().min_relevance
    ]
    result.kept.append(score(above, question.evidence)["recall@10"])


def table(result: Result) -> str:
    """Write the figures by category."""
    lines = ["| | category | n | " + " | ".join(_COLUMNS) + " |", "|---" * (len(_COLUMNS) + 3) + "|"]
    for level, rows in (("turn", result.turns), ("session", result.sessions)):
        for category in sorted(rows, key=lambda name: (name != "all", name)):
            if level == "session" and category != "all":
                continue
            row = mean(rows[category])
            cells = " | ".join(f"{100 * row[column]:.1f}" for column in _COLUMNS)
            lines.append(f"| {level} | {category} | {len(rows[category])} | {cells} |")
    return "\n".join(lines)


def _moment(date: str | None) -> int | None:
    return None if date is None else clock.from_datetime(datetime.fromisoformat(date).replace(tzinfo=UTC))


if __name__ == "__main__":
    sys.exit(main())
