"""The external memory as conversations use it: one more pass of recall, one more set of tools, one more job.

Its words are data from elsewhere: what it brings is fenced and marked, and what speaks to the assistant is left
out and told. Whatever it does wrong is a sentence for the owner; the turn goes on.
"""

import json
import re
import threading
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import cast

from hermes_agent import clock
from hermes_agent.errors import HermesError, ProviderUnwilling, ToolError
from hermes_agent.notes import screening
from hermes_agent.providers.provider import MemoryProvider, Schema
from hermes_agent.providers.telling import use_tool
from hermes_agent.providers.watched import Caller, Watched, as_text
from hermes_agent.recall.block import strip_fences
from hermes_agent.recall.hit import Hit
from hermes_agent.text.tokens import CHARACTERS_PER_TOKEN

TOOL_SECONDS = 30.0
"""A model that uses a tool waits longer than a turn that only wants to know more."""
_MOST_LINES = 12
_SHARE = 4
"""One part in so many of the budget is the external memory's at most."""
_MOST_TOKENS = 1_500
_LOOKED_AT = 4
"""So many times as much as there is room for is looked at, whether it may pass or not: a turn waits for it."""
_LONGEST_BLOCK = 2_000
_MOST_OFFERED = 128
_HEADING = re.compile(r"#{1,6}\s|[-=*_]{3,}\s*$")
_BULLET = re.compile(r"(?:[-*•]|\d{1,3}[.)])\s+")
_LONGEST_WAIT = 1.0
"""How much longer than its own limit a call may take to come back to us."""


@dataclass(frozen=True, slots=True)
class Provided:
    """What the external memory brought, and why it brought nothing."""

    hits: Sequence[Hit] = ()
    troubles: Sequence[str] = ()
    failure: str | None = None
    """Why it brought nothing: it was not asked, or did not answer."""


NOTHING = Provided()


class Waiting:
    """A question that the external memory is asked at this moment."""

    def __init__(self, external: "External", said: str, caller: Caller, budget_tokens: int) -> None:
        self._external = external
        self._budget_tokens = budget_tokens
        self._came: Future[str | HermesError] = Future()
        work = threading.Thread(target=self._ask, args=(said, caller), name="external memory", daemon=True)
        work.start()

    def end(self) -> Provided:
        """Wait for what it brings, for as long as a turn waits at most."""
        name = self._external.name
        try:
            came = self._came.result(self._external.seconds + _LONGEST_WAIT)
        except TimeoutError:
            return Provided(troubles=[f"{name} did not answer."], failure=f"{name} did not answer.")
        if isinstance(came, HermesError):
            told = f"The external memory was not asked or did not answer: {came.message}"
            return Provided(troubles=[told], failure=came.message)
        return provided(name, came, self._budget_tokens)

    def _ask(self, said: str, caller: Caller) -> None:
        external = self._external
        try:
            found = external.watched.hear(
                lambda one: as_text(one.prefetch(said, session_id=caller.session_id)), external.seconds, caller
            )
            self._came.set_result(found)
        except HermesError as error:
            self._came.set_result(error)


