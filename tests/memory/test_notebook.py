"""The notes of a home, by one contract on SQLite and on PostgreSQL; and what only one machine goes through."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home, ensure
from hermes_agent.errors import SettingError
from hermes_agent.ids import new_uid
from hermes_agent.memory.notebook import Notebook
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.memory.notebook_changes import add, change, intend, kinds, log, undo
from tests.memory.notebook_contract import NotebookContract
from tests.postgres import server_address

LIMIT = 600


class TestOnSqlite(NotebookContract):
    """The contract on SQLite."""

    @pytest.fixture
    def notebook(self, own_home: Home) -> Iterator[Notebook]:
        yield from _opened(Store(Sqlite(own_home.state_db), "default"), own_home)


class TestOnPostgres(NotebookContract):
    """The contract on PostgreSQL."""

    @pytest.fixture
    def notebook(self, own_home: Home) -> Iterator[Notebook]:
        yield from _opened(Store(Postgres(server_address(), schema_name(new_uid())), "default"), own_home)


def _opened(store: Store, home: Home) -> Iterator[Notebook]:
    ensure(home)
    yield Notebook(store, home, LIMIT, LIMIT)
    store.close()


@pytest.fixture
def notebook(own_home: Home) -> Iterator[Notebook]:
    yield from _opened(Store(Sqlite(own_home.state_db), "default"), own_home)


def test_an_edit_after_a_change_was_cut_short_goes_before_it(notebook: Notebook) -> None:
    change(notebook, add("one"))
    intend(notebook, "memory", "one\n§\ntwo")
    notebook.path("memory").write_text("one\n§\nby hand")
    assert notebook.reconcile() == []
    assert notebook.path("memory").read_text() == "one\n§\nby hand"
    assert kinds(notebook) == ["note.changed", "note.changed", "note.abandoned", "note.edited"]
    assert log(notebook)[-1].after == ["by hand"]
    assert [version.text for version in notebook.history()] == ["one\n§\nby hand", "one"]


def test_a_file_that_was_deleted_is_an_edit_that_can_be_undone(notebook: Notebook) -> None:
    change(notebook, add("one"))
    notebook.path("memory").unlink()
    notebook.reconcile()
    assert log(notebook)[-1].text == "MEMORY.md was edited by hand: 0 entries added, 1 removed."
    undo(notebook)
    assert notebook.path("memory").read_text() == "one"


def test_a_change_that_cannot_be_written_is_not_made(notebook: Notebook, tmp_path: Path) -> None:
    notebook.path("memory").symlink_to(tmp_path / "unplugged" / "MEMORY.md")
    with pytest.raises(SettingError, match="cannot be written"):
        notebook.change("memory", [add("one")], actor="agent")
    assert notebook.history() == []
    assert kinds(notebook) == ["note.changed", "note.abandoned"]
    (tmp_path / "unplugged").mkdir()
    assert notebook.reconcile() == []
    assert notebook.text("memory") == "", "what was refused does not come later"


def test_nothing_but_the_notes_is_in_the_folder_afterwards(notebook: Notebook) -> None:
    change(notebook, add("one"))
    change(notebook, add("two"), target="user")
    names = sorted(path.name for path in notebook.home.memories.iterdir())
    assert names == ["MEMORY.md", "MEMORY.md.lock", "USER.md", "USER.md.lock"]
