"""Learn from a whole session at once; the job does so part by part."""

from collections import Counter
from datetime import tzinfo

from hermes_agent.memory.learning import learn_part
from hermes_agent.models.model import Model
from hermes_agent.store.store import Store


def learn(
    store: Store, session_id: str, model: Model | None = None, *, zone: tzinfo | None = None
) -> Counter[str]:
    """Learn from what was said in a session since it was last learned from; count what became of it."""
    counts: Counter[str] = Counter()
    while (some := learn_part(store, session_id, model, zone=zone)) is not None:
        counts.update(some)
    return counts
