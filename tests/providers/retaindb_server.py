"""A RetainDB on loopback, by its public description and its open server: memories, sessions, profile, files.

It refuses what the real one refuses: long queries, long memories, times without a zone. From a session it learns
each message of the user that says "I". Twice the same memory is one.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from tests.providers.vendor_server import Answer, Refused, Request, VendorServer, nearness

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_WHEN = "2026-11-05T10:00:00.000Z"
_KINDS = ("factual", "preference", "goal", "instruction", "event", "opinion")


@dataclass
class RetainDBServer(VendorServer):
    """What RetainDB keeps of one user in one project."""

    memories: dict[str, str] = field(default_factory=dict)
    sessions: list[dict[str, Any]] = field(default_factory=list)
    """Each conversation that was ingested."""
    files: dict[str, str] = field(default_factory=dict)
    may_wait: bool = True
    """Whether this account may write synchronously."""
    heeds_keys: bool = False
    """Whether sessions, too, are taken once for an idempotency key."""
    keys: dict[str, object] = field(default_factory=dict)
    project: str = "default"

    def is_allowed(self, request: Request) -> bool:
        """Tell whether both headers have the key."""
        return super().is_allowed(request) and request.headers.get("x-api-key") == self.key

    def answer(self, request: Request) -> Answer:
        """Find the route."""
        asked = request.json or {}
        match request.method, request.path.strip("/").split("/")[1:]:
            case "POST", ["memory"]:
                return self._keep(asked)
            case "POST", ["memory", "search"]:
                return Answer(
                    200, {"results": self._near(asked, asked["top_k"]), "count": 0, "query": asked["query"]}
                )
            case "POST", ["context", "query"]:
                near = self._near(asked, 5)
                results = [{"content": one["memory"]["content"], "score": one["similarity"]} for one in near]
                return Answer(200, {"results": results, "context": "", "meta": {"total": len(results)}})
            case "POST", ["memory", "ingest", "session"]:
                return self._ingest(asked, request.headers.get("idempotency-key", ""))
            case "GET", ["memory", "profile", user]:
                self._is_ours({"project": request.query["project"], "user_id": user})
                rows = [
                    {"id": id, "content": text, "type": "factual", "document_date": _WHEN}
                    for id, text in self.memories.items()
                ]
                return Answer(200, {"user_id": user, "memories": rows, "count": len(rows)})
            case "DELETE", ["memory", memory]:
                if self.memories.pop(memory, None) is None:
                    raise Refused(404)
                return Answer(200, {"success": True, "memory_id": memory})
            case method, ["files", *rest]:
                return self._file(method, rest, request.query)
        raise Refused(404)

    def _is_ours(self, asked: dict[str, Any]) -> None:
        if (asked["project"], asked["user_id"]) != (self.project, "default"):
            raise Refused(403)

    def _keep(self, asked: dict[str, Any]) -> Answer:
        self._is_ours(asked)
        if not 1 <= len(asked["content"]) <= 10_000 or asked["memory_type"] not in _KINDS:
            raise Refused(400)
        known = next((id for id, text in self.memories.items() if text == asked["content"]), None)
        memory = known or f"mem-{len(self.requests)}"
        self.memories[memory] = asked["content"]
        kept = {"id": memory, "content": asked["content"], "type": asked["memory_type"]}
        answer = {"success": True, "mode": "sync", "memory_id": memory, "memory": kept}
        return Answer(200 if known else 201, answer)

    def _near(self, asked: dict[str, Any], most: int) -> list[dict[str, Any]]:
        self._is_ours(asked)
        if not 1 <= len(asked["query"]) <= 5_000 or not 1 <= most <= 50:
            raise Refused(400)
        near = sorted(self.memories.items(), key=lambda one: nearness(asked["query"], one[1]), reverse=True)
        dates = {"document_date": _WHEN, "event_date": None, "valid_from": None, "valid_until": None}
        return [
            {"memory": {"id": id, "content": text, "type": "factual", "temporal": dates}, "similarity": 0.7}
            for id, text in near[:most]
            if nearness(asked["query"], text)
        ]

    def _ingest(self, asked: dict[str, Any], key: str) -> Answer:
        self._is_ours(asked)
        if not asked["session_id"] or not all(_TIME.fullmatch(one["timestamp"]) for one in asked["messages"]):
            raise Refused(400)
        if asked["write_mode"] == "sync" and not self.may_wait:
            return Answer(403, {"success": False, "error": {"code": "SYNC_WRITE_RESTRICTED"}})
        if self.heeds_keys and self.keys.setdefault(key, asked) != asked:
            raise Refused(409)
        self.sessions.append(asked)
        for one in asked["messages"]:
            if one["role"] == "user" and "I " in one["content"] and one["content"] not in self.memories.values():
                self.memories[f"learned-{len(self.memories)}"] = one["content"]
        status = 200 if asked["write_mode"] == "sync" else 202
        return Answer(status, {"success": True, "mode": asked["write_mode"], "session_id": asked["session_id"]})

    def _file(self, method: str, rest: list[str], query: dict[str, str]) -> Answer:
        if method == "GET" and not rest:
            shown = [{"id": id, "name": f"{id}.md"} for id in self.files if id.startswith(query.get("prefix", ""))]
            return Answer(200, {"files": shown[: int(query["limit"])]})
        if rest[0] not in self.files:
            raise Refused(404)
        match method, rest[1:]:
            case "GET", ["content"]:
                return Answer(200, self.files[rest[0]])
            case "POST", ["ingest"]:
                self.memories[f"file-{rest[0]}"] = self.files[rest[0]]
                return Answer(200, {"success": True})
            case "DELETE", []:
                del self.files[rest[0]]
                return Answer(200, {"success": True})
        raise Refused(404)
