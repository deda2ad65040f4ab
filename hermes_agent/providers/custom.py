"""Any memory service of your own: four verbs over HTTP, described in docs/reference/custom-provider.openapi.yaml.

`recall`, `sync`, `remember`, `forget`: each a POST with JSON, let in by a bearer key. What is sent carries a key
made from what it says, so that a service can take it once however often it is brought. `recall` without a query
lists everything, page by page.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from hermes_agent.errors import ProviderRefused, ToolError
from hermes_agent.providers import arguments, options, outgoing
from hermes_agent.providers.described import key, number, setting, tool, words
from hermes_agent.providers.json_service import Json, JsonService
from hermes_agent.providers.provider import Kept, MemoryProvider, Schema, Surroundings

_PAGE = 100
_MOST_RESULTS = 20
_ADDRESS, _KEY = "CUSTOM_MEMORY_BASE_URL", "CUSTOM_MEMORY_API_KEY"


class Custom(MemoryProvider):
    """A service that speaks the four verbs."""

    name = "custom"

    def __init__(self, surroundings: Surroundings) -> None:
        self._profile = surroundings.profile
        self._options = options.Options(surroundings, {})
        self._session = ""

    def is_available(self) -> bool:
        return bool(self._options.text("base_url", _ADDRESS))

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        self._session = session_id
        self._limit  # noqa: B018 - it tells of a wrong setting
        self._service.check()

    def on_session_switch(self, new_session_id: str, **kwargs: Any) -> None:
        self._session = new_session_id

    def get_config_schema(self) -> list[Schema]:
        return [
            {**setting("base_url", "Address of the service", "", _ADDRESS), "required": True},
            key("the service, if it wants one", _KEY, "", required=False),
            setting("limit", "How many memories at most for a message", "8"),
            setting("timeout_seconds", "How long it may take", "10"),
        ]

    def get_tool_schemas(self) -> list[Schema]:
        limit = number(f"How many at most: {self._limit}, up to {_MOST_RESULTS}.")
        return [
            tool(
                "custom_recall",
                "Find memories in the user's own memory service.",
                ["query"],
                query=words("What to look for."),
                limit=limit,
            ),
            tool(
                "custom_remember",
                "Keep one sentence in the user's own memory service.",
                ["text"],
                text=words("The sentence."),
            ),
            tool("custom_forget", "Forget one memory there.", ["id"], id=words("Its id, from custom_recall.")),
        ]

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        if not query.strip():
            return ""
        found = self._recall(query, self._limit, session_id=session_id)["memories"][: self._limit]
        return "\n".join(outgoing.line(one["text"], one.get("date", "")[:10]) for one in found)

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Schema] | None = None,
    ) -> None:
        """Bring a turn; the same turn of the same conversation has the same key."""
        session = session_id or self._session
        turn = {"user": user_content, "assistant": assistant_content}
        turn_key = outgoing.turn_key(session, user_content, assistant_content, messages)
        self._service.ask("POST", "/sync", self._body(session_id=session, key=turn_key, turn=turn))

    def on_memory_write(
        self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Follow the notes: an entry is kept under a key made from it, and forgotten by that."""
        former = str((metadata or {}).get("old_text") or "")
        if action in ("replace", "remove") and former:
            self._service.find("POST", "/forget", self._body(key=outgoing.key("note", target, former)))
        if action in ("add", "replace") and content.strip():
            self._keep(content, outgoing.key("note", target, content))

    def remember(self, text: str) -> str:
        return self._keep(text, outgoing.key("sentence", text))

    def memories(self) -> Iterator[Kept]:
        cursor: str | None = None
        seen: set[str | None] = set()
        while cursor not in seen:
            seen.add(cursor)
            page = self._recall("", _PAGE, **({} if cursor is None else {"cursor": cursor}))
            yield from (Kept(memory["id"], memory["text"]) for memory in page["memories"])
            cursor = page.get("next")
            if cursor is None:
                return
        raise self._service.strange()

    def forget(self, kept_id: str) -> None:
        """Forget one memory; what the service does not know is forgotten."""
        self._service.find("POST", "/forget", self._body(id=kept_id))

    def handle_tool_call(self, tool_name: str, args: Schema, **kwargs: Any) -> str:
        match tool_name:
            case "custom_recall":
                limit = arguments.whole(args, "limit", self._limit, _MOST_RESULTS)
                found = self._recall(arguments.text(args, "query"), limit)["memories"][:limit]
                return json.dumps({"memories": found}, ensure_ascii=False)
            case "custom_remember":
                return json.dumps({"id": self.remember(arguments.text(args, "text"))}, ensure_ascii=False)
            case "custom_forget":
                self.forget(arguments.text(args, "id"))
                return json.dumps({"forgotten": True})
        raise ToolError(f"{self.name} has no tool {tool_name!r}.")

    def shutdown(self) -> None:
        self._service.close()

    @cached_property
    def _service(self) -> JsonService:
        address = self._options.text("base_url", _ADDRESS)
        if not address:
            raise ProviderRefused(
                "The custom memory service has no address.", hint="Run: hermes memory setup custom"
            )
        secret = self._options.secret("api_key", _KEY)
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        seconds = self._options.number("timeout_seconds", default=10, least=0.1, most=600)
        return JsonService("The custom memory service", address, headers, seconds, f"See base_url and {_KEY}.")

    @cached_property
    def _limit(self) -> int:
        return int(self._options.number("limit", default=8, least=1, most=_MOST_RESULTS))

    def _body(self, **fields: object) -> Json:
        return {"profile": self._profile, **fields}

    def _recall(self, query: str, limit: int, **fields: str) -> Json:
        """Ask for memories and look at each of them: id and text are texts, the date is one or is missing."""
        found = self._service.ask("POST", "/recall", self._body(query=query, limit=limit, **fields))
        memories, cursor = found.get("memories"), found.get("next")
        if not isinstance(memories, list) or not isinstance(cursor, str | None):
            raise self._service.strange()
        return {"memories": [self._checked(memory) for memory in memories], "next": cursor}

    def _checked(self, memory: object) -> Json:
        if not isinstance(memory, dict):
            raise self._service.strange()
        made = {key: memory[key] for key in ("id", "text", "date") if memory.get(key) is not None}
        if not {"id", "text"} <= set(made) or not all(isinstance(value, str) for value in made.values()):
            raise self._service.strange()
        return made

    def _keep(self, text: str, key: str) -> str:
        if not text.strip():
            raise ToolError("There is nothing to remember.")
        kept = self._service.ask("POST", "/remember", self._body(text=text, key=key)).get("id")
        if not isinstance(kept, str) or not kept:
            raise self._service.strange()
        return kept
