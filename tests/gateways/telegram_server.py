"""A small Bot API server on loopback, as Telegram describes it: updates wait until an offset confirms them.

    with serve() as server:
        server.say(7, "hello")                 # somebody with the id 7 writes in a private chat
        server.wait_for(lambda: server.sent)   # what the bot has sent: (chat id, text)

`getUpdates` waits for updates as long as it is asked to, and gives the oldest that no offset has confirmed. On
demand it answers 429, cuts connections, gives updates in another order, or gives confirmed ones again.
"""

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote

from tests.loopback import QuietHandler, listening

TOKEN = "123456:test-token-of-nobody"
BOT = {"id": 123456, "is_bot": True, "first_name": "Hermes", "username": "hermes_test_bot"}
# Any: what JSON holds.
Update = dict[str, Any]
_PATIENCE_SECONDS = 60.0
_LOOK_SECONDS = 0.05
_PIECE = 65_536


@dataclass
class Sent:
    """What the bot sent."""

    chat_id: str
    text: str
    markup: Update | None = None


@dataclass
class TelegramServer:
    """What the server knows, and how it misbehaves."""

    port: int = 0
    sent: list[Sent] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    chaos: random.Random | None = None
    """Shuffles what is given together, and gives confirmed updates again."""
    lost: set[str] = field(default_factory=set)
    """Files that Telegram names, and does not have."""
    cut: set[str] = field(default_factory=set)
    """Files whose connection is cut, always."""
    unsized: set[str] = field(default_factory=set)
    """Files whose size Telegram does not tell."""
    file_bytes: int = 0
    """How much of files was sent."""
    blocked_by: set[int] = field(default_factory=set)
    """Those who do not want to hear from the bot any more."""
    _updates: list[Update] = field(default_factory=list)
    _given: list[Update] = field(default_factory=list)
    _confirmed: int = 0
    _last_id: int = 1000
    _busy: list[int] = field(default_factory=list)
    _failures: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    @property
    def url(self) -> str:
        """The address that a bot is told."""
        return f"http://127.0.0.1:{self.port}"

    def texts(self, chat_id: int) -> list[str]:
        """Return what was sent into a chat."""
        with self._changed:
            return [one.text for one in self.sent if one.chat_id == str(chat_id)]

    def say(self, user: int, text: str, *, chat: Update | None = None, **more: Any) -> int:
        """Let somebody write; return the id of the message."""
        return self._add("message", user, text, chat, None, more)

    def edit(self, user: int, message_id: int, text: str) -> None:
        """Let somebody edit what they wrote."""
        self._add("edited_message", user, text, None, message_id, {"edit_date": int(time.time())})

    def press(self, user: int, data: str) -> None:
        """Let somebody press a button of the last message."""
        with self._changed:
            self._last_id += 1
            message = {"message_id": self._last_id, "date": 1, "chat": _private(user), "text": "?"}
            query = {"id": str(self._last_id), "from": _user(user), "chat_instance": "1", "data": data}
            self._updates.append({"update_id": self._last_id, "callback_query": {**query, "message": message}})
            self._changed.notify_all()

    def bring(self, update: Update) -> None:
        """Give an update that is nothing anybody said."""
        with self._changed:
            self._last_id += 1
            self._updates.append({"update_id": self._last_id, **update})
            self._changed.notify_all()

    def ask_to_wait(self, seconds: int, times: int = 1) -> None:
        """Answer the next messages with 429."""
        self._busy = [seconds] * times

    def fail(self, times: int) -> None:
        """Cut the next connections."""
        self._failures = times

    def wait_for(self, is_true: Callable[[], object], seconds: float = _PATIENCE_SECONDS) -> None:
        """Wait until something is true; it is looked at whenever something happened here, and now and then."""
        end = time.monotonic() + seconds
        while not is_true():
            assert time.monotonic() < end, "it did not happen in time"
            with self._changed:
                self._changed.wait(_LOOK_SECONDS)

    def _add(
        self, kind: str, user: int, text: str, chat: Update | None, message_id: int | None, more: Update
    ) -> int:
        with self._changed:
            self._last_id += 1
            number = message_id or self._last_id
            message = {"message_id": number, "date": int(time.time()), "from": _user(user)}
            message |= {"chat": chat or _private(user), **({"text": text} if text else {}), **more}
            self._updates.append({"update_id": self._last_id, kind: message})
            self._changed.notify_all()
            return number

    def take(self, offset: int, timeout: float) -> list[Update]:
        """Return the updates from an offset on; what is before it is confirmed."""
        with self._changed:
            self._confirmed = max(self._confirmed, offset)
            self._changed.notify_all()
            waiting: list[Update] = []

            def look() -> bool:
                waiting[:] = [one for one in self._updates if one["update_id"] >= self._confirmed]
                return bool(waiting)

            self._changed.wait_for(look, timeout)
            given = waiting[:100]
            if self.chaos is not None and given:
                given = given[: self.chaos.randint(1, len(given))]
                before = [one for one in self._given if self.chaos.random() < 0.05]
                given = [*given, *before[:20]]
                self.chaos.shuffle(given)
            self._given += [one for one in given if one not in self._given]
            return given

    def is_confirmed(self) -> bool:
        """Tell whether the bot has confirmed everything."""
        return self._confirmed > self._last_id or not self._updates

    def note(self, method: str) -> None:
        """Remember that a method was called."""
        with self._changed:
            self.calls.append(method)
            self._changed.notify_all()

    def note_sent(self, sent: Sent) -> int | None:
        """Take a message; return how long the bot is to wait instead, if it is."""
        with self._changed:
            if self._busy:
                return self._busy.pop()
            self.sent.append(sent)
            self._changed.notify_all()
            return None


