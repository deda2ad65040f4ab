"""Hindsight's HTTP API on loopback, by its public description and as its server was seen to answer.

A bank comes to be with the first document, and is "not found" before; a document that comes again replaces itself.
Each document is one fact, of its whole text.
"""

import re
import uuid
from dataclasses import dataclass, field
from typing import Any

from tests.providers.faulty_rest import Asked, Service

KEY = "hs-right"
_WHEN = "2026-03-04T05:06:07.000000+00:00"


@dataclass
class HindsightServer(Service):
    """The banks, and in each the facts by their documents."""

    banks: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)

    def answer(self, asked: Asked) -> tuple[int, object]:
        if asked.headers.get("authorization") != f"Bearer {KEY}":
            return 401, {"detail": "Invalid API key"}
        where = re.fullmatch(r"/v1/default/banks/([^/]+)/(.+)", asked.path)
        if where is None:
            return 404, {"detail": "Not Found"}
        bank, verb = where.groups()
        if (asked.method, verb) == ("POST", "memories"):
            return 200, self._retained(bank, asked.json)
        if bank not in self.banks:
            return 404, {"detail": f"Bank '{bank}' not found"}
        facts = self.banks[bank]
        match asked.method, verb.split("/"):
            case "POST", ["memories", "recall"]:
                return _recalled(facts, asked.json)
            case "POST", ["reflect"]:
                return 200, {"text": "; ".join(one["text"] for one in facts.values())}
            case "GET", ["memories", "list"]:
                return 200, _listed(facts, int(asked.query["limit"]), int(asked.query["offset"]))
            case "DELETE", ["documents", document]:
                return _deleted(facts, document)
            case "PATCH", ["memories", memory_id]:
                return self._curated(facts, memory_id, asked.json)
            case _:
                return 404, {"detail": "Not Found"}

    def _retained(self, bank: str, body: dict[str, Any]) -> dict[str, Any]:
        for item in body["items"]:
            document = item.get("document_id") or str(uuid.uuid4())
            fact = {
                "id": str(uuid.uuid4()),
                "text": item["content"],
                "fact_type": "world",
                "document_id": document,
            }
            kept = {**fact, "date": _WHEN, "mentioned_at": _WHEN, "tags": item.get("tags") or [], "state": "valid"}
            self.banks.setdefault(bank, {})[document] = {**kept, "context": item.get("context") or ""}
        return {"success": True, "bank_id": bank, "items_count": len(body["items"]), "async": body["async"]}

    def _curated(
        self, facts: dict[str, dict[str, Any]], memory_id: str, body: dict[str, Any]
    ) -> tuple[int, object]:
        for document, one in facts.items():
            if one["id"] == memory_id:
                facts[document] = {**one, **body}
                return 200, facts[document]
        return 404, {"detail": f"Memory unit '{memory_id}' not found"}


def _recalled(facts: dict[str, dict[str, Any]], body: dict[str, Any]) -> tuple[int, object]:
    asked = set(re.findall(r"\w+", body["query"].lower()))
    if not asked:
        return 422, {"detail": [{"loc": ["body", "query"], "msg": "no word", "type": "value_error"}]}
    shared = {key: len(asked & set(re.findall(r"\w+", one["text"].lower()))) for key, one in facts.items()}
    best = sorted((key for key, count in shared.items() if count), key=lambda key: -shared[key])
    fields = ("id", "text", "mentioned_at", "document_id", "tags")
    valid = [facts[key] for key in best if facts[key]["state"] == "valid"]
    return 200, {"results": [{"type": "world", **{name: one[name] for name in fields}} for one in valid]}


def _listed(facts: dict[str, dict[str, Any]], limit: int, offset: int) -> dict[str, Any]:
    valid = [one for one in facts.values() if one["state"] == "valid"]
    return {"items": valid[offset : offset + limit], "total": len(valid), "limit": limit, "offset": offset}


def _deleted(facts: dict[str, dict[str, Any]], document: str) -> tuple[int, object]:
    if document not in facts:
        return 404, {"detail": "Document not found"}
    del facts[document]
    return 200, {"success": True, "message": "Deleted.", "document_id": document, "memory_units_deleted": 1}
