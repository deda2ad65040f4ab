"""`Memory` as a program opens it: it finds by meaning as the command does, with the settings of its folder."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent import Memory
from hermes_agent.config.paths import Home
from hermes_agent.records.archive import NewMessage, NewSession
from tests.conftest import Hermes

LAZY = """
import sys
from hermes_agent import Memory
from hermes_agent.records.archive import NewMessage, NewSession
memory = Memory(session_store="./sessions")
memory.append(memory.begin(NewSession(source="python")), NewMessage("user", "My zeppelin is green."))
assert memory.session_search({"query": "zeppelin"})["count"] == 1
memory.close()
print(sorted({"numpy", "wordllama", "usearch"} & set(sys.modules)))
"""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    made = Memory(session_store=tmp_path / "sessions")
    yield made
    made.close()


def tell(memory: Memory, *said: str) -> None:
    session_id = memory.begin(NewSession(source="python"))
    memory.append(session_id, *(NewMessage("user", text) for text in said))
    memory.end(session_id, "python_close")


def test_a_program_recalls_by_meaning(memory: Memory, own_home: Home) -> None:
    tell(memory, "I adopted a grey whippet from the shelter.")
    tell(memory, "Sourdough rises overnight in my kitchen.")
    found = memory.look_up("Does she own a dog or another pet?", limit=1)
    assert [item.text for item in found.items] == ["I adopted a grey whippet from the shelter."]
    assert found.hits[0].cosine is not None and "meaning" in found.hits[0].passes
    assert found.troubles == [], "what was said has its vector at once"
    context = memory.recall("Tell me about the grey whippet from the shelter.")
    assert context.found.fingerprint is not None
    assert not own_home.root.exists()


def test_the_settings_of_the_folder_hold(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "config.yaml").write_text(
        "memory:\n  retrieval:\n    recencyEpisodes: 0\n  embeddings:\n    provider: none\n"
    )
    memory = Memory(session_store=folder)
    tell(memory, "Sourdough rises overnight in my kitchen.")
    context = memory.recall("Translate a poem about dragonflies")
    assert (context.items, context.found.fingerprint) == ([], None)
    memory.close()


def test_what_a_program_was_told_the_command_finds(hermes: Hermes) -> None:
    memory = Memory()
    tell(memory, "I adopted a grey whippet from the shelter.")
    memory.close()
    outcome = hermes("memory", "search", "whippet", "--explain")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert "1 message compared, by words and vectors of local/" in outcome.stdout


def test_nothing_is_loaded_before_something_is_recalled(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LAZY], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
