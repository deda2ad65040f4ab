"""Mem0: sentences about the user that a language model finds in what is said, nearest first.

Three ways, chosen as the public Hermes Agent does: `mode: oss` is its library in this process, else `host` is a
server of one's own, else its platform with a key. Reading asks for the user alone, so that several agents share
what they know; writing marks the agent and the door.

Mem0 has no ids of the caller's own. A sentence that it has word for word is not kept again; a turn that comes
twice is looked through twice, and Mem0 drops what it finds again word for word among the nearest memories.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hermes_agent.config import paths
from hermes_agent.errors import ProviderRefused, ToolError
from hermes_agent.providers.mem0_oss import OnThisMachine, config_of, part_of
from hermes_agent.providers.mem0_stores import (
    Found,
    Messages,
    NotThere,
    Platform,
    SelfHosted,
    Store,
    Whose,
    load_library,
)
from hermes_agent.providers.provider import Kept, MemoryProvider, Schema, Surroundings
from hermes_agent.text.clean import preview

_URL = "https://api.mem0.ai"
_NOBODY = "hermes-user"
_TIMEOUT_SECONDS = 30.0
_PREFETCHED = 10
_MOST_FOUND = 50
_LONGEST_QUERY = 2_000
# What embedders take at once, with room for scripts of a token a character.
_LONGEST_PIECE = 6_000
_LONGEST_LINE = 500


@dataclass(frozen=True, slots=True)
class _Options:
    """What the settings say. `oss` is what Mem0's `Memory.from_config` takes, its gaps filled in."""

    way: str
    host: str
    platform_url: str
    user_id: str
    agent_id: str
    is_reranked: bool
    timeout_seconds: float
    oss: Mapping[str, Any]


