"""The job `compress`: let summaries stand for what is old, a day after that was last done, at any hour.

Nobody is asked before it, so messages that are to be discarded stay until their summary has stood for a week: a
clock that was wrong for a while makes what is new look old, but deletes nothing.
"""

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.config.load import Settings
from hermes_agent.config.settings import MEMORY_COMPRESSION_AFTER_DAYS, MEMORY_COMPRESSION_DISCARD_RAW
from hermes_agent.jobs import last_done, pausing
from hermes_agent.jobs.learning import HIDDEN_SOURCES
from hermes_agent.memory import compressing
from hermes_agent.memory.compressing import Wanted
from hermes_agent.memory.memory import Memory
from hermes_agent.ops.steps import Step
from hermes_agent.store import jobs, meta

if TYPE_CHECKING:
    from hermes_agent.models.model import Model

_DAY = 86_400 * clock.MICROSECONDS
_STANDS_DAYS = 7


def wanted(settings: Settings) -> Wanted | None:
    """Return what is to be compressed by the settings; None if nothing is."""
    days = settings[MEMORY_COMPRESSION_AFTER_DAYS]
    return older_than(settings, days) if days else None


def older_than(settings: Settings, days: int) -> Wanted:
    """Return what is to be compressed of what is older than so many days."""
    is_discarding = settings[MEMORY_COMPRESSION_DISCARD_RAW]
    return Wanted(clock.now() - days * _DAY, is_discarding=is_discarding, unlearned=HIDDEN_SOURCES)


def _unasked(settings: Settings) -> Wanted | None:
    """Return what is to be compressed without asking."""
    chosen = wanted(settings)
    return None if chosen is None else replace(chosen, made_before=clock.now() - _STANDS_DAYS * _DAY)


def run(
    memory: Memory, settings: Settings, model: "Model | None" = None, *, uid: str | None = None
) -> Generator[Step, None, None]:
    """Compress what is due, one summary after the other; whoever stops it goes on with what is left later.

    `uid` is the job's: by it all is undone that it does, in however many slices.
    """
    chosen = _unasked(settings)
    if chosen is None:
        return
    total = compressing.count_due(memory.store, chosen)
    done = 0
    writer = None if model is None or model.is_embedded else model
    for made in compressing.compress(memory.store, chosen, writer, memory.cap, run=uid):
        done += 0 if made is None else made.episodes
        yield Step("Compressing", done, max(done, total))


def enqueue_due(memory: Memory, settings: Settings) -> None:
    """Add the job once a day, if anything is old enough; after one that failed, after a pause."""
    chosen = _unasked(settings)
    if chosen is None:
        return
    with memory.store.read() as connection:
        age = last_done.age(connection, meta.LAST_COMPRESSION)
        is_open = compressing.JOB in jobs.open_keys(connection, [compressing.JOB])
        due_at = pausing.due_at(connection, compressing.JOB)
    if is_open or age < _DAY or not compressing.count_due(memory.store, chosen):
        return
    with memory.store.write() as connection:
        jobs.add(connection, compressing.JOB, compressing.JOB, due_at=due_at)
