"""One turn of a chat over HTTP: taken in a thread of its own, followed by whoever may, stopped when it must be.

What happened is kept for a while, unless something is forgotten, so that a second request for the same turn, or a
page that is loaded again, is told everything from the beginning. The turn itself knows nothing of this: it is
driven as the chat at a terminal drives it, and stopped as there (`agent/stoppable.py`).
"""

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from http import HTTPStatus

from hermes_agent import clock
from hermes_agent.agent import wire
from hermes_agent.agent.events import ApprovalAsked
from hermes_agent.agent.stoppable import Stop, stoppable
from hermes_agent.agent.turn import Happening
from hermes_agent.errors import HermesError
from hermes_agent.ids import new_uid
from hermes_agent.jobs.worker import LOG, described
from hermes_agent.records.archive import Json
from hermes_agent.web.problems import NotNow, status_of

_BUG = "Something went wrong here; the log tells where."


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that happened, as it is sent."""

    number: int
    name: str
    data: Mapping[str, Json]

    @property
    def sse(self) -> str:
        """The event as a stream carries it; JSON holds no line break, so one `data` line is enough."""
        data = json.dumps(self.data, ensure_ascii=True)
        return f"id: {self.number}\nevent: {self.name}\ndata: {data}\n\n"

    @property
    def silent(self) -> "Told":
        """The event without its words."""
        return Told(self.number, self.name, wire.silent(self.name, self.data))


@dataclass(frozen=True, slots=True)
class Question:
    """What the owner is asked before a tool runs."""

    id: str
    text: str


class Turn:
    """A turn that is under way, or was; `told` grows, `is_over` becomes true once everything is on the disk."""

    def __init__(
        self, token_id: int, session_id: str, message: str, approval_seconds: float, receipt: int = 0
    ) -> None:
        self.id = new_uid()
        self.token_id = token_id
        self.session_id = session_id
        self.message = message
        self.receipt = receipt
        """The last receipt of a forgetting when it began."""
        self._heeded = receipt
        self.ended_at: float | None = None
        self.told: list[Told] = []
        self.followers = 0
        self.is_left = False
        """Whether it goes on without anybody who follows it: a page that works without the script began it."""
        self._approval_seconds = approval_seconds
        self._changed = threading.Condition()
        self._wakers: set[Callable[[], None]] = set()
        self._asked: Question | None = None
        self._decision: bool | None = None
        self._stop = Stop()
        self._tell("begun", {"turn": self.id, "session_id": session_id})

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.ended_at is not None

    @property
    def asked(self) -> Question | None:
        """What waits for the owner's answer."""
        return self._asked

    def start(self, turn: Happening, at_end: Callable[[], None]) -> None:
        """Take the turn in a thread; `at_end` is called when it is over."""
        threading.Thread(target=self._run, args=(turn, at_end), name="chat", daemon=True).start()

    def stop(self) -> None:
        """Stop the answer; what had come is kept, and a command that runs is ended."""
        with self._changed:
            self._stop.is_wanted = True
            self._changed.notify_all()

    def decide(self, question_id: str, is_allowed: bool) -> None:
        """Answer what is asked; refuse an answer to something else."""
        with self._changed:
            if self._asked is None or self._asked.id != question_id or self._decision is not None:
                raise NotNow(
                    "Nothing with this id waits for an answer: it was answered, or its time was over.",
                    hint="What nobody answered in time counts as no.",
                )
            self._decision = is_allowed
            self._changed.notify_all()

    def wait(self, timeout_seconds: float, *, for_question: bool = False) -> None:
        """Wait until it is over, or until something is asked, for a time at most."""
        with self._changed:
            self._changed.wait_for(
                lambda: self.is_over or (for_question and self._asked is not None), timeout_seconds
            )

    def listen(self, waker: Callable[[], None]) -> None:
        """Call something whenever more was told; from any thread."""
        with self._changed:
            self._wakers.add(waker)
            self.followers += 1

    def leave(self, waker: Callable[[], None]) -> None:
        """Follow no longer; a turn that nobody follows any more is stopped, unless it was to go on alone."""
        with self._changed:
            self._wakers.discard(waker)
            self.followers -= 1
            is_alone = self.followers == 0 and not self.is_left
        if is_alone:
            self.stop()

    def fall_silent(self, receipt: int) -> None:
        """Keep no words of what was told up to a forgetting, but for a question that waits for its answer."""
        with self._changed:
            if receipt != self._heeded:
                self._heeded = receipt
                self.told = [one if self._is_waiting(one) else one.silent for one in self.told]

    def _is_waiting(self, told: Told) -> bool:
        return told.name == "approval" and self._asked is not None and told.data["id"] == self._asked.id

    def _run(self, turn: Happening, at_end: Callable[[], None]) -> None:
        try:
            with closing(turn):
                self._follow(turn)
        except HermesError as error:
            self._fail(error.message, error.hint, int(status_of(error)))
        except Exception as error:  # the boundary of a door: the client is told, the log says where
            LOG.error("A chat failed: %s", described(error))
            self._fail(_BUG, None, int(HTTPStatus.INTERNAL_SERVER_ERROR))
        finally:
            # Whatever happened above, nobody must wait for it any more.
            try:
                at_end()
            finally:
                self._end()

    def _end(self) -> None:
        with self._changed:
            self.ended_at = clock.monotonic()
            self._asked = None
            self._changed.notify_all()
            wakers = list(self._wakers)
        for waker in wakers:
            waker()

    def _follow(self, turn: Happening) -> None:
        """Drive the turn to its end, and send back what is decided."""
        driven, decision = stoppable(turn, self._stop, self.session_id), None
        with suppress(StopIteration):
            while True:
                event = driven.send(decision)
                decision = self._ask(event) if isinstance(event, ApprovalAsked) else None
                if decision is None:
                    self._tell(*wire.written(event))

    def _ask(self, event: ApprovalAsked) -> bool:
        """Wait for the owner's answer; silence, and a stop, is no."""
        question = Question(new_uid(), event.question)
        name, data = wire.written(event)
        with self._changed:
            self._asked, self._decision = question, None
        self._tell(name, {"id": question.id, "seconds": self._approval_seconds, **data})
        with self._changed:
            self._changed.wait_for(
                lambda: self._decision is not None or self._stop.is_wanted, self._approval_seconds
            )
            answer, self._asked, self._decision = self._decision, None, None
        self._tell("decided", {"id": question.id, "is_allowed": bool(answer), "is_answered": answer is not None})
        return bool(answer)

    def _fail(self, message: str, hint: str | None, status: int) -> None:
        self._tell("failed", {"detail": message, "hint": hint, "status": status})

    def _tell(self, name: str, data: Mapping[str, Json]) -> None:
        with self._changed:
            self.told.append(Told(len(self.told) + 1, name, data))
            self._changed.notify_all()
            wakers = list(self._wakers)
        for waker in wakers:
            waker()
