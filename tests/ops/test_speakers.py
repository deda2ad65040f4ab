"""Who said it survives an export and an import, under our name for it and under that of others."""

import json
from pathlib import Path

from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import Message, NewMessage, NewSession
from hermes_agent.store.store import Store
from tests.ops.stores import exported, imported, open_new


def said_in(store: Store, session_id: str) -> list[Message]:
    return list(Memory(store, "default").messages(session_id))


def test_a_speaker_is_exported_and_imported(tmp_path: Path) -> None:
    with open_new(tmp_path / "one.db") as one, open_new(tmp_path / "two.db") as two:
        memory = Memory(one, "default")
        memory.begin(NewSession(id="talk"))
        memory.append("talk", NewMessage("user", "hi", speaker="Ann 安"), NewMessage("user", "hello"))
        lines = exported(one)
        assert [m["speaker"] for m in json.loads(lines)["messages"]] == ["Ann 安", None]
        imported(two, tmp_path, lines, is_own=True)
        assert [message.speaker for message in said_in(two, "talk")] == ["Ann 安", None]
        assert exported(two) == lines


def test_the_name_of_others_is_a_speaker_but_that_of_a_tool_is_not(tmp_path: Path) -> None:
    said = [
        {"role": "user", "content": "hi", "name": "Ann"},
        {"role": "user", "content": "hi", "name": "Ann", "speaker": "Bob"},
        {"role": "tool", "content": "42", "name": "calculator"},
        {"role": "user", "content": "hi", "name": {"first": "Ann"}},
    ]
    with open_new(tmp_path / "one.db") as store:
        imported(store, tmp_path, json.dumps({"id": "talk", "started_at": 1, "messages": said}))
        kept = said_in(store, "talk")
    assert [message.speaker for message in kept] == ["Ann", "Bob", None, None]
    assert [message.metadata.get("name") for message in kept] == [None, "Ann", "calculator", {"first": "Ann"}]
