"""Two machines on one PostgreSQL: the store is the truth, each machine's files a copy that may be edited."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home, ensure
from hermes_agent.ids import new_uid
from hermes_agent.memory.notebook import Notebook
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.store import Store
from tests.counts import count
from tests.memory.notebook_changes import add, change, intend, kinds, log, remove, replace, undo
from tests.postgres import server_address

Pair = tuple[Notebook, Notebook]


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """Two homes that share a schema, as two machines do."""
    schema = schema_name(new_uid())
    notebooks = []
    for name in ("desk", "laptop"):
        home = Home(tmp_path / name, "default")
        ensure(home)
        store = Store(Postgres(server_address(), schema), "default")
        notebooks.append(Notebook(store, home, 2_200, 1_375))
    yield notebooks[0], notebooks[1]
    for notebook in notebooks:
        notebook.store.close()


def write(notebook: Notebook, text: str) -> None:
    notebook.path("memory").write_text(text)


def read(notebook: Notebook) -> str:
    return notebook.path("memory").read_text()


def test_what_is_saved_on_one_machine_is_on_the_other(pair: Pair) -> None:
    desk, laptop = pair
    change(desk, add("one"))
    desk.write_soul("Be kind.\n")
    assert laptop.reconcile() == []
    assert read(laptop) == "one"
    assert laptop.text("soul") == "Be kind.\n"
    change(laptop, add("two"))
    desk.reconcile()
    assert read(desk) == read(laptop) == "one\n§\ntwo"
    assert kinds(desk) == ["note.changed"] * 3, "a copy that was brought up to date is no edit"


def test_a_change_is_made_to_what_the_others_saved(pair: Pair) -> None:
    desk, laptop = pair
    change(desk, add("one"))
    change(laptop, replace("one", "1"))
    change(desk, add("two"))
    assert read(desk) == "1\n§\ntwo"


def test_an_edit_here_and_a_change_there_are_joined(pair: Pair) -> None:
    desk, laptop = pair
    change(desk, add("one"), add("two"), add("three"))
    laptop.reconcile()
    write(laptop, "one\n§\nthree\n§\nby hand\n")
    change(desk, replace("three", "3"), add("four"))
    change(desk, replace("3", "three"))
    assert laptop.reconcile() == ["Edits of MEMORY.md made here and on another machine were joined."]
    assert laptop.entries("memory") == ["one", "three", "by hand", "four"]
    entry = log(laptop)[-1]
    assert (entry.kind, entry.actor, entry.before, entry.after) == ("note.merged", "owner", ["two"], ["by hand"])
    desk.reconcile()
    assert read(desk) == read(laptop)
    assert laptop.reconcile() == desk.reconcile() == []


def test_the_same_entry_changed_on_both_is_a_conflict_that_loses_nothing(pair: Pair) -> None:
    desk, laptop = pair
    change(desk, add("one"), add("two"))
    laptop.reconcile()
    write(laptop, "mine\n§\ntwo")
    change(desk, replace("one", "theirs"))
    sentence = (
        "MEMORY.md was changed here and on another machine, in the same place. The other change stays; yours is in"
        " MEMORY.md.conflict.1."
    )
    assert laptop.reconcile() == [sentence]
    assert read(laptop) == "theirs\n§\ntwo"
    assert laptop.path("memory").with_name("MEMORY.md.conflict.1").read_text() == "mine\n§\ntwo"
    entry = log(laptop)[-1]
    assert (entry.kind, entry.text) == ("note.conflict", sentence)
    assert laptop.reconcile() == []


def test_two_edits_of_the_soul_are_a_conflict(pair: Pair) -> None:
    desk, laptop = pair
    desk.write_soul("Be kind.")
    laptop.reconcile()
    laptop.path("soul").write_text("Be rude.")
    desk.write_soul("Be calm.")
    assert "SOUL.md.conflict.1" in laptop.reconcile()[0]
    assert laptop.text("soul") == "Be calm."
    assert laptop.path("soul").with_name("SOUL.md.conflict.1").read_text() == "Be rude."


def test_an_edit_here_alone_is_an_edit(pair: Pair) -> None:
    desk, laptop = pair
    change(desk, add("one"))
    laptop.reconcile()
    write(laptop, "one\n§\nby hand")
    assert laptop.reconcile() == []
    assert kinds(laptop) == ["note.changed", "note.edited"]
    desk.reconcile()
    assert read(desk) == "one\n§\nby hand"


def test_a_machine_that_joins_with_notes_of_its_own_brings_them(pair: Pair) -> None:
    desk, laptop = pair
    change(desk, add("one"), add("both"))
    write(laptop, "both\n§\nfrom the laptop")
    laptop.reconcile()
    desk.reconcile()
    assert desk.entries("memory") == laptop.entries("memory") == ["one", "both", "from the laptop"]


def test_a_copy_that_is_gone_is_made_again(pair: Pair) -> None:
    desk, laptop = pair
    change(desk, add("one"))
    laptop.reconcile()
    laptop.path("memory").unlink()
    laptop.reconcile()
    assert read(laptop) == "one"
    assert kinds(laptop) == ["note.changed"]


def test_emptying_a_copy_empties_the_note_and_can_be_undone_anywhere(pair: Pair) -> None:
    desk, laptop = pair
    change(desk, add("one"))
    laptop.reconcile()
    write(laptop, "")
    laptop.reconcile()
    desk.reconcile()
    assert read(desk) == ""
    undo(desk)
    laptop.reconcile()
    assert read(laptop) == "one"


@pytest.mark.parametrize("mark", [b"", b"garbage", b"\xff\xff", b"01a1e117-778a-7cbf-9231-fbc99d2b4915\n"])
def test_a_mark_that_means_nothing_is_as_good_as_none(pair: Pair, mark: bytes) -> None:
    desk, laptop = pair
    change(desk, add("one"))
    laptop.reconcile()
    laptop.home.note_in_step("memory").write_bytes(mark)
    write(laptop, "one\n§\nby hand")
    change(desk, add("two"))
    laptop.reconcile()
    assert laptop.entries("memory") == ["one", "two", "by hand"]


def test_a_change_that_was_cut_short_on_one_machine_is_made_on_both(pair: Pair) -> None:
    desk, laptop = pair
    change(desk, add("one"))
    laptop.reconcile()
    intend(desk, "memory", "one\n§\ntwo")
    laptop.reconcile()
    desk.reconcile()
    assert read(laptop) == read(desk) == "one\n§\ntwo"


def test_nobodys_change_is_lost_when_both_write_at_once(pair: Pair) -> None:
    changes = count(8, 60)
    failures: list[BaseException] = []

    def work(notebook: Notebook, name: str) -> None:
        try:
            for number in range(changes):
                change(notebook, add(f"{name}{number}"))
                if number % 4 == 3:
                    change(notebook, remove(f"{name}{number}"))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n, name)) for n, name in zip(pair, "ab", strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    expected = {f"{name}{number}" for name in "ab" for number in range(changes) if number % 4 != 3}
    for notebook in pair:
        assert notebook.reconcile() == []
        assert set(notebook.entries("memory")) == expected
    assert read(pair[0]) == read(pair[1])
    assert set(kinds(pair[0])) == {"note.changed"}
