"""The job `derive`: of what came from elsewhere make sketches, links to what it names, and packed bodies."""

from collections.abc import Generator

from hermes_agent.memory import episodes, facts
from hermes_agent.memory.memory import Memory
from hermes_agent.ops.steps import Step
from hermes_agent.records.jobs import Job
from hermes_agent.store import bodies, canonical, compressed, entities, entity_joins

_WHAT = "Reading what came"


def run(memory: Memory, job: Job) -> Generator[Step, None, None]:
    """Go through the episodes from where the last slice came to, then through the facts."""
    store = memory.store
    reached: int | None = _since(job, "episodes") if job.progress is None else job.progress.done
    with store.read() as connection:
        last = canonical.last_id(connection, "episodes")
    while reached is not None:
        yield Step(_WHAT, reached, max(last, reached))
        before = reached
        reached = episodes.derive_next(store, before, memory.zone, has_vectors=memory.embedder is not None)
        if reached is not None:
            _pack(memory, before, reached)
    fact: int | None = _since(job, "facts")
    while fact is not None:
        fact = facts.derive_next(store, fact)
    with store.write() as connection:
        entities.remove_stale(connection)
        entity_joins.restore(connection)


def _pack(memory: Memory, after: int, last: int) -> None:
    """Pack the messages of episodes that a summary stands for, as they were."""
    with memory.store.read() as connection:
        old = compressed.between(connection, after, last)
        ids = compressed.message_ids(connection, old)
        packed = bodies.packed(connection, memory.store.engine, ids)
    if packed:
        with memory.store.write() as connection:
            bodies.keep(connection, packed)


def _since(job: Job, name: str) -> int:
    since = job.payload.get(name, 0)
    return since if isinstance(since, int) else 0
