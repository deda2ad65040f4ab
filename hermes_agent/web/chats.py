"""The chats of one server: which turns are under way, and which conversations they belong to.

One turn at a time in a session, several sessions at once. A message that comes again with the same key is the
same turn. What was told in a turn is known for ten minutes after its end, and no longer than until something is
forgotten. Conversations are held between their turns for what only they know: the list of things to do, and an
incognito one as a whole. File tools get the home's workspace, never the folder the daemon happens to be in;
`tools.folders` opens others.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass

from hermes_agent import clock
from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.settings import WEB_APPROVAL_SECONDS
from hermes_agent.errors import NotFound, UsageError
from hermes_agent.memory import meanwhile
from hermes_agent.records.tokens import Token
from hermes_agent.web.problems import Forbidden, NotNow, TooMany
from hermes_agent.web.turns import Turn

MOST_MESSAGE = 1_000_000
_SOURCE = "web"
_MOST_AT_ONCE = 32
_MOST_HELD = 200
_KEPT_SECONDS = 600.0
_RETRY_SECONDS = 5
_ENDING_SECONDS = 5.0
"""How long an end waits for the answer: its last words are told a moment before it is over."""


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody says: in which session (None: a new one), and the key that makes it one turn however often."""

    text: str
    session: str | None = None
    key: str | None = None
    is_incognito: bool = False


