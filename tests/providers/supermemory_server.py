"""A Supermemory on loopback, by its public description (API v5): documents, search, profile, memories.

What it learns is one memory for each document, the document's own words, at once; a search in its hybrid mode
finds both. The same document again is unchanged, as the description says; another text under its id is added.
"""

from dataclasses import dataclass, field
from math import ceil
from typing import Any

from tests.providers.vendor_server import Answer, Refused, Request, VendorServer, nearness

_WHEN = "2026-11-03T08:30:00.000Z"


@dataclass
class Document:
    """A document and what was learned from it."""

    id: str
    content: str
    metadata: dict[str, str]
    memory_id: str
    is_forgotten: bool = False


@dataclass
class SupermemoryServer(VendorServer):
    """What Supermemory keeps, by namespace."""

    documents: dict[str, dict[str, Document]] = field(default_factory=dict)
    statuses: list[str] = field(default_factory=list)
    """What became of each document that was sent."""

    def answer(self, request: Request) -> Answer:
        """Find the route."""
        match request.method, request.path.strip("/").split("/"):
            case "POST", ["ns", namespace, "document"]:
                return self._add(self.documents.setdefault(namespace, {}), request.json)
            case "DELETE", ["ns", namespace, "document"]:
                return self._delete(self.documents.get(namespace, {}), request.json["ids"])
            case "POST", ["ns", namespace, "search"]:
                return self._search(self._known(namespace), request.json)
            case "POST", ["ns", namespace, "profile"]:
                facts = [{"id": one.memory_id, "memory": one.content} for one in self._known(namespace)[:3]]
                return Answer(200, {"profile": {"static": facts[:1], "dynamic": facts[1:], "buckets": {}}})
            case "POST", ["ns", namespace, "list", "memories"]:
                return self._list(self._known(namespace), request.query)
            case "DELETE", ["ns", namespace, "memories"]:
                return self._forget(namespace, request.json["ids"])
            case "DELETE", ["ns", namespace, "memories", "semantic"] if request.json["dryRun"]:
                near = [one for one in self._known(namespace) if nearness(request.json["query"], one.content)]
                return _forgotten(near)
        raise Refused(404)

    def _known(self, namespace: str) -> list[Document]:
        return [one for one in self.documents.get(namespace, {}).values() if not one.is_forgotten]

    def _add(self, kept: dict[str, Document], asked: dict[str, Any]) -> Answer:
        if not asked.get("content", "").strip() or len(asked.get("supportingContext", "")) > 1_500:
            raise Refused(400)
        known = kept.get(asked["id"])
        status = "done" if known and known.content == asked["content"] else "queued"
        if known and status == "queued":
            known.content += "\n" + asked["content"]
        kept.setdefault(
            asked["id"], Document(asked["id"], asked["content"], asked["metadata"], f"mem{len(self.requests)}")
        )
        self.statuses.append(status)
        return Answer(200, {"id": asked["id"], "status": status})

    def _delete(self, kept: dict[str, Document], ids: list[str]) -> Answer:
        missing = [one for one in ids if kept.pop(one, None) is None]
        errors = [{"id": one, "error": "Document not found"} for one in missing]
        return Answer(200, {"count": len(ids) - len(missing), "errors": errors})

    def _search(self, known: list[Document], asked: dict[str, Any]) -> Answer:
        if not asked["query"] or len(asked["query"]) > 2_000:
            raise Refused(400)
        near = sorted(known, key=lambda one: nearness(asked["query"], one.content), reverse=True)
        kinds = {"hybrid": ("memory", "chunk"), "memories": ("memory",), "chunks": ("chunk",)}[asked["searchMode"]]
        results = [
            {
                "id": one.memory_id if kind == "memory" else f"chunk-{one.memory_id}",
                kind: one.content,
                "metadata": one.metadata,
                "similarity": 0.8,
                "isLatest": True,
                "isInference": False,
                "system": {"updatedAt": _WHEN, "createdAt": _WHEN},
            }
            for one in near
            if nearness(asked["query"], one.content)
            for kind in kinds
        ]
        return Answer(200, {"results": results[: asked["limit"]], "searchTime": 3.5})

    def _list(self, known: list[Document], query: dict[str, str]) -> Answer:
        page, limit = int(query["page"]), int(query["limit"])
        shown = [
            {
                "id": one.memory_id,
                "memory": one.content,
                "metadata": {},
                "isStatic": False,
                "isInference": False,
                "isLatest": True,
                "isForgotten": False,
                "version": 1,
                "system": {"createdAt": _WHEN, "updatedAt": _WHEN},
            }
            for one in known[(page - 1) * limit : page * limit]
        ]
        pages = {
            "currentPage": page,
            "limit": limit,
            "totalItems": len(known),
            "totalPages": ceil(len(known) / limit),
        }
        return Answer(200, {"documents": [], "chunks": [], "memories": shown, "pagination": pages})

    def _forget(self, namespace: str, ids: list[str]) -> Answer:
        found = [one for one in self._known(namespace) if one.memory_id in ids]
        for one in found:
            one.is_forgotten = True
        missing = set(ids) - {one.memory_id for one in found}
        return _forgotten(found, [{"id": one, "error": "Memory not found"} for one in missing])


def _forgotten(found: list[Document], errors: list[dict[str, str]] | None = None) -> Answer:
    matches = [{"id": one.memory_id, "memory": one.content} for one in found]
    return Answer(200, {"count": len(found), "errors": errors or [], "matches": matches})
