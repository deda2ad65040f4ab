"""The review that follows an answer in the background: begun after the turn, told of before the next prompt.

It runs in a thread of its own and never prints: what it saved stands in the journal, and the chat reads
it there. A review that is not done when the chat ends goes back into the queue.
"""

import threading
from collections.abc import Iterator

from hermes_agent.agent.nudge import REVIEW
from hermes_agent.app import App
from hermes_agent.errors import HermesError
from hermes_agent.handlers import every_handler
from hermes_agent.jobs.alive import worker_name
from hermes_agent.jobs.review import ACTOR
from hermes_agent.jobs.worker import release, run_due
from hermes_agent.records.journal import Entry
from hermes_agent.store import jobs
from hermes_agent.text.clean import preview

_SHOWN_CHARACTERS = 160
_MOST_ENTRIES = 20


class Reviews:
    """The reviews of one chat."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._worker = worker_name()
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None
        self._since: int | None = None
        self._told: set[str] = set()
        self._troubles: list[str] = []

    def begin(self, since: int) -> None:
        """Let the reviews that are due run, if there are any; `since` is when the turn began."""
        self._since = self._since or since
        if self._thread is not None and self._thread.is_alive():
            return  # it takes the next one when it is done
        with self.app.store.read() as connection:
            waiting = jobs.recent(connection, 1, state="waiting", kind=REVIEW)
        if waiting:
            self._thread = threading.Thread(target=self._run, name="review", daemon=True)
            self._thread.start()

    def news(self) -> Iterator[str]:
        """Yield a line for each note and skill that was saved since this was last asked."""
        while self._troubles:
            yield self._troubles.pop(0)
        if self._thread is None or self._since is None:
            return
        for entry in reversed(self.app.memory.log(_MOST_ENTRIES, since=self._since)):
            if ACTOR in (entry.actor, entry.cause) and entry.uid not in self._told:
                self._told.add(entry.uid)
                is_note = entry.kind == "note.changed"
                yield f"Saved for later: {entry.subject}: {_saved(entry)}" if is_note else entry.text

    def wait(self, seconds: float) -> None:
        """Give a review that is under way a moment to end; give it back if that is not enough."""
        if self._thread is None:
            return
        self._thread.join(seconds)
        if self._thread.is_alive():
            # It must not take up again what is given back.
            self._is_over.set()
            release(self.app.store, self._worker)

    def _run(self) -> None:
        try:
            handlers = {REVIEW: every_handler(self.app)[REVIEW]}
            for outcome in run_due(self.app.store, handlers, worker=self._worker, is_over=self._is_over.is_set):
                if outcome.reason is not None:
                    self._troubles.append(
                        f"The review of this conversation failed: {preview(outcome.reason, _SHOWN_CHARACTERS)}"
                    )
        except HermesError as error:
            self._troubles.append(f"The review of this conversation failed: {error.message}")


def _saved(entry: Entry) -> str:
    """Write what an entry of the journal saved, or its own sentence."""
    saved = entry.after if isinstance(entry.after, list) else []
    texts = [text for text in saved if isinstance(text, str)]
    return preview("; ".join(texts) or entry.text, _SHOWN_CHARACTERS)
