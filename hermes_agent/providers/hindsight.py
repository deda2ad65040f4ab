"""Hindsight: banks of facts, experiences and observations, recalled by meaning, words, links and time.

A server: the vendor's cloud or one's own. What is brought is a document with an id of ours, made from its words,
so that a turn that comes twice is kept once. Hindsight's language model draws facts from a document; they live and
go with it, and the ids that we give out are those of documents.

Its client is asynchronous and tied to one event loop. Calls come from changing threads, so each has a loop and a
client of its own (measured: 27 ms of processor time a call).
"""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from hermes_agent.errors import ProviderDown, ProviderError, ProviderRefused, ProviderUnwilling, ToolError
from hermes_agent.providers import arguments, outgoing
from hermes_agent.providers.described import key, setting, tool, words
from hermes_agent.providers.hindsight_options import CLOUD, bank_of, read_options, with_files
from hermes_agent.providers.options import Options
from hermes_agent.providers.provider import Kept, MemoryProvider, Schema, Surroundings

if TYPE_CHECKING:
    from hindsight_client import Hindsight as Client
    from hindsight_client_api.models.list_memory_units_response import ListMemoryUnitsResponse

T = TypeVar("T")

_PAGE = 100
_MOST_LINES = 20
_MODES = ["hybrid", "context", "tools"]


class _Missing(ToolError):
    """There is no such bank or document."""


