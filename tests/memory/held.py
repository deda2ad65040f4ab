"""What a memory holds to be true, in the order it was learned."""

from hermes_agent.memory.memory import Memory
from hermes_agent.records.memory import Fact
from hermes_agent.store import facts


def held(memory: Memory, *, with_ended: bool = False) -> list[Fact]:
    """Return the facts, also those that ended if they are asked for."""
    with memory.store.read() as connection:
        return facts.recent(connection, 100, with_ended=with_ended)[::-1]


def texts(memory: Memory) -> list[str]:
    """Return the sentences of the facts."""
    return [fact.text for fact in held(memory)]
