"""A process that learns until it is killed, and what it learns from: facts added, repeated, replaced and ended.

It tells `begun`, how each slice of the job ended, and `complete` when nothing is left; then it waits to be killed.
"""

import re
import signal
from datetime import UTC

from genai_prices import data as data  # Imported here so that a forked process need not; so is the next.
from openai import resources as resources

from hermes_agent.jobs import learning as job
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory.learning import JOB
from hermes_agent.memory.memory import Memory
from hermes_agent.models.choose import COMPATIBLE, RemoteChoice
from hermes_agent.models.remote import Remote
from hermes_agent.store.store import Store
from tests.learn.claimed import Claimed, claim, hand_in
from tests.openai_server import MODEL, Received, Use
from tests.proof.places import open_at, tell
from tests.recall.conversations import talk

CITIES = ("Lyon", "Oslo", "Rome", "Bonn", "Bern")
_MESSAGE = re.compile(r'<message number="(\d+)"[^>]*>\n(.*?)\n</message>', re.DOTALL)
_STATED: tuple[tuple[re.Pattern[str], str, dict[str, str]], ...] = (
    (re.compile(r"I live in (\w+)"), "home", {}),
    (re.compile(r"I like (\w+)"), "likes", {}),
    (re.compile(r"I no longer like (\w+)"), "likes", {"polarity": "no longer"}),
    (
        re.compile(r"my sister Ana works at (\w+)", re.I),
        "employer",
        {"about": "person", "name": "Ana", "relation": "sister"},
    ),
)


def memory_of(store: Store) -> Memory:
    return Memory(store, "default", UTC)


def say(memory: Memory, first: int, count: int) -> None:
    """Keep sessions that are over, from a number on."""
    for number in range(first, first + count):
        said = [
            f"I live in {CITIES[number % len(CITIES)]}.",
            "Noted.",
            f"I like thing{number}. My sister Ana works at Firm{number // 2}.",
            "Good.",
            f"I no longer like thing{number - 3}.",
        ]
        talk(memory, f"session{number:04}", *said, day=number, ended="user_exit")


def learn(place: str, url: str = "") -> None:
    """Learn from everything there is, with the model at an address if one is given."""
    store = open_at(place)
    memory = memory_of(store)
    model = Remote(RemoteChoice(COMPATIBLE, MODEL, "a test", base_url=url)) if url else None
    job.enqueue_due(memory)
    tell("begun")
    handlers = {JOB: lambda _: job.run(memory, model)}
    for outcome in run_due(store, handlers, slice_seconds=0):
        tell(outcome.ending, outcome.reason or "")
    tell("complete")
    signal.pause()


def answer(request: Received) -> Use:
    """Answer as a light model would that reads every message right."""
    shown = request.json["messages"][-1]["content"].partition("<messages>")[2]
    return hand_in(*(one for number, text in _MESSAGE.findall(shown) for one in _claims(int(number), text)))


def _claims(number: int, text: str) -> list[Claimed]:
    return [
        claim(found[0], attribute, found[1], message=number, **more)
        for pattern, attribute, more in _STATED
        if (found := pattern.search(text))
    ]
