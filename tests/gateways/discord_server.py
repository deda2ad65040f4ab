"""A small Discord on loopback: its REST API, and its gateway, a websocket that brings events.

    with serve() as server:
        server.say(7, "hello")                    # somebody with the id 7 writes to the bot alone
        server.wait_for(lambda: server.texts(7))  # what the bot has answered there

As at Discord an event is brought once, to the session that is open then; a session that was cut is resumed with
what it did not get, and everything else is only in the history of its channel. On demand it answers 429, cuts
connections, asks for another, declares sessions invalid, brings events in another order, or brings them again.
"""

import asyncio
import random
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

TOKEN = "a-test-token-of-nobody"
BOT_ID, GUILD_ID = 900_000_000_000_000_900, 500
# Any: what JSON holds.
Value = dict[str, Any]
_EPOCH_MILLISECONDS = 1_420_070_400_000
PATIENCE_SECONDS = 60.0
_LOOK_SECONDS = 0.05
_MENTION = re.compile(r"<@!?(\d+)>")
DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11


@dataclass
class Sent:
    """What the bot sent."""

    channel_id: int
    text: str
    components: list[Value]
    reply_to: str


@dataclass
class Channel:
    """A channel, a thread of one, or two people alone."""

    id: int
    recipient: int | None = None
    parent: int | None = None
    messages: list[Value] = field(default_factory=list)

    def told(self) -> Value:
        """Return what Discord tells of it."""
        last = self.messages[-1]["id"] if self.messages else None
        given: Value = {"id": str(self.id), "last_message_id": last, "flags": 0}
        if self.recipient is not None:
            return {**given, "type": 1, "recipients": [user_of(self.recipient)]}
        given |= {"guild_id": str(GUILD_ID), "name": f"channel-{self.id}", "position": 0}
        if self.parent is None:
            return {**given, "type": 0, "permission_overwrites": [], "nsfw": False, "parent_id": None}
        about = {"archived": False, "auto_archive_duration": 60, "archive_timestamp": now(), "locked": False}
        given |= {"owner_id": "7", "message_count": 0, "member_count": 1, "thread_metadata": about}
        return {**given, "type": 11, "parent_id": str(self.parent)}


@dataclass
class Session:
    """What a connection was brought, and what it is still to be brought."""

    brought: list[Value] = field(default_factory=list)
    waiting: list[Value] = field(default_factory=list)
    more: asyncio.Event = field(default_factory=asyncio.Event)
    socket: web.WebSocketResponse | None = None


