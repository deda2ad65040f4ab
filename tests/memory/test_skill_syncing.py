"""The folder of skills beside another store, an earlier one, another machine, after a kill: nothing is lost."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home, ensure
from hermes_agent.errors import HermesError
from hermes_agent.memory import skills
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.undo_choice import Latest
from hermes_agent.memory.undoing import undo
from hermes_agent.skills.library import Library
from hermes_agent.store import journal
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.memory.test_skills import document, kept, kinds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "skills"


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    """A store that knows nothing."""
    store = Store(Sqlite(tmp_path / "other.db"), "default")
    yield store
    store.close()


def text_of(folder: Path, name: str = "deploy", file: str = "SKILL.md") -> str:
    return (folder / name / file).read_text()


class Killed(BaseException):
    """In the place of a kill."""


def test_a_store_that_knows_nothing_takes_the_skills_that_are_there(
    store: Store, other: Store, folder: Path
) -> None:
    skills.create(store, folder, "deploy", document())
    skills.create(store, folder, "cook", document("cook"))
    assert skills.sync(other, folder) == []
    assert [one.name for one in Library(folder).list()] == ["cook", "deploy"]
    assert kinds(other) == ["skill.found", "skill.found"]
    skills.sync(store, folder)
    assert kinds(store) == ["skill.made", "skill.made"]


def test_two_stores_with_one_folder_follow_each_other(store: Store, other: Store, folder: Path) -> None:
    skills.create(store, folder, "deploy", document())
    skills.create(store, folder, "cook", document("cook"))
    skills.sync(other, folder)
    skills.edit(other, folder, "cook", document("cook", body="Salt."))
    skills.set_state(other, folder, "deploy", "deleted")
    skills.sync(store, folder)
    assert [one.name for one in Library(folder).list()] == ["cook"]
    found, gone = kept(store, "cook"), kept(store)
    assert found is not None and found.files == {"SKILL.md": document("cook", body="Salt.")}
    assert gone is not None and gone.state == "deleted"


def test_an_earlier_copy_of_the_store_takes_back_nothing(tmp_path: Path, folder: Path) -> None:
    store = Store(Sqlite(tmp_path / "state.db"), "default")
    skills.create(store, folder, "deploy", document())
    store.close()
    shutil.copy(tmp_path / "state.db", tmp_path / "backup.db")
    (folder / "deploy" / "SKILL.md").write_text(document(body="A week of work."))
    skills.create(store, folder, "later", document("later"))
    store.close()
    shutil.copy(tmp_path / "backup.db", tmp_path / "state.db")
    said = skills.sync(store, folder)
    assert "A week of work." in text_of(folder) and text_of(folder, "later") == document("later")
    assert kinds(store) == ["skill.made", "skill.edited", "skill.found"]
    assert len(said) == 1 and "The skill deploy in the folder is another than in the store" in said[0]
    assert skills.sync(store, folder) == []
    store.close()


def test_a_folder_that_is_copied_to_another_home_keeps_its_skills(
    store: Store, other: Store, folder: Path, tmp_path: Path
) -> None:
    skills.create(store, folder, "deploy", document())
    shutil.copytree(folder, tmp_path / "copy")
    skills.sync(other, tmp_path / "copy")
    assert text_of(tmp_path / "copy") == document()


def test_a_folder_without_marks_that_holds_an_earlier_version_gets_the_latest(store: Store, folder: Path) -> None:
    skills.create(store, folder, "deploy", document())
    skills.edit(store, folder, "deploy", document(body="New."))
    (folder / "deploy" / "SKILL.md").write_text(document())
    (folder / ".synced.json").unlink()
    assert skills.sync(store, folder) == []
    assert "New." in text_of(folder)


def test_edits_on_two_machines_are_shown_and_none_is_lost(store: Store, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    skills.create(store, here, "deploy", document())
    skills.sync(store, there)
    skills.edit(store, here, "deploy", document(body="From here."))
    (there / "deploy" / "SKILL.md").write_text(document(body="From there by hand."))
    said = skills.sync(store, there)
    aside = there / ".archive" / "deploy.conflict-1"
    assert said == [
        "The skill deploy was changed in this folder and elsewhere: what was changed elsewhere stands, and this"
        f" folder's text is in {aside}"
    ]
    assert "From here." in text_of(there) and "From there by hand." in (aside / "SKILL.md").read_text()
    with store.read() as connection:
        assert journal.recent(connection, 1)[0].text == said[0]
    assert skills.sync(store, here) == skills.sync(store, there) == []
    assert "From here." in text_of(here)


def test_what_is_removed_here_and_changed_elsewhere_is_kept(store: Store, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    skills.create(store, here, "deploy", document())
    skills.sync(store, there)
    skills.edit(store, here, "deploy", document(body="From here."))
    shutil.rmtree(there / "deploy")
    said = skills.sync(store, there)
    assert said == ["The skill deploy was removed in this folder and changed elsewhere: it is kept."]
    assert "From here." in text_of(there)


def test_what_is_edited_here_and_deleted_elsewhere_is_taken(store: Store, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    skills.create(store, here, "deploy", document())
    skills.sync(store, there)
    skills.set_state(store, here, "deploy", "deleted")
    (there / "deploy" / "SKILL.md").write_text(document(body="From there by hand."))
    skills.sync(store, there)
    skills.sync(store, here)
    assert "From there by hand." in text_of(here)


@pytest.mark.parametrize("written", [0, 1])
def test_a_kill_while_the_folder_is_written_leaves_the_stores_state(
    store: Store, folder: Path, own_home: Home, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    ensure(own_home)
    skills.create(store, folder, "deploy", document())
    skills.write_file(store, folder, "deploy", "references/one.md", "one\n")
    (folder / "deploy" / "SKILL.md").write_text(document(body="By hand."))
    (folder / "deploy" / "references" / "one.md").write_text("two\n")
    skills.sync(store, folder)
    undo(Notebook(store, own_home, 2_000, 2_000), Latest())
    kill_after(monkeypatch, written)
    with pytest.raises(Killed):
        skills.sync(store, folder)
    monkeypatch.undo()
    assert skills.sync(store, folder) == []
    assert text_of(folder) == document() and text_of(folder, file="references/one.md") == "one\n"
    assert kinds(store) == ["skill.made", "skill.changed", "skill.edited"]


def test_what_the_owner_writes_after_a_kill_is_taken(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    skills.create(store, folder, "deploy", document())
    kill_after(monkeypatch, 0)
    with pytest.raises(Killed):
        skills.edit(store, folder, "deploy", document(body="New."))
    monkeypatch.undo()
    (folder / "deploy" / "SKILL.md").write_text(document(body="Mine by hand."))
    (folder / "deploy" / "references").mkdir()
    (folder / "deploy" / "references" / "mine.md").write_text("my notes\n")
    skills.sync(store, folder)
    assert "Mine by hand." in text_of(folder) and text_of(folder, file="references/mine.md") == "my notes\n"
    found = kept(store)
    assert found is not None and found.files["references/mine.md"] == "my notes\n"
    assert kinds(store) == ["skill.made", "skill.changed", "skill.edited"]


def test_one_skill_that_cannot_be_written_keeps_no_other_from_it(store: Store, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    skills.create(store, here, "deploy", document())
    skills.create(store, here, "plan", document("plan"))
    there.mkdir()
    (there / "deploy").write_text("in its place")
    said = skills.sync(store, there)
    assert len(said) == 1 and said[0].startswith("The skill deploy was not brought in step: Its folder cannot be")
    assert text_of(there, "plan") == document("plan")
    skills.edit(store, there, "plan", document("plan", body="Again."))
    with pytest.raises(HermesError, match="The skill deploy was not brought in step"):
        skills.edit(store, there, "deploy", document(body="Again."))
    (there / "deploy").unlink()
    assert skills.sync(store, there) == [] and text_of(there) == document()


def kill_after(monkeypatch: pytest.MonkeyPatch, written: int) -> None:
    """Let the process end when so many files are at their place: a rename is the last step of each."""
    done, rename = [0], os.rename

    def ending(source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        if done[0] == written:
            raise Killed
        done[0] += 1
        rename(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr(os, "rename", ending)


def test_marks_that_are_nested_without_end_are_none(store: Store, folder: Path) -> None:
    skills.create(store, folder, "deploy", document())
    (folder / ".synced.json").write_text("[" * 200_000)
    skills.sync(store, folder)
    assert (folder / "deploy" / "SKILL.md").read_text() == document()
