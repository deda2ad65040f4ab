"""Say in words why something goes in front of a task and why something else does not.

There is more than one way in: a fact that names what the task names and the latest conversations need not be
relevant. So what is left out for its relevance says also which other way was closed to it, and no two lines of one
explanation contradict each other.
"""

import math
import re
from collections.abc import Sequence
from typing import Literal

from hermes_agent import clock
from hermes_agent.recall.asking import Asking, Retrieval
from hermes_agent.recall.hit import Hit
from hermes_agent.text.entities import candidate_keys
from hermes_agent.text.words import words

Ground = Literal["named", "taught", "relevant", "provided", "latest"]
"""Why a hit is taken: it names what the task names, a like task taught it, it is relevant, an external memory
brought it, it was said last."""

_SIGNALS = 5


def why_taken(hit: Hit, ground: Ground, asking: Asking, limits: Retrieval) -> str:
    """Say why a hit goes in front of the task."""
    if ground == "taught":
        return "a task like this one taught it"
    if ground == "provided":
        return f"the {hit.who} brought it"
    if ground == "latest":
        return "among the latest conversations"
    if ground == "relevant":
        return f"relevance {two_digits(hit.relevance)} is at least {limits.min_relevance:.2f}"
    moment = clock.from_datetime(asking.now) if asking.as_of is None else asking.as_of
    is_over = hit.valid_to is not None and hit.valid_to <= moment
    name = _shared_name(asking.question.text, hit.text) or "something"
    return f"a {'former' if is_over else 'current'} fact that names {name}, as the task does"


def too_little(hit: Hit, limits: Retrieval) -> str:
    """Say of a hit that it is not relevant enough, and which other way in was closed to it."""
    closed = {"fact": " and it names nothing the task names", "episode": " and it is not among the latest"}
    below = f"relevance {two_digits(hit.relevance)} is below {limits.min_relevance:.2f}"
    return below + closed.get(hit.kind, "")


def two_digits(relevance: float) -> str:
    """Write a relevance so that what is below a limit looks so: 0.649 is no 0.65."""
    return f"{math.floor(relevance * 100 + 1e-9) / 100:.2f}"


def signals_of(hit: Hit) -> list[str]:
    """Write what gave a hit its score, the most first."""
    return [f"{name} {value:+.2f}" for name, value in list(hit.contributions.items())[:_SIGNALS] if value]


def _shared_name(task: str, told: str) -> str | None:
    """Return the first thing the task names that the text names too, as the task spells it."""
    held = f" {' '.join(words(told))} "
    shared: Sequence[str] = [key for key in candidate_keys(task) if f" {key} " in held]
    if not shared:
        return None
    spelt = re.search(rf"\b{re.escape(shared[0])}\b", task, re.IGNORECASE)
    return shared[0] if spelt is None else spelt.group()