@dataclass
class DiscordServer:
    """What the server knows, and how it misbehaves."""

    port: int = 0
    sent: list[Sent] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    chaos: random.Random | None = None
    """Shuffles what is brought together, and brings some of it again."""
    has_message_content: bool = True
    channels: dict[int, Channel] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    loop: asyncio.AbstractEventLoop | None = None
    _nonces: dict[str, Value] = field(default_factory=dict)
    _busy: list[float] = field(default_factory=list)
    _failures: int = 0
    _refusals: int = 0
    _last_id: int = 0
    _changed: threading.Condition = field(default_factory=lambda: threading.Condition(threading.RLock()))

    @property
    def url(self) -> str:
        """The address that a bot is told."""
        return f"http://127.0.0.1:{self.port}"

    def alone_with(self, user: int) -> int:
        """Return the channel in which somebody writes to the bot alone."""
        channel_id = 10_000 + user
        self.channels.setdefault(channel_id, Channel(channel_id, recipient=user))
        return channel_id

    def open_channel(self, channel_id: int, parent: int | None = None) -> int:
        """Make a channel of the server everybody is on, or a thread of one; bots are told of it later."""
        self.channels[channel_id] = Channel(channel_id, parent=parent)
        return channel_id

    def texts(self, user: int) -> list[str]:
        """Return what was sent to somebody alone."""
        return self.texts_in(self.alone_with(user))

    def texts_in(self, channel_id: int) -> list[str]:
        """Return what was sent into a channel."""
        with self._changed:
            return [one.text for one in self.sent if one.channel_id == channel_id]

    def say(self, user: int, text: str, *, channel: int | None = None, **more: Any) -> int:
        """Let somebody write; return the id of the message."""
        return self.say_all([(user, text)], channel=channel, **more)[0]

    def say_all(self, said: list[tuple[int, str]], *, channel: int | None = None, **more: Any) -> list[int]:
        """Let people write so fast that it is brought together."""
        with self._changed:
            found = [self._message(channel or self.alone_with(user), user_of(user), text) for user, text in said]
            for message in found:
                message |= more
            self._bring([("MESSAGE_CREATE", self._event(message)) for message in found])
            return [int(message["id"]) for message in found]

    def edit(self, message_id: int, text: str) -> None:
        """Let somebody edit what they wrote."""
        with self._changed:
            message = next(
                one
                for channel in self.channels.values()
                for one in channel.messages
                if one["id"] == str(message_id)
            )
            message |= {"content": text, "edited_timestamp": now()}
            self._bring([("MESSAGE_UPDATE", self._event(message))])

    def press(self, user: int, custom_id: str) -> None:
        """Let somebody press a button in the channel in which they are alone with the bot."""
        with self._changed:
            channel = self.channels[self.alone_with(user)]
            number = str(self._new_id())
            data = {"custom_id": custom_id, "component_type": 2}
            interaction = {
                "id": number,
                "application_id": "901",
                "type": 3,
                "token": "t",
                "version": 1,
                "data": data,
            }
            interaction |= {"channel": channel.told(), "channel_id": str(channel.id), "user": user_of(user)}
            self._bring([("INTERACTION_CREATE", {**interaction, "attachment_size_limit": 1, "entitlements": []})])

    def bring_again(self, count: int) -> None:
        """Bring the last events of each session once more."""
        with self._changed:
            for session in self.sessions.values():
                session.waiting += [{"t": one["t"], "d": one["d"]} for one in session.brought[-count:]]
            self._wake()

    def cut(self) -> None:
        """Cut every connection; the sessions can be resumed."""
        self._each(lambda socket: socket.close(code=4000))

    def ask_to_reconnect(self) -> None:
        """Ask every client to connect again and resume."""
        self._each(lambda socket: socket.send_json({"op": RECONNECT, "d": None}))

    def invalidate(self) -> None:
        """Declare every session over: what it was not brought is only in the history."""
        with self._changed:
            sockets = [one.socket for one in self.sessions.values() if one.socket is not None]
            self.sessions.clear()
        self._each(lambda socket: socket.send_json({"op": INVALID, "d": False}), sockets)

    def ask_to_wait(self, seconds: float, times: int = 1) -> None:
        """Answer the next messages with 429."""
        self._busy = [seconds] * times

    def fail(self, times: int) -> None:
        """Cut the next requests."""
        self._failures = times

    def refuse_token(self, times: int) -> None:
        """Do not know the token at the next requests."""
        self._refusals = times

    def wait_for(self, is_true: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until something is true; it is looked at whenever something happened here, and now and then."""
        end = time.monotonic() + seconds
        while not is_true():
            assert time.monotonic() < end, "it did not happen in time"
            with self._changed:
                self._changed.wait(_LOOK_SECONDS)

    def note(self, call: str) -> None:
        """Remember what was asked for."""
        with self._changed:
            self.calls.append(call)
            self._changed.notify_all()

    def is_connected(self) -> bool:
        """Tell whether a bot listens."""
        return any(one.socket is not None for one in self.sessions.values())

    def take(self, channel_id: int, given: Value) -> Value | float:
        """Take what the bot sends; return the message, or how long it is to wait instead."""
        with self._changed:
            if self._busy:
                return self._busy.pop()
            nonce = given.get("nonce")
            if nonce is not None and nonce in self._nonces:
                return self._nonces[nonce]
            message = self._message(channel_id, {**user_of(BOT_ID), "bot": True}, given.get("content") or "")
            reply_to = str((given.get("message_reference") or {}).get("message_id"))
            self.sent.append(Sent(channel_id, message["content"], given.get("components") or [], reply_to))
            self._bring([("MESSAGE_CREATE", self._event(message))])
            if nonce is not None:
                self._nonces[nonce] = message
            self._changed.notify_all()
            return message

    def history(self, channel_id: int, after: int | None, before: int, limit: int) -> list[Value]:
        """Return the messages that follow one, or the last before one; the newest first."""
        with self._changed:
            found = self.channels[channel_id].messages
            if after is not None:
                return [one for one in found if int(one["id"]) > after][:limit][::-1]
            return [one for one in found if int(one["id"]) < before][-limit:][::-1]

    def knows(self, given: str | None) -> bool:
        """Tell whether a request brings the bot's token."""
        if self._refusals:
            self._refusals -= 1
            return False
        return given == f"Bot {TOKEN}"

    def should_fail(self) -> bool:
        """Tell whether a request is to be cut."""
        if not self._failures:
            return False
        self._failures -= 1
        return True

    def _message(self, channel_id: int, author: Value, text: str) -> Value:
        message = {
            **{"id": str(self._new_id()), "channel_id": str(channel_id), "author": author, "content": text},
            **{"timestamp": now(), "edited_timestamp": None, "tts": False, "mention_everyone": False},
            **{"mentions": [user_of(int(one)) for one in _MENTION.findall(text)], "mention_roles": []},
            **{"attachments": [], "embeds": [], "pinned": False, "type": 0},
        }
        self.channels[channel_id].messages.append(message)
        return message

    def _event(self, message: Value) -> Value:
        is_alone = self.channels[int(message["channel_id"])].recipient is not None
        return dict(message) if is_alone else {**message, "guild_id": str(GUILD_ID)}

    def _new_id(self) -> int:
        made = (time.time_ns() // 1_000_000 - _EPOCH_MILLISECONDS) << 22
        self._last_id = max(made, self._last_id + 1)
        return self._last_id

    def _bring(self, events: list[tuple[str, Value]]) -> None:
        for session in self.sessions.values():
            session.waiting += [{"t": kind, "d": value} for kind, value in events]
        self._changed.notify_all()
        self._wake()

    def _wake(self) -> None:
        for session in self.sessions.values():
            if self.loop is not None:
                self.loop.call_soon_threadsafe(session.more.set)

    def _each(
        self, act: Callable[[web.WebSocketResponse], Any], sockets: list[web.WebSocketResponse] | None = None
    ) -> None:
        """Do something with every connection, and wait until it is done."""
        chosen = sockets or [one.socket for one in self.sessions.values() if one.socket is not None]

        async def all_of_them() -> None:
            for socket in chosen:
                with suppress(ConnectionError):
                    await act(socket)

        assert self.loop is not None
        asyncio.run_coroutine_threadsafe(all_of_them(), self.loop).result(PATIENCE_SECONDS)

    def begin(self, socket: web.WebSocketResponse, ready: Value, guild: Value) -> tuple[Session, list[Value]]:
        """Begin a session; return it, and what it is brought first. From now on it is brought what comes."""
        with self._changed:
            name = f"session-{self._new_id()}"
            session = self.sessions[name] = Session(socket=socket)
            first = [{"t": "READY", "d": {**ready, "session_id": name}}, {"t": "GUILD_CREATE", "d": guild}]
            session.brought += [{**one, "op": DISPATCH, "s": at} for at, one in enumerate(first, 1)]
            return session, list(session.brought)

    def next_of(self, session: Session) -> list[Value]:
        """Return what a session is brought next."""
        with self._changed:
            waiting, session.waiting = session.waiting, []
            if self.chaos is not None:
                again = [one for one in session.brought if one["t"].startswith("MESSAGE")]
                waiting += [{"t": one["t"], "d": one["d"]} for one in again[-20:] if self.chaos.random() < 0.2]
                self.chaos.shuffle(waiting)
            first = len(session.brought) + 1
            numbered = [{**one, "op": DISPATCH, "s": first + at} for at, one in enumerate(waiting)]
            session.brought += numbered
            return numbered


def now() -> str:
    """Return the time as Discord writes it."""
    return datetime.now(UTC).isoformat()


def user_of(user: int) -> Value:
    """Return what Discord tells of somebody."""
    name = "hermes" if user == BOT_ID else f"user-{user}"
    return {"id": str(user), "username": name, "discriminator": "0", "avatar": None, "global_name": None}
