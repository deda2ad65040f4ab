"""Supermemory: documents in, learned memories out, spoken to with its own client `supermemory` (API v5).

Everything of one profile lies in one namespace, which was called container tag before. Each turn is a document,
and so is each remembered sentence; their ids follow from their words, so that the same one sent twice is one. What
Supermemory learns from documents comes later; until then a search finds their passages.

The client does not check what it is sent; its answers are read as plain JSON, strictly.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from hermes_agent.config.addresses import is_loopback
from hermes_agent.errors import HermesError, ProviderDown, ProviderRefused, ProviderUnwilling, ToolError
from hermes_agent.providers import answers, arguments, options, outgoing
from hermes_agent.providers.described import key, number, setting, tool, words
from hermes_agent.providers.provider import Kept, MemoryProvider, Schema, Surroundings

if TYPE_CHECKING:
    import httpx
    import supermemory

T = TypeVar("T")

_ADDRESS = "https://api.supermemory.ai"
_UNFIT = re.compile(r"[^A-Za-z0-9_:-]")
_OURS = "hermes-"
_LONGEST_QUERY = 2_000
_LONGEST_DOCUMENT = 100_000
_CONTEXT_CHARACTERS = 4_000
_PAGE = 100
_MODES = {"hybrid": "hybrid", "memories": "memories", "documents": "chunks", "chunks": "chunks"}

_SCHEMAS = [
    tool(
        "supermemory_store",
        "Keep something in Supermemory for later conversations.",
        ["content"],
        content=words("What to remember."),
        metadata={"type": "object", "description": "Words to file it by, such as a topic."},
    ),
    tool(
        "supermemory_search",
        "Search Supermemory by meaning.",
        ["query"],
        query=words("What to look for."),
        limit=number("How many at most: 5, up to 20."),
    ),
    tool(
        "supermemory_forget",
        "Forget a memory by its id. With a query, the memories it means are listed; a single one is forgotten.",
        [],
        id=words("The id of a memory, from a search."),
        query=words("What should be forgotten, in plain words."),
    ),
    tool(
        "supermemory_profile",
        "What Supermemory knows about the user: lasting facts and what matters now.",
        [],
        query=words("Adds the memories nearest to this."),
    ),
]

_CONFIG = [
    key("Supermemory", "SUPERMEMORY_API_KEY", "https://console.supermemory.ai"),
    setting("base_url", "Address of the server", _ADDRESS, "SUPERMEMORY_BASE_URL"),
    setting("container_tag", "Namespace; {identity} is the profile", "hermes", "SUPERMEMORY_CONTAINER_TAG"),
    setting("search_mode", "What is searched", "hybrid", choices=["hybrid", "memories", "documents"]),
]


@dataclass(frozen=True, slots=True)
class _Setup:
    key: str
    address: str
    namespace: str
    recalls: bool
    captures: bool
    most_recalled: int
    profile_every: int
    mode: str
    guidance: str
    seconds: float


class Supermemory(MemoryProvider):
    """The provider `supermemory`."""

    name = "supermemory"

    def __init__(self, surroundings: Surroundings) -> None:
        self._setup = _setup(surroundings)
        self._session_id = ""
        self._asked: dict[str, int] = {}
        self._opening = threading.Lock()
        self._client: supermemory.Supermemory | None = None
        self._http: httpx.Client | None = None

    def is_available(self) -> bool:
        """Tell whether the package and a key are there."""
        return find_spec("supermemory") is not None and bool(self._setup.key)

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Remember the conversation; nothing is asked before it is needed."""
        self._session_id = session_id

    def on_session_switch(self, new_session_id: str, **kwargs: Any) -> None:
        """Remember which conversation goes on."""
        self._session_id = new_session_id

    def get_tool_schemas(self) -> list[Schema]:
        """Return the four tools."""
        return _SCHEMAS

    def system_prompt_block(self) -> str:
        """Say what Supermemory is for."""
        return (
            "Supermemory remembers across conversations: supermemory_search finds, supermemory_profile tells what "
            "is known about the user, supermemory_store keeps, supermemory_forget forgets."
        )

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """Return the memories nearest to a message; in a conversation's first one the user's profile, too."""
        if not self._setup.recalls or not query.strip():
            return ""
        found = [outgoing.line(one["text"], one["when"]) for one in self._search(query, self._setup.most_recalled)]
        before = self._asked.get(session_id, 0)
        known = self._profile() if before % self._setup.profile_every == 0 else {}
        self._asked[session_id] = before + 1
        facts = [outgoing.line(fact) for part in known.values() for fact in part]
        return outgoing.lines([*found, *facts], _CONTEXT_CHARACTERS)

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Schema] | None = None,
    ) -> None:
        """Send the turn as a document; its id follows from the words, so that twice the same is one."""
        if not self._setup.captures:
            return
        session_id = session_id or self._session_id
        said = (("User", user_content), ("Assistant", assistant_content))
        whole = "\n\n".join(f"{who}: {text}" for who, text in said if outgoing.sendable(text))
        turn = outgoing.turn_key(session_id, user_content, assistant_content, messages)
        for place, piece in enumerate(outgoing.pieces(whole, _LONGEST_DOCUMENT)):
            self._add(f"{_OURS}turn-{turn}-{place}", piece, {"source": "hermes", "session": session_id})

    def on_memory_write(
        self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Keep a note as a document; delete the document of the one that went."""
        before, content = str((metadata or {}).get("old_text") or ""), content[:_LONGEST_DOCUMENT]
        if action in ("replace", "remove") and before.strip():
            self.forget(_document(before[:_LONGEST_DOCUMENT]))
        if action in ("add", "replace") and content.strip():
            self.remember(content)

    def remember(self, text: str) -> str:
        """Keep a sentence as a document of its own; the same one again is the same document."""
        return self._store(text, {"source": "hermes"})

    def memories(self) -> Iterator[Kept]:
        """Yield what was learned; a sentence that was kept is learned from a moment later."""
        page, pages = 1, 1
        while page <= pages:
            found, pages = self._ask(_page, "list", "memories", page=page, limit=_PAGE)
            yield from found
            page += 1

    def forget(self, kept_id: str) -> None:
        """Delete a document with all that was learned from it, or forget one memory; one that is gone is."""
        if not arguments.is_plain(kept_id):
            raise ToolError(f"Supermemory has no memory {kept_id[:60]!r}.")
        where = "documents.delete" if kept_id.startswith(_OURS) else "memories.forget"
        reasons = self._ask(_why_not, where, ids=[kept_id])
        if any("not found" not in reason.lower() for reason in reasons):
            raise ProviderDown("Supermemory could not forget it.")

    def handle_tool_call(self, tool_name: str, args: Schema, **kwargs: Any) -> str:
        """Do what the model asks; the names with hyphens are the public product's others."""
        return json.dumps(self._call(tool_name.replace("-", "_"), args), ensure_ascii=False)

    def shutdown(self) -> None:
        """Close the connections."""
        with self._opening:
            if self._http is not None:
                self._http.close()
            self._client = self._http = None

    def get_config_schema(self) -> list[Schema]:
        """Return what setup asks for."""
        return _CONFIG

    def _call(self, name: str, args: Schema) -> dict[str, Any]:
        match name:
            case "supermemory_store":
                return {"kept": self._store(arguments.text(args, "content"), _filed(args))}
            case "supermemory_search":
                found = self._search(arguments.text(args, "query"), arguments.whole(args, "limit", 5, 20))
                return {"results": [{**one, "text": one["text"][:1_000]} for one in found]}
            case "supermemory_forget":
                return self._forget(arguments.plain(args, "id"), arguments.optional_text(args, "query"))
            case "supermemory_profile":
                query = arguments.optional_text(args, "query")
                near = {"memories": [one["text"][:1_000] for one in self._search(query, 5)]} if query else {}
                return {**self._profile(), **near}
            case _:
                raise ToolError(f"Supermemory has no tool {name!r}.")

    def _forget(self, memory_id: str, query: str) -> dict[str, Any]:
        """Forget by id. What a query means is only looked up: more than one is for the model to choose from."""
        if bool(memory_id) == bool(query):
            raise ToolError("Give either id or query.")
        if memory_id:
            self.forget(memory_id)
            return {"forgotten": [memory_id]}
        query = outgoing.sendable(query)[:_LONGEST_QUERY]
        matches = self._ask(_matches, "memories.forget_matching", query=query, dry_run=True)
        if len(matches) != 1:
            return {"forgotten": [], "matches": matches[:10], "next": "Call again with the id of the right one."}
        self.forget(matches[0]["id"])
        return {"forgotten": [matches[0]["id"]], "text": matches[0]["text"]}

    def _store(self, text: str, filed: Mapping[str, str]) -> str:
        text = outgoing.sendable(text)
        if not text or len(text) > _LONGEST_DOCUMENT:
            raise ToolError(f"A memory has 1 to {_LONGEST_DOCUMENT:,} characters.")
        self._add(_document(text), text, filed)
        return _document(text)

    def _add(self, document_id: str, content: str, filed: Mapping[str, str]) -> None:
        guidance = {"supporting_context": self._setup.guidance} if self._setup.guidance else {}
        status = self._ask(_status, "add", content=content, id=document_id, metadata=dict(filed), **guidance)
        if status == "failed":
            raise ProviderDown("Supermemory could not take a document.")

    def _search(self, query: str, most: int) -> list[dict[str, str]]:
        query = outgoing.sendable(query)[:_LONGEST_QUERY]
        return self._ask(_hits, "search", query=query, limit=most, search_mode=self._setup.mode)

    def _profile(self) -> dict[str, list[str]]:
        return self._ask(_facts, "profile")

    def _ask(self, read: Callable[[object], T], verb: str, *args: object, **named: object) -> T:
        """Let the client do something in our namespace, and read the JSON that came."""
        client = self._open()
        import httpx
        import supermemory

        *resource, method = verb.split(".")
        # Any: the client wraps its methods when they are asked for.
        owner: Any = getattr(client, resource[0]) if resource else client
        work = partial(getattr(owner.with_raw_response, method), self._setup.namespace, *args, **named)
        try:
            return read(work().http_response.json())
        except supermemory.APITimeoutError as error:
            raise ProviderDown("Supermemory did not answer in time.") from error
        except supermemory.APIStatusError as error:
            raise _translated(error.status_code) from error
        except (supermemory.SupermemoryError, httpx.HTTPError, httpx.InvalidURL) as error:
            raise ProviderDown("Supermemory cannot be reached, or broke off its answer.") from error
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            # The client met an answer that it did not expect; what we give it was checked before.
            raise _nonsense() from error

    def _open(self) -> "supermemory.Supermemory":
        with self._opening:
            if self._client is None:
                self._http, self._client = _connected(self._setup)
            return self._client


def _setup(surroundings: Surroundings) -> _Setup:
    chosen = options.Options(surroundings, options.read(surroundings.folder / "supermemory.json"))
    profile = surroundings.profile
    own = "hermes" if profile == "default" else f"hermes-{profile}"
    tag = chosen.text("container_tag", "SUPERMEMORY_CONTAINER_TAG", default=own).replace("{identity}", profile)
    fit = _UNFIT.sub("-", tag)[:80]
    return _Setup(
        key=chosen.secret("api_key", "SUPERMEMORY_API_KEY"),
        address=chosen.text("base_url", "SUPERMEMORY_BASE_URL", default=_ADDRESS).rstrip("/"),
        namespace=fit if fit == tag else f"{fit}-{outgoing.key(tag)[:8]}",
        recalls=chosen.is_on("auto_recall"),
        captures=chosen.is_on("auto_capture"),
        most_recalled=int(chosen.number("max_recall_results", default=10, least=1, most=20)),
        profile_every=int(chosen.number("profile_frequency", default=50, least=1, most=500)),
        mode=_MODES.get(chosen.text("search_mode"), "hybrid"),
        guidance=chosen.text("entity_context")[:1_500],
        seconds=chosen.number("api_timeout", default=5, least=0.5, most=15),
    )


def _connected(setup: _Setup) -> "tuple[httpx.Client, supermemory.Supermemory]":
    try:
        import httpx
        from supermemory import Supermemory as Client
    except ImportError:
        raise ProviderRefused(
            "The package supermemory is not installed.", hint='Install it: pip install "hermes-agent[supermemory]"'
        ) from None
    if not setup.key:
        raise ProviderRefused("Supermemory needs a key.", hint="Set SUPERMEMORY_API_KEY: hermes memory setup")
    http = httpx.Client(trust_env=not is_loopback(setup.address), timeout=setup.seconds)
    # Whoever asks decides whether it is worth asking again.
    client = Client(
        api_key=setup.key, base_url=setup.address, timeout=setup.seconds, max_retries=0, http_client=http
    )
    return http, client


def _document(text: str) -> str:
    return f"{_OURS}note-{outgoing.key(outgoing.sendable(text))}"


def _filed(args: Schema) -> dict[str, str]:
    given = args.get("metadata") or {}
    if not isinstance(given, dict):
        raise ToolError("metadata must be an object of words.")
    return {"source": "hermes", **{str(name)[:60]: str(value)[:200] for name, value in list(given.items())[:20]}}


def _hits(answer: object) -> list[dict[str, str]]:
    return [
        {
            "id": answers.text(row, "id"),
            "when": answers.day(row.get("system"), "updatedAt", "createdAt"),
            "text": answers.text(row, "memory", "chunk"),
        }
        for row in answers.rows(answer, "results")
    ]


def _facts(answer: object) -> dict[str, list[str]]:
    return {
        part: [answers.text(fact, "memory") for fact in answers.rows(answer, "profile", part)]
        for part in ("static", "dynamic")
    }


def _page(answer: object) -> tuple[list[Kept], int]:
    found = [
        Kept(answers.text(row, "id"), answers.text(row, "memory"))
        for row in answers.rows(answer, "memories")
        if row.get("isForgotten") is not True and row.get("isLatest") is not False
    ]
    return found, answers.whole(answers.mapping(answer).get("pagination"), "totalPages")


def _matches(answer: object) -> list[dict[str, str]]:
    return [
        {"id": answers.text(row, "id"), "text": answers.text(row, "memory")}
        for row in answers.rows(answer, "matches")
    ]


def _why_not(answer: object) -> list[str]:
    """Return why something was not forgotten; either it was, or there is a reason."""
    reasons = [answers.text(row, "error") for row in answers.rows(answer, "errors")]
    if not answers.whole(answer, "count") and not reasons:
        raise answers.Unreadable
    return reasons


def _status(answer: object) -> str:
    answers.text(answer, "id")
    return answers.text(answer, "status")


def _nonsense() -> ProviderDown:
    return ProviderDown("Supermemory answered with something else than it should.", hint="Is the address right?")


def _translated(status: int) -> HermesError:
    if status in (401, 403):
        return ProviderRefused(
            "Supermemory does not accept the key.", hint="Set SUPERMEMORY_API_KEY again: hermes memory setup"
        )
    if status == 402:
        return ProviderRefused("Supermemory wants to be paid first (402).", hint="See your plan there.")
    if status in (404, 405):
        return ProviderRefused(f"There is no Supermemory here ({status}).", hint="Is the address right?")
    if status in (400, 409, 413, 422):
        return ProviderUnwilling(f"Supermemory refused what it was sent ({status}).", hint="Is the address right?")
    return ProviderDown(f"Supermemory is busy or has trouble ({status}).") if status >= 400 else _nonsense()
