"""What memory puts in front of a task as JSON, and why each was taken or left out."""

from typing import TYPE_CHECKING

from hermes_agent.records.archive import Json

if TYPE_CHECKING:
    from hermes_agent.recall.context import Context
    from hermes_agent.recall.hit import Hit


def context_json(found: "Context", *, is_sent: bool) -> dict[str, Json]:
    """Write the memories of a task; `is_sent` is whether models get them (`memory.retrieval.enabled`)."""
    return {
        "text": found.text,
        "items": [
            {
                "reason": reason,
                "when": item.when,
                "who": item.who,
                "where": item.where,
                "text": item.text,
                **_numbers(hit),
            }
            for item, hit, reason in zip(found.items, found.hits, found.reasons, strict=True)
        ],
        "left_out": [
            {"reason": left.reason, "message_id": left.hit.message_id, "text": left.hit.text, **_numbers(left.hit)}
            for left in found.left_out
        ],
        "troubles": list(found.found.troubles),
        "fingerprint": found.found.fingerprint,
        "days": None if found.found.days is None else [day.isoformat() for day in found.found.days],
        "compared": found.found.compared,
        "is_sent": is_sent,
    }


def _numbers(hit: "Hit") -> dict[str, Json]:
    return {
        "kind": hit.kind,
        "id": hit.id,
        "relevance": hit.relevance,
        "cosine": hit.cosine,
        "score": hit.score,
        "passes": list(hit.passes),
        "contributions": dict(hit.contributions),
    }
