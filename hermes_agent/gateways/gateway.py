"""What a gateway is: the words between a chat platform and us, and the six things a platform must do.

A gateway knows its platform and nothing of memory: it brings what people say, and sends what they are to read.
Who may talk, in which session, in which order, what was handled already and what is still to be sent is decided
here, the same for all platforms (`running.py`). Gateways are found by entry points of the group
`hermes_agent.gateways`; ours register the same way. docs/guides/gateways.md shows a whole one.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from hermes_agent.config.load import Settings
from hermes_agent.records.archive import Json

ChatKind = Literal["dm", "group", "channel"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is said, as the platform names it: answers go there."""

    chat_id: str
    kind: ChatKind = "dm"
    thread_id: str | None = None
    message_id: str | None = None
    """In `send`: the message that is answered, where a platform can show that. Gateways need not give it."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who says something; the id counts, the name is for people."""

    id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message: `id` is what `fetch` takes."""

    id: str
    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A message, or a later edit of one."""

    key: str
    """What the platform calls this update: the same key twice is one update."""
    position: int
    """Its place among those of the chat: what is smaller was said before."""
    place: Place
    person: Person
    text: str
    message_id: str = ""
    is_edit: bool = False
    """Whether it replaces what the message with this `message_id` said."""
    attachments: Sequence[Attachment] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """A yes or no to a question, by a button."""

    key: str
    position: int
    place: Place
    person: Person
    question_id: str
    is_allowed: bool


Incoming = Said | Decided

Keep = Callable[[Sequence[Incoming]], Awaitable[frozenset[str]]]
"""Keep what came, in one go. When it returns everything is on the disk: only then confirm it to the platform.

It returns the keys of those that will be answered: not of those that were there before, nor of strangers'.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """What the owner is asked before a tool runs; answered by a button, or by writing yes or no."""

    id: str
    text: str


class Gateway(Protocol):
    """One connection to a platform. All of it runs in one event loop; several calls may be under way at once.

    Two errors are understood. `GatewayBusy`: the platform asks us to wait, or cannot be reached; the call is made
    again, after `retry_seconds` if they are given. `GatewayRefused`: trying again is of no use (a wrong token, a
    chat that is gone). Everything else counts as a failure of the gateway, which is started again.
    """

    async def listen(self, keep: Keep) -> None:
        """Bring what comes, until this is cancelled or the connection fails; the first call is the connecting.

        Call `keep` with nothing once the connection stands, and then with whatever arrived together, in one call.
        What was not kept must come again after a restart.
        """
        ...

    async def send(self, place: Place, text: str) -> None:
        """Send one message, at most `limit_characters` long; return when the platform has it."""
        ...

    async def show_typing(self, place: Place) -> None:
        """Show for a few seconds that an answer is being written; called again while it is."""
        ...

    async def ask(self, place: Place, question: Question) -> None:
        """Ask the owner, with buttons for yes and no if the platform has them."""
        ...

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Return a file; raise GatewayRefused if it is larger."""
        ...

    async def close(self) -> None:
        """Let go of the connection; also called after `listen` failed."""
        ...


@dataclass(frozen=True, slots=True)
class Awaited:
    """An answer that is not there yet: it is being made, or will be."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a gateway is made from: our settings, what stands under `gateways.others` for it, and the variables."""

    settings: Settings
    options: Mapping[str, Json] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    """The secrets that the platform names, from the environment or the `.env`: never in settings or logs."""
    last: Callable[[], Mapping[Place, int]] = dict
    """Asks the store, in any thread, where something was kept, and the last position there.

    For platforms that do not bring again by themselves what was not kept.
    """
    answer: Callable[[str], str | Awaited | None] = lambda key: None
    """Asks the store, in any thread, for the answer to what came under a key; None if it has none, or no more.

    For platforms on which somebody may ask again for an answer: one that a gateway holds outlives a forgetting.
    """


@dataclass(frozen=True, slots=True)
class Secret:
    """A variable that a gateway needs, and where one gets it."""

    name: str
    help: str
    is_made: bool = False
    """Whether we make it ourselves, at random, instead of asking for it."""


@dataclass(frozen=True, slots=True)
class Platform:
    """What an entry point names: how a platform is called, what it needs, and how to connect to it.

    The module that holds it is imported by every `hermes gateway list`: let it import its library in `connect`.
    """

    name: str
    title: str
    connect: Callable[[Setup], Gateway]
    limit_characters: int
    secrets: Sequence[Secret] = ()
    is_over_http: bool = False
    """Whether its gateway is an ASGI app, too, which the daemon serves under `/gateways/NAME`."""
    extra: str | None = None
    """Which extra of the package brings its library: `pip install 'hermes-agent[telegram]'`."""
    library: str | None = None
    """The module of that library, to tell whether it is there."""
