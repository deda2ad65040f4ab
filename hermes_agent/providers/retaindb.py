"""RetainDB: a memory service that extracts facts from conversations, over plain HTTP; it has no Python client.

Memories belong to a user in a project; each profile has a project of its own. A turn is ingested with both its
messages, and RetainDB draws from it what is worth keeping; a sentence that is remembered is kept as it is.

Files on this machine are not uploaded: RetainDB's other file tools work with what is there already.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

import httpx2

from hermes_agent import clock
from hermes_agent.config.addresses import is_loopback
from hermes_agent.errors import HermesError, ProviderDown, ProviderRefused, ProviderUnwilling, ToolError
from hermes_agent.providers import answers, arguments, options, outgoing
from hermes_agent.providers.described import key, number, setting, tool, words
from hermes_agent.providers.provider import Kept, MemoryProvider, Schema, Surroundings

T = TypeVar("T")

_ADDRESS = "https://api.retaindb.com"
_KINDS = ("factual", "preference", "goal", "instruction", "event", "opinion")
# RetainDB's own limits, but for a message: there it is where a request becomes unwieldy.
_LONGEST_QUERY = 5_000
_LONGEST_MEMORY = 10_000
_LONGEST_MESSAGE = 100_000
_CONTEXT_CHARACTERS = 4_000
_LONGEST_FILE = 8_000
_SAME_AMONG = 5

_SCHEMAS = [
    tool("retaindb_profile", "What RetainDB keeps about the user.", []),
    tool(
        "retaindb_search",
        "Search RetainDB by meaning.",
        ["query"],
        query=words("What to look for."),
        top_k=number("How many at most: 8, up to 20."),
    ),
    tool("retaindb_context", "What RetainDB knows for a task.", ["query"], query=words("The task.")),
    tool(
        "retaindb_remember",
        "Keep a fact in RetainDB.",
        ["content"],
        content=words("The fact, as one sentence."),
        memory_type=words("What kind of fact; factual.", *_KINDS),
        importance={"type": "number", "description": "From 0 to 1; 0.7."},
    ),
    tool("retaindb_forget", "Forget a memory.", ["memory_id"], memory_id=words("Its id, from a search.")),
    tool(
        "retaindb_list_files",
        "List the files that RetainDB keeps.",
        [],
        prefix=words("Only files whose path begins so."),
        limit=number("How many at most: 50, up to 100."),
    ),
    tool("retaindb_read_file", "Read a file that RetainDB keeps.", ["file_id"], file_id=words("Its id.")),
    tool("retaindb_ingest_file", "Learn memories from such a file.", ["file_id"], file_id=words("Its id.")),
    tool("retaindb_delete_file", "Delete such a file there.", ["file_id"], file_id=words("Its id.")),
]

_CONFIG = [
    key("RetainDB", "RETAINDB_API_KEY", "https://retaindb.com"),
    setting("base_url", "Address of the server", _ADDRESS, "RETAINDB_BASE_URL"),
    setting("project", "Project; empty is the profile's own", "", "RETAINDB_PROJECT"),
]


class _Missing(ProviderRefused):
    """What was named is not there."""


class _Conflict(ProviderUnwilling):
    """The same key came before, with something else."""


class _OnlyLater(ProviderRefused):
    """This account may not wait for a conversation to be read."""


@dataclass(frozen=True, slots=True)
class _Setup:
    key: str
    address: str
    project: str
    user: str
    seconds: float


class RetainDB(MemoryProvider):
    """The provider `retaindb`."""

    name = "retaindb"

    def __init__(self, surroundings: Surroundings) -> None:
        self._setup = _setup(surroundings)
        self._session_id = ""
        self._opening = threading.Lock()
        self._client: httpx2.Client | None = None

    def is_available(self) -> bool:
        """Tell whether a key is there, or the address of a server of one's own."""
        return bool(self._setup.key) or self._setup.address != _ADDRESS

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Remember the conversation; nothing is asked before it is needed."""
        self._session_id = session_id

    def on_session_switch(self, new_session_id: str, **kwargs: Any) -> None:
        """Remember which conversation goes on."""
        self._session_id = new_session_id

    def get_tool_schemas(self) -> list[Schema]:
        """Return the tools."""
        return _SCHEMAS

    def system_prompt_block(self) -> str:
        """Say what RetainDB is for."""
        return (
            "RetainDB remembers across conversations: retaindb_search finds memories, retaindb_remember keeps a "
            "fact, retaindb_profile tells what is known about the user, retaindb_context what helps with a task."
        )

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """Return the memories nearest to a message."""
        if not query.strip():
            return ""
        found = self._search(query, 10, session_id)
        return outgoing.lines((outgoing.line(one["text"], one["when"]) for one in found), _CONTEXT_CHARACTERS)

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Schema] | None = None,
    ) -> None:
        """Let RetainDB read the turn, and wait until it has.

        Servers that do not heed its idempotency key read it again, and merge what they had learned before.
        """
        session_id = session_id or self._session_id
        said = (("user", user_content), ("assistant", assistant_content))
        when = outgoing.said_at(messages) or clock.iso(clock.now())
        parts = [
            {"role": role, "content": piece, "timestamp": when}
            for role, text in said
            for piece in outgoing.pieces(text, _LONGEST_MESSAGE)
        ]
        if not parts:
            return
        headers = {"Idempotency-Key": outgoing.turn_key(session_id, user_content, assistant_content, messages)}
        body = {**self._whose(session_id), "messages": parts}
        try:
            self._ingest({**body, "write_mode": "sync"}, headers)
        except _OnlyLater:
            self._ingest({**body, "write_mode": "async"}, headers)

    def _ingest(self, body: Schema, headers: Mapping[str, str]) -> None:
        # A conflict says that it was taken before: only the time is another one.
        with suppress(_Conflict):
            self._ask(_success, "POST", "/v1/memory/ingest/session", json=body, headers=headers)

    def on_memory_write(
        self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Keep a note as a memory; forget the one that says exactly what went."""
        before, content = str((metadata or {}).get("old_text") or "")[:_LONGEST_MEMORY], content[:_LONGEST_MEMORY]
        if action in ("replace", "remove") and before.strip():
            same = self._same(before)
            if same is not None:
                self.forget(same)
        if action in ("add", "replace") and content.strip():
            self.remember(content)

    def remember(self, text: str) -> str:
        """Keep a sentence as it is; one that is there already is not sent again.

        No idempotency key: for a day it would bring back the answer of a memory that was forgotten meanwhile.
        """
        return self._same(text) or self._keep(text, "factual", 0.7)

    def memories(self) -> Iterator[Kept]:
        """Yield what is kept about the user."""
        for one in self._profile():
            yield Kept(one["id"], one["text"])

    def forget(self, kept_id: str) -> None:
        """Delete a memory; one that is gone already is forgotten."""
        if not arguments.is_plain(kept_id):
            raise ToolError(f"RetainDB has no memory {kept_id[:60]!r}.")
        with suppress(_Missing):
            self._ask(_success, "DELETE", f"/v1/memory/{quote(kept_id, safe='')}")

    def handle_tool_call(self, tool_name: str, args: Schema, **kwargs: Any) -> str:
        """Do what the model asks; the answer is JSON."""
        return json.dumps(self._call(tool_name, args), ensure_ascii=False)

    def shutdown(self) -> None:
        """Close the connections."""
        with self._opening:
            if self._client is not None:
                self._client.close()
            self._client = None

    def get_config_schema(self) -> list[Schema]:
        """Return what setup asks for."""
        return _CONFIG

    def _call(self, name: str, args: Schema) -> dict[str, Any]:
        match name:
            case "retaindb_profile":
                return {"memories": self._profile()[:40]}
            case "retaindb_search":
                most = arguments.whole(args, "top_k", 8, 20)
                return {"results": self._search(arguments.text(args, "query"), most)}
            case "retaindb_context":
                return {"context": self._context(arguments.text(args, "query"))}
            case "retaindb_remember":
                kind = arguments.choice(args, "memory_type", _KINDS, "factual")
                return {"kept": self._keep(arguments.text(args, "content"), kind, _importance(args))}
            case "retaindb_forget":
                self.forget(arguments.text(args, "memory_id"))
                return {"forgotten": args["memory_id"]}
            case _:
                return self._call_file(name, args)

    def _call_file(self, name: str, args: Schema) -> dict[str, Any]:
        if name == "retaindb_list_files":
            limit, prefix = arguments.whole(args, "limit", 50, 100), arguments.optional_text(args, "prefix")
            asked = {"limit": str(limit), **({"prefix": prefix} if prefix else {})}
            return {"files": self._ask(_files, "GET", "/v1/files", params=asked)}
        if name not in ("retaindb_read_file", "retaindb_ingest_file", "retaindb_delete_file"):
            raise ToolError(f"RetainDB has no tool {name!r}.")
        file_id = arguments.plain(args, "file_id") or arguments.text(args, "file_id")
        place = f"/v1/files/{quote(file_id, safe='')}"
        try:
            match name:
                case "retaindb_read_file":
                    content = self._fetch("GET", f"{place}/content").text
                    return {"content": content[:_LONGEST_FILE], "characters": len(content)}
                case "retaindb_ingest_file":
                    self._ask(answers.mapping, "POST", f"{place}/ingest", json={"user_id": self._setup.user})
                    return {"ingested": file_id}
                case _:
                    self._ask(answers.mapping, "DELETE", place)
                    return {"deleted": file_id}
        except _Missing:
            raise ToolError(f"RetainDB has no file {file_id!r}.") from None

    def _whose(self, session_id: str = "") -> Schema:
        named = {"project": self._setup.project, "user_id": self._setup.user}
        return {**named, "session_id": session_id or self._session_id}

    def _search(self, query: str, most: int, session_id: str = "") -> list[dict[str, str]]:
        query = outgoing.sendable(query)[:_LONGEST_QUERY]
        body = {**self._whose(session_id), "query": query, "top_k": most, "include_pending": True}
        return self._ask(_hits, "POST", "/v1/memory/search", json=body)

    def _context(self, query: str) -> list[str]:
        query = outgoing.sendable(query)[:_LONGEST_QUERY]
        body = {**self._whose(), "query": query, "include_memories": True, "max_tokens": 1_200}
        return [outgoing.line(one) for one in self._ask(_contents, "POST", "/v1/context/query", json=body)]

    def _profile(self) -> list[dict[str, str]]:
        asked = {"project": self._setup.project, "include_pending": "false"}
        user = quote(self._setup.user, safe="")
        return self._ask(_memories, "GET", f"/v1/memory/profile/{user}", params=asked)

    def _same(self, text: str) -> str | None:
        text = outgoing.sendable(text)
        near = self._search(text, _SAME_AMONG) if text else []
        return next((one["id"] for one in near if one["text"] == text), None)

    def _keep(self, text: str, kind: str, importance: float) -> str:
        text = outgoing.sendable(text)
        if not text or len(text) > _LONGEST_MEMORY:
            raise ToolError(f"A memory has 1 to {_LONGEST_MEMORY:,} characters.")
        body = {"content": text, "memory_type": kind, "importance": importance, "write_mode": "sync"}
        # Without the conversation: what is bound to one is not found from another.
        named = {"project": self._setup.project, "user_id": self._setup.user}
        return self._ask(_kept_id, "POST", "/v1/memory", json={**named, **body})

    # Any: what httpx2 sends: `json`, `params`, `headers`.
    def _ask(self, read: Callable[[object], T], method: str, path: str, **sent: Any) -> T:
        """Send a request and read the JSON that came."""
        response = self._fetch(method, path, **sent)
        try:
            return read(response.json())
        except ValueError as error:
            raise _nonsense() from error

    def _fetch(self, method: str, path: str, **sent: Any) -> httpx2.Response:
        try:
            response = self._open().request(method, self._setup.address + path, **sent)
        except httpx2.TimeoutException as error:
            raise ProviderDown("RetainDB did not answer in time.") from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ProviderDown("RetainDB cannot be reached, or broke off its answer.") from error
        if response.status_code not in (200, 201, 202):
            raise _translated(response)
        return response

    def _open(self) -> httpx2.Client:
        setup = self._setup
        with self._opening:
            if self._client is None:
                headers = {"x-sdk-runtime": "hermes-agent"}
                if setup.key:
                    headers |= {"Authorization": f"Bearer {setup.key}", "X-API-Key": setup.key}
                self._client = httpx2.Client(
                    trust_env=not is_loopback(setup.address), timeout=setup.seconds, headers=headers
                )
            return self._client