class Chats:
    """What is being talked about."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._saying = threading.Lock()
        """Held while a message is taken in; it may wait for the store."""
        self._lock = threading.Lock()
        """Held while what is known here is looked at; never while anything is waited for."""
        self._turns: OrderedDict[str, Turn] = OrderedDict()
        self._by_key: dict[tuple[int, str], tuple[Message, Turn]] = {}
        self._busy: set[str] = set()
        self._held: OrderedDict[tuple[int, str], Conversation] = OrderedDict()
        self._is_closed = False

    def say(self, message: Message, token: Token, *, is_left: bool = False) -> Turn:
        """Begin a turn, or return the one that this message began already. The message is on the disk then.

        `is_left` lets it go on when nobody follows it.
        """
        # Messages come one after the other; who only looks for a turn does not wait for the store.
        with self._saying:
            known = self._known(message, token)
            if known is not None:
                return known
            conversation = self._conversation(message, token)
            with self._lock:
                if conversation.session_id is not None and conversation.session_id in self._busy:
                    raise NotNow(
                        "This conversation is being answered already.",
                        hint="Wait for the end, or stop the answer.",
                    )
            heard = conversation.hear(message.text)
            session_id = conversation.session_id
            assert session_id is not None
            seconds = self._app.settings[WEB_APPROVAL_SECONDS]
            turn = Turn(token.id, session_id, message.text, seconds, heard.receipt)
            turn.is_left = is_left
            with self._lock:
                is_late = self._is_closed
                self._busy.add(session_id)
                self._turns[turn.id] = turn
                if message.key is not None:
                    self._by_key[token.id, message.key] = (message, turn)
                self._hold(token, session_id, conversation)
        if is_late:
            turn.stop()
        turn.start(conversation.answer(heard), lambda: self._end(session_id))
        return turn

    def end(self, session: str, token: Token, reason: str) -> bool:
        """End a conversation as leaving a chat does, so that it is learned from; tell whether it ended.

        What began at another door and was not gone on with here stays open: somebody may still talk there. A
        program ends only what it talked in itself.
        """
        session = self._named(session, token)
        turn = self.running(session, token)
        if turn is not None:
            turn.wait(_ENDING_SECONDS)
        with self._saying:
            with self._lock:
                if session in self._busy:
                    raise NotNow(
                        "This conversation is being answered.", hint="Wait for the end, or stop the answer."
                    )
                held = self._held.get((token.id, session))
            if held is not None:
                held.end(reason)
                with self._lock:
                    del self._held[token.id, session]
                return True
            found = self._app.memory.session(session)
            if found.source != _SOURCE or not token.is_owners:
                return False
            self._app.memory.end(found.id, reason)
            return True

    def _named(self, typed: str, token: Token) -> str:
        """Return the id of a conversation that may be named otherwise; one that is not kept has no other name."""
        with self._lock:
            if typed in self._busy or (token.id, typed) in self._held:
                return typed
        return self._app.memory.session(typed).id

    def _known(self, message: Message, token: Token) -> Turn | None:
        """Return the turn that this message began already; refuse one more than can be taken."""
        self._let_go()
        with self._lock:
            known = None if message.key is None else self._by_key.get((token.id, message.key))
            if known is None:
                self._refuse_too_many()
                return None
            if known[0] != message:
                raise UsageError("This key came with another message before.", hint="Use a new key.")
            return known[1]

    def find(self, turn_id: str, token: Token) -> Turn:
        """Return a turn that this token began; another's is not there."""
        self._let_go()
        with self._lock:
            turn = self._turns.get(turn_id)
        if turn is None or turn.token_id != token.id:
            raise NotFound("There is no such turn of yours, or it ended a while ago.")
        return turn

    def decide(self, turn_id: str, token: Token, question_id: str, *, is_allowed: bool) -> Turn:
        """Answer what a turn asks. A yes lets tools work on this machine: it needs admin."""
        turn = self.find(turn_id, token)
        if is_allowed and not token.allows("admin"):
            raise Forbidden(
                f"The token {token.name!r} may only {token.scope}; a yes to a tool needs admin.",
                hint="Say no, or talk with a token of scope admin.",
            )
        turn.decide(question_id, is_allowed)
        return turn

    def running(self, session_id: str, token: Token) -> Turn | None:
        """Return the turn of a session that this token began and that is under way."""
        self._let_go()
        with self._lock:
            found = [turn for turn in self._turns.values() if turn.session_id == session_id and not turn.is_over]
        return next((turn for turn in found if turn.token_id == token.id), None)

    def latest(self, session_id: str, token: Token) -> Turn | None:
        """Return the last turn of a session that this token began and that is still known."""
        self._let_go()
        with self._lock:
            found = [turn for turn in self._turns.values() if turn.session_id == session_id]
        return next((turn for turn in reversed(found) if turn.token_id == token.id), None)

    def stop(self) -> None:
        """Begin no more, and stop what is under way; return at once."""
        with self._lock:
            self._is_closed = True
            running = self._under_way()
        for turn in running:
            turn.stop()

    def close(self, timeout_seconds: float) -> None:
        """Stop what is under way, and wait until it is kept."""
        self.stop()
        deadline = clock.monotonic() + timeout_seconds
        with self._lock:
            running = self._under_way()
        for turn in running:
            turn.wait(max(deadline - clock.monotonic(), 0))

    def _under_way(self) -> list[Turn]:
        return [turn for turn in self._turns.values() if not turn.is_over]

    def _conversation(self, message: Message, token: Token) -> Conversation:
        if message.session is not None:
            held = self._held.get((token.id, message.session))
            if held is not None and held.opening.is_incognito:
                return held
            found = self._app.memory.session(message.session)
            if message.is_incognito:
                raise UsageError("An incognito conversation cannot go on with a kept one.")
            held = self._held.get((token.id, found.id))
            # The archive says where a session goes on: it may have been taken up elsewhere since.
            if held is not None and self._app.memory.resume(found.id).session.id == held.session_id:
                return held
        paths.ensure(self._app.home)
        conversation = Conversation(
            self._app.desk, Opening(_SOURCE, self._app.home.workspace, is_incognito=message.is_incognito)
        )
        if message.session is not None:
            conversation.resume(message.session)
        return conversation

    def _hold(self, token: Token, session_id: str, conversation: Conversation) -> None:
        self._held[token.id, session_id] = conversation
        self._held.move_to_end((token.id, session_id))
        while len(self._held) > _MOST_HELD:
            self._held.popitem(last=False)

    def _refuse_too_many(self) -> None:
        if self._is_closed or len(self._busy) >= _MOST_AT_ONCE:
            why = "The server is about to end." if self._is_closed else f"{_MOST_AT_ONCE} chats are under way."
            raise TooMany(why, _RETRY_SECONDS)

    def _end(self, session_id: str) -> None:
        with self._lock:
            self._busy.discard(session_id)

    def _let_go(self) -> None:
        """Drop turns that ended a while ago, or before something was forgotten; one under way loses its words."""
        before = clock.monotonic() - _KEPT_SECONDS
        receipt = meanwhile.standing(self._app.store).receipt
        with self._lock:
            over = [turn for turn in self._turns.values() if turn.ended_at is not None]
            gone = {turn.id for turn in over if (turn.ended_at or 0) < before or turn.receipt < receipt}
            for turn_id in gone:
                del self._turns[turn_id]
            self._by_key = {key: held for key, held in self._by_key.items() if held[1].id not in gone}
            running = self._under_way()
        for turn in running:
            turn.fall_silent(receipt)
