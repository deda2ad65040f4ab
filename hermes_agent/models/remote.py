"""A language model somewhere else, asked through pydantic-ai: the only module that drives that library.

One request is one stream. Pieces are handed on as they come; the whole reply is the last one. When asking
fails before anything was shown it is tried again, by us alone: the vendors' own retries are off. Closing
the iterator, or Ctrl-C, closes the connection at once.
"""

import hashlib
import inspect
import warnings
import weakref
from collections.abc import AsyncIterable, AsyncIterator, Generator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any

import httpx2
from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
)
from pydantic_ai.models import Model as LibraryModel
from pydantic_ai.models import ModelRequestParameters, create_async_httpx2_client, infer_model
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModelSettings
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from hermes_agent import stopping
from hermes_agent.config.addresses import is_loopback
from hermes_agent.models import bridge, served, trouble, vendors, wire
from hermes_agent.models.choose import COMPATIBLE, RemoteChoice
from hermes_agent.models.trouble import Trouble
from hermes_agent.patience import PATIENT, Patience
from hermes_agent.records.talk import Piece, Request, TextPiece, ThinkingPiece

# The library warns of what a server leaves out or writes strangely; that is no news for the person who talks.
warnings.filterwarnings("ignore", category=UserWarning, module=r"pydantic_ai\.")

# Where nobody knows: what small servers give, and what vendors' models take at the least.
_WINDOW_OF_A_SERVER = 32_768
_WINDOW_OF_A_VENDOR = 128_000
# A slow machine may read a long prompt for minutes before its first word.
SILENCE_SECONDS = 300.0


@dataclass(slots=True)
class _Whole:
    """The end of a stream: the library's record of the whole reply."""

    response: ModelResponse


class Remote:
    """A model of a vendor or of a server, ready to be asked; `close` lets go of its connections."""

    def __init__(
        self,
        choice: RemoteChoice,
        patience: Patience = PATIENT,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        """Refuse at once when the key is missing."""
        if not choice.is_ready:
            raise trouble.missing_key(choice)
        self._given = choice
        self._patience = patience
        self._silence_seconds = silence_seconds
        self._bridge = bridge.shared()

    @property
    def name(self) -> str:
        """What the archive writes beside its answers; asking for it never asks the server."""
        found: RemoteChoice = self.__dict__.get("_choice", self._given)
        return found.name

    @property
    def is_embedded(self) -> bool:
        """A language model is not."""
        return False

    @cached_property
    def context_window(self) -> int:
        """Most tokens of one request and its answer: as set, as known, or a careful guess."""
        known = self._choice.context_window or self._library_model.context_window
        return known or (_WINDOW_OF_A_VENDOR if self._choice.base_url is None else _WINDOW_OF_A_SERVER)

    def ask(self, request: Request) -> Generator[Piece, None, None]:
        """Answer in pieces; the last one is the whole reply."""
        messages, parameters = wire.messages(request), wire.parameters(request)
        settings = self._settings(request)
        for attempt in count(1):
            failed = yield from self._attempt(messages, parameters, settings)
            if failed is None:
                return
            wait = trouble.retry_wait(failed, attempt, self._patience)
            if wait is None:
                raise failed.error
            stopping.sleep(wait)

    def close(self) -> None:
        """Close the connections; a later question opens them again."""
        if "_library_model" in self.__dict__:
            self._closing.detach()
            self._bridge.run(_close(self._library_model, self._client))
            del self.__dict__["_library_model"], self.__dict__["_client"]

    @cached_property
    def _choice(self) -> RemoteChoice:
        """The choice with a model's name in it: a server is asked for it the first time it matters."""
        if self._given.model is not None:
            return self._given
        found = served.only(self._given)
        return replace(
            self._given, model=found.name, context_window=self._given.context_window or found.context_window
        )

    @cached_property
    def _library_model(self) -> LibraryModel:
        try:
            model = build(self._choice, self._client)
        except ImportError:
            raise trouble.missing_package(self._choice) from None
        except trouble.ERRORS as error:
            raise trouble.translate(error, self._choice).error from None
        self._closing = weakref.finalize(self, _abandon, self._bridge, model, self._client)
        self._closing.atexit = False  # the system closes what is left
        return model

    @cached_property
    def _client(self) -> httpx2.AsyncClient | None:
        """A client of our own for servers on this machine: they are not reached through a proxy."""
        address = self._choice.base_url
        if address is None or not is_loopback(address):
            return None
        return create_async_httpx2_client(transport=httpx2.AsyncHTTPTransport())

    def _settings(self, request: Request) -> OpenAIResponsesModelSettings:
        settings = OpenAIResponsesModelSettings(cache=True)
        ignored = self._library_model.unsupported_settings
        if "max_retries" not in ignored:
            settings["max_retries"] = 0
        if "timeout" not in ignored:
            settings["timeout"] = self._silence_seconds
        if self._choice.provider in vendors.OPENAI_PROVIDERS:
            prompt = hashlib.sha256(request.system_prompt.encode("utf-8", "replace")).hexdigest()
            settings["openai_prompt_cache_key"] = prompt[:32]
            # What the owner forgets must not live on at the vendor.
            settings["openai_store"] = False
        return settings

    def _attempt(
        self,
        messages: list[ModelMessage],
        parameters: ModelRequestParameters,
        settings: OpenAIResponsesModelSettings,
    ) -> Generator[Piece, None, Trouble | None]:
        """Ask once; return what went wrong. Nothing is transient any more when some of it was shown."""
        model, choice = self._library_model, self._choice
        failed: Trouble | None = None
        said: list[str] = []
        has_begun = False
        for item in self._bridge.stream(lambda: _events(model, choice, messages, parameters, settings)):
            match item:
                case Trouble():
                    failed = replace(item, is_transient=item.is_transient and not has_begun)
                    continue
                case _Whole(response):
                    if response.finish_reason == "content_filter" and not said:
                        raise trouble.refused(choice)
                    yield wire.reply(response, "".join(said), self.name)
                case TextPiece(text):
                    said.append(text)
                    yield item
                case _:
                    yield item
            has_begun = True
        return failed


async def _events(
    model: LibraryModel,
    choice: RemoteChoice,
    messages: list[ModelMessage],
    parameters: ModelRequestParameters,
    settings: OpenAIResponsesModelSettings,
) -> AsyncIterator[Piece | _Whole | Trouble]:
    """Yield the pieces of an answer and its end, or what went wrong.

    The library's error is translated here and let go, on the loop that it belongs to: it may quote what was
    sent, and the streams it holds on to must not be freed by another thread.
    """
    failed: Trouble | None = None
    try:
        async with model_request_stream(
            model, messages, model_settings=settings, model_request_parameters=parameters, instrument=False
        ) as response:
            async for piece in _paragraphs(response):
                yield piece
            yield _Whole(response.get())
    except trouble.ERRORS as error:
        failed = trouble.translate(error, choice)
    if failed is not None:
        yield failed


async def _paragraphs(events: AsyncIterable[object]) -> AsyncIterator[Piece]:
    """Yield the pieces of a stream; words that come after something else begin a new paragraph."""
    has_text = is_apart = False
    async for event in events:
        if isinstance(event, PartStartEvent) and not isinstance(event.part, TextPart):
            is_apart = has_text
        piece = _piece(event)
        if isinstance(piece, TextPiece):
            if is_apart:
                yield TextPiece("\n\n")
            has_text, is_apart = True, False
        if piece is not None:
            yield piece


def _piece(event: object) -> Piece | None:
    match event:
        case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return TextPiece(text) if text else None
        case PartStartEvent(part=ThinkingPart(content=text)):
            return ThinkingPiece(text) if text else None
        case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=str(text))):
            return ThinkingPiece(text) if text else None
        case _:
            return None


