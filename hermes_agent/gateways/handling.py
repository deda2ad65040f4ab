"""One arrival from its beginning to its end: whose memory, which session, the turn, the reply, the sending.

Each step is on the disk before the next one is taken, so that whoever comes after a kill finds where it was: what
waits is begun; what was begun is looked up in the archive by its uid (`agent/taking_up.py`); what was answered
only has to be sent. A part of a reply is marked as sent when the platform has it: killed in between, that one
part is sent again.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from hermes_agent import clock
from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.agent.taking_up import Answered, Gone, InDoubt, Open, Unheard, break_off, reached
from hermes_agent.agent.turn import Heard
from hermes_agent.app import App
from hermes_agent.config import gateway_settings as names
from hermes_agent.errors import GatewayRefused, HermesError, Transient
from hermes_agent.gateways import attachments, commands, intake, keys, splitting
from hermes_agent.gateways.access import Access, profile_of
from hermes_agent.gateways.attachments import Saved, Unsaved
from hermes_agent.gateways.gateway import Awaited, Place, Platform
from hermes_agent.gateways.guests import Guests, Room, look_after
from hermes_agent.gateways.intake import Words
from hermes_agent.gateways.keys import Sharing
from hermes_agent.gateways.line import Ended, Line, Withdrawn
from hermes_agent.gateways.resetting import Resetting, is_due
from hermes_agent.gateways.talking import Asking, Talk
from hermes_agent.ids import new_session_id
from hermes_agent.jobs.worker import LOG, described
from hermes_agent.records.arrivals import Arrival, Chat
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import arrivals, chats, journal

BUG = "Something went wrong here; the owner's log tells where."
NOT_NOW = "I cannot answer this now; the owner can see why."
NO_WORDS = "I can read text and files; this was neither."
COMMAND_IN_DOUBT = "I was interrupted; /{name} may or may not have been done."
_MB = 1_000_000
_MOST_HELD = 500
_TRIES = 5
_FIRST_WAIT_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class _Who:
    """In whose memory an arrival is handled."""

    profile: str
    whose: str
    is_owner: bool
    is_shared: bool


class Handling:
    """What the threads of a gateway do; several chats at once, one arrival at a time in each."""

    def __init__(self, app: App, platform: Platform, access: Access, line: Line) -> None:
        settings = app.settings
        self._app = app
        self._platform = platform
        self._access = access
        self._line = line
        self._guests = Guests(app)
        self.sharing = Sharing(
            settings[names.GATEWAYS_GROUP_SESSIONS_PER_USER], settings[names.GATEWAYS_THREAD_SESSIONS_PER_USER]
        )
        self._resetting = Resetting(
            settings[names.GATEWAYS_RESET_POLICY],
            settings[names.GATEWAYS_IDLE_MINUTES],
            settings[names.GATEWAYS_DAILY_HOUR],
        )
        self._lock = threading.Lock()
        self._talks: dict[str, Talk] = {}
        self._held: dict[str, Conversation] = {}

    def talk_in(self, chat_key: str) -> Talk | None:
        """Return the turn that is under way in a chat."""
        return self._talks.get(chat_key)

    def stop_talks(self) -> None:
        """Stop every turn that is under way; what had come is kept."""
        for talk in list(self._talks.values()):
            talk.stop()

    def close(self) -> None:
        """Let go of the memories of guests."""
        self._guests.close()

    def handle_next(self, chat_key: str) -> bool:
        """Handle what a chat has next; False if it has nothing."""
        with self._app.store.read() as connection:
            arrival = arrivals.next_of(connection, chat_key)
            chat = chats.get(connection, chat_key)
        if arrival is None:
            return False
        if chat is None:
            # What told of the chat was forgotten, and with it where answers go.
            with self._app.store.write() as connection:
                arrivals.finish(connection, arrival.id)
            return True
        if arrival.state == "answered":
            self._send(arrival, intake.place_of(chat.place))
            return True
        if arrival.state == "waiting":
            with self._app.store.write() as connection:
                if not arrivals.begin(connection, arrival.id):
                    return True
        who = self._who(arrival, chat)
        # Somebody may have been taken off the list since it came.
        reply = None if who is None else self._tried(arrival, chat, who)
        with self._app.store.write() as connection:
            if reply is None:
                arrivals.finish(connection, arrival.id)
            else:
                arrivals.answer(connection, arrival.id, reply)
        if reply is not None:
            self._send(replace(arrival, reply=reply), intake.place_of(chat.place))
        return True

    def answer_to(self, update_key: str) -> str | Awaited | None:
        """Return the answer to an update, as it is kept now: what was forgotten since is not in it."""
        with self._app.store.read() as connection:
            arrival = arrivals.of_update(connection, self._platform.name, update_key)
            chat = None if arrival is None else chats.get(connection, arrival.chat_key)
        if arrival is None or chat is None:
            return None
        if arrival.state != "done":
            return Awaited() if arrival.reply is None else arrival.reply
        if chat.profile is None:
            return None
        room = self._guests.enter(chat.profile, self._whose(chat))
        try:
            found = reached(room.app.memory, arrival.uid)
        finally:
            self._guests.leave(chat.profile)
        return found.text if isinstance(found, Answered) else None

    def look_after(self, chat_key: str) -> None:
        """Do what follows for a guest whose chat has nothing more to handle."""
        with self._app.store.read() as connection:
            chat = chats.get(connection, chat_key)
        if chat is None or chat.profile in (None, self._app.home.profile):
            return
        room = self._guests.enter(chat.profile or "", self._whose(chat))
        try:
            look_after(room.app)
        except HermesError as error:
            LOG.warning("The jobs of %s were not done: %s", chat.profile, error.message)
        finally:
            self._guests.leave(chat.profile or "")

    def _tried(self, arrival: Arrival, chat: Chat, who: _Who) -> str | None:
        """Answer; what time can mend is tried again as long as nothing was begun, all else is told in a line."""
        wait_seconds = _FIRST_WAIT_SECONDS
        for attempt in range(1, _TRIES + 1):
            try:
                return self._in_room(arrival, chat, who)
            except Transient as error:
                if attempt < _TRIES and not self._is_heard(arrival, who):
                    self._line.pause(wait_seconds)
                    wait_seconds *= 2
                    continue
                return self._line_of(error, who)
            except HermesError as error:
                return self._line_of(error, who)
            except Ended:
                raise
            except Exception as error:  # the boundary of a message: who wrote it is told, the log says where
                LOG.error("A message of %s failed: %s", self._platform.name, described(error))
                return BUG
        raise AssertionError("the last try returns")

    def _line_of(self, error: HermesError, who: _Who) -> str:
        """Say what went wrong; to the owner in full, to others without what it tells of this machine."""
        if who.is_owner:
            return f"⚠ {error.message}{f' {error.hint}' if error.hint else ''}"
        LOG.warning("A guest of %s was not answered: %s", self._platform.name, error.message)
        return NOT_NOW

    def _is_heard(self, arrival: Arrival, who: _Who) -> bool:
        try:
            room = self._guests.enter(who.profile, who.whose)
        except HermesError:
            return False
        try:
            return not isinstance(reached(room.app.memory, arrival.uid), Unheard)
        except HermesError:
            return False
        finally:
            self._guests.leave(who.profile)

    def _in_room(self, arrival: Arrival, chat: Chat, who: _Who) -> str | None:
        room = self._guests.enter(who.profile, who.whose)
        try:
            found = reached(room.app.memory, arrival.uid)
            match found:
                case Unheard():
                    return None if not arrival.payload else self._new(arrival, chat, who, room)
                case Gone():
                    return None
                case Answered(text):
                    return text
                case InDoubt():
                    return break_off(room.app.memory, found, room.app.model.name)
                case Open(session_id, heard):
                    conversation = Conversation(room.desk, self._opening(room, chat))
                    conversation.resume(session_id)
                    return self._talk(chat, who, conversation, heard)
        finally:
            self._guests.leave(who.profile)

    def _new(self, arrival: Arrival, chat: Chat, who: _Who, room: Room) -> str | None:
        words = intake.read(arrival.payload)
        command = intake.command(words.text)
        if command is not None:
            if arrival.state == "begun" and command[0] == "undo":
                return COMMAND_IN_DOUBT.format(name=command[0])
            context = commands.Context(room, chat.session_id, lambda: self._start_over(chat, room))
            return commands.run(*command, context)
        text = attachments.told(words.heard, self._files(arrival, words, room))
        if not text.strip():
            return NO_WORDS
        if who.is_shared and words.person.name:
            text = f"{words.person.name}: {text}"
        conversation = self._conversation(arrival, chat, who, room)
        heard = conversation.hear(text, arrival.uid)
        with self._app.store.write() as connection:
            # The archive has the words now; here they would outlive a forgetting.
            arrivals.drop_payload(connection, arrival.id)
            chats.note_heard(connection, chat.chat_key, arrival.arrived_at)
            chats.put_session(connection, chat.chat_key, who.profile, conversation.session_id)
        return self._talk(chat, who, conversation, heard)

    def _talk(self, chat: Chat, who: _Who, conversation: Conversation, heard: Heard) -> str:
        place = intake.place_of(chat.place)
        ask = (lambda question: self._line.ask(place, question)) if who.is_owner else None
        asking = Asking(ask, self._app.settings[names.GATEWAYS_APPROVAL_SECONDS])
        talk = Talk(asking, is_owner=who.is_owner)
        self._talks[chat.chat_key] = talk
        try:
            with self._line.typing(place):
                return talk.run(conversation.answer(heard))
        finally:
            del self._talks[chat.chat_key]

    def _conversation(self, arrival: Arrival, chat: Chat, who: _Who, room: Room) -> Conversation:
        """Return the conversation that goes on in a chat, or begin another."""
        memory, session_id = room.app.memory, chat.session_id
        is_there = session_id is not None and chat.profile == who.profile and memory.has_session(session_id)
        if session_id is not None and is_there:
            if not is_due(self._resetting, chat.heard_at, arrival.arrived_at, room.app.zone):
                return self._resumed(chat, room, session_id)
            memory.end(session_id, "gateway_reset")
        with self._app.store.write() as connection:
            fresh = new_session_id(clock.now())
            # Before it begins: killed in between, the chat has no session, and not one that nobody knows.
            chats.put_session(connection, chat.chat_key, who.profile, fresh)
        return self._hold(chat, Conversation(room.desk, replace(self._opening(room, chat), session_id=fresh)))

    def _resumed(self, chat: Chat, room: Room, session_id: str) -> Conversation:
        held = self._held.get(chat.chat_key)
        if held is not None and held.session_id == session_id and held.desk is room.desk:
            return held
        conversation = Conversation(room.desk, self._opening(room, chat))
        conversation.resume(session_id)
        return self._hold(chat, conversation)

    def _hold(self, chat: Chat, conversation: Conversation) -> Conversation:
        with self._lock:
            self._held.pop(chat.chat_key, None)
            self._held[chat.chat_key] = conversation
            while len(self._held) > _MOST_HELD:
                self._held.pop(next(iter(self._held)))
        return conversation

    def _opening(self, room: Room, chat: Chat) -> Opening:
        return Opening(self._platform.name, room.app.home.workspace, user_id=chat.user_id)

    def _start_over(self, chat: Chat, room: Room) -> None:
        if chat.session_id is not None and room.app.memory.has_session(chat.session_id):
            room.app.memory.end(chat.session_id, "gateway_reset")
        with self._app.store.write() as connection:
            chats.put_session(connection, chat.chat_key, chat.profile, None)

    def _files(self, arrival: Arrival, words: Words, room: Room) -> Sequence[Saved | Unsaved]:
        room.app.refuse_lost()
        most = self._app.settings[names.GATEWAYS_MOST_ATTACHMENT_MB] * _MB
        found: list[Saved | Unsaved] = []
        for number, one in enumerate(words.attachments, 1):
            try:
                if one.size is not None and one.size > most:
                    raise GatewayRefused(f"It is larger than {most:,} bytes.")
                data = self._line.fetch(one, most)
                found.append(
                    attachments.save(room.app.home, attachments.safe_name(one.name, arrival.uid, number), data)
                )
            except GatewayRefused as error:
                found.append(Unsaved(one.name, error.message))
        return found

    def _send(self, arrival: Arrival, place: Place) -> None:
        """Send what is left of a reply; each part is marked when the platform has it."""
        place = replace(place, message_id=arrival.message_key)
        number, unsent = arrival.parts_sent, None
        try:
            while self._part(arrival, number) is not None:
                self._line.send(place, partial(self._wanted, arrival, number))
                number += 1
                with self._app.store.write() as connection:
                    arrivals.note_sent(connection, arrival.id, number)
        except GatewayRefused as error:
            unsent = error.message
        except Withdrawn:
            LOG.info("An answer was forgotten before it could be sent.")
        with self._app.store.write() as connection:
            arrivals.finish(connection, arrival.id)
            if unsent is not None:
                journal.write(connection, self._unsent(unsent))

    def _wanted(self, arrival: Arrival, number: int) -> str:
        part = self._part(arrival, number)
        if part is None:
            raise Withdrawn
        return part

    def _part(self, arrival: Arrival, number: int) -> str | None:
        """Read a part of a reply as it is kept now."""
        with self._app.store.read() as connection:
            reply = arrivals.reply_to(connection, arrival.id) or ""
        parts = splitting.split(reply, self._platform.limit_characters)
        shown = [part.shown for part in parts if part.shown.strip()]
        return shown[number] if number < len(shown) else None

    def _unsent(self, reason: str) -> NewEntry:
        """Tell the owner that somebody waits for an answer in vain; the answer itself is in the archive."""
        name = self._platform.name
        LOG.warning("An answer could not be sent over %s: %s", name, reason)
        text = f"An answer could not be sent over {self._platform.title}."
        return NewEntry("gateway.unsent", name, text, actor="gateway", cause=reason)

    def _who(self, arrival: Arrival, chat: Chat) -> _Who | None:
        words = None if not arrival.payload else intake.read(arrival.payload)
        place = intake.place_of(chat.place)
        is_shared = keys.is_shared(place, self.sharing)
        if words is None:
            # It was heard before the kill: whose memory it is in was decided then.
            is_owner = chat.profile == self._app.home.profile and not is_shared
            return None if chat.profile is None else _Who(chat.profile, self._whose(chat), is_owner, is_shared)
        standing = self._access.standing(words.person)
        if standing == "stranger":
            return None
        profile = profile_of(
            standing, self._app.home.profile, self._platform.name, place, words.person, is_shared=is_shared
        )
        return _Who(profile, self._whose(chat), standing == "owner" and not is_shared, is_shared)

    def _whose(self, chat: Chat) -> str:
        """Say whom a guest profile is for."""
        place = intake.place_of(chat.place)
        is_shared = keys.is_shared(place, self.sharing)
        return f"{self._platform.name}:{f'chat:{place.chat_id}' if is_shared else chat.user_id}"
