"""The answers of the embedded model that hold nothing worth recalling: it cannot do that, or it kept a remark."""

from hermes_agent.recall.hit import Hit
from hermes_agent.records.talk import NEEDS_MODEL, NOT_NOTED, NOT_NOTED_AGAIN

_CANNED = (f"{NEEDS_MODEL}, and I am only the memory without one.", NOT_NOTED, NOT_NOTED_AGAIN)


def is_canned(hit: Hit) -> bool:
    """Tell whether a hit is an answer of which every paragraph is one of those; what the user said never is."""
    if hit.kind != "episode" or hit.source_class != "assistant":
        return False
    return all(paragraph.startswith(_CANNED) for paragraph in hit.text.strip().split("\n\n"))
