"""One connection to Discord: it listens over a websocket, and sends by requests.

The library resumes a connection that was cut. When it cannot, everything is connected anew, and what was missed
is asked for (`discord_client.py`). It also heeds Discord's limits: it waits up to half a minute by itself, and
says so if it is longer.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeVar

from discord import MessageReference, PartialMessageable
from discord.gateway import DiscordWebSocket
from discord.http import INTERNAL_API_VERSION, Route
from discord.ui import Button, View
from yarl import URL

from hermes_agent.errors import GatewayBusy, GatewayRefused
from hermes_agent.gateways.cancelling import cancelled
from hermes_agent.gateways.discord_client import Listener
from hermes_agent.gateways.discord_missed import channel_of
from hermes_agent.gateways.discord_reading import file_of
from hermes_agent.gateways.discord_telling import told
from hermes_agent.gateways.gateway import Attachment, Keep, Place, Question

T = TypeVar("T")
_NONCE_LENGTH = 25
_MOST_REMEMBERED = 1000
_MOST_ASKED = 1000
_SOON_SECONDS = 0.5


class Discord:
    """A connection to Discord."""

    def __init__(
        self, token: str, api_url: str, people: Sequence[int], last: Callable[[], Mapping[Place, int]]
    ) -> None:
        # It speaks of voices it cannot hear, and of every wait; errors we tell ourselves.
        logging.getLogger("discord").setLevel(logging.ERROR)
        # The library has one address for all connections of a process; a process has one of them.
        Route.BASE = f"{api_url.rstrip('/')}/api/v{INTERNAL_API_VERSION}"
        self._token = token
        self._client = Listener(people, last)
        self._is_open = False
        self._nonces: deque[str] = deque(maxlen=_MOST_REMEMBERED)

    async def listen(self, keep: Keep) -> None:
        """Log in, connect, and bring what comes until either fails."""
        await told(self._client.login(self._token))
        self._is_open = True
        _, url, _ = await told(self._client.http.get_bot_gateway())
        DiscordWebSocket.DEFAULT_GATEWAY = URL(url)
        tasks = [
            asyncio.create_task(told(self._client.connect(reconnect=False))),
            asyncio.create_task(self._client.bring(keep)),
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            raise GatewayBusy("Discord closed the connection.")
        finally:
            await cancelled(*tasks)

    async def send(self, place: Place, text: str) -> None:
        """Send one message; in a channel as a reply, so that everybody sees what it answers."""
        # Any: what the library's `send` takes; None is none of it.
        options: dict[str, Any] = {}
        if place.message_id is not None and place.kind != "dm" and place.thread_id is None:
            number, channel_id = int(place.message_id), int(place.chat_id)
            options["reference"] = MessageReference(
                message_id=number, channel_id=channel_id, fail_if_not_exists=False
            )
        nonce = self._nonce(place, text)
        if nonce is not None:
            options["nonce"] = nonce
        await self._call(self._channel(channel_of(place)).send(text, mention_author=False, **options))
        if nonce is not None:
            self._nonces.append(nonce)

    async def show_typing(self, place: Place) -> None:
        """Show that somebody is typing; Discord does for ten seconds."""
        await self._call(_typing(self._channel(channel_of(place))))

    async def ask(self, place: Place, question: Question) -> None:
        """Ask with two buttons."""
        view = View(timeout=None)
        for label, answer in (("Yes", "yes"), ("No", "no")):
            view.add_item(Button(label=label, custom_id=f"{answer}:{question.id}"))
        # What is pressed comes to us with everything else: the library need not wait for it.
        view.stop()
        text = question.text[:_MOST_ASKED]
        await self._call(self._channel(channel_of(place)).send(f"{text}\n\nYes or no?", view=view))

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Return a file that somebody sent; its address is asked for again, as it may be too old."""
        where = file_of(attachment.id)
        channel = self._channel(where.channel_id)
        message = await self._call(channel.fetch_message(where.message_id))
        found = [one for one in message.attachments if one.id == where.file_id]
        if not found:
            raise GatewayRefused("It is gone.")
        if found[0].size > most_bytes:
            raise GatewayRefused(f"It is larger than {most_bytes:,} bytes.")
        return await self._call(found[0].read())

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.close()

    def _channel(self, channel_id: int) -> PartialMessageable:
        if not self._is_open or self._client.is_closed():
            raise GatewayBusy("Discord is not connected.", retry_seconds=_SOON_SECONDS)
        return self._client.get_partial_messageable(channel_id)

    def _nonce(self, place: Place, text: str) -> str | None:
        """Return what tells a message from others: one that was sent and cut off before we knew is not doubled.

        Discord compares for some minutes. A part that really is the same as one before it gets none.
        """
        if place.message_id is None:
            return None
        nonce = sha256(f"{place.message_id} {text}".encode()).hexdigest()[:_NONCE_LENGTH]
        return None if nonce in self._nonces else nonce

    async def _call(self, call: Awaitable[T]) -> T:
        try:
            return await told(call)
        except RuntimeError as error:
            # Whoever wanted something just when it was closed asks the next connection.
            if self._client.is_closed():
                raise GatewayBusy("The connection to Discord was closed.") from error
            raise


async def _typing(channel: PartialMessageable) -> None:
    await channel.typing()
