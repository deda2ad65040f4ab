"""A process that looks back until it is killed: it reflects, makes skills, tidies and compresses what is old.

It tells `begun`, how each slice of a job ended, and `complete` when nothing is left; then it waits to be killed.
"""

import json
import signal
from collections.abc import Generator
from datetime import UTC
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.load import Settings, load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.embedders.local import Local
from hermes_agent.jobs import embedding, learning, reflecting
from hermes_agent.jobs import tidying as tidy_job
from hermes_agent.jobs.worker import Handler, run_due
from hermes_agent.memory import compressing, distilling, episodes, facts, reflections, tidying
from hermes_agent.memory import learning as learned
from hermes_agent.memory.compressing import Wanted
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.notebook import Notebook
from hermes_agent.ops.steps import Step
from hermes_agent.records.archive import NewMessage
from hermes_agent.store import jobs
from hermes_agent.store.store import Store
from tests.proof.places import open_at, tell
from tests.recall.conversations import talk

DISCARDING = "discarding"
KINDS = (learned.JOB, reflections.JOB, distilling.JOB, tidying.JOB, compressing.JOB, embedding.JOB)
PARTS = ("billing", "search", "login", "export", "mail")


def memory_of(store: Store) -> Memory:
    return Memory(store, "default", UTC)


def work(memory: Memory, first: int, count: int) -> None:
    """Keep sessions of old tasks, from a number on: each was tried, failed once, and was done; and facts twice."""
    for number in range(first, first + count):
        part = PARTS[number % len(PARTS)]
        said = [
            NewMessage(
                "user", f"Review the {part} code, part {number}, focusing on security.", said_at=_at(number)
            ),
            *_call(number, 0, f"lint {part}", "lint: not found", is_failed=True),
            *_call(number, 1, f"ruff check {part}", f"{part}.py:{number}: S105 possible password"),
            NewMessage("assistant", f"One finding in {part}: line {number}. " * 9, said_at=_at(number) + 9),
        ]
        talk(memory, f"session{number:04}", *said, day=number, ended="user_exit")
        facts.add(memory.store, f"The machine number {number} is called Otto.")
        facts.add(memory.store, f"Machine number {number} is called Otto")
    reached: int | None = 0
    while reached is not None:
        reached = episodes.make_next(memory.store, reached, UTC, has_vectors=True)


def _at(number: int) -> int:
    return 1_767_225_600_000_000 + number * 3_600 * clock.MICROSECONDS


def _call(number: int, place: int, command: str, output: str, *, is_failed: bool = False) -> list[NewMessage]:
    name = f"c{number}-{place}"
    calls = [{"id": name, "function": {"name": "shell", "arguments": json.dumps({"command": command})}}]
    came = {"is_error": True} if is_failed else {}
    moment = _at(number) + 1 + place
    return [
        NewMessage("assistant", None, tool_calls=calls, said_at=moment),
        NewMessage("tool", output, tool_call_id=name, tool_name="shell", metadata=came, said_at=moment),
    ]


def keep(place: str, folder: str, how: str = "") -> None:
    """Do all the work there is, in slices as short as can be; what is compressed can be discarded as well."""
    store = open_at(place)
    memory = memory_of(store)
    home = Home(Path(f"{folder}-home"), "default", skills_folder=Path(folder))
    ensure(home)
    notebook, settings = Notebook(store, home, 2_000, 2_000), load(home)
    learning.enqueue_due(memory)
    reflecting.enqueue_due(memory)
    with store.write() as connection:
        jobs.add(connection, tidying.JOB, tidying.JOB)
        jobs.add(connection, compressing.JOB, compressing.JOB)
    embedding.enqueue_due(store, Local())
    tell("begun")
    handlers: dict[str, Handler] = {
        reflections.JOB: lambda _: reflecting.run(memory),
        distilling.JOB: lambda _: reflecting.distill(memory, Path(folder)),
        learned.JOB: lambda _: learning.run(memory),
        tidying.JOB: lambda _: _tidy(notebook, settings),
        compressing.JOB: lambda _: _compress(store, is_discarding=how == DISCARDING),
        embedding.JOB: lambda job: embedding.run(store, Local(), job),
    }
    for outcome in run_due(store, handlers, slice_seconds=0):
        tell(outcome.job.kind, outcome.ending, outcome.reason or "")
    tell("complete")
    signal.pause()


def _tidy(notebook: Notebook, settings: Settings) -> Generator[Step, None, None]:
    steps = tidy_job.run(notebook, settings)
    next(steps)  # tells only that it begins: a slice as short as can be would never come further
    yield from steps


def _compress(store: Store, *, is_discarding: bool) -> Generator[Step, None, None]:
    for made in compressing.compress(store, Wanted(clock.now(), is_discarding=is_discarding)):
        yield Step("Compressing", 0 if made is None else made.episodes)
