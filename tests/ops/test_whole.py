"""All of a memory from one store to another: the same on either engine, whatever it says, joined without loss."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.ops.steps import finish
from hermes_agent.ops.whole.merge import Brought
from hermes_agent.ops.whole.merging import bring_in
from hermes_agent.ops.whole.reading import check
from hermes_agent.ops.whole.writing import export
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import messages, sessions
from hermes_agent.store.store import Store
from tests.engines import ENGINES, opened
from tests.ops.stores import open_at, open_new
from tests.store.shapes.make_shape import FOLDER

NEWEST = sorted(FOLDER.glob("*.db"))[-1]
ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)


@pytest.fixture(params=ENGINES)
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from opened(request.param, tmp_path)


def written(store: Store, path: Path) -> dict[str, object]:
    """Export a store; return what the file holds beside its header."""
    with path.open("wb") as out:
        finish(export(store, out, {}, {}))
    found = json.loads(path.read_bytes())
    assert isinstance(found, dict)
    del found["exported"]
    return found


def brought(store: Store, path: Path, *, is_own: bool = True) -> Brought:
    return finish(bring_in(store, path, finish(check(path)), is_own=is_own))


def test_a_store_is_the_same_on_the_other_engine(other: Store, tmp_path: Path) -> None:
    shutil.copy(NEWEST, tmp_path / "state.db")
    with open_at(tmp_path / "state.db") as store:
        whole = written(store, tmp_path / "one.json")
    assert brought(other, tmp_path / "one.json").is_fresh
    assert written(other, tmp_path / "two.json") == whole
    with other.write() as connection:
        (number,) = messages.append(connection, other.engine, "plans", [NewMessage("user", "and on it goes")])
        assert messages.get(connection, number) is not None, "the next number follows the highest"
    again = brought(other, tmp_path / "one.json")
    assert not any(again.new.values()) and again.known["messages"] > 0


def test_what_is_new_gets_numbers_of_its_own(other: Store, tmp_path: Path) -> None:
    shutil.copy(NEWEST, tmp_path / "state.db")
    with open_at(tmp_path / "state.db") as store:
        whole = written(store, tmp_path / "one.json")
    with other.write() as connection:
        sessions.create(connection, NewSession(id="plans", title="Words of the world"))
        messages.append(connection, other.engine, "plans", [NewMessage("user", "mine")] * 3)
    brought(other, tmp_path / "one.json")
    joined = written(other, tmp_path / "two.json")
    assert {len(joined[name]) - len(whole[name]) for name in ("messages",)} == {3}  # type: ignore[arg-type]
    with other.read() as connection:
        assert [one.content for one in messages.of_session(connection, "plans")] == ["mine"] * 3
        moved = [one.content for one in messages.of_session(connection, "plans-2")]
    assert len(moved) > 3
    assert not any(brought(other, tmp_path / "one.json").new.values())


@given(said=st.lists(st.tuples(ANY_STRING, st.dictionaries(ANY_STRING, ANY_STRING, max_size=2)), max_size=4))
def test_any_words_come_through(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, dict[str, str]]]
) -> None:
    folder = tmp_path_factory.mktemp("words")
    with open_new(folder / "a.db") as store, open_new(folder / "b.db") as other:
        with store.write() as connection:
            sessions.create(connection, NewSession(id="talk"))
            new = [NewMessage("user", words, metadata=more, reasoning=words) for words, more in said]
            messages.append(connection, store.engine, "talk", new)
        whole = written(store, folder / "one.json")
        brought(other, folder / "one.json")
        assert written(other, folder / "two.json") == whole
        with other.read() as connection:
            assert [one.content for one in messages.of_session(connection, "talk")] == [words for words, _ in said]