def _setup(surroundings: Surroundings) -> _Setup:
    # The public product has no file for it: its options stand in its config.yaml, its key in the .env.
    chosen = options.Options(surroundings, {})
    profile = surroundings.profile
    own = "default" if profile == "default" else f"hermes-{profile}"
    return _Setup(
        key=chosen.secret("api_key", "RETAINDB_API_KEY"),
        address=chosen.text("base_url", "RETAINDB_BASE_URL", default=_ADDRESS).rstrip("/"),
        project=chosen.text("project", "RETAINDB_PROJECT", default=own),
        user=chosen.text("user_id", default="default"),
        seconds=chosen.number("timeout", default=15, least=0.1, most=120),
    )


def _importance(args: Schema) -> float:
    value = args.get("importance", 0.7)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ToolError("importance must be a number from 0 to 1.")
    return float(value)


def _row(memory: Mapping[str, object], dates: object) -> dict[str, str]:
    when = answers.day(dates, "event_date", "document_date", "valid_from")
    return {"id": answers.text(memory, "id"), "when": when, "text": answers.text(memory, "content")}


def _hits(answer: object) -> list[dict[str, str]]:
    found = [answers.mapping(row.get("memory")) for row in answers.rows(answer, "results")]
    return [_row(memory, memory.get("temporal")) for memory in found]


