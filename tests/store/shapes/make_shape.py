"""Make a store of the present shape, for later versions to open: `python -m tests.store.shapes.make_shape`.

Run it once when the shape grows, and keep the file it writes (`104.db`); never make an old one anew.
Ids and times are fixed, so that a test knows what must be found.
"""

import sys
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from uuid import UUID

from hermes_agent.memory import episodes
from hermes_agent.memory.memory import Memory
from hermes_agent.notes.files import digest
from hermes_agent.ops import doctor
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.memory import NewFact
from hermes_agent.records.notes import Note
from hermes_agent.records.reflections import NewReflection
from hermes_agent.store import facts, jobs, messages, notes, reflections, skills
from hermes_agent.store.migrate import HEAD
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store

FOLDER = Path(__file__).parent
BEGAN = 1_767_225_600_000_000

TALK = {
    "plans": (
        NewMessage("user", "Let us plan the docker deployment of Atlas."),
        NewMessage("assistant", None, tool_calls=[{"name": "shell", "arguments": {"command": "docker ps"}}]),
        NewMessage("tool", "CONTAINER ID  IMAGE  atlas-api", tool_name="shell", tool_call_id="c1"),
        NewMessage("assistant", "Atlas runs; see getUserById in p2.test.ts.", model="a-model", token_count=12),
        NewMessage("user", "A thought that was taken back."),
    ),
    "words": (
        NewMessage("user", "机器学习 Agent通信, it's the Café 🎉"),
        NewMessage("assistant", "NUL \x00 and a lone \udcff are kept.", reasoning="because", sent="as sent"),
        NewMessage("user", "an older line", state="compacted"),
        NewMessage("assistant", "Summary of what was said.", is_summary=True, metadata={"k": [1, None]}),
    ),
}

PEOPLE = (
    NewMessage("user", "Deborah moved to Berlin last week.", speaker="Ann"),
    NewMessage("user", "Deb (Deborah) told me on Monday.", speaker="Bob"),
)
"""Since shape 105: people who talk, each message with its speaker."""

FACTS = ("Atlas runs on docker", "User's timezone is Europe/London")
"""Since shape 105."""

LESSON = NewReflection(
    session_id="plans",
    message_uid="019b7796-0400-7000-8000-000000000000",
    task="Let us plan the docker deployment of Atlas.",
    task_type="operations",
    outcome="done",
    worked=["It was done with `docker ps`."],
    differently=[],
    source_class="assistant",
    began_at=BEGAN,
    ended_at=BEGAN,
    written_by="rules",
)
"""Since shape 107."""

SKILL = {"SKILL.md": "---\nname: deploy\ndescription: Deploy Atlas.\n---\n\nRun `docker ps`.\n"}
"""Since shape 107."""

NOTES: tuple[tuple[Note, str], ...] = (
    ("memory", "Atlas runs on docker"),
    ("memory", "Atlas runs on docker\n§\nDeploys run on Fridays"),
    ("soul", "Be kind.\n"),
)


def make(path: Path) -> None:
    """Write the store, closed and without a log beside it."""
    path.unlink(missing_ok=True)
    store = Store(Sqlite(path), "default")
    memory = Memory(store, "default")
    moment = BEGAN
    for name, talk in TALK.items():
        prompt = "You are an agent that remembers."
        new = NewSession(id=name, uid=uid_at(moment), started_at=moment, title=name, system_prompt=prompt)
        memory.begin(new)
        for message in talk:
            moment += 1_000_000
            memory.append(name, dated(message, moment))
    memory.begin(NewSession(id="people", uid=uid_at(moment), started_at=moment))
    for message in PEOPLE:
        moment += 1_000_000
        memory.append("people", dated(message, moment))
    memory.end("plans", "agent_close")
    with store.write() as connection:
        messages.set_state(connection, store.engine, [len(TALK["plans"])], "rewound")
        jobs.add(connection, "upkeep", "upkeep", {"n": 1})
        for note, text in NOTES:
            notes.add(connection, note, text, digest(text), "confirmed", None)
        for text in FACTS:
            fact = NewFact(text, "user", 1.0, "said by the owner", said_at=moment, learned_at=moment)
            facts.add(connection, store.engine, fact)
        reflections.add(connection, LESSON, None)
        skills.put(connection, "deploy", SKILL, category=None, state="live", made_by="owner")
    reached: int | None = 0
    while reached is not None:
        reached = episodes.make_next(store, reached, UTC)
    memory.rename("words", "Words of the world")
    doctor.vacuum(store)
    store.close()


def dated(message: NewMessage, moment: int) -> NewMessage:
    """Return the message with a fixed time and uid."""
    return replace(message, said_at=moment, uid=uid_at(moment))


def uid_at(moment: int) -> str:
    """Return a UUIDv7 that depends on nothing but the moment."""
    return str(UUID(int=(moment // 1_000) << 80 | 0x7 << 76 | 0x2 << 62 | moment % 1_000))


if __name__ == "__main__":
    file = FOLDER / f"{HEAD}.db"
    make(file)
    sys.stdout.write(f"{file}: {file.stat().st_size:,} bytes\n")
