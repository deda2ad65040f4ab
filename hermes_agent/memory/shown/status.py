"""What memory holds and what stands behind it as JSON."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.memory.full_notes import FullNote, UnreadNote
from hermes_agent.records.archive import Json

if TYPE_CHECKING:
    from hermes_agent.config.paths import Home
    from hermes_agent.errors import HermesError
    from hermes_agent.memory.embedding import Health
    from hermes_agent.memory.spending import Today
    from hermes_agent.memory.status import Counts, Details


def counts_json(
    counts: "Counts", more: "Details", home: "Home", today: "Today", problem: "HermesError | None"
) -> dict[str, Json]:
    """Write the counts of a home's memory; `problem` is what keeps its embedder from being used."""
    return {
        "episodes": {"total": counts.episodes, "raw": counts.raw, "compressed": counts.compressed},
        "facts": counts.facts,
        "quarantined": counts.quarantined,
        "reflections": counts.reflections,
        "embeddings": {"episodes": counts.episode_vectors, "facts": counts.fact_vectors},
        "size_bytes": counts.size_bytes,
        "last_vacuum": _moment(counts.last_vacuum),
        "last_compression": _moment(counts.last_compression),
        "database": {"engine": more.engine, "place": more.place},
        "vectors": None if more.vectors is None else _vectors_json(more.vectors),
        "embedder_problem": None if problem is None else problem.message,
        "text_index": {"is_behind": more.indexes.is_behind},
        "missing_episodes": more.indexes.missing_episodes,
        "summaries": more.summaries,
        "entities": more.entities,
        "jobs": {"waiting": more.waiting_jobs, "failed": more.failed_jobs},
        "cost": {"used_today": today.used, "cap": today.cap or None, "is_reached": today.is_reached},
        "last_selftest": _moment(more.last_selftest),
        "profile": {"name": home.profile, "home": str(home.root)},
    }


def troubles_json(
    unordered: str | None, dropped: str | None, notes: Sequence[FullNote | UnreadNote]
) -> dict[str, Json]:
    """Write what is not well: why nobody reranks, why recall got worse, and notes that are full or unreadable."""
    return {
        "reranker_trouble": unordered,
        "recall_dropped": dropped,
        "nearly_full_notes": [one.target for one in notes if isinstance(one, FullNote)],
        "unreadable_notes": [one.target for one in notes if isinstance(one, UnreadNote)],
    }


def _vectors_json(vectors: "Health") -> dict[str, Json]:
    return {
        "wanted": vectors.wanted,
        "used": vectors.used,
        "done": vectors.done,
        "total": vectors.total,
        "trouble": vectors.trouble,
        "trouble_at": _moment(vectors.trouble_at),
    }


def _moment(at: int | None) -> str | None:
    return None if at is None else clock.iso(at)
