"""What a search of memory finds as JSON, on request with what brought each match and gave it its score."""

from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.records.archive import Json

if TYPE_CHECKING:
    from hermes_agent.memory.searching import Match, Searched


def searched_json(said: str, found: "Searched", *, with_reasons: bool) -> dict[str, Json]:
    """Write the answer to a search."""
    return {
        "query": said,
        "types": list(found.types),
        "results": [match_json(match, with_reasons=with_reasons) for match in found.matches],
        "count": len(found.matches),
        "compared": found.compared,
        "fingerprint": found.fingerprint,
        "days": None if found.days is None else [day.isoformat() for day in found.days],
        "troubles": list(found.troubles),
        "advice": found.advice,
    }


def match_json(match: "Match", *, with_reasons: bool) -> dict[str, Json]:
    """Write one match."""
    written: dict[str, Json] = {
        "type": match.type,
        "id": match.name,
        "text": match.text,
        "snippet": match.shown,
        "who": match.who,
        "at": None if match.at is None else clock.iso(match.at),
        "relevance": None if match.relevance is None else round(match.relevance, 4),
        "session_id": match.session_id,
        "message_id": match.message_id,
        "source_class": None if match.hit is None else match.hit.source_class,
    }
    hit = match.hit
    if hit is not None and hit.kind == "fact":
        moments = {"valid_from": hit.valid_from, "valid_to": hit.valid_to}
        written |= {name: None if moment is None else clock.iso(moment) for name, moment in moments.items()}
    if with_reasons and hit is not None:
        written["explain"] = {
            "passes": list(hit.passes),
            "score": round(hit.score, 4),
            "cosine": None if hit.cosine is None else round(hit.cosine, 4),
            "contributions": {name: round(amount, 4) for name, amount in hit.contributions.items()},
        }
    return written
