"""Whatever a model sends and whatever stands in a file: no error escapes, and no entry is lost by accident."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.agent.toolbox import Toolbox
from hermes_agent.agent.tools.memory import MemoryTool
from hermes_agent.config.paths import Home, ensure
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes import format
from hermes_agent.records.notes import Changed, Operation
from hermes_agent.records.talk import ToolCall
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store

LIMIT = 200

_TEXT = st.one_of(
    st.sampled_from(["tea", "likes tea", "§", "a\n§\nb", "\x00", "\ud800", "\ufeff", "x" * 300, "", " ", "é机"]),
    st.text(st.characters(codec=None, exclude_categories=()), max_size=30),
)
_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), _TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_TEXT, inner, max_size=3)),
    max_leaves=6,
)
_ACTION = st.one_of(st.sampled_from(["add", "add", "replace", "remove", "ADD", ""]), _JSON)
_OPERATION = st.fixed_dictionaries(
    {}, optional={"action": _ACTION, "content": st.one_of(_TEXT, _JSON), "old_text": st.one_of(_TEXT, _JSON)}
)
_CALL = st.fixed_dictionaries(
    {},
    optional={
        "target": st.one_of(st.sampled_from(["memory", "user"]), _JSON),
        "action": _ACTION,
        "content": st.one_of(_TEXT, _JSON),
        "old_text": st.one_of(_TEXT, _JSON),
        "operations": st.one_of(st.lists(_OPERATION, max_size=3), _JSON),
    },
)
_FILE = st.lists(
    st.sampled_from(
        ["tea", "milk", "§", "\n§\n", "\n", " ", "\r\n", "\ufeff", "\n§", "long " * 50, "\n\n§\n", "é机"]
    ),
    max_size=8,
).map("".join)


@pytest.fixture
def notebook(own_home: Home) -> Iterator[Notebook]:
    ensure(own_home)
    store = Store(Sqlite(own_home.state_db), "default")
    yield Notebook(store, own_home, LIMIT, LIMIT)
    store.close()


def test_any_call_is_answered_and_file_and_store_agree(notebook: Notebook) -> None:
    @given(st.lists(_CALL, min_size=1, max_size=4))
    def answer(calls: list[dict[str, object]]) -> None:
        toolbox = Toolbox({"memory": MemoryTool(notebook, "s1")})
        for arguments in calls:
            result = toolbox.run(ToolCall("c1", "memory", json.dumps(arguments)))
            assert "failed inside" not in result.text
            assert isinstance(json.loads(result.text)["success"], bool)
        for target in ("memory", "user"):
            entries = notebook.entries(target)
            assert format.size(entries) <= LIMIT
            assert notebook.text(target) == format.render(entries)
        assert notebook.reconcile() == []
        assert {version.kind for version in notebook.history(limit=1_000)} <= {"note.changed"}

    answer()


def test_a_change_of_any_file_leaves_every_other_entry_as_it_was(notebook: Notebook) -> None:
    @given(_FILE, st.sampled_from(["add", "replace", "remove"]), st.sampled_from(["tea", "milk", "§", "long"]))
    def change(text: str, action: str, part: str) -> None:
        path = notebook.path("memory")
        path.write_bytes(text.encode())
        before = format.unique(format.parse(text))
        outcome = notebook.change("memory", [Operation(action, "new", part)], actor="agent")
        if not isinstance(outcome, Changed):
            assert path.read_bytes() == text.encode(), "what is refused changes nothing"
            return
        after = notebook.entries("memory")
        meant = [entry for entry in before if part in entry and action != "add"]
        assert [entry for entry in before if entry not in meant] == [
            entry for entry in after if entry not in meant and (entry != "new" or entry in before)
        ]

    change()
