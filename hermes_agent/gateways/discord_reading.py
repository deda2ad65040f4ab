"""Discord's messages in our words: pure functions of the library's values.

The id of a message holds the time it was made (a snowflake), so ids are the order of a channel. What is kept of
an edit is named by the message and the time of the edit: a link that is shown as a picture later is no edit.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from discord import DMChannel, Interaction, Member, Message, MessageType, Thread, User
from discord.abc import Messageable
from discord.utils import time_snowflake

from hermes_agent.gateways.gateway import Attachment, Decided, Person, Place, Said

_SAID = (MessageType.default, MessageType.reply)


@dataclass(frozen=True, slots=True)
class File:
    """Where a file is found again: addresses are good for a day only."""

    channel_id: int
    message_id: int
    file_id: int

    def __str__(self) -> str:
        return f"{self.channel_id}/{self.message_id}/{self.file_id}"


def file_of(written: str) -> File:
    """Read where a file is found."""
    return File(*(int(part) for part in written.split("/")))


@dataclass(frozen=True, slots=True)
class Came:
    """A message as it came, in a channel whose kind is known."""

    message: Message
    channel: Messageable
    is_edit: bool = False


@dataclass
class Reader:
    """Reads messages one after the other; in a thread, whoever once talked with us need not name us again."""

    me: int
    threads: set[int] = field(default_factory=set)
    """The threads in which somebody talked with us."""

    def read(self, came: Sequence[Came]) -> list[Said]:
        """Read what is meant for us, in the order in which it was said."""
        found = []
        for one in sorted(came, key=_position):
            said = self._read(one)
            if said is not None:
                found.append(said)
                if said.place.thread_id is not None:
                    self.threads.add(int(said.place.thread_id))
        return found

    def _read(self, came: Came) -> Said | None:
        """Read one; None for what is not for us: other bots, joinings and pins, talk in a channel among others."""
        message, place = came.message, place_of(came.channel)
        if message.author.bot or message.type not in _SAID:
            return None
        if place.kind != "dm" and not _is_for(self.me, message, place, self.threads):
            return None
        return Said(
            f"{message.id}:{_position(came)}" if came.is_edit else str(message.id),
            _position(came),
            place,
            _person(message.author),
            _text(self.me, message),
            message_id=str(message.id),
            is_edit=came.is_edit,
            attachments=[
                Attachment(str(File(message.channel.id, message.id, one.id)), one.filename, one.size)
                for one in message.attachments
            ],
        )


def with_edits(messages: Sequence[Message], channel: Messageable) -> Iterator[Came]:
    """Return what a channel's history tells: of a message that was edited, that it was, too."""
    for message in messages:
        yield Came(message, channel)
        if message.edited_at is not None:
            yield Came(message, channel, is_edit=True)


def decided(interaction: Interaction, channel: Messageable) -> Decided | None:
    """Read a button that was pressed; None if it is none of ours."""
    data = {} if interaction.data is None else dict(interaction.data)
    answer, _, question_id = str(data.get("custom_id", "")).partition(":")
    if answer not in ("yes", "no"):
        return None
    key, person = str(interaction.id), _person(interaction.user)
    return Decided(key, interaction.id, place_of(channel), person, question_id, answer == "yes")


def place_of(channel: Messageable) -> Place:
    """Return where something was said: a thread is told by the channel it belongs to, and its own id."""
    if isinstance(channel, Thread):
        return Place(str(channel.parent_id), "group", str(channel.id))
    is_dm = isinstance(channel, DMChannel) or _server(channel) is None
    return Place(str(id_of(channel)), "dm" if is_dm else "group")


def id_of(channel: Messageable) -> int:
    """Return the id that every channel has; the library's word for all of them does not say so."""
    return int(getattr(channel, "id", 0))


def _server(channel: Messageable) -> int | None:
    """Return the server of a channel; one of which only the id came has its id, too."""
    guild = getattr(channel, "guild", None)
    return guild.id if guild is not None else getattr(channel, "guild_id", None)


def _position(came: Came) -> int:
    edited_at = came.message.edited_at
    return time_snowflake(edited_at) if came.is_edit and edited_at is not None else came.message.id


def _is_for(me: int, message: Message, place: Place, threads: Collection[int]) -> bool:
    """Tell whether something said in a channel is meant for the bot: its name, a reply to it, or its thread."""
    replied = None if message.reference is None else message.reference.resolved
    is_reply = isinstance(replied, Message) and replied.author.id == me
    is_named = me in message.raw_mentions or bool(_our_roles(me, message))
    is_our_thread = place.thread_id is not None and int(place.thread_id) in threads
    return is_named or is_reply or is_our_thread


def _our_roles(me: int, message: Message) -> list[str]:
    """Return how the role is mentioned that Discord made for the bot: people choose it by mistake."""
    tags = ((role, role.tags) for role in message.role_mentions)
    return [role.mention for role, tag in tags if tag is not None and tag.bot_id == me]


def _text(me: int, message: Message) -> str:
    """Return what was said, without the bot's name, and with the names of the others."""
    text = message.content
    for ours in (f"<@{me}>", f"<@!{me}>", *_our_roles(me, message)):
        text = text.replace(ours, "")
    for user in message.mentions:
        for written in (f"<@{user.id}>", f"<@!{user.id}>"):
            text = text.replace(written, f"@{user.display_name}")
    return text.strip()


def _person(user: User | Member) -> Person:
    return Person(str(user.id), user.display_name)