class Hindsight(MemoryProvider):
    """The provider `hindsight`."""

    name = "hindsight"

    def __init__(self, surroundings: Surroundings) -> None:
        found = with_files(surroundings)
        given = Options(found, {})
        self._key = given.secret("apiKey", "HINDSIGHT_API_KEY") or given.secret("api_key", "HINDSIGHT_API_KEY")
        self._options = read_options(found)
        self._profile = surroundings.profile
        self._known: dict[str, str] = {}
        self._bank = self._options.bank_id

    def is_available(self) -> bool:
        """Tell whether the package is there, and for the cloud a key."""
        return find_spec("hindsight_client") is not None and (self._options.url != CLOUD or bool(self._key))

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Find out which bank is meant; it comes to be with the first thing that is kept."""
        self._known = {
            "profile": str(kwargs.get("agent_identity") or self._profile),
            "workspace": str(kwargs.get("agent_workspace") or "hermes"),
            "platform": str(kwargs.get("platform") or "cli"),
            "user": str(kwargs.get("user_id") or ""),
        }
        self.on_session_switch(session_id)

    def on_session_switch(
        self,
        new_session_id: str,
        *,
        parent_session_id: str = "",
        reset: bool = False,
        rewound: bool = False,
        **kwargs: Any,
    ) -> None:
        """Take the bank of another conversation, if each has its own."""
        self._bank = bank_of(self._options, {**self._known, "session": new_session_id})

    def system_prompt_block(self) -> str:
        """Say what it is."""
        if self._options.memory_mode == "context":
            return "Hindsight is a long-term memory; what it recalls comes with each message."
        return (
            "Hindsight is a long-term memory. Use hindsight_recall to look facts up, hindsight_reflect for an "
            "answer drawn from many of them, and hindsight_retain for what should be remembered."
        )

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """Return what is recalled for a message, one fact a line; or an answer, if the settings want one."""
        asked = outgoing.sendable(query[: self._options.recall_characters])
        if not self._options.is_recalling or self._options.memory_mode == "tools" or not re.search(r"\w", asked):
            return ""
        if self._options.prefetch_method == "reflect":
            return self._reflect(asked)
        return "\n".join(self._recall(asked)[:_MOST_LINES])

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Schema] | None = None,
    ) -> None:
        """Keep a turn as a document; its id follows from the conversation and the words."""
        said = [("User", outgoing.sendable(user_content)), ("Assistant", outgoing.sendable(assistant_content))]
        content = "\n\n".join(f"{who}: {text}" for who, text in said if text)
        if content and self._options.is_retaining:
            item: dict[str, Any] = {"content": content, "context": self._options.retain_context}
            if session_id:
                item["metadata"] = {"session_id": session_id}
            if when := outgoing.said_at(messages):
                item["timestamp"] = when
            self._retain(item, f"turn-{outgoing.turn_key(session_id, user_content, assistant_content, messages)}")

    def on_memory_write(
        self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Do with a note's copy what was done with the note, if the whole old note is told."""
        old = str((metadata or {}).get("old_text") or content)
        if action in ("replace", "remove"):
            self.forget(_id("note", outgoing.sendable(old)))
        if action in ("add", "replace"):
            self.remember(content)

    def get_tool_schemas(self) -> list[Schema]:
        """Return the tools of the public product; none when everything comes with the messages."""
        return [] if self._options.memory_mode == "context" else _TOOLS

    def handle_tool_call(self, tool_name: str, args: Schema, **kwargs: Any) -> str:
        """Do what the model asks."""
        tools: dict[str, Callable[[Schema], object]] = {
            "hindsight_retain": self._retained,
            "hindsight_recall": lambda given: {"results": self._recall(_words(given, "query"))},
            "hindsight_reflect": lambda given: {"answer": self._reflect(_words(given, "query"))},
        }
        if tool_name not in tools:
            return super().handle_tool_call(tool_name, args)
        return json.dumps(tools[tool_name](args), ensure_ascii=False)

    def get_config_schema(self) -> list[Schema]:
        """Ask for the place, the key and the bank."""
        return [
            setting(
                "mode", "cloud, or local: a server of your own", "cloud", "HINDSIGHT_MODE", ["cloud", "local"]
            ),
            setting("api_url", "Address of the server", "", "HINDSIGHT_API_URL"),
            {
                **key("Hindsight", "HINDSIGHT_API_KEY", "https://hindsight.vectorize.io", required=False),
                "key": "apiKey",
            },
            setting("bank_id", "Bank", self._options.bank_id, "HINDSIGHT_BANK_ID"),
            setting("recall_budget", "How far recall looks", "mid", "HINDSIGHT_BUDGET", ["low", "mid", "high"]),
            setting("memory_mode", "Recall with each message, by tools, or both", "hybrid", "", _MODES),
        ]

    def remember(self, text: str) -> str:
        """Keep a sentence as a document; Hindsight's model may put its facts in other words."""
        document = _id("note", outgoing.sendable(text))
        self._retain({"content": outgoing.sendable(text)}, document)
        return document

    def memories(self) -> Iterator[Kept]:
        """Yield every fact with the id of its document; not what Hindsight concluded from several."""
        offset = 0
        while True:
            listed = partial(_listed, self._bank, offset)
            try:
                page = self._ask(listed)
            except _Missing:
                return
            for one in _all(page.items):
                if one.fact_type != "observation" and one.text:
                    yield Kept(one.document_id or one.id, one.text)
            offset += _PAGE
            if offset >= page.total:
                return

    def forget(self, kept_id: str) -> None:
        """Delete a document with its facts for good; a fact without one can only be hidden from recall."""
        from hindsight_client_api.models.update_memory_request import UpdateMemoryRequest

        bank, seconds = self._bank, self._options.timeout_seconds
        hidden = UpdateMemoryRequest(state="invalidated")
        with suppress(_Missing):
            self._ask(lambda client: client.documents.delete_document(bank, kept_id, _request_timeout=seconds))
            return
        if _is_uuid(kept_id):
            with suppress(_Missing):
                self._ask(
                    lambda client: client.memory.update_memory(bank, kept_id, hidden, _request_timeout=seconds)
                )

    def _retain(self, item: Mapping[str, Any], document: str) -> None:
        """Bring a document. It is there when this returns, unless the settings say `retain_async`."""
        bank, is_later = self._bank, self._options.is_retained_later
        tags = [*self._options.retain_tags, *item.get("tags", [])]
        items = [{**item, **({"tags": tags} if tags else {})}]
        taken = self._ask(
            lambda client: client.aretain_batch(bank, items, document_id=document, retain_async=is_later)
        )
        if not taken.success:
            raise ProviderDown("Hindsight did not take a document.")

    def _recall(self, query: str) -> list[str]:
        bank, options = self._bank, self._options
        try:
            found = self._ask(
                lambda client: client.arecall(
                    bank,
                    query[: options.recall_characters],
                    types=options.recall_types or None,
                    max_tokens=options.recall_tokens,
                    budget=options.budget,
                    tags=options.recall_tags or None,
                    tags_match=options.recall_tags_match,  # type: ignore[arg-type]  # the server says what is wrong
                )
            )
        except _Missing:
            return []  # the bank comes to be with the first document
        return [
            outgoing.line(one.text, (one.occurred_start or one.mentioned_at or "")[:10])
            for one in _all(found.results)
        ]

    def _reflect(self, query: str) -> str:
        bank, options = self._bank, self._options
        try:
            answer = self._ask(lambda client: client.areflect(bank, query, budget=options.budget))
        except _Missing:
            return ""
        return answer.text

    def _retained(self, args: Schema) -> object:
        content, context = _words(args, "content"), arguments.optional_text(args, "context")
        tags = args.get("tags") or []
        if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
            raise ToolError("tags has to be a list of texts.")
        document = _id("note", content)
        self._retain({"content": content, "tags": tags, **({"context": context} if context else {})}, document)
        return {"retained": document}

    def _ask(self, work: "Callable[[Client], Coroutine[Any, Any, T]]") -> T:
        """Let the client do something, in an event loop of its own."""
        if find_spec("hindsight_client") is None:
            hint = "Install it: pip install 'hermes-agent[hindsight]'"
            raise ProviderRefused("The package of Hindsight is not installed.", hint=hint)
        if self._options.url == CLOUD and not self._key:
            raise ProviderRefused(
                "Hindsight needs a key.", hint="Set HINDSIGHT_API_KEY: hermes memory setup hindsight"
            )
        from hindsight_client import Hindsight as Client

        with _in_our_words(), asyncio.Runner() as runner:
            client = Client(
                self._options.url,
                self._key or None,
                timeout=self._options.timeout_seconds,
                user_agent="hermes-agent",
                max_attempts=1,
            )
            try:
                return runner.run(work(client))
            finally:
                runner.run(client.aclose())  # type: ignore[no-untyped-call]


