"""The library's client as we use it: what comes goes into a queue, in its order, and what was missed is asked for.

Nothing is kept before every channel was asked, and what comes meanwhile waits: so what was kept last tells until
when we listened, wherever a kill comes in between.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from discord import (
    AllowedMentions,
    Client,
    Guild,
    Intents,
    Interaction,
    MemberCacheFlags,
    Message,
    Object,
    PartialMessageable,
    RawMessageUpdateEvent,
)
from discord.abc import Messageable

from hermes_agent import clock
from hermes_agent.errors import GatewayBusy, GatewayRefused
from hermes_agent.gateways.discord_missed import Floors, channel_of, floors_of
from hermes_agent.gateways.discord_reading import Came, Reader, decided, id_of, place_of, with_edits
from hermes_agent.gateways.discord_telling import told
from hermes_agent.gateways.gateway import Incoming, Keep, Place
from hermes_agent.jobs.worker import LOG

_INTENTS = Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=True)
_GUILDS_SECONDS = 0.5
"""How long after the last of its servers Discord is taken to have told all; one that comes later is asked then."""
_QUIET_SECONDS, _LONGEST_WAIT_SECONDS = 0.1, 1.0
_LONGEST_LIMIT_SECONDS = 30.0
_AT_ONCE = 8
_MOST_READ = 5000
"""How many messages of a channel are looked through: Discord gives a hundred at a time."""
_MILLISECOND = 1000


@dataclass(frozen=True, slots=True)
class _Connected:
    """A new session began: what was said before does not come by itself."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """The servers are known."""


_Event = _Connected | _Ready | Guild | Message | RawMessageUpdateEvent | Interaction
_Heard = Message | RawMessageUpdateEvent | Interaction


class Listener(Client):
    """A connection that brings what people say."""

    def __init__(self, people: Sequence[int], last: Callable[[], Mapping[Place, int]]) -> None:
        super().__init__(
            intents=_INTENTS,
            allowed_mentions=AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            guild_ready_timeout=_GUILDS_SECONDS,
            max_ratelimit_timeout=_LONGEST_LIMIT_SECONDS,
        )
        self._people = people
        self._last = last
        self._came: asyncio.Queue[_Event] = asyncio.Queue()
        self._floors: Floors | None = None
        self._asked: set[int] = set()
        self._channels: dict[int, Messageable] = {}
        self._reader = Reader(0)

    async def on_connect(self) -> None:
        self._came.put_nowait(_Connected())

    async def on_ready(self) -> None:
        self._came.put_nowait(_Ready())

    async def on_guild_available(self, guild: Guild) -> None:
        self._came.put_nowait(guild)

    async def on_guild_join(self, guild: Guild) -> None:
        self._came.put_nowait(guild)

    async def on_message(self, message: Message) -> None:
        self._came.put_nowait(message)

    async def on_raw_message_edit(self, edit: RawMessageUpdateEvent) -> None:
        self._came.put_nowait(edit)

    async def on_interaction(self, interaction: Interaction) -> None:
        self._came.put_nowait(interaction)

    async def bring(self, keep: Keep) -> None:
        """Hand on what comes, whatever came together in one go, and behind what was missed."""
        waiting: list[_Heard] = []
        missed: list[Came] = []
        while True:
            for event in await self._together():
                if isinstance(event, _Connected):
                    self._floors = None
                    missed.clear()
                elif isinstance(event, _Ready):
                    missed += await self._look_back_everywhere()
                elif isinstance(event, Guild):
                    missed += await self._look_back(self._channels_of([event]))
                else:
                    waiting.append(event)
            if self._floors is None:
                continue
            missed += await self._look_back([one.channel for one in waiting if isinstance(one, Message)])
            await self._keep(keep, missed, waiting)
            missed, waiting = [], []

    async def _together(self) -> list[_Event]:
        """Return what came: whatever follows within a moment is taken along, as it may have overtaken."""
        found = [await self._came.get()]
        end = clock.monotonic() + _LONGEST_WAIT_SECONDS
        while clock.monotonic() < end:
            try:
                async with asyncio.timeout(_QUIET_SECONDS):
                    found.append(await self._came.get())
            except TimeoutError:
                break
        return found

    async def _keep(self, keep: Keep, missed: Sequence[Came], waiting: Sequence[_Heard]) -> None:
        came = list(missed)
        pressed = [one for one in waiting if isinstance(one, Interaction)]
        for one in waiting:
            if isinstance(one, Message):
                came.append(Came(one, await self._whole(one.channel)))
            elif isinstance(one, RawMessageUpdateEvent) and one.message.edited_at is not None:
                came.append(Came(one.message, await self._whole(one.message.channel), is_edit=True))
        batch: list[Incoming] = [*self._reader.read(came)]
        for button in pressed:
            if isinstance(button.channel, Messageable):
                decision = decided(button, await self._whole(button.channel))
                batch += [] if decision is None else [decision]
        await keep(batch)
        for button in pressed:
            # The button stops turning; what it decided is kept already.
            await _tolerated(button.response.defer())

    async def _look_back_everywhere(self) -> list[Came]:
        """Ask every channel in which something may have been missed."""
        last = await asyncio.to_thread(self._last)
        self._floors = floors_of(last, clock.now() // _MILLISECOND)
        self._asked.clear()
        assert self.user is not None  # it is logged in
        threads = {channel_of(place) for place in last if place.thread_id is not None}
        self._reader = Reader(self.user.id, threads)
        known = [channel_of(place) for place in last if place.kind == "dm"]
        opened = [await self._opened(person) for person in self._people]
        # Discord does not tell a bot with whom it has talked alone.
        alone = {*known, *(one for one in opened if one is not None)}
        dms = [self.get_partial_messageable(one) for one in sorted(alone)]
        return await self._look_back([*dms, *self._channels_of(self.guilds)])

    async def _opened(self, person: int) -> int | None:
        """Return the channel in which somebody would write to us alone."""
        try:
            return (await told(self.create_dm(Object(person)))).id
        except GatewayRefused as refused:
            LOG.info("Discord opens no direct messages with %d: %s", person, refused.message)
            return None

    def _channels_of(self, guilds: Iterable[Guild]) -> list[Messageable]:
        """Return the channels of servers in which something was said since we listened."""
        if self._floors is None:
            return []
        found: list[Messageable] = []
        for guild in guilds:
            places = (guild.text_channels, guild.voice_channels, guild.stage_channels, guild.threads)
            for channel in (one for group in places for one in group):
                if (channel.last_message_id or 0) > self._floors.of(channel.id):
                    found.append(channel)
                else:
                    self._asked.add(channel.id)
        return found

    async def _look_back(self, channels: Sequence[Messageable]) -> list[Came]:
        """Return what was said in channels since we listened there; each is asked once a session."""
        if self._floors is None:
            return []
        floors, gate = self._floors, asyncio.Semaphore(_AT_ONCE)
        fresh = {id_of(one): one for one in channels if id_of(one) not in self._asked}

        async def ask(channel_id: int, channel: Messageable) -> list[Came]:
            async with gate:
                after = Object(floors.of(channel_id))
                try:
                    found = await told(_history(channel, after))
                except GatewayRefused as refused:
                    LOG.info("Discord does not tell what was said in %d: %s", channel_id, refused.message)
                    return []
                return [*with_edits(found, await self._whole(channel))] if found else []

        told_of = await asyncio.gather(*(ask(*one) for one in fresh.items()))
        self._asked |= set(fresh)
        return [one for some in told_of for one in some]

    async def _whole(self, channel: Messageable) -> Messageable:
        """Return a channel with what it is: of some, such as threads that slept, only the id comes."""
        if not isinstance(channel, PartialMessageable) or channel.guild_id is None:
            return channel
        if channel.id not in self._channels:
            try:
                found = await told(self.fetch_channel(channel.id))
            except GatewayRefused:
                return channel
            self._channels[channel.id] = found if isinstance(found, Messageable) else channel
        return self._channels[channel.id]


async def _history(channel: Messageable, after: Object) -> list[Message]:
    """Return what was said after a message; of the talk of many, the last of it if it is much."""
    is_alone = place_of(channel).kind == "dm"
    most = None if is_alone else _MOST_READ
    return [one async for one in channel.history(limit=most, after=after, oldest_first=is_alone)]


async def _tolerated(call: Awaitable[object]) -> None:
    """Wait for a call that may fail: a button that was pressed long ago cannot be answered any more."""
    try:
        await told(call)
    except (GatewayBusy, GatewayRefused):
        return
