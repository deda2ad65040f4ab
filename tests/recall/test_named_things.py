"""What names a thing that the task names goes in front of it, even if the task is about something new."""

from pathlib import Path

from hermes_agent.embedders.local import Local
from hermes_agent.memory.memory import Memory
from tests.recall import test_sqlite
from tests.recall.conversations import talk
from tests.recall.remembering import read


def test_what_names_the_same_thing_is_relevant_to_a_new_task(tmp_path: Path) -> None:
    for memory in test_sqlite.opened(tmp_path):
        talk(memory, "dog", "My dog Rex loves the beach in Porto.", "Noted.")
        for day in range(1, 6):
            talk(memory, f"day{day}", f"The tax return {day} is due in July.", "Noted.", day=day)
        read(memory, Local())
        asked = Memory(memory.store, memory.profile, memory.zone, embedder=Local)
        shown = [item.text for item in asked.recall("Plan a trip with Rex").items]
        assert "My dog Rex loves the beach in Porto." in shown
