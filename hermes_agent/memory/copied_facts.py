"""Keep the sentences of an external memory as facts: all of them are one change, and undone together."""

from collections.abc import Sequence

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.memory import blocked
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.fact_journal import write_down
from hermes_agent.memory.facts import imported, told
from hermes_agent.memory.naming import named_in
from hermes_agent.records.changes import SEVERAL
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Fact
from hermes_agent.store import entities, facts, jobs
from hermes_agent.store.store import Store


def keep(store: Store, sentences: Sequence[str], whence: str, forgotten: int) -> int:
    """Keep what another memory holds, without what is said here meanwhile; return how many facts that made.

    `forgotten` is how many did not come since they were forgotten here: that is journalled, without their words.
    """
    named = {one: named_in([one]) for one in sentences}
    now = clock.now()
    entry_uid = new_uid(now)
    with store.write() as connection:
        facts.lock(connection)
        blocked.note_refused(connection, "facts", forgotten)
        fresh = [one for one in sentences if facts.alike(connection, store.engine, one) is None]
        if not fresh:
            return 0
        made = [facts.add(connection, store.engine, imported(one, now, whence, entry_uid)) for one in fresh]
        write_down(connection, _entry(made, whence), added=made, uid=entry_uid)
        entities.link(connection, "fact", {fact.id: named[fact.text] for fact in made})
        jobs.add(connection, EMBED, EMBED)
    return len(made)


def _entry(made: Sequence[Fact], whence: str) -> NewEntry:
    if len(made) > 1:
        return NewEntry("fact.imported", SEVERAL, f"{len(made):,} facts were copied from {whence}.")
    (fact,) = made
    return NewEntry("fact.imported", fact.name, f"{fact.name} was copied from {whence}.", after=told(fact))