class Mem0(MemoryProvider):
    """The provider `mem0`."""

    name = "mem0"

    def __init__(self, surroundings: Surroundings) -> None:
        found = _with_file(surroundings)
        self._home = paths.home_at(found.folder)
        self._folder = found.folder / self.name
        self._key = found.text("api_key", "MEM0_API_KEY")
        self._options = _read_options(found)
        self._whose = Whose(self._options.user_id or _NOBODY, self._options.agent_id)
        self._opened: Store | None = None

    def is_available(self) -> bool:
        """Tell whether the package is there, the platform's key, and for plain files a home that is not encrypted."""
        is_ready = bool(self._key) if self._options.way == "platform" else not self._is_refused()
        return is_ready and find_spec("mem0") is not None

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Note who speaks through which door; a name in the settings wins over a gateway's."""
        user_id = self._options.user_id or str(kwargs.get("user_id") or _NOBODY)
        self._whose = replace(self._whose, user_id=user_id, channel=str(kwargs.get("platform") or ""))

    def system_prompt_block(self) -> str:
        """Say what it is."""
        return (
            "Mem0 is a memory of facts about the user. Look them up with mem0_search, keep one with mem0_add, "
            "change or delete one by its id with mem0_update and mem0_delete."
        )

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """Return the nearest memories, one a line, with their days."""
        return "\n".join(_line(one) for one in self._search(query, _PREFETCHED, self._options.is_reranked))

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Schema] | None = None,
    ) -> None:
        """Let Mem0 find what is worth keeping; a long turn goes in pieces. Its platform does it later."""
        for piece in _pieces(user_content, assistant_content):
            self._store().add(piece, self._whose, is_verbatim=False)

    def on_memory_write(
        self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Do with a note's copy what was done with the note; one that Mem0 has not word for word is new."""
        old = str((metadata or {}).get("old_text") or "")
        kept = self._kept_as(old or content) if action in ("replace", "remove") else None
        if action == "remove" and kept:
            self.forget(kept.id)
        elif action == "replace" and kept:
            self._store().update(kept.id, content)
        elif action in ("add", "replace"):
            self.remember(content)

    def get_tool_schemas(self) -> list[Schema]:
        """Return the four tools of the public product."""
        return _TOOLS

    def handle_tool_call(self, tool_name: str, args: Schema, **kwargs: Any) -> str:
        """Do what the model asks."""
        tools: dict[str, Callable[[Schema], object]] = {
            "mem0_search": self._found,
            "mem0_add": lambda given: {"memory_id": self.remember(_text(given, "content"))},
            "mem0_update": self._updated,
            "mem0_delete": self._deleted,
        }
        if tool_name not in tools:
            return super().handle_tool_call(tool_name, args)
        return json.dumps(tools[tool_name](args), ensure_ascii=False)

    def shutdown(self) -> None:
        """Let go of connections."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def get_config_schema(self) -> list[Schema]:
        """Ask for the way, the address and the key."""
        return [
            {
                "key": "mode",
                "description": "platform (mem0.ai, or a server of your own with host) or oss (on this machine)",
                "choices": ["platform", "oss"],
                "default": "platform",
                "env_var": "MEM0_MODE",
            },
            {"key": "host", "description": "Address of your own Mem0 server", "env_var": "MEM0_HOST"},
            {"key": "api_key", "description": "API key", "secret": True, "env_var": "MEM0_API_KEY"},
            {"key": "user_id", "description": "Whose memories", "default": _NOBODY, "env_var": "MEM0_USER_ID"},
            {"key": "agent_id", "description": "Who writes", "default": "hermes", "env_var": "MEM0_AGENT_ID"},
            {
                "key": "rerank",
                "description": "Let the platform sort what it found",
                "default": False,
                "type": "boolean",
            },
            {
                "key": "oss",
                "description": "llm, embedder and vector_store of Memory.from_config",
                "type": "object",
            },
        ]

    def backup_paths(self) -> list[str]:
        """Return the folder of a local vector store outside the home."""
        path = self._plain_files()
        return [str(path)] if path and not path.is_relative_to(self._home.root) else []

    def remember(self, text: str) -> str:
        """Keep a sentence word for word, once."""
        kept = self._kept_as(text)
        if kept is not None:
            return kept.id
        return self._store().add([{"role": "user", "content": text}], self._whose, is_verbatim=True)

    def memories(self) -> Iterator[Kept]:
        """Yield everything it remembers of the user."""
        for one in self._store().all(self._whose):
            yield Kept(one.id, one.text)

    def forget(self, kept_id: str) -> None:
        """Delete a memory; what is gone already is forgotten."""
        try:
            self._store().delete(kept_id)
        except NotThere:
            return

    def _store(self) -> Store:
        if self._opened is None:
            load_library(self._folder)
            self._opened = self._made()
        return self._opened

    def _plain_files(self) -> Path | None:
        path = part_of(self._options.oss, "vector_store")["config"].get("path")
        return Path(path) if path else None

    def _is_refused(self) -> bool:
        return self._plain_files() is not None and self._home.encryption.exists()

    def _made(self) -> Store:
        options = self._options
        if self._is_refused():
            raise ProviderRefused(
                "Mem0 would keep memories in plain files, and this home is encrypted.",
                hint="Name another vector_store in memory.providers.mem0.oss, or turn it off: hermes memory off",
            )
        if options.way == "oss":
            return OnThisMachine(options.oss, options.timeout_seconds)
        if options.way == "host":
            return SelfHosted(options.host, self._key, options.timeout_seconds)
        if not self._key:
            raise ProviderRefused("Mem0 needs a key.", hint="Set MEM0_API_KEY: hermes memory setup mem0")
        return Platform(options.platform_url, self._key, options.timeout_seconds)

    def _search(self, query: str, most: int, is_reranked: bool) -> list[Found]:
        asked = query.strip()[:_LONGEST_QUERY].strip()
        return self._store().search(asked, self._whose, most, is_reranked) if asked else []

    def _kept_as(self, text: str) -> Found | None:
        return next((one for one in self._search(text, 5, False) if one.text == text), None)

    def _found(self, args: Schema) -> object:
        most = args.get("top_k", 10)
        if not isinstance(most, int) or isinstance(most, bool):
            raise ToolError("top_k is a number from 1 to 50.")
        is_reranked = args.get("rerank", self._options.is_reranked) is True
        found = self._search(_text(args, "query"), max(1, min(most, _MOST_FOUND)), is_reranked)
        return {"results": [{"id": one.id, "memory": one.text, "date": one.day} for one in found]}

    def _updated(self, args: Schema) -> object:
        memory_id, text = _text(args, "memory_id"), _text(args, "text")
        self._store().update(memory_id, text)
        return {"updated": memory_id}

    def _deleted(self, args: Schema) -> object:
        memory_id = _text(args, "memory_id")
        self._store().delete(memory_id)
        return {"deleted": memory_id}


def _with_file(surroundings: Surroundings) -> Surroundings:
    """Put the public product's `mem0.json` in the home behind the settings."""
    file = surroundings.folder / "mem0.json"
    if not file.is_file():
        return surroundings
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ProviderRefused(f"{file} cannot be read.", hint="It has to be JSON; mend or remove it.") from error
    if not isinstance(found, dict):
        raise ProviderRefused(f"{file} is no JSON object.", hint="Mend or remove it.")
    return replace(surroundings, options={**found, **surroundings.options})


def _read_options(found: Surroundings) -> _Options:
    host = found.text("host", "MEM0_HOST")
    user_id = found.text("user_id", "MEM0_USER_ID")
    is_local = found.text("mode", "MEM0_MODE") == "oss"
    return _Options(
        way="oss" if is_local else "host" if host else "platform",
        host=host,
        platform_url=found.text("platform_url", default=_URL),
        user_id="" if user_id == _NOBODY else user_id,
        agent_id=found.text("agent_id", "MEM0_AGENT_ID", "hermes"),
        is_reranked=found.text("rerank").lower() == "true",
        timeout_seconds=float(found.text("timeout", default=str(_TIMEOUT_SECONDS))),
        oss=config_of(found) if is_local else {},
    )


def _pieces(user_content: str, assistant_content: str) -> Iterator[Messages]:
    """Cut a turn into pieces that embedders take; mostly it is one."""
    said = [("user", user_content), ("assistant", assistant_content)]
    if len(user_content) + len(assistant_content) <= _LONGEST_PIECE:
        whole = [{"role": role, "content": text} for role, text in said if text.strip()]
        if whole:
            yield whole
        return
    for role, text in said:
        for start in range(0, len(text), _LONGEST_PIECE):
            piece = text[start : start + _LONGEST_PIECE]
            if piece.strip():
                yield [{"role": role, "content": piece}]


def _line(one: Found) -> str:
    return f"{preview(one.text, _LONGEST_LINE)}{f' ({one.day})' if one.day else ''}"


def _text(args: Schema, name: str) -> str:
    value = args.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ToolError(f"{name} has to be a text.")
    return value


def _tool(name: str, description: str, required: Sequence[str], **properties: Schema) -> Schema:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "description": description, "parameters": parameters}


def _string(description: str) -> Schema:
    return {"type": "string", "description": description}


_TOOLS = [
    _tool(
        "mem0_search",
        "Search what Mem0 remembers of the user, by meaning.",
        ["query"],
        query=_string("What to look for."),
        top_k={"type": "integer", "description": "How many.", "default": 10, "minimum": 1, "maximum": _MOST_FOUND},
        rerank={"type": "boolean", "description": "Sort again, more slowly.", "default": False},
    ),
    _tool("mem0_add", "Keep one fact word for word.", ["content"], content=_string("The fact.")),
    _tool(
        "mem0_update",
        "Put another text in place of a memory's.",
        ["memory_id", "text"],
        memory_id=_string("An id of mem0_search."),
        text=_string("The new text."),
    ),
    _tool("mem0_delete", "Delete a memory.", ["memory_id"], memory_id=_string("An id of mem0_search.")),
]
