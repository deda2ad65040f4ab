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
from hermes_agent.errors import ProviderRefused
from hermes_agent.providers import arguments, options, outgoing
from hermes_agent.providers.described import key, setting, tool, words
from hermes_agent.providers.mem0_oss import EMBEDDER, OPENAI, OnThisMachine, config_of, part_of
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
from hermes_agent.providers.options import Options
from hermes_agent.providers.provider import Kept, MemoryProvider, Schema, Surroundings

_URL = "https://api.mem0.ai"
_NOBODY = "hermes-user"
_PREFETCHED = 10
_MOST_FOUND = 50
_LONGEST_QUERY = 2_000
# What embedders take at once, with room for scripts of a token a character.
_LONGEST_PIECE = 6_000


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
        self._key = Options(found, {}).secret("api_key", "MEM0_API_KEY")
        self._options = _read_options(found)
        # Each profile has memories of its own, unless the settings name whose they are.
        self._nobody = _NOBODY if found.profile == "default" else f"{_NOBODY}-{found.profile}"
        self._whose = Whose(self._options.user_id or self._nobody, self._options.agent_id)
        self._opened: Store | None = None

    def is_available(self) -> bool:
        """Tell whether the package is there, the platform's key, and for plain files an open home."""
        is_ready = bool(self._key) if self._options.way == "platform" else not self._is_refused()
        return is_ready and find_spec("mem0") is not None

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Note who speaks through which door; a name in the settings wins over a gateway's."""
        user_id = self._options.user_id or str(kwargs.get("user_id") or self._nobody)
        self._whose = replace(self._whose, user_id=user_id, channel=str(kwargs.get("platform") or ""))

    def system_prompt_block(self) -> str:
        """Say what it is."""
        return (
            "Mem0 is a memory of facts about the user. Look them up with mem0_search, keep one with mem0_add, "
            "change or delete one by its id with mem0_update and mem0_delete."
        )

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """Return the nearest memories, one a line, with their days."""
        return "\n".join(
            outgoing.line(one.text, one.day) for one in self._search(query, _PREFETCHED, self._options.is_reranked)
        )

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
        kept = self._kept_as(outgoing.sendable(old or content)) if action in ("replace", "remove") else None
        if action == "remove" and kept:
            self.forget(kept.id)
        elif action == "replace" and kept:
            self._store().update(kept.id, outgoing.sendable(content))
        elif action in ("add", "replace"):
            self.remember(content)

    def get_tool_schemas(self) -> list[Schema]:
        """Return the four tools of the public product."""
        return _TOOLS

    def handle_tool_call(self, tool_name: str, args: Schema, **kwargs: Any) -> str:
        """Do what the model asks."""
        tools: dict[str, Callable[[Schema], object]] = {
            "mem0_search": self._found,
            "mem0_add": lambda given: {"memory_id": self.remember(arguments.text(given, "content"))},
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
        """Ask for the way, and what it needs. `oss`, the whole of `Memory.from_config`, is no question."""
        hosted, local = {"mode": "platform"}, {"mode": "oss"}
        return [
            setting(
                "mode",
                "platform (mem0.ai, or a server of your own) or oss (on this machine)",
                "platform",
                "MEM0_MODE",
                ["platform", "oss"],
            ),
            {**setting("host", "Your own server, if any", "", "MEM0_HOST"), "when": hosted},
            {**key("Mem0", "MEM0_API_KEY", "https://app.mem0.ai", required=False), "when": hosted},
            {**setting("base_url", "OpenAI, or a server like it", OPENAI), "when": local},
            {**key("the server", "OPENAI_API_KEY", "", required=False), "key": "openai_key", "when": local},
            {**setting("llm_model", "Its model that finds facts", "gpt-5-mini"), "when": local},
            {**setting("embedder_model", "Its model that embeds", EMBEDDER), "when": local},
            setting("user_id", "Whose memories", self._nobody, "MEM0_USER_ID"),
            setting("agent_id", "Who writes", "hermes", "MEM0_AGENT_ID"),
        ]

    def backup_paths(self) -> list[str]:
        """Return the folder of a local vector store."""
        path = self._plain_files()
        return [str(path)] if path else []

    def remember(self, text: str) -> str:
        """Keep a sentence word for word, once."""
        text = outgoing.sendable(text)
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
        made = self._options
        if self._is_refused():
            raise ProviderRefused(
                "Mem0 would keep memories in plain files, and this home is encrypted.",
                hint="Name another vector_store in memory.providers.mem0.oss, or turn it off: hermes memory off",
            )
        if made.way == "oss":
            return OnThisMachine(made.oss, made.timeout_seconds)
        if made.way == "host":
            return SelfHosted(made.host, self._key, made.timeout_seconds)
        if not self._key:
            raise ProviderRefused("Mem0 needs a key.", hint="Set MEM0_API_KEY: hermes memory setup mem0")
        return Platform(made.platform_url, self._key, made.timeout_seconds)

    def _search(self, query: str, most: int, is_reranked: bool) -> list[Found]:
        asked = outgoing.sendable(query[:_LONGEST_QUERY])
        return self._store().search(asked, self._whose, most, is_reranked) if asked else []

    def _kept_as(self, text: str) -> Found | None:
        return next((one for one in self._search(text, 5, False) if one.text == text), None)

    def _found(self, args: Schema) -> object:
        most = arguments.whole(args, "top_k", 10, _MOST_FOUND)
        is_reranked = args.get("rerank", self._options.is_reranked) is True
        found = self._search(arguments.text(args, "query"), most, is_reranked)
        return {"results": [{"id": one.id, "memory": one.text, "date": one.day} for one in found]}

    def _updated(self, args: Schema) -> object:
        memory_id, text = arguments.text(args, "memory_id"), arguments.text(args, "text")
        self._store().update(memory_id, outgoing.sendable(text))
        return {"updated": memory_id}

    def _deleted(self, args: Schema) -> object:
        memory_id = arguments.text(args, "memory_id")
        self._store().delete(memory_id)
        return {"deleted": memory_id}


def _with_file(surroundings: Surroundings) -> Surroundings:
    """Put the public product's `mem0.json` in the home behind the settings."""
    file = options.read(surroundings.folder / "mem0.json")
    return replace(surroundings, options={**file, **surroundings.options})


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
        timeout_seconds=Options(found, {}).number("timeout", default=30, least=0.5, most=600),
        oss=config_of(found) if is_local else {},
    )