def _user(user: int) -> Update:
    return {"id": user, "is_bot": False, "first_name": f"User {user}"}


def _private(user: int) -> Update:
    return {"id": user, "type": "private", "first_name": f"User {user}"}


@contextmanager
def serve() -> Iterator[TelegramServer]:
    """Be Telegram until the block ends."""
    server = TelegramServer()

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            _, _, name = unquote(self.path).partition(f"/file/bot{TOKEN}/")
            server.note(f"file {name}")
            if name in server.cut:
                self.close_connection = True
                self.connection.close()
            elif name in server.lost:
                self._answer(404, {"ok": False, "error_code": 404, "description": "Not Found"})
            else:
                self._give(server.files.get(name, b""))

        def _give(self, data: bytes) -> None:
            with suppress(ConnectionError):
                self.send_response(200)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                for start in range(0, len(data), _PIECE):
                    self.wfile.write(data[start : start + _PIECE])
                    server.file_bytes += _PIECE

        def do_POST(self) -> None:
            given = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
            if server._failures:
                server._failures -= 1
                self.close_connection = True
                self.connection.close()
                return
            if not self.path.startswith(f"/bot{TOKEN}/"):
                self._answer(401, {"ok": False, "error_code": 401, "description": "Unauthorized"})
                return
            method = self.path.rpartition("/")[2]
            values = {name: values[0] for name, values in parse_qs(given).items()}
            server.note(method)
            self._call(method, values)

        def _call(self, method: str, values: dict[str, str]) -> None:
            match method:
                case "getMe":
                    self._answer(200, {"ok": True, "result": BOT})
                case "getUpdates":
                    offset, timeout = int(values.get("offset", "0")), float(values.get("timeout", "0"))
                    self._answer(200, {"ok": True, "result": server.take(offset, timeout)})
                case "sendMessage":
                    self._send(values)
                case "answerCallbackQuery":
                    server.answered.append(values["callback_query_id"])
                    self._answer(200, {"ok": True, "result": True})
                case "getFile":
                    name = values["file_id"]
                    result: Update = {"file_id": name, "file_unique_id": name, "file_path": name}
                    if name in server.files and name not in server.unsized:
                        result["file_size"] = len(server.files[name])
                    self._answer(200, {"ok": True, "result": result})
                case _:
                    self._answer(200, {"ok": True, "result": True})

        def _send(self, values: dict[str, str]) -> None:
            markup = json.loads(values["reply_markup"]) if "reply_markup" in values else None
            if len(values["text"].encode("utf-16-le")) // 2 > 4096:
                self._answer(400, {"ok": False, "error_code": 400, "description": "message is too long"})
                return
            if int(values["chat_id"]) in server.blocked_by:
                told = "Forbidden: bot was blocked by the user"
                self._answer(403, {"ok": False, "error_code": 403, "description": told})
                return
            wait = server.note_sent(Sent(values["chat_id"], values["text"], markup))
            if wait is not None:
                more = {"error_code": 429, "description": "Too Many Requests", "parameters": {"retry_after": wait}}
                self._answer(429, {"ok": False, **more})
                return
            chat = _private(int(values["chat_id"]))
            self._answer(200, {"ok": True, "result": {"message_id": 1, "date": 1, "chat": chat, "text": "…"}})

        def _answer(self, status: int, value: Update) -> None:
            self._write(status, json.dumps(value).encode(), "application/json")

        def _write(self, status: int, body: bytes, kind: str) -> None:
            # Whoever asked may be dead by now.
            with suppress(ConnectionError):
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

    with listening(Handler) as port:
        server.port = port
        yield server
