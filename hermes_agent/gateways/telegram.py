"""Telegram, by long polling: `getUpdates` confirms what came before with its next call, and not earlier.

Messages are ordered by the number of their update. In groups only what is meant for the bot is read: a command, a
reply to it, or its name.
"""

import asyncio
import logging
import warnings
from collections.abc import Awaitable
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from hermes_agent.config.gateway_settings import GATEWAYS_TELEGRAM_API_URL
from hermes_agent.errors import GatewayBusy, GatewayRefused
from hermes_agent.gateways.gateway import Attachment, Keep, Place, Platform, Question, Secret, Setup
from hermes_agent.gateways.telegram_files import download

if TYPE_CHECKING:
    from telegram import InlineKeyboardMarkup

T = TypeVar("T")
TOKEN = "TELEGRAM_BOT_TOKEN"
LIMIT_CHARACTERS = 4096
_POLL_SECONDS = 25
_READ_SECONDS = 15.0
_UPDATES = ("message", "edited_message", "callback_query")


class Telegram:
    """A connection to the Bot API."""

    def __init__(self, token: str, api_url: str) -> None:
        from telegram import Bot
        from telegram.request import HTTPXRequest
        from telegram.warnings import PTBDeprecationWarning

        from hermes_agent.gateways.telegram_reading import Polling

        # It warns, at each 429, that a value will have another type; both are read below.
        warnings.filterwarnings("ignore", category=PTBDeprecationWarning)
        # It logs every address it asks, and the token is part of those.
        for name in ("httpx", "httpcore", "httpx2", "httpcore2", "telegram"):
            logging.getLogger(name).setLevel(logging.WARNING)
        seconds = _READ_SECONDS
        self._bot: Bot = Bot(
            token,
            base_url=f"{api_url.rstrip('/')}/bot",
            base_file_url=f"{api_url.rstrip('/')}/file/bot",
            request=HTTPXRequest(16, seconds, seconds, seconds, pool_timeout=60.0),
            get_updates_request=Polling(1, seconds, seconds, seconds),
        )
        self._name = ""
        self._id = 0

    async def listen(self, keep: Keep) -> None:
        """Ask for updates, and confirm them once they are kept."""
        from hermes_agent.gateways.telegram_reading import read_all

        await self._initialize()
        self._name, self._id = self._bot.username, self._bot.id
        await keep([])
        offset = 0
        while True:
            updates = await _told(
                self._bot.get_updates(offset=offset, timeout=_POLL_SECONDS, allowed_updates=_UPDATES)
            )
            await keep(read_all(updates, self._name, self._id))
            for query in (update.callback_query for update in updates if update.callback_query is not None):
                # The button stops turning; what it decided is kept already.
                await _tolerated(self._bot.answer_callback_query(query.id))
            offset = max([offset, *(update.update_id + 1 for update in updates)])

    async def _initialize(self) -> None:
        """Learn who we are; a token that Telegram does not know will not be known later either."""
        from telegram.error import InvalidToken

        try:
            await _told(self._bot.initialize())
        except GatewayBusy as error:
            if isinstance(error.__cause__, InvalidToken):
                raise GatewayRefused("Telegram refused the token.", hint=f"Check {TOKEN}.") from error
            raise

    async def send(self, place: Place, text: str) -> None:
        """Send one message, as plain text: Markdown that a model wrote is often not Telegram's."""
        await self._send(place, text, None)

    async def show_typing(self, place: Place) -> None:
        """Show “typing…”; Telegram does for five seconds."""
        await _told(self._bot.send_chat_action(place.chat_id, "typing", message_thread_id=_thread(place)))

    async def ask(self, place: Place, question: Question) -> None:
        """Ask with two buttons."""
        from telegram import InlineKeyboardButton, InlineKeyboardMarkup

        buttons = [
            InlineKeyboardButton("Yes", callback_data=f"yes:{question.id}"),
            InlineKeyboardButton("No", callback_data=f"no:{question.id}"),
        ]
        text = question.text[: LIMIT_CHARACTERS // 2]
        await self._send(place, f"{text}\n\nYes or no?", InlineKeyboardMarkup([buttons]))

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Return a file that somebody sent."""
        file = await _told(self._bot.get_file(attachment.id))
        if file.file_size is not None and file.file_size > most_bytes:
            raise GatewayRefused(f"It is larger than {most_bytes:,} bytes.")
        if not file.file_path:
            raise GatewayRefused("Telegram does not give it away.")
        return await download(file.file_path, most_bytes)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._bot.shutdown()

    async def _send(self, place: Place, text: str, markup: "InlineKeyboardMarkup | None") -> None:
        await _told(
            self._bot.send_message(place.chat_id, text, message_thread_id=_thread(place), reply_markup=markup)
        )


def _thread(place: Place) -> int | None:
    return None if place.thread_id is None else int(place.thread_id)


async def _told(call: Awaitable[T]) -> T:
    """Wait for a call, and say in our words what went wrong."""
    from telegram import error

    try:
        return await call
    except error.RetryAfter as wait:
        after = wait.retry_after
        seconds = after.total_seconds() if isinstance(after, timedelta) else float(after)
        raise GatewayBusy("Telegram asks us to wait.", retry_seconds=seconds) from wait
    except error.InvalidToken as refused:
        # Where it was good before, what is to be sent waits until there is another.
        raise GatewayBusy("Telegram does not know the token any more.") from refused
    except error.Forbidden as refused:
        raise GatewayRefused(f"Telegram refused: {refused.message}.") from refused
    except error.BadRequest as refused:
        raise GatewayRefused(f"Telegram did not take it: {refused.message}.") from refused
    except error.Conflict as other:
        raise GatewayBusy("Another program listens for the same bot.", retry_seconds=30) from other
    except error.NetworkError as lost:
        raise GatewayBusy(f"Telegram cannot be reached: {type(lost.__cause__ or lost).__name__}.") from lost
    except error.TelegramError as failed:
        raise GatewayBusy(f"Telegram failed: {failed.message}.") from failed


async def _tolerated(call: Awaitable[object]) -> None:
    """Wait for a call that may fail: a button that was pressed long ago cannot be answered any more."""
    try:
        async with asyncio.timeout(_READ_SECONDS):
            await _told(call)
    except (GatewayBusy, GatewayRefused, TimeoutError):
        return


def connect(setup: Setup) -> Telegram:
    """Connect to Telegram; its library is an extra."""
    try:
        return Telegram(setup.secrets[TOKEN], setup.settings[GATEWAYS_TELEGRAM_API_URL])
    except ImportError as error:
        raise GatewayRefused(
            "The library for Telegram is missing.", hint="pip install 'hermes-agent[telegram]'"
        ) from error


PLATFORM = Platform(
    name="telegram",
    title="Telegram",
    connect=connect,
    limit_characters=LIMIT_CHARACTERS,
    secrets=(Secret(TOKEN, "Write to @BotFather on Telegram, send /newbot, and copy the token it answers with."),),
    extra="telegram",
    library="telegram",
)