def _pieces(user_content: str, assistant_content: str) -> Iterator[Messages]:
    """Cut a turn into pieces that embedders take; mostly it is one."""
    said = [("user", outgoing.sendable(user_content)), ("assistant", outgoing.sendable(assistant_content))]
    if sum(len(text) for _, text in said) <= _LONGEST_PIECE:
        whole = [{"role": role, "content": text} for role, text in said if text]
        if whole:
            yield whole
        return
    for role, text in said:
        for piece in outgoing.pieces(text, _LONGEST_PIECE):
            yield [{"role": role, "content": piece}]


_TOOLS = [
    tool(
        "mem0_search",
        "Search what Mem0 remembers of the user, by meaning.",
        ["query"],
        query=words("What to look for."),
        top_k={"type": "integer", "description": "How many.", "default": 10, "minimum": 1, "maximum": _MOST_FOUND},
        rerank={"type": "boolean", "description": "Sort again, more slowly.", "default": False},
    ),
    tool("mem0_add", "Keep one fact word for word.", ["content"], content=words("The fact.")),
    tool(
        "mem0_update",
        "Put another text in place of a memory's.",
        ["memory_id", "text"],
        memory_id=words("An id of mem0_search."),
        text=words("The new text."),
    ),
    tool("mem0_delete", "Delete a memory.", ["memory_id"], memory_id=words("An id of mem0_search.")),
]
