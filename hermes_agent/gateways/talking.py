"""One turn of a chat, driven in a thread: what happens becomes one reply; questions wait for the owner."""

import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from hermes_agent.agent.events import ApprovalAsked, Compacted, Event, Finished, Redacted, Response, Warned
from hermes_agent.agent.stoppable import Stop, stoppable
from hermes_agent.agent.turn import Happening
from hermes_agent.gateways.gateway import Question
from hermes_agent.ids import new_uid

STOPPED = "(Stopped.)"
_ASK_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Asking:
    """How the owner is asked, and for how long an answer is waited for; None: nobody is asked."""

    ask: Callable[[Question], None] | None
    seconds: float


class Talk:
    """A turn that is under way; other threads stop it and answer its questions."""

    def __init__(self, asking: Asking, *, is_owner: bool) -> None:
        self._asking = asking
        self._is_owner = is_owner
        self._changed = threading.Condition()
        self._question: Question | None = None
        self._decision: bool | None = None
        self._stop = Stop()

    @property
    def question(self) -> Question | None:
        """What waits for the owner's answer."""
        return self._question

    def stop(self) -> None:
        """Stop the answer; what had come is kept."""
        with self._changed:
            self._stop.is_wanted = True
            self._changed.notify_all()

    def decide(self, question_id: str, *, is_allowed: bool) -> bool:
        """Answer what is asked; False if nothing with this id waits for an answer."""
        with self._changed:
            if self._question is None or self._question.id != question_id or self._decision is not None:
                return False
            self._decision = is_allowed
            self._changed.notify_all()
            return True

    def run(self, turn: Happening) -> str:
        """Take the turn to its end; return what is to be sent."""
        lines: list[str] = []
        with closing(turn):
            response = self._follow(turn, lines)
        return reply_of(response, lines)

    def _follow(self, turn: Happening, lines: list[str]) -> Response:
        driven, decision = stoppable(turn, self._stop), None
        while True:
            event = driven.send(decision)
            decision = self._ask(event) if isinstance(event, ApprovalAsked) else None
            if isinstance(event, Finished):
                return event.response
            lines += _told(event, is_owner=self._is_owner)

    def _ask(self, event: ApprovalAsked) -> bool:
        """Wait for the owner's answer; silence, and a stop, is no."""
        if self._asking.ask is None:
            return False
        question = Question(new_uid()[-_ASK_LENGTH:], event.question)
        with self._changed:
            self._question, self._decision = question, None
        try:
            self._asking.ask(question)
            with self._changed:
                self._changed.wait_for(
                    lambda: self._decision is not None or self._stop.is_wanted, self._asking.seconds
                )
        finally:
            with self._changed:
                answer, self._question, self._decision = self._decision, None, None
        return bool(answer)


def reply_of(response: Response, lines: Sequence[str]) -> str:
    """Return what is sent for a turn: what the user should know first, then the answer."""
    text = response.text.strip()
    if response.ending == "interrupted":
        text = f"{text}\n\n{STOPPED}" if text else STOPPED
    return "\n\n".join([*dict.fromkeys(lines), text])


def _told(event: Event, *, is_owner: bool) -> list[str]:
    """Return what the user should know of an event; how this machine is, is only for its owner."""
    if isinstance(event, Redacted):
        return [f"⚠ I did not keep what looked like a secret: {', '.join(event.kinds)}."]
    if isinstance(event, Warned) and is_owner:
        return [f"⚠ {event.text}"]
    if isinstance(event, Compacted) and event.problem is not None and is_owner:
        return [f"⚠ {event.problem}"]
    return []