@dataclass(frozen=True, slots=True)
class External:
    """The external memory of a home."""

    watched: Watched
    seconds: float
    is_alone: bool = False
    """Whether our own memory is not asked before a task."""
    told: list[Sequence[Schema]] = field(default_factory=list)
    """The tools it offers, once it said so."""

    @property
    def name(self) -> str:
        """The provider's name."""
        return self.watched.name

    def begin(self, said: str, session_id: str, budget_tokens: int) -> Waiting:
        """Ask what it remembers for a message; `end` waits for the answer."""
        return Waiting(self, said, Caller(session_id), budget_tokens)

    def prompt_block(self, session_id: str) -> str:
        """Return what it says of itself in the system prompt; nothing while it is away, or gives orders."""
        try:
            text = self.watched.hear(
                lambda one: as_text(one.system_prompt_block()), self.seconds, Caller(session_id)
            )
        except HermesError:
            return ""  # it is told where something is asked of it
        return _block(text)

    def tools(self, session_id: str) -> Sequence[Schema]:
        """Return the tools it offers, none while it is away."""
        if not self.told:
            try:
                self.told.append(self.watched.hear(_offered, self.seconds, Caller(session_id)))
            except HermesError:
                return ()
        return self.told[0]

    def begin_turn(self, number: int, said: str, session_id: str) -> None:
        """Let it hear that a turn begins, if it wants to; what goes wrong is told when it is asked."""
        if type(self.watched.provider).on_turn_start is not MemoryProvider.on_turn_start:
            with suppress(HermesError):
                self.watched.hear(lambda one: one.on_turn_start(number, said), self.seconds, Caller(session_id))

    def call(self, tool: str, arguments: Schema, session_id: str) -> str:
        """Use one of its tools."""
        try:
            answer = self.watched.ask(
                lambda one: as_text(str(use_tool(one, tool, arguments, session_id))),
                TOOL_SECONDS,
                Caller(session_id),
            )
        except ProviderUnwilling as error:
            raise ToolError(error.message, hint=error.hint) from error
        return strip_fences(answer)

    def get_ready(self, said: str, session_id: str) -> None:
        """Let it get ready for the next message, beside us; what goes wrong is told when it is asked."""

        def warm() -> None:
            with suppress(HermesError):
                self.watched.ask(
                    lambda one: one.queue_prefetch(said, session_id=session_id), TOOL_SECONDS, Caller(session_id)
                )

        if type(self.watched.provider).queue_prefetch is not MemoryProvider.queue_prefetch:
            threading.Thread(target=warm, name="external memory", daemon=True).start()

    def before_compression(self, messages: Sequence[Schema], session_id: str) -> str:
        """Tell it what leaves the window; return what a summary should hold of it, in its words."""
        try:
            text = self.watched.hear(
                lambda one: as_text(one.on_pre_compress(messages)), self.seconds, Caller(session_id)
            )
        except HermesError:
            return ""  # our own summary is made all the same
        return _block(text)


def provided(name: str, text: str, budget_tokens: int) -> Provided:
    """Take what a provider said apart into hits; what speaks to the assistant is left out, and told."""
    room = min(budget_tokens // _SHARE, _MOST_TOKENS) * CHARACTERS_PER_TOKEN
    now = clock.now()
    hits: list[Hit] = []
    suspicious = 0
    for line in islice(_lines(_beginning(text, _LOOKED_AT * room)), _LOOKED_AT * _MOST_LINES):
        if screening.find(line, "foreign"):
            suspicious += 1
            continue
        room -= len(line)
        if room < 0 or len(hits) >= _MOST_LINES:
            break
        hits.append(
            Hit(
                kind="provided",
                id=zlib.crc32(line.encode("utf-8", "surrogatepass")),
                message_id=None,
                session_id=None,
                who=f"provider {name}",
                text=line,
                said_at=now,
                source_class="tool",
                score=0.0,
                relevance=0.0,
                passes=("provider",),
                mark=f"from {name}",
            )
        )
    trouble = f"What {name} brought speaks to the assistant; {suspicious} of its lines were left out."
    return Provided(hits, [trouble] if suspicious else [])


def _beginning(text: str, characters: int) -> str:
    """Return the whole lines at the beginning of a text that is too long; any other as it is."""
    return text if len(text) <= characters else text[:characters].rpartition("\n")[0]


def _lines(text: str) -> Iterator[str]:
    """Yield the lines that say something, without what makes them a list, each once."""
    seen: set[str] = set()
    for line in strip_fences(text).splitlines():
        said = " ".join(_BULLET.sub("", line.strip(), count=1).split())
        if said and said not in seen and not _HEADING.match(line.strip()):
            seen.add(said)
            yield said


def _block(text: str) -> str:
    """Return what it says of itself, without fences and not too long; nothing where it speaks to the assistant."""
    text = strip_fences(text[: _LONGEST_BLOCK * 4]).strip()[:_LONGEST_BLOCK]
    return "" if screening.find(text, "foreign") else text


def _offered(provider: MemoryProvider) -> list[Schema]:
    """Return the tools that a provider offers, as plain JSON; however many it has, not more than anybody needs."""
    return [*filter(None, map(_unwrapped, islice(provider.get_tool_schemas() or (), _MOST_OFFERED)))]


def _unwrapped(schema: object) -> Schema | None:
    """Return a tool's schema as we use it; one without a name is none: strict vendors refuse all tools for it."""
    if not isinstance(schema, dict):
        return None
    inner = schema.get("function") if schema.get("type") == "function" else schema
    try:
        plain = json.loads(json.dumps(inner, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return None
    is_one = isinstance(plain, dict) and isinstance(plain.get("name"), str) and plain["name"]
    return cast(Schema, plain) if is_one else None
