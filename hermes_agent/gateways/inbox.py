"""What comes in: who may talk is decided, everything is kept in one transaction, and what cannot wait is done.

A yes or no, and /stop, are for the turn that is under way: they do not stand in line behind it. They are kept all
the same, as done, so that the same update again does nothing.
"""

import threading
from collections.abc import Callable, Sequence

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.errors import HermesError
from hermes_agent.gateways import intake
from hermes_agent.gateways.access import Access
from hermes_agent.gateways.gateway import Decided, Incoming, Place, Said
from hermes_agent.gateways.handling import Handling
from hermes_agent.gateways.keys import session_key
from hermes_agent.gateways.line import Ended, Line
from hermes_agent.jobs.worker import LOG
from hermes_agent.records.arrivals import Chat
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import arrivals, chats, journal
from hermes_agent.store.engine import Connection

REFUSAL = "Sorry, I only talk with people my owner has let in."
_REFUSAL_MICROSECONDS = 86_400 * clock.MICROSECONDS
"""How long somebody who is not let in is not told so again."""


class Inbox:
    """The way in of one gateway."""

    def __init__(self, app: App, platform: str, access: Access, handling: Handling, line: Line) -> None:
        self._app = app
        self._platform = platform
        self._access = access
        self._handling = handling
        self._line = line

    def keep(self, batch: Sequence[Incoming]) -> dict[str, str]:
        """Keep what came together; return what is to be handled, by its key, with its chat. It is on the disk."""
        at_once: list[Callable[[], None]] = []
        woken: dict[str, str] = {}
        with self._app.store.write() as connection:
            for incoming in batch:
                chat_key = self._key(incoming)
                if self._access.standing(incoming.person) == "stranger":
                    at_once += self._refuse(connection, chat_key, incoming)
                elif self._keep(connection, chat_key, incoming, at_once):
                    woken[incoming.key] = chat_key
        for act in at_once:
            act()
        return woken

    def _key(self, incoming: Incoming) -> str:
        profile, sharing = self._app.home.profile, self._handling.sharing
        return session_key(profile, self._platform, incoming.place, incoming.person, sharing)

    def _keep(
        self, connection: Connection, chat_key: str, incoming: Incoming, at_once: list[Callable[[], None]]
    ) -> bool:
        """Keep one update; tell whether it is to be handled. What cannot wait is added to `at_once`."""
        self._keep_chat(connection, chat_key, incoming)
        act = self._at_once(chat_key, incoming)
        if act is not None:
            done = intake.arrival_of(self._platform, chat_key, incoming, "done")
            if arrivals.keep(connection, [done]):
                at_once.append(act)
            return False
        if isinstance(incoming, Said) and incoming.is_edit:
            return self._keep_edit(connection, chat_key, incoming)
        return bool(arrivals.keep(connection, [intake.arrival_of(self._platform, chat_key, incoming)]))

    def _keep_edit(self, connection: Connection, chat_key: str, edit: Said) -> bool:
        """Let an edit replace what was not begun; a later one is a message that says it was edited."""
        before = arrivals.of_message(connection, chat_key, edit.message_id)
        if before is None or before.state != "waiting":
            return bool(arrivals.keep(connection, [intake.arrival_of(self._platform, chat_key, edit)]))
        if arrivals.keep(connection, [intake.arrival_of(self._platform, chat_key, edit, "done")]):
            words = intake.Words(edit.text, edit.person, edit.place, attachments=edit.attachments)
            arrivals.set_payload(connection, before.id, intake.written(words))
        return True

    def _keep_chat(self, connection: Connection, chat_key: str, incoming: Incoming) -> bool:
        place = intake.written_place(incoming.place)
        now = clock.now()
        chat = Chat(chat_key, self._platform, incoming.person.id, None, None, place, now, None)
        if chats.keep(connection, chat):
            return True
        chats.put_place(connection, chat_key, place)
        return False

    def _at_once(self, chat_key: str, incoming: Incoming) -> Callable[[], None] | None:
        """Return what an update does to the turn that is under way; None if it is to be handled in its turn."""
        talk = self._handling.talk_in(chat_key)
        if isinstance(incoming, Decided):
            is_owner = self._access.standing(incoming.person) == "owner"
            if talk is None or not is_owner:
                return lambda: None
            question_id, is_allowed = incoming.question_id, incoming.is_allowed
            return lambda: _ignored(talk.decide(question_id, is_allowed=is_allowed))
        if talk is None:
            return None
        if intake.command(incoming.text) == ("stop", ""):
            return talk.stop
        question, answer = talk.question, intake.decision(incoming.text)
        if question is None or answer is None or self._access.standing(incoming.person) != "owner":
            return None
        return lambda: _ignored(talk.decide(question.id, is_allowed=answer))

    def _refuse(self, connection: Connection, chat_key: str, incoming: Incoming) -> list[Callable[[], None]]:
        """Keep nothing of what a stranger says; journal them once, and tell them once a day."""
        if not arrivals.keep(connection, [intake.arrival_of(self._platform, chat_key, incoming, "done")]):
            return []
        now = clock.now()
        if self._keep_chat(connection, chat_key, incoming):
            text = f"Somebody who is not let in wrote over {self._platform}: id {incoming.person.id}."
            journal.write(connection, NewEntry("gateway.refused", self._platform, text, actor="gateway"))
        chat = chats.get(connection, chat_key)
        if chat is None or (chat.told_at is not None and now - chat.told_at < _REFUSAL_MICROSECONDS):
            return []
        chats.note_told(connection, chat_key, now)
        place = incoming.place
        return [lambda: self._tell(place)]

    def _tell(self, place: Place) -> None:
        """Tell a stranger, in a thread of its own: nobody waits for it."""

        def send() -> None:
            try:
                self._line.send(place, lambda: REFUSAL)
            except (HermesError, Ended) as error:
                LOG.info("A stranger on %s was not told: %s", self._platform, error)

        threading.Thread(target=send, daemon=True).start()


def _ignored(_: bool) -> None:
    """Do nothing with whether it was in time."""
