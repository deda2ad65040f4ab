"""Telegram's updates in our words.

One that cannot be read is passed over, as if it said nothing: Telegram would give it again and again, and behind
it nobody would be heard. The log names it without its words.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from telegram import Chat, Message, Update, User
from telegram.request import HTTPXRequest

from hermes_agent.gateways.gateway import Attachment, ChatKind, Decided, Incoming, Person, Place, Said
from hermes_agent.jobs.worker import LOG

# Any: what JSON holds.
_Json = dict[str, Any]
_KINDS: dict[str, ChatKind] = {"private": "dm", "group": "group", "supergroup": "group", "channel": "channel"}


class Polling(HTTPXRequest):
    """The requests for updates: the library parses all that came together, and would fail with one of them."""

    @staticmethod
    def parse_json_payload(payload: bytes) -> _Json:
        """Parse what Telegram answers; of an update that the library cannot read only its number is left."""
        given = HTTPXRequest.parse_json_payload(payload)
        updates = given.get("result")
        return {**given, "result": [_readable(one) for one in updates]} if isinstance(updates, list) else given


def _readable(given: _Json) -> _Json:
    try:
        Update.de_json(given)
    except Exception as error:  # the boundary of a message: the others are read, the log says which was not
        _pass_over(given["update_id"], error)
        return {"update_id": given["update_id"]}
    return given


def _pass_over(update_id: int, error: Exception) -> None:
    LOG.error("Update %d of Telegram could not be read and is passed over: %s.", update_id, type(error).__name__)


def read_all(updates: Iterable[Update], bot_name: str, bot_id: int) -> list[Incoming]:
    """Read what is meant for us of what came."""
    found: list[Incoming] = []
    for update in updates:
        try:
            one = read(update, bot_name, bot_id)
        except Exception as error:  # the boundary of a message: the library does not look at what values are
            _pass_over(update.update_id, error)
            continue
        if one is not None:
            found.append(one)
    return found


def read(update: Update, bot_name: str, bot_id: int) -> Incoming | None:
    """Read one update; None for what is not for us: channels, other bots, talk in a group among others."""
    query = update.callback_query
    if query is not None:
        answer, _, question_id = (query.data or "").partition(":")
        if not isinstance(query.message, Message) or answer not in ("yes", "no"):
            return None
        place = _place(query.message)
        key = str(update.update_id)
        return Decided(key, update.update_id, place, _person(query.from_user), question_id, answer == "yes")
    message = update.message or update.edited_message
    if message is None or message.from_user is None or message.from_user.is_bot:
        return None
    text = message.text or message.caption or ""
    if not isinstance(text, str):
        raise TypeError("The text is none.")
    if message.chat.type != Chat.PRIVATE:
        if not _is_for_us(message, text, bot_name, bot_id):
            return None
        text = text.replace(f"@{bot_name}", "").strip() if not text.startswith("/") else text
    return Said(
        str(update.update_id),
        update.update_id,
        _place(message),
        _person(message.from_user),
        text,
        message_id=str(message.message_id),
        is_edit=update.message is None,
        attachments=attachments_of(message),
    )


def attachments_of(message: Message) -> Sequence[Attachment]:
    """Return the files of a message; of a photo, which comes in several sizes, the largest."""
    found: list[Attachment] = []
    if message.photo:
        largest = max(message.photo, key=lambda one: one.width * one.height)
        found.append(Attachment(largest.file_id, "photo.jpg", largest.file_size))
    named = ((message.document, "file"), (message.audio, "audio"), (message.video, "video"))
    found += [
        Attachment(one.file_id, one.file_name or name, one.file_size) for one, name in named if one is not None
    ]
    if message.voice is not None:
        found.append(Attachment(message.voice.file_id, "voice.ogg", message.voice.file_size))
    return found


def _is_for_us(message: Message, text: str, bot_name: str, bot_id: int) -> bool:
    """Tell whether something said in a group is meant for the bot."""
    replied = message.reply_to_message
    is_reply = replied is not None and replied.from_user is not None and replied.from_user.id == bot_id
    command, _, _ = text.partition(" ")
    is_command = command.startswith("/") and command.partition("@")[2].lower() in ("", bot_name.lower())
    return is_reply or is_command or f"@{bot_name}".lower() in text.lower()


def _place(message: Message) -> Place:
    kind = _KINDS.get(message.chat.type, "group")
    is_topic = bool(message.is_topic_message) and message.message_thread_id is not None
    return Place(str(message.chat.id), kind, str(message.message_thread_id) if is_topic else None)


def _person(user: User) -> Person:
    return Person(str(user.id), user.full_name)
