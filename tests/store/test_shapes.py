"""A store of every shape there ever was is opened, migrated, searched and found well."""

import shutil
from pathlib import Path

import pytest

from hermes_agent.jobs import episodes as backfill
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory.memory import Memory
from hermes_agent.ops import doctor
from hermes_agent.recall.looking import Request
from hermes_agent.records.archive import NewMessage
from hermes_agent.store import episodes, facts, notes, reflections, skills
from hermes_agent.store.migrate import HEAD
from hermes_agent.store.sqlite import Sqlite, driver
from hermes_agent.store.store import Store
from tests.store.shapes.make_shape import BEGAN, FACTS, FOLDER, LESSON, NOTES, SKILL, TALK, make, uid_at

FILES = sorted(FOLDER.glob("*.db"))
MOST_BYTES = 600_000


def test_the_present_shape_is_kept() -> None:
    """If this fails the shape grew: run `python -m tests.store.shapes.make_shape` and keep its file."""
    assert [int(file.stem) for file in FILES][-1] == HEAD


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_store_of_an_older_shape_is_used_as_if_it_were_new(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    shutil.copy(file, path)
    store = Store(Sqlite(path), "default")
    memory = Memory(store, "default")
    assert found(memory, "docker deployment") == ["plans"]
    assert found(memory, "UserById") == ["plans"]
    assert found(memory, "机器") == found(memory, "cafe") == found(memory, "older line") == ["words"]
    assert found(memory, "thought taken back") == []
    assert store.shape_found.found == int(file.stem)
    kept = list(memory.messages("plans"))
    assert [message.content for message in kept] == [message.content for message in TALK["plans"][:-1]]
    assert kept[0].uid == uid_at(BEGAN + 1_000_000)
    assert list(memory.messages("words"))[1].content == TALK["words"][1].content
    assert memory.session("Words of the world").message_count == len(TALK["words"])
    assert [entry.kind for entry in memory.log(10)] == ["session.renamed"]
    with store.read() as connection:
        kept_notes = [(version.note, version.text) for version in notes.newest(connection)][::-1]
    assert kept_notes == (list(NOTES) if int(file.stem) >= 104 else [])
    check_what_was_learned(memory, has_it=int(file.stem) >= 105)
    with store.read() as connection:
        taught = [lesson.worked for lesson in reflections.recent(connection, 10)]
        written = {name: skill.files for name, skill in skills.every(connection).items()}
    assert taught == ([LESSON.worked] if int(file.stem) >= 107 else [])
    assert written == ({"deploy": SKILL} if int(file.stem) >= 107 else {})
    memory.append("words", NewMessage("user", "something newer"))
    assert found(memory, "something newer") == ["words"]
    assert doctor.check(store).problems == ()
    list(doctor.rebuild(store))
    assert doctor.check(store).problems == ()
    store.close()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_kept_store_is_small_and_closed(file: Path) -> None:
    assert file.stat().st_size < MOST_BYTES
    assert [path.name for path in FOLDER.glob(f"{file.name}-*")] == []
    connection = driver().connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)
    shape = connection.execute("SELECT version FROM schema_version").fetchall()
    connection.close()
    assert shape == [(int(file.stem),)]


def test_the_file_of_the_present_shape_can_be_made_again(tmp_path: Path) -> None:
    path = tmp_path / "made.db"
    make(path)
    assert [file.name for file in tmp_path.glob("made*")] == ["made.db"]
    assert path.stat().st_size < MOST_BYTES


def check_what_was_learned(memory: Memory, *, has_it: bool) -> None:
    """A store from before there were episodes has none until the job that migrating added has run."""
    with memory.store.read() as connection:
        kept = [fact.text for fact in facts.recent(connection, 10)][::-1]
        was_there = len(episodes.latest(connection, 10))
    assert kept == (list(FACTS) if has_it else [])
    assert was_there == (5 if has_it else 0)
    list(run_due(memory.store, {"episodes": lambda job: backfill.run(memory, job)}))
    with memory.store.read() as connection:
        made = episodes.latest(connection, 10)[::-1]
        said = episodes.texts(connection, [episode.id for episode in made])
    assert [(episode.session_id, len(said[episode.id])) for episode in made] == [
        ("plans", 2),
        ("words", 2),
        ("words", 1),
        *([("people", 1), ("people", 1)] if has_it else []),
    ]
    assert [one.speaker for one in said[made[-1].id]] == (["Bob"] if has_it else [None])


def found(memory: Memory, query: str) -> list[str]:
    return [result.session.id for result in memory.discover(Request(query)).results]
