"""A chat while it goes on: the conversation, who talks, where it is shown, and how one turn is taken.

The slash commands work on this. What is allowed once "always" is allowed for the same question in this
conversation only.
"""

from contextlib import closing
from dataclasses import dataclass, field

from hermes_agent import clock
from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.agent.events import ApprovalAsked, Finished
from hermes_agent.agent.turn import Happening
from hermes_agent.app import App
from hermes_agent.cli.asking import Keyboard
from hermes_agent.cli.chat_screen import Screen
from hermes_agent.cli.chat_signals import Signals
from hermes_agent.cli.event_lines import visible
from hermes_agent.cli.output import folded
from hermes_agent.cli.reviewing import Reviews
from hermes_agent.records.talk import Usage

ALLOW = "[y]es / [n]o / [a]lways for this command in this conversation:"
NOBODY = "Nobody is there to be asked, so the answer is no:"


@dataclass
class Chat:
    """Everything a chat holds until it ends."""

    app: App
    conversation: Conversation
    screen: Screen
    keyboard: Keyboard
    signals: Signals
    usage: Usage = field(default_factory=Usage)
    """What this run cost; the session's own sum is in the archive."""
    exit_code: int = 0
    is_over: bool = False
    """Whether the chat was left, or its one answer interrupted."""

    def __post_init__(self) -> None:
        self.reviews = Reviews(self.app)
        self._allowed: set[str] = set()
        self._left: list[App] = []

    @property
    def opening(self) -> Opening:
        """How the conversation began."""
        return self.conversation.opening

    def answer(self, said: str) -> None:
        """Take one turn and show it as it happens; Ctrl-C stops it and keeps what was said."""
        began = clock.now()
        self.screen.begin()
        with self.keyboard.quiet(), self.signals.in_turn(), closing(self.conversation.say(said)) as turn:
            is_interrupted = self._follow(turn)
        if is_interrupted and (not self.keyboard.is_person or self.signals.ended_by is not None):
            raise KeyboardInterrupt
        # A program that asks one thing does not wait for a review: it stays in the queue for `hermes jobs run`.
        if self.keyboard.is_person:
            self.reviews.begin(since=began)

    def leave(self) -> None:
        """End the chat after this."""
        self.is_over = True

    def use(self, app: App) -> None:
        """Go on with another model; the conversation and its prompt stay as they are."""
        self.conversation.desk = app.desk
        self._left.append(self.app)
        self.app = self.reviews.app = app

    def start_over(self, reason: str) -> None:
        """End the conversation; the next message begins another."""
        self.conversation.end(reason)
        self._allowed.clear()

    def resume(self, name: str) -> int:
        """Leave this conversation for another one; return how many messages its window has."""
        left = self.conversation.session_id
        count = self.conversation.resume(name)
        if left != self.conversation.session_id:
            self._allowed.clear()
            if left is not None:
                self.app.memory.end(left, "agent_close")
        return count

    def close(self) -> None:
        """Let go of everything that was opened for this chat."""
        for app in (*self._left, self.app):
            app.close()

    def _follow(self, turn: Happening) -> bool:
        """Show every event and send back what is decided; tell whether the turn was interrupted."""
        decision: bool | None = None
        is_stopped = False
        while True:
            try:
                event = turn.throw(KeyboardInterrupt()) if is_stopped else turn.send(decision)
            except StopIteration:
                return is_stopped
            decision, is_stopped = None, False
            try:
                self.screen.show(event)
                if isinstance(event, ApprovalAsked):
                    decision = self._decide(event)
            except KeyboardInterrupt:
                is_stopped = True
            if isinstance(event, Finished):
                self.usage += event.response.usage
                return is_stopped or event.response.ending == "interrupted"

    def _decide(self, asked: ApprovalAsked) -> bool:
        """Ask the owner whether a tool may run; whoever is silent says no."""
        if asked.question in self._allowed:
            return True
        question = visible(asked.question)
        if not self.keyboard.is_person:
            self.screen.aside(f"{NOBODY} {question}")
            return False
        answer = self.keyboard.ask(f"{question}\n{folded(ALLOW)}").lower()
        if answer in ("a", "always"):
            self._allowed.add(asked.question)
        return answer in ("y", "yes", "a", "always")
