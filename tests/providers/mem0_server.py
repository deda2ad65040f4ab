"""Mem0's platform and its self-hosted server on loopback, by their public descriptions.

The platform: `GET /v1/ping/`, `POST /v3/memories/add/` (done at once, or an event first, as `is_queued` says),
`POST /v3/memories/search/`, `POST /v3/memories/` in pages, `GET /v1/event/ID/`, `PUT` and `DELETE` of
`/v1/memories/ID/`; `Authorization: Token KEY`. The server: `POST` and `GET /memories`, `POST /search`, `PUT` and
`DELETE /memories/ID`; `X-API-Key: KEY`. What is "inferred" are the user's messages as they are, each once.
"""

import uuid
from dataclasses import dataclass, field
from typing import Any

from tests.providers.faulty_rest import Asked, Service

KEY = "m0-right"
_DAY = "2026-03-04T05:06:07Z"


@dataclass
class Mem0Server(Service):
    """Both of them, with one memory."""

    memories: dict[str, dict[str, Any]] = field(default_factory=dict)
    events: dict[str, dict[str, Any]] = field(default_factory=dict)
    is_queued: bool = False

    def answer(self, asked: Asked) -> tuple[int, object]:
        is_platform = asked.path.startswith(("/v1/", "/v3/"))
        given = asked.headers.get("authorization" if is_platform else "x-api-key")
        if given != (f"Token {KEY}" if is_platform else KEY):
            return 401, {"detail": "Invalid API key."}
        match asked.method, asked.path.strip("/").split("/"):
            case "GET", ["v1", "ping"]:
                return 200, {"status": "ok", "org_id": "o1", "project_id": "p1", "user_email": "a@example.org"}
            case "POST", ["v3", "memories", "add"]:
                return 200, self._added(asked.json)
            case "POST", ["memories"]:
                return 200, {"results": self._made(asked.json)}
            case "POST", ["v3", "memories", "search"] | ["search"]:
                return 200, {"results": self._nearest(asked.json)}
            case "POST", ["v3", "memories"]:
                return 200, self._page(asked)
            case "GET", ["memories"]:
                return 200, {"results": self._of(asked.query["user_id"])[: int(asked.query["top_k"])]}
            case "GET", ["v1", "event", event]:
                return (200, self.events[event]) if event in self.events else (404, {"detail": "Not found."})
            case (("PUT" | "DELETE"), [*_, memory_id]) if memory_id in self.memories:
                return 200, self._changed(asked, memory_id)
            case _:
                return 404, {"detail": "Not found."}

    def _made(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        known = {one["memory"] for one in self._of(body["user_id"])}
        texts = [message["content"] for message in body["messages"] if message["role"] == "user"]
        made = []
        for text in texts:
            if body["infer"] and text in known:
                continue
            memory_id = str(uuid.uuid4())
            kept = {"id": memory_id, "memory": text, "created_at": _DAY, "updated_at": _DAY}
            self.memories[memory_id] = {**kept, "user_id": body["user_id"], "metadata": body.get("metadata")}
            made.append({"id": memory_id, "memory": text, "event": "ADD"})
        return made

    def _added(self, body: dict[str, Any]) -> dict[str, Any]:
        event, made = str(uuid.uuid4()), self._made(body)
        if not self.is_queued:
            return {"message": "Stored.", "status": "SUCCEEDED", "event_id": event, "results": made}
        self.events[event] = {"id": event, "event_type": "ADD", "status": "SUCCEEDED", "results": made}
        return {"message": "Queued.", "status": "PENDING", "event_id": event}

    def _of(self, user_id: str) -> list[dict[str, Any]]:
        return [one for one in self.memories.values() if one["user_id"] == user_id]

    def _nearest(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        asked = set(body["query"].lower().split())
        scored = [
            {**one, "score": len(asked & set(one["memory"].lower().split())) / len(asked)}
            for one in self._of(body["filters"]["user_id"])
        ]
        return sorted((one for one in scored if one["score"]), key=lambda one: -one["score"])[: body["top_k"]]

    def _page(self, asked: Asked) -> dict[str, Any]:
        everything = self._of(asked.json["filters"]["user_id"])
        page, size = int(asked.query["page"]), int(asked.query["page_size"])
        following = f"{self.url}/v3/memories/?page={page + 1}" if page * size < len(everything) else None
        shown = everything[(page - 1) * size : page * size]
        return {"count": len(everything), "next": following, "previous": None, "results": shown}

    def _changed(self, asked: Asked, memory_id: str) -> dict[str, Any]:
        if asked.method == "DELETE":
            del self.memories[memory_id]
            return {"message": "Memory deleted successfully!"}
        self.memories[memory_id]["memory"] = asked.json["text"]
        return {"id": memory_id, "text": asked.json["text"]}