def _memories(answer: object) -> list[dict[str, str]]:
    return [_row(memory, memory) for memory in answers.rows(answer, "memories")]


def _contents(answer: object) -> list[str]:
    return [answers.text(row, "content") for row in answers.rows(answer, "results")]


def _files(answer: object) -> list[dict[str, str]]:
    shown = ("id", "name", "path", "size", "created_at")
    return [
        {"id": answers.text(row, "id"), **{name: str(row[name]) for name in shown if name in row}}
        for row in answers.rows(answer, "files")
    ]


def _success(answer: object) -> None:
    if answers.mapping(answer).get("success") is not True:
        raise answers.Unreadable


def _kept_id(answer: object) -> str:
    _success(answer)
    return answers.text(answer, "memory_id")


def _nonsense() -> ProviderDown:
    return ProviderDown("RetainDB answered with something else than it should.", hint="Is the address right?")


def _translated(response: httpx2.Response) -> HermesError:
    status = response.status_code
    if status == 403 and "SYNC_WRITE_RESTRICTED" in response.text[:1_000]:
        return _OnlyLater("RetainDB does not let this account wait for its writes.")
    if status in (401, 403):
        return ProviderRefused(
            "RetainDB does not accept the key.", hint="Set RETAINDB_API_KEY again: hermes memory setup retaindb"
        )
    if status in (402, 404, 405):
        known = _Missing if status == 404 else ProviderRefused
        return known(f"RetainDB has no such thing for this account ({status}).", hint="Is the address right?")
    if status in (400, 409, 413, 422):
        kind = _Conflict if status == 409 else ProviderUnwilling
        return kind(f"RetainDB refused what it was sent ({status}).", hint="Is the address right?")
    return ProviderDown(f"RetainDB is busy or has trouble ({status}).") if status >= 400 else _nonsense()
