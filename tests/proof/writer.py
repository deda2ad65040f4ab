"""A process that keeps changing a store until it is killed, and tells each change before and after it.

`try SESSION UID…` comes before an append, `kept SESSION UID…` right after its commit returned;
`deleting SESSION` and `deleted SESSION` likewise. Rewinding loses nothing, so it is not told.
"""

import random

from hermes_agent.ids import new_uid
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import messages
from tests.proof.places import open_at, tell

_WORDS = ("docker", "deployment", "机器学习", "getUserById", "chat-send", "café", "🎉", "plan", "it's")


def write(place: str, seed: str) -> None:
    """Append, rewind and delete without end."""
    chance = random.Random(int(seed))
    memory = Memory(open_at(place), "default")
    session, kept, begun = memory.begin(NewSession(id=f"{seed}-0")), list[int](), 1
    finished: list[str] = []
    tell("begun")
    while True:
        dice = chance.random()
        if dice < 0.75 or not kept:
            new = _batch(chance, size=1 if dice < 0.5 else chance.randint(2, 12))
            uids = [message.uid or "" for message in new]
            tell("try", session, *uids)
            kept += memory.append(session, *new)
            tell("kept", session, *uids)
        elif dice < 0.85:
            _rewind(memory, chance.sample(kept, min(3, len(kept))))
        elif dice < 0.95:
            finished.append(session)
            session, kept, begun = memory.begin(NewSession(id=f"{seed}-{begun}")), [], begun + 1
        elif finished:
            doomed = finished.pop(chance.randrange(len(finished)))
            tell("deleting", doomed)
            memory.delete([doomed], cause="proof")
            tell("deleted", doomed)


def _batch(chance: random.Random, size: int) -> list[NewMessage]:
    return [_message(chance) for _ in range(size)]


def _message(chance: random.Random) -> NewMessage:
    words = " ".join(chance.choices(_WORDS, k=chance.randint(1, 60)))
    uid = new_uid()
    match chance.randrange(4):
        case 0:
            return NewMessage("tool", words, tool_name="shell", tool_call_id="c1", uid=uid)
        case 1:
            calls = [{"name": "shell", "arguments": {"command": words[:20]}}]
            return NewMessage("assistant", None, tool_calls=calls, uid=uid)
        case 2:
            return NewMessage("assistant", words, uid=uid)
    return NewMessage("user", words, uid=uid)


def _rewind(memory: Memory, ids: list[int]) -> None:
    with memory.store.write() as connection:
        messages.set_state(connection, memory.store.engine, ids, "rewound")