def build(choice: RemoteChoice, client: httpx2.AsyncClient | None = None) -> LibraryModel:
    """Make the library's model of a choice; ImportError when the vendor's package is missing."""
    assert choice.model is not None
    if choice.provider == COMPATIBLE:
        assert choice.base_url is not None
        return _compatible(choice, COMPATIBLE, choice.base_url, client)
    try:
        return infer_model(f"{choice.provider}:{choice.model}", lambda name: _provider(name, choice, client))
    except ImportError:
        vendor = vendors.BY_PROVIDER.get(choice.provider)
        if vendor is None or vendor.endpoint is None:
            raise
        # Without the vendor's own package its OpenAI-compatible endpoint serves as well.
        return _compatible(choice, f"{choice.provider}-compatible", choice.base_url or vendor.endpoint, client)


def _compatible(choice: RemoteChoice, name: str, address: str, client: httpx2.AsyncClient | None) -> LibraryModel:
    assert choice.model is not None
    provider = OpenAICompatibleProvider(name, base_url=address, api_key=choice.key, http_client=client)
    # A stream that ends without a reason was cut off; taken for whole, half an answer would be kept as one.
    profile = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    return OpenAIChatModel(choice.model, provider=provider, profile=profile)


def _provider(name: str, choice: RemoteChoice, client: httpx2.AsyncClient | None) -> Provider[Any]:
    """Make the library's provider with our key and address, never with what it would find by itself.

    Any: each provider has a client of its vendor's own type.
    """
    if name.startswith("gateway/"):
        return infer_provider(name)
    kind = infer_provider_class(name)
    accepted = inspect.signature(kind.__init__).parameters
    given = {"api_key": choice.key, "base_url": choice.base_url, "http_client": client}
    return kind(**{key: value for key, value in given.items() if key in accepted and value is not None})


async def _close(model: LibraryModel, client: httpx2.AsyncClient | None) -> None:
    if client is not None:
        await client.aclose()
    # The library closes the client it made when its model is left.
    async with model:
        pass


def _abandon(loop: bridge.Bridge, model: LibraryModel, client: httpx2.AsyncClient | None) -> None:
    """Close what a forgotten model holds, without waiting: this may run in any thread."""
    loop.start(_close(model, client))
