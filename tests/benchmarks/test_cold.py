"""A search in a new process is timed on the store that was built, and an error is no time."""

from pathlib import Path

import pytest

from benchmarks.cold import search_seconds
from benchmarks.loaded import PROFILE
from benchmarks.scale import open_store
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession


def built(folder: Path) -> Path:
    (folder / "cache").mkdir(parents=True)
    store = open_store("sqlite", str(folder / "state.db"))
    memory = Memory(store, PROFILE)
    memory.append(memory.begin(NewSession()), NewMessage("user", "The harp is in the attic."))
    store.close()
    return folder


@pytest.mark.parametrize("question", ["Where is the harp?", "When is the kztfwjxb due?"])
def test_a_search_takes_time_whether_it_finds_or_not(tmp_path: Path, question: str) -> None:
    assert search_seconds(built(tmp_path / "sqlite-1"), [question]) > 0


def test_a_store_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    folder = built(tmp_path / "sqlite-1")
    (folder / "state.db").write_bytes(b"no database" * 1_000)
    with pytest.raises(RuntimeError, match="Error"):
        search_seconds(folder, ["Where is the harp?"])
