"""A conversation kept in a home of its own, and asked.

Its sessions are appended as they would be, the jobs make episodes and vectors, and each question goes through
the product's own recall with its default settings. No language model is asked.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.conversations import CHAT, Conversation, Session
from benchmarks.measure import since
from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.handlers import every_handler
from hermes_agent.jobs.worker import run_due
from hermes_agent.recall.asking import Retrieval, ask
from hermes_agent.recall.finding import find
from hermes_agent.recall.hit import Hit
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import jobs

THRESHOLD = Retrieval().min_relevance


@dataclass(frozen=True)
class Answer:
    """The hits of a question with the turns they are, best first, and the milliseconds it took."""

    hits: Sequence[tuple[str, Hit]]
    milliseconds: float

    def turns(self, without: Collection[str] = ()) -> list[str]:
        """Return the turns in their order, or in the order they had if these signals counted nothing."""
        if not without:
            return [turn for turn, _ in self.hits]

        def left(hit: Hit) -> float:
            return hit.score - sum(hit.contributions.get(signal, 0.0) for signal in without)

        return [turn for turn, hit in sorted(self.hits, key=lambda listed: -left(listed[1]))]

    def turns_above(self, threshold: float) -> list[str]:
        """Return the turns that are at least so relevant."""
        return [turn for turn, hit in self.hits if hit.relevance >= threshold]


@dataclass(frozen=True)
class Kept:
    """A conversation in its home; `seconds` is what keeping it took."""

    app: App
    conversation: Conversation
    turn_of: Mapping[int, str]
    seconds: float

    def ask(self, text: str, now: str | None, depth: int) -> Answer:
        """Ask for the best messages, as many as `depth`."""
        moment = now or self.conversation.sessions[-1].date or ""
        begun = perf_counter()
        asking = ask(text, datetime.fromisoformat(moment).replace(tzinfo=UTC))
        found = find(self.app.store, self.app.embedder, asking, Retrieval(), depth, kinds=("episode",))
        milliseconds = since(begun)
        listed = [(self.turn_of[hit.message_id], hit) for hit in found.hits if hit.message_id is not None]
        return Answer(listed, milliseconds)


@contextmanager
def kept(conversation: Conversation, embedder: str) -> Iterator[Kept]:
    """Keep a conversation in a temporary home."""
    with TemporaryDirectory(prefix="hermes-recall-") as temporary:
        app = _app(Path(temporary), embedder)
        begun = perf_counter()
        turn_of = _keep(app, conversation.sessions)
        yield Kept(app, conversation, turn_of, perf_counter() - begun)
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
    for outcome in run_due(app.store, every_handler(app), slice_seconds=3_600):
        if outcome.reason is not None:
            raise RuntimeError(f"{outcome.job.kind}: {outcome.reason}")
    return turn_of


def _moment(date: str | None) -> int | None:
    return None if date is None else clock.from_datetime(datetime.fromisoformat(date).replace(tzinfo=UTC))
