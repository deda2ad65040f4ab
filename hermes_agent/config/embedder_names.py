"""What may stand at `memory.embeddings.provider`: an embedder of ours, or one that an installed package brings.

A package brings one by an entry point of the group `hermes_agent.embedders`; docs/guides/embeddings.md shows how.
Installed packages are looked through only for a name that is not ours: that costs time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "hermes_agent.embedders"
# The meaning that 002 gives to `anthropic` is Voyage, the partner Anthropic recommends.
BUILT_IN = ("local", "minilm", "ollama", "openai", "voyage", "anthropic", "none")


def plugins() -> dict[str, EntryPoint]:
    """Return what installed packages bring, by name; a name of ours stays ours."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP) if point.name not in BUILT_IN}


def problem(name: str) -> str | None:
    """Say which names there are, and which one may be meant, when this is none; None when it is one."""
    if name in BUILT_IN:
        return None
    known = [*BUILT_IN, *sorted(plugins())]
    if name in known:
        return None
    from rapidfuzz import process

    best = process.extractOne(name.lower(), known, score_cutoff=60)
    return "one of " + ", ".join(known) + ("" if best is None else f" (did you mean {best[0]}?)")
