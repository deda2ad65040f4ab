"""The webhook: any program brings messages by signed requests, and gets the answer in the response or called back.

A request names its message by an `id`; the same id again, of the same user in the same chat, is the same message.
Without a callback address the response waits for the answer for a while. Whoever asks again with the
same id gets what the store still has of the answer: nothing is held here, where it would outlive a forgetting.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from hermes_agent import clock
from hermes_agent.config.gateway_settings import GATEWAYS_WEBHOOK_CALLBACK_URL
from hermes_agent.errors import GatewayBusy, GatewayRefused
from hermes_agent.gateways.gateway import (
    Attachment,
    Awaited,
    Keep,
    Person,
    Place,
    Platform,
    Question,
    Said,
    Secret,
    Setup,
)
from hermes_agent.gateways.signing import SIGNATURE, TIMESTAMP, problem, sign

SECRET = "HERMES_WEBHOOK_SECRET"
HALF = "`id`, `user`, `chat` and `name` hold whole characters: half of a surrogate pair is none."
LIMIT_CHARACTERS = 1_000_000
_ANSWER_SECONDS = 100.0
_MOST_ID = 200
_CALL_SECONDS = 30.0
_LONGEST_WAIT_SECONDS = 3600.0
_CLIENT_ERRORS = range(400, 500)
_LATER = (408, 425, 429)
"""Refusals that time mends: too slow, too early, too many."""


class Webhook:
    """The door for programs: an ASGI app, and a gateway."""

    def __init__(self, secret: str, callback_url: str | None, kept: Callable[[str], str | Awaited | None]) -> None:
        self._secret = secret
        self._callback_url = callback_url
        self._kept = kept
        self._keep: Keep | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: defaultdict[str, set[asyncio.Future[str | None]]] = defaultdict(set)

    async def listen(self, keep: Keep) -> None:
        """Take requests until this is cancelled."""
        self._keep, self._loop = keep, asyncio.get_running_loop()
        await keep([])
        try:
            await asyncio.Event().wait()
        finally:
            self._keep = None

    async def send(self, place: Place, text: str) -> None:
        """Give an answer to whoever waits for it, or call back."""
        if self._callback_url is not None:
            await self._call_back(place, {"text": text})
            return
        key, _ = _named(place.message_id)
        _tell(self._waiting.get(key, ()), text)

    async def show_typing(self, place: Place) -> None:
        """Do nothing: nobody looks."""

    async def ask(self, place: Place, question: Question) -> None:
        """Ask by a call back; without one nobody can be asked, and silence is no."""
        if self._callback_url is not None:
            await self._call_back(place, {"question": {"id": question.id, "text": question.text}})

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Refuse: messages come without files."""
        raise GatewayRefused("The webhook takes no files.")

    async def close(self) -> None:
        """Let go of whoever waits."""
        for waiting in self._waiting.values():
            _tell(waiting, None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; it comes in the loop of the web server."""
        try:
            answer = await self._answer(Request(scope, receive))
        except ClientDisconnect:
            return
        await answer(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.method != "POST":
            return JSONResponse({"detail": "Messages come by POST."}, 405, {"Allow": "POST"})
        body = await request.body()
        headers, now = request.headers, clock.now() / clock.MICROSECONDS
        why = problem(self._secret, headers.get(TIMESTAMP, ""), headers.get(SIGNATURE, ""), body, now)
        if why is not None:
            return JSONResponse({"detail": why}, 401)
        try:
            said = read(body, clock.now())
        except UnicodeError:
            return JSONResponse({"detail": HALF}, 400)
        except ValueError as error:
            return JSONResponse({"detail": str(error)}, 422)
        loop = self._loop
        if loop is None or self._keep is None:
            return JSONResponse({"detail": "The gateway is not at work just now."}, 503, {"Retry-After": "5"})
        # The store, and whoever answers, are in the loop of the gateway.
        taken = asyncio.run_coroutine_threadsafe(self._take(said), loop)
        return await asyncio.wrap_future(taken)

    async def _take(self, said: Said) -> Response:
        if self._keep is None:
            return JSONResponse({"detail": "The gateway is not at work just now."}, 503, {"Retry-After": "5"})
        _, given = _named(said.message_id)
        # It waits before anybody can answer: an answer that comes at once is not missed.
        with self._wait_for(said.key) as came:
            is_new = said.key in await self._keep([said])
            if self._callback_url is not None:
                return JSONResponse({"id": given, "state": "accepted" if is_new else "known"}, 202)
            text = Awaited() if is_new else await asyncio.to_thread(self._kept, said.key)
            if text is None:
                return JSONResponse({"id": given, "state": "known"}, 202)
            if isinstance(text, Awaited):
                text = await _within(came, _ANSWER_SECONDS)
        if text is None:
            return JSONResponse({"id": given, "state": "accepted"}, 202)
        # What was said may hold half a character, and so may an answer that repeats it: no response can.
        whole = text.encode("utf-8", "replace").decode()
        return JSONResponse({"id": given, "state": "answered", "text": whole})

    @contextmanager
    def _wait_for(self, key: str) -> Iterator[asyncio.Future[str | None]]:
        """Be told the answer to a message while the block runs."""
        came: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._waiting[key].add(came)
        try:
            yield came
        finally:
            self._waiting[key].discard(came)
            if not self._waiting[key]:
                del self._waiting[key]

    async def _call_back(self, place: Place, told: dict[str, object]) -> None:
        import httpx2

        _, given = _named(place.message_id)
        body = json.dumps({"id": given, "chat": place.chat_id, **told}).encode()
        timestamp = str(clock.now() // clock.MICROSECONDS)
        headers = {
            "content-type": "application/json",
            TIMESTAMP: timestamp,
            SIGNATURE: sign(self._secret, timestamp, body),
        }
        try:
            async with httpx2.AsyncClient(timeout=_CALL_SECONDS) as client:
                answer = await client.post(self._callback_url or "", content=body, headers=headers)
        except httpx2.HTTPError as error:
            raise GatewayBusy(f"The callback address cannot be reached: {type(error).__name__}.") from error
        status = answer.status_code
        if status in _CLIENT_ERRORS and status not in _LATER:
            raise GatewayRefused(f"The callback address answered {status}.")
        if not answer.is_success:
            wait = asked_seconds(answer.headers.get("retry-after", ""))
            raise GatewayBusy(f"The callback address answered {status}.", retry_seconds=wait)


def _tell(waiting: Iterable[asyncio.Future[str | None]], text: str | None) -> None:
    """Tell those who wait; None is that they wait in vain."""
    for came in waiting:
        if not came.done():
            came.set_result(text)


async def _within(came: asyncio.Future[str | None], seconds: float) -> str | None:
    """Wait for an answer; None if it does not come in time."""
    try:
        async with asyncio.timeout(seconds):
            return await came
    except TimeoutError:
        return None


def asked_seconds(given: str) -> float | None:
    """Return how long a server asks us to wait, if it says so in seconds; an hour at most."""
    return min(float(given), _LONGEST_WAIT_SECONDS) if given.isdecimal() else None


def read(body: bytes, now: int) -> Said:
    """Read a message; ValueError says what is wrong with it, UnicodeError that a name holds half a character."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ValueError("The body is no JSON.") from error
    if not isinstance(given, dict):
        raise ValueError("The body is no JSON object.")
    named, user, text = (given.get(name) for name in ("id", "user", "text"))
    if not isinstance(named, str) or not 0 < len(named) <= _MOST_ID:
        raise ValueError("`id` names the message: up to 200 characters.")
    if not isinstance(user, str) or not 0 < len(user) <= _MOST_ID:
        raise ValueError("`user` names who writes: up to 200 characters.")
    if not isinstance(text, str):
        raise ValueError("`text` is what is said.")
    chat, name, position = given.get("chat", user), given.get("name", ""), given.get("position", now)
    if not isinstance(chat, str) or not isinstance(name, str) or len(chat) > _MOST_ID:
        raise ValueError("`chat` and `name` are texts.")
    if not isinstance(position, int) or isinstance(position, bool) or not 0 <= position < 2**63:
        raise ValueError("`position` is a whole number.")
    for one in (named, user, chat, name):
        one.encode()
    # What is not the person's own chat is a group: there, too, everybody has a session of their own.
    place = Place(chat, "dm" if chat == user else "group")
    key = key_of(user, chat, named)
    return Said(key, position, place, Person(user, name), text, message_id=f"{key}:{named}")


def key_of(user: str, chat: str, given: str) -> str:
    """Return what tells a message from all others: whoever uses the id of another means a message of their own."""
    return sha256(json.dumps([user, chat, given]).encode()).hexdigest()


def _named(message_id: str | None) -> tuple[str, str | None]:
    """Return the key of a message that is answered, and the id that its program gave it."""
    key, _, given = (message_id or "").partition(":")
    return key, given or None


def connect(setup: Setup) -> Webhook:
    """Open the door for programs."""
    return Webhook(setup.secrets[SECRET], setup.settings[GATEWAYS_WEBHOOK_CALLBACK_URL], setup.answer)


PLATFORM = Platform(
    name="webhook",
    title="Webhook",
    connect=connect,
    limit_characters=LIMIT_CHARACTERS,
    secrets=(Secret(SECRET, "Programs sign their requests with it.", is_made=True),),
    is_over_http=True,
)