def _listed(bank: str, offset: int, client: "Client") -> "Coroutine[Any, Any, ListMemoryUnitsResponse]":
    return client.alist_memories(bank, limit=_PAGE, offset=offset)


@contextmanager
def _in_our_words() -> Iterator[None]:
    """Say in our words what went wrong on the way to the server, or in its answer."""
    import aiohttp
    from hindsight_client_api.exceptions import ApiException, NotFoundException

    try:
        yield
    except NotFoundException as error:
        if " not found" in str(error.body):
            raise _Missing("Hindsight does not have that.") from error
        raise ProviderRefused("There is no Hindsight at this address.", hint="See HINDSIGHT_API_URL.") from error
    except ApiException as error:
        raise _refusal(error.status or 0) from error
    except aiohttp.InvalidURL as error:
        raise ProviderRefused("The address of Hindsight is none.", hint="See HINDSIGHT_API_URL.") from error
    except (aiohttp.ClientError, OSError) as error:
        raise ProviderDown(
            f"Hindsight cannot be reached, or did not finish its answer ({type(error).__name__})."
        ) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _garbage() from error


def _refusal(status: int) -> ProviderError:
    if status in (401, 403):
        hint = "Set another one: hermes memory setup hindsight"
        return ProviderRefused(f"Hindsight refuses the key ({status}).", hint=hint)
    if status in (400, 413, 422):
        return ProviderUnwilling(f"Hindsight does not take this ({status}).")
    return ProviderDown(f"Hindsight failed ({status}).") if status else _garbage()


def _garbage() -> ProviderDown:
    return ProviderDown("Hindsight answered with something else than it should.")


def _all(found: list[T] | None) -> list[T]:
    if found is None:
        raise _garbage()
    return found


def _id(kind: str, *words: str) -> str:
    return f"{kind}-{outgoing.key(*words)}"


def _words(args: Schema, name: str) -> str:
    """Return a text with a word in it: of others the server says no more than that it does not take them."""
    value = arguments.text(args, name)
    if not re.search(r"\w", value):
        raise ToolError(f"{name} has to hold a word.")
    return outgoing.sendable(value)


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


_TOOLS = [
    tool(
        "hindsight_retain",
        "Remember something for good; facts are drawn from it.",
        ["content"],
        content=words("What to remember."),
        context=words("Where it comes from."),
        tags={"type": "array", "items": {"type": "string"}, "description": "Tags."},
    ),
    tool(
        "hindsight_recall",
        "Look up facts by meaning, words, people and time.",
        ["query"],
        query=words("What to look for."),
    ),
    tool(
        "hindsight_reflect",
        "Get an answer drawn from many memories; slower than recall.",
        ["query"],
        query=words("The question."),
    ),
]
