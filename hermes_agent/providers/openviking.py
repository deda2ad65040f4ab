"""OpenViking: memories as files below `viking://`, found by meaning; conversations become memories when they end.

Spoken to over plain HTTP, as the public Hermes Agent does it. What we keep there is a file named after its
content, so keeping it twice is keeping it once. A turn carries an id made from what was said. The server does not
look at it, so we do, before a turn is added: until the conversation is committed, what comes twice is there once.
Committing a conversation lets the server learn from it later, with its own model.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hermes_agent.errors import ToolError
from hermes_agent.providers import arguments, options, outgoing
from hermes_agent.providers.described import key, setting
from hermes_agent.providers.json_service import Json, JsonService
from hermes_agent.providers.openviking_tools import FOLDERS, LONGEST, MOST_READ, TOOLS
from hermes_agent.providers.provider import Kept, MemoryProvider, Schema, Surroundings
from hermes_agent.text.clean import preview

_ADDRESS = "http://127.0.0.1:1933"
_SECONDS = 30.0
_PAGE = 200
_MOST_RESULTS = 50
_LONGEST_LINE = 500
_OF_NOTES = {"user": "preference", "memory": "pattern"}
# As the command of OpenViking names them in its file.
_IN_FILE = {"url": "endpoint", "actor_peer_id": "agent"}
_HINT = "See OPENVIKING_ENDPOINT and OPENVIKING_API_KEY, or run: hermes memory setup openviking"


class OpenViking(MemoryProvider):
    """One user's part of an OpenViking server."""

    name = "openviking"

    def __init__(self, surroundings: Surroundings) -> None:
        self._options = options.Options(surroundings, _of_command(surroundings))
        self._session = ""

    def is_available(self) -> bool:
        """Tell that an address was chosen: a server that nobody named is not asked."""
        return bool(self._told("endpoint"))

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        self._session = session_id
        self._limit, self._least_score  # noqa: B018 - they tell of a wrong setting
        self._service.check()

    def on_session_switch(self, new_session_id: str, **kwargs: Any) -> None:
        self._session = new_session_id

    def get_config_schema(self) -> list[Schema]:
        return [
            {**setting("endpoint", "Address of the server", _ADDRESS, "OPENVIKING_ENDPOINT"), "required": True},
            key("OpenViking, if it wants one", "OPENVIKING_API_KEY", "", required=False),
            setting("account", "Account, without a key", "default", "OPENVIKING_ACCOUNT"),
            setting("user", "User, without a key", "default", "OPENVIKING_USER"),
            setting("agent", "Peer, for memories of its own", "", "OPENVIKING_AGENT"),
            setting("recall_limit", "Memories for a message at most", "6"),
            setting("recall_score_threshold", "Least score, 0 to 1", "0.15"),
        ]

    def get_tool_schemas(self) -> list[Schema]:
        return list(TOOLS)

    def system_prompt_block(self) -> str:
        return (
            "# OpenViking\nKnowledge lies below viking:// addresses. Find it with viking_search, read it with "
            "viking_read, keep what lasts with viking_remember."
        )

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        if not query.strip():
            return ""
        body = {"query": query, "target_uri": self._memories, "score_threshold": self._least_score}
        # One more for each summary that is left out.
        found = self._found("/api/v1/search/find", {**body, "limit": self._limit * 2})
        lines = [outgoing.line(one["abstract"]) for one in found if not _is_summary(one["uri"])]
        return "\n".join([line for line in lines if line][: self._limit])

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Schema] | None = None,
    ) -> None:
        """Add a turn to its conversation, unless it is there already."""
        session = session_id or self._session
        path = f"/api/v1/sessions/{_segment(session)}"
        turn = outgoing.turn_key(session, user_content, assistant_content, messages)
        if turn in self._turns(path):
            return
        said = (("user", user_content), ("assistant", assistant_content))
        told = [{"role": role, "content": text, "turn_id": turn} for role, text in said if text]
        if told:
            self._taken(self._service.ask("POST", f"{path}/messages/batch", {"messages": told}))

    def on_session_end(self, messages: Sequence[Schema], *, session_id: str = "") -> None:
        """Let the server learn from the conversation; one without a turn is not known there."""
        path = f"/api/v1/sessions/{_segment(session_id or self._session)}/commit"
        self._taken(self._service.find("POST", path, {"keep_recent_count": 0}))

    def on_memory_write(
        self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Follow the notes: each entry is a file, which goes when the entry is replaced or removed."""
        category = _OF_NOTES.get(target, "pattern")
        former = str((metadata or {}).get("old_text") or "")
        if action in ("replace", "remove") and former:
            self.forget(self._place(former, category))
        if action in ("add", "replace") and content.strip():
            self._write(content, category)

    def remember(self, text: str) -> str:
        return self._write(text, "entity")

    def memories(self) -> Iterator[Kept]:
        """Yield every file below the user's memories; of those that vanish meanwhile, nothing."""
        for entry in self._entries(self._memories):
            if entry.get("isDir") or _is_summary(entry["uri"]):
                continue
            text = self._read(entry["uri"], "read")
            if text is not None:
                yield Kept(entry["uri"], text)

    def forget(self, kept_id: str) -> None:
        """Remove one file of the memories; what is not there is forgotten."""
        if not kept_id.startswith(f"{self._memories}/") or kept_id.endswith("/") or ".." in kept_id:
            raise ToolError(f"Only what lies below {self._memories}/ can be forgotten.")
        self._taken(self._service.find("DELETE", "/api/v1/fs", uri=kept_id, recursive="false"))

    def handle_tool_call(self, tool_name: str, args: Schema, **kwargs: Any) -> str:
        tools: dict[str, Callable[[Schema], Schema]] = {
            "viking_search": partial(self._searched, str(kwargs.get("session_id") or self._session)),
            "viking_read": self._reading,
            "viking_browse": self._browsed,
            "viking_remember": self._remembered,
            "viking_forget": self._forgotten,
            "viking_add_resource": self._resource,
        }
        if tool_name not in tools:
            raise ToolError(f"{self.name} has no tool {tool_name!r}.")
        return json.dumps(tools[tool_name](args), ensure_ascii=False)

    def shutdown(self) -> None:
        self._service.close()

    @cached_property
    def _service(self) -> JsonService:
        secret = self._options.secret("api_key", "OPENVIKING_API_KEY")
        if secret:
            headers = {"X-API-Key": secret, "Authorization": f"Bearer {secret}"}
        else:
            account, user = self._told("account") or "default", self._told("user") or "default"
            headers = {"X-OpenViking-Account": account, "X-OpenViking-User": user}
        if agent := self._told("agent"):
            headers["X-OpenViking-Actor-Peer"] = agent
        seconds = self._options.number("timeout_seconds", default=_SECONDS, least=0.1, most=600)
        return JsonService("OpenViking", self._told("endpoint") or _ADDRESS, headers, seconds, _HINT)

    def _told(self, option: str) -> str:
        return self._options.text(option, f"OPENVIKING_{option.upper()}")

    @cached_property
    def _limit(self) -> int:
        variable = "OPENVIKING_RECALL_LIMIT"
        return int(self._options.number("recall_limit", variable, default=6, least=1, most=100))

    @cached_property
    def _least_score(self) -> float:
        variable = "OPENVIKING_RECALL_SCORE_THRESHOLD"
        return self._options.number("recall_score_threshold", variable, default=0.15, least=0, most=1)

    @cached_property
    def _memories(self) -> str:
        """The folder of the user's memories; whose it is, the server says."""
        status = self._ask("GET", "/api/v1/system/status")
        user = status.get("user") if isinstance(status, dict) else None
        if not isinstance(user, str) or not user:
            raise self._service.strange()
        return f"viking://user/{user}/memories"

    def _ask(self, method: str, path: str, body: Json | None = None, **parameters: str) -> object:
        return self._result(self._service.ask(method, path, body, **parameters))

    def _result(self, answer: Json) -> object:
        if answer.get("status") != "ok" or "result" not in answer:
            raise self._service.strange()
        return answer["result"]

    def _taken(self, answer: Json | None) -> None:
        """Look whether something was done; that it was not there to be done is fine."""
        if answer is not None and not isinstance(self._result(answer), dict):
            raise self._service.strange()

    def _found(self, path: str, body: Json) -> list[Json]:
        """Ask for what fits and look at each of the hits."""
        result = self._ask("POST", path, body)
        if not isinstance(result, dict) or "memories" not in result:
            raise self._service.strange()
        hits = [hit for kind in ("memories", "resources", "skills") for hit in _listed(result.get(kind) or [])]
        if not all(isinstance(hit.get(key), str) for hit in hits for key in ("uri", "abstract")):
            raise self._service.strange()
        return hits

    def _turns(self, path: str) -> set[object]:
        answer = self._service.find("GET", f"{path}/context")
        if answer is None:
            return set()
        result = self._result(answer)
        if not isinstance(result, dict) or not isinstance(result.get("messages"), list):
            raise self._service.strange()
        return {message.get("turn_id") for message in _listed(result["messages"])}

    def _entries(self, uri: str) -> Iterator[Json]:
        """Yield what lies below an address, page by page."""
        offset, has_more = 0, True
        while has_more:
            answer = self._service.find(
                "GET", "/api/v1/fs/ls", uri=uri, recursive="true", limit=str(_PAGE), offset=str(offset)
            )
            if answer is None:
                return
            entries = self._result(answer)
            if not isinstance(entries, list) or not all(
                isinstance(one.get("uri"), str) for one in _listed(entries)
            ):
                raise self._service.strange()
            yield from entries
            offset += len(entries)
            has_more = bool(answer.get("has_more")) and bool(entries)

    def _read(self, uri: str, level: str) -> str | None:
        answer = self._service.find("GET", f"/api/v1/content/{level}", uri=uri)
        result = "" if answer is None else self._result(answer)
        if not isinstance(result, str):
            raise self._service.strange()
        return None if answer is None else result

    def _place(self, content: str, category: str) -> str:
        return f"{self._memories}/{FOLDERS[category]}/hermes_{outgoing.key(content.strip())}.md"

    def _write(self, content: str, category: str) -> str:
        """Keep a text and wait until it can be found."""
        if not content.strip():
            raise ToolError("There is nothing to remember.")
        uri = self._place(content, category)
        body = {"uri": uri, "content": content.strip(), "mode": "replace", "wait": True}
        self._taken(self._service.ask("POST", "/api/v1/content/write", body))
        return uri

    def _searched(self, session: str, args: Schema) -> Schema:
        body: Json = {
            "query": arguments.text(args, "query"),
            "limit": arguments.whole(args, "limit", 10, _MOST_RESULTS),
        }
        # Without any, the server looks at the folders near the root first, and often no further.
        scope = arguments.optional_text(args, "scope")
        body["target_uri"] = _address(scope) if scope else [self._memories, "viking://resources"]
        path = "/api/v1/search/find"
        if arguments.choice(args, "mode", ("auto", "fast", "deep"), "auto") == "deep":
            path, body["session_id"] = "/api/v1/search/search", session or None
        hits = self._found(path, body)
        shown = [{key: hit[key] for key in ("uri", "abstract", "score") if key in hit} for hit in hits]
        return {"results": [{**hit, "abstract": preview(hit["abstract"], _LONGEST_LINE)} for hit in shown]}

    def _reading(self, args: Schema) -> Schema:
        uris = [arguments.text(args, "uri")] if args.get("uri") else arguments.texts(args, "uris")
        if len(uris) > MOST_READ:
            raise ToolError(f"At most {MOST_READ} addresses at once.")
        level = arguments.choice(args, "level", tuple(LONGEST), "overview")
        return {"results": [{"uri": uri, "content": self._content(_address(uri), level)} for uri in uris]}

    def _content(self, uri: str, level: str) -> str:
        """Return a file whole, as far as the level goes; of a folder what the server says of it."""
        is_file = not self._stat(uri).get("isDir")
        text = self._read(uri, "read" if is_file or level == "full" else level)
        if text is None:
            raise ToolError(f"There is nothing at {uri}.")
        most = LONGEST[level]
        return text if len(text) <= most else f"{text[:most]}\n[{len(text) - most:,} more characters]"

    def _stat(self, uri: str) -> Json:
        answer = self._service.find("GET", "/api/v1/fs/stat", uri=uri)
        if answer is None:
            raise ToolError(f"There is nothing at {uri}.")
        result = self._result(answer)
        if not isinstance(result, dict):
            raise self._service.strange()
        return result

    def _browsed(self, args: Schema) -> Schema:
        action = arguments.choice(args, "action", ("tree", "list", "stat"), "list")
        uri = _address(arguments.optional_text(args, "path") or "viking://")
        if action == "stat":
            return _seen(self._stat(uri))
        path = "tree" if action == "tree" else "ls"
        answer = self._service.find("GET", f"/api/v1/fs/{path}", uri=uri, node_limit=str(_PAGE))
        if answer is None:
            raise ToolError(f"There is nothing at {uri}.")
        entries = self._result(answer)
        if not isinstance(entries, list):
            raise self._service.strange()
        return {"entries": [_seen(entry) for entry in _listed(entries)][:_PAGE]}

    def _remembered(self, args: Schema) -> Schema:
        category = arguments.choice(args, "category", tuple(FOLDERS), "entity")
        return {"uri": self._write(arguments.text(args, "content"), category)}

    def _forgotten(self, args: Schema) -> Schema:
        self.forget(arguments.text(args, "uri"))
        return {"forgotten": True}

    def _resource(self, args: Schema) -> Schema:
        url = arguments.text(args, "url")
        if not url.startswith(("http://", "https://", "git@", "ssh://", "git://")):
            raise ToolError("url must be the address of a public page or repository.")
        named = {
            key: arguments.text(args, key) for key in ("reason", "to", "parent", "instruction") if args.get(key)
        }
        body = {"path": url, **named, "wait": args.get("wait") is True}
        if args.get("timeout") is not None:
            body["timeout"] = min(_SECONDS, arguments.number(args, "timeout"))
        result = self._ask("POST", "/api/v1/resources", body)
        if not isinstance(result, dict):
            raise self._service.strange()
        return {"uri": result.get("root_uri") or result.get("uri"), "status": result.get("status", "accepted")}


def _of_command(surroundings: Surroundings) -> dict[str, object]:
    """Return what the command of OpenViking was told in its own file, under our names."""
    named = surroundings.variables.get("OPENVIKING_CLI_CONFIG_FILE")
    told = options.read(Path(named or "~/.openviking/ovcli.conf").expanduser())
    return {_IN_FILE.get(name, name): value for name, value in told.items()}


def _listed(values: object) -> list[Json]:
    return [value if isinstance(value, dict) else {} for value in values] if isinstance(values, list) else [{}]


def _seen(entry: Json) -> Json:
    return {
        key: entry[key]
        for key in ("uri", "isDir", "size", "modTime", "abstract")
        if entry.get(key) not in (None, "")
    }


def _is_summary(uri: str) -> bool:
    """Tell whether a file was made by the server about a folder."""
    return uri.rsplit("/", 1)[-1].startswith(".")


def _address(uri: str) -> str:
    if not uri.startswith("viking://"):
        raise ToolError(f"{uri[:80]!r} is no address that begins with viking://")
    return uri


def _segment(session: str) -> str:
    """Return a conversation's name as a part of a path; one with a slash gets another name."""
    return quote(session, safe="") if session and "/" not in session else f"hermes-{outgoing.key(session)}"
