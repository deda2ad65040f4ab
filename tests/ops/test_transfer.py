"""Sessions out and in again: nothing is lost, nothing comes twice."""

import io
import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.errors import NotFound
from hermes_agent.ids import new_uid
from hermes_agent.ops.steps import Step, finish
from hermes_agent.ops.transfer import export, import_file
from hermes_agent.records.archive import Message, NewMessage, NewSession, Session
from hermes_agent.store import journal, messages, sessions
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.store import Store
from hermes_agent.text.query import parse
from tests.counts import record
from tests.ops.stores import exported, imported, open_at, open_new
from tests.postgres import server_address

ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
MOMENT = st.integers(-(10**15), 9 * 10**15)  # to the year 2255, where a double stops being exact
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANY_STRING,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_STRING, inner, max_size=3),
    max_leaves=8,
)
METADATA = st.dictionaries(ANY_STRING, JSON, max_size=3)
OPTIONAL = st.none() | ANY_STRING
MESSAGES = st.builds(
    NewMessage,
    role=st.sampled_from(["user", "assistant", "tool", "system", "", "other"]),
    content=OPTIONAL,
    said_at=MOMENT,
    source_class=st.sampled_from([None, "user", "web", "import"]),
    tool_calls=JSON,
    tool_call_id=OPTIONAL,
    tool_name=OPTIONAL,
    token_count=st.none() | st.integers(0, 2**31 - 1),
    finish_reason=OPTIONAL,
    reasoning=OPTIONAL,
    model=OPTIONAL,
    sent=OPTIONAL,
    is_summary=st.booleans(),
    state=st.sampled_from(["live", "compacted", "rewound"]),
    attachments=JSON,
    metadata=METADATA,
)
SESSIONS = st.builds(
    NewSession,
    source=ANY_STRING,
    id=st.none() | ANY_STRING.filter(bool),
    started_at=MOMENT,
    user_id=OPTIONAL,
    model=OPTIONAL,
    model_config=JSON,
    system_prompt=OPTIONAL,
    title=st.none() | st.text(max_size=20),
    title_source=st.sampled_from([None, "user", "auto"]),
    folder=OPTIONAL,
    metadata=METADATA,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_at(tmp_path / "one.db") as store:
        yield store


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    with open_at(tmp_path / "other.db") as store:
        yield store


def keep(store: Store, session: NewSession, *said: NewMessage) -> str:
    with store.write() as connection:
        session_id = sessions.create(connection, session)
        messages.append(connection, store.engine, session_id, said)
    return session_id


def get(store: Store, session_id: str) -> Session:
    with store.read() as connection:
        found = sessions.get(connection, session_id)
    assert found is not None
    return found


def said(store: Store, session_id: str) -> list[Message]:
    with store.read() as connection:
        return list(messages.of_session(connection, session_id, states=("live", "compacted", "rewound")))


def keep_any(store: Store, drawn: list[tuple[NewSession, list[NewMessage]]], ends: list[int]) -> None:
    """Keep drawn sessions, each the child of the one before, some ended and with tokens."""
    parent: str | None = None
    for number, (session, new) in enumerate(drawn):
        title = None if session.title is None else f"{session.title} {number}"
        is_child = parent is not None and number % 2 == 1
        begun = replace(
            session,
            title=title,
            parent_session_id=parent if is_child else None,
            parent_kind="branch" if is_child else None,
        )
        parent = keep(store, begun, *new)
        with store.write() as connection:
            sessions.add_tokens(connection, parent, input=number, reasoning=2**40)
            if number < len(ends):
                sessions.end(connection, parent, "done", ends[number])


def test_export_import_export_is_byte_identical() -> None:
    tried = 0

    @given(
        drawn=st.lists(st.tuples(SESSIONS, st.lists(MESSAGES, max_size=4)), max_size=4),
        ends=st.lists(MOMENT, max_size=2),
    )
    def round_trip(drawn: list[tuple[NewSession, list[NewMessage]]], ends: list[int]) -> None:
        nonlocal tried
        tried += 1
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            with open_new(folder / "a.db") as first, open_new(folder / "b.db") as second:
                keep_any(first, drawn, ends)
                before = exported(first)
                report = imported(second, folder, before, is_own=True)
                assert exported(second) == before
                assert (report.detached, report.broken, report.renamed) == ((), (), ())
                assert before.isascii()

    round_trip()
    record("property.export.examples", tried)


def test_an_export_goes_to_postgres_and_back_byte_for_byte(store: Store, tmp_path: Path) -> None:
    keep(
        store,
        NewSession(id="s", system_prompt="a\x00b", started_at=1, title="t", model_config={"n": 2**70}),
        NewMessage("user", "nul \x00 half \ud83d 机器", said_at=1_700_000_000_123_457, state="rewound"),
        NewMessage("assistant", None, said_at=2, tool_calls=[{"a": [1.5, None]}], sent="as sent"),
    )
    before = exported(store)
    server = Store(Postgres(server_address(), schema_name(new_uid())), "default")
    try:
        imported(server, tmp_path, before, is_own=True)
        assert exported(server) == before
    finally:
        server.close()


def test_a_line_is_the_session_with_its_messages_under_the_public_names(store: Store) -> None:
    keep(
        store,
        NewSession(id="s", uid="0190f0f0-0000-7000-8000-000000000001", started_at=1_500_000, folder="/work"),
        NewMessage("user", "hi", said_at=2_250_000, state="compacted", sent="hi!"),
    )
    (line,) = map(json.loads, exported(store).splitlines())
    (message,) = line.pop("messages")
    assert list(line)[:3] == ["id", "uid", "source"]
    assert (line["started_at"], line["cwd"], line["archived"], line["message_count"]) == (1.5, "/work", 0, 1)
    assert (message["timestamp"], message["active"], message["compacted"]) == (2.25, 0, 1)
    assert (message["api_content"], message["source_class"]) == ("hi!", "user")
    assert "id" not in message


def test_rewound_messages_are_exported_and_stay_rewound(store: Store, other: Store, tmp_path: Path) -> None:
    keep(store, NewSession(id="s"), NewMessage("user", "kept"), NewMessage("user", "gone", state="rewound"))
    imported(other, tmp_path, exported(store))
    assert [m.state for m in said(other, "s")] == ["live", "rewound"]
    assert get(other, "s").message_count == 1


def test_an_export_shows_one_moment(store: Store) -> None:
    keep(store, NewSession(id="a", started_at=1), NewMessage("user", "one"))
    keep(store, NewSession(id="b", started_at=2), NewMessage("user", "two"))
    out = io.BytesIO()
    work = export(store, out, "jsonl")
    next(work)
    keep(store, NewSession(id="c", started_at=3), NewMessage("user", "three"))
    with store.write() as connection:
        messages.append(connection, store.engine, "b", [NewMessage("user", "late")])
    assert finish(work) == 2
    assert [len(json.loads(line)["messages"]) for line in out.getvalue().splitlines()] == [1, 1]


def test_one_session_or_one_source_can_be_exported(store: Store) -> None:
    keep(store, NewSession(id="a", source="cli", title="Plan"))
    keep(store, NewSession(id="b", source="cron"))
    assert json.loads(exported(store, session="Plan"))["id"] == "a"
    out = io.BytesIO()
    finish(export(store, out, "jsonl", within=sessions.Listing(source="cron")))
    assert json.loads(out.getvalue())["id"] == "b"
    with pytest.raises(NotFound):
        exported(store, session="nobody")


def test_importing_twice_adds_nothing(store: Store, other: Store, tmp_path: Path) -> None:
    keep(store, NewSession(id="s"), NewMessage("user", "hello"))
    line = exported(store)
    assert imported(other, tmp_path, line, is_own=True).imported == ("s",)
    report = imported(other, tmp_path, line, is_own=True)
    assert (report.imported, report.skipped, report.messages) == ((), ("s",), 0)
    assert exported(other) == line


def test_a_session_that_went_on_is_continued(store: Store, other: Store, tmp_path: Path) -> None:
    keep(store, NewSession(id="s", started_at=1), NewMessage("user", "one", said_at=2))
    imported(other, tmp_path, exported(store), is_own=True)
    keep(store, NewSession(id="s"), NewMessage("assistant", "two", said_at=3))
    with store.write() as connection:
        messages.set_state(connection, store.engine, [1], "compacted")
        sessions.end(connection, "s", "done", 4)
    report = imported(other, tmp_path, exported(store), is_own=True)
    assert (report.extended, report.messages) == (("s",), 1)
    assert exported(other) == exported(store)


def test_a_session_that_went_another_way_is_left_alone(store: Store, other: Store, tmp_path: Path) -> None:
    keep(store, NewSession(id="s"), NewMessage("user", "mine"))
    keep(other, NewSession(id="s"), NewMessage("user", "yours"), NewMessage("user", "more"))
    before = exported(store)
    assert imported(store, tmp_path, exported(other)).skipped == ("s",)
    assert exported(store) == before


def test_parents_may_come_after_their_children(other: Store, tmp_path: Path) -> None:
    report = imported(
        other,
        tmp_path,
        '{"id": "child", "started_at": 5, "parent_session_id": "parent", "messages": []}\n'
        '{"id": "parent", "started_at": 1, "ended_at": 4, "end_reason": "compression", "messages": []}\n',
    )
    assert report.detached == ()
    child = get(other, "child")
    assert (child.parent_session_id, child.parent_kind) == ("parent", "compression")


def test_a_missing_parent_is_detached_and_found_again_when_it_comes(other: Store, tmp_path: Path) -> None:
    child = '{"id": "child", "started_at": 5, "parent_session_id": "parent", "messages": []}\n'
    assert imported(other, tmp_path, child).detached == ("child",)
    assert get(other, "child").parent_session_id is None
    imported(other, tmp_path, '{"id": "parent", "started_at": 1, "messages": []}\n' + child)
    assert get(other, "child").parent_session_id == "parent"


def test_a_circle_of_parents_is_broken(other: Store, tmp_path: Path) -> None:
    line = '{{"id": "{}", "started_at": 1, "parent_session_id": "{}", "messages": []}}\n'
    circle = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "d")]
    report = imported(other, tmp_path, "".join(line.format(*pair) for pair in circle))
    assert set(report.imported) == {"a", "b", "c", "d"}
    parents = {name: get(other, name).parent_session_id for name, _ in circle}
    assert sum(parent is None for parent in parents.values()) == 2
    assert parents["d"] is None
    assert len(report.detached) == 2


@pytest.mark.parametrize(
    ("extra", "kind"),
    [
        ('"source": "subagent"', "delegation"),
        ('"model_config": "{\\"_delegate_from\\": \\"p\\"}"', "delegation"),
        ('"model_config": {"_branched_from": "p"}', "branch"),
        ('"source": "cli"', "compression"),
    ],
)
def test_the_kind_of_parent_is_found_out(other: Store, tmp_path: Path, extra: str, kind: str) -> None:
    imported(
        other,
        tmp_path,
        '{"id": "p", "started_at": 1, "ended_at": 2, "end_reason": "compression", "messages": []}\n'
        f'{{"id": "c", "started_at": 3, "parent_session_id": "p", {extra}, "messages": []}}\n',
    )
    assert get(other, "c").parent_kind == kind


def test_a_title_that_is_taken_gets_the_next_number(store: Store, other: Store, tmp_path: Path) -> None:
    long = "x" * 100
    for number, title in enumerate(("Plan", long)):
        keep(store, NewSession(id=f"s{number}", title=title))
        keep(other, NewSession(id=f"o{number}", title=title))
    report = imported(other, tmp_path, exported(store))
    assert report.renamed == ("s0", "s1")
    assert get(other, "s0").title == "Plan #2"
    assert get(other, "s1").title == "x" * 97 + " #2"


def test_a_title_that_is_too_long_is_cut(other: Store, tmp_path: Path) -> None:
    imported(other, tmp_path, json.dumps({"id": "s", "started_at": 1, "title": "y" * 300, "messages": []}))
    assert get(other, "s").title == "y" * 100


def test_uids_that_belong_to_other_messages_are_replaced(store: Store, other: Store, tmp_path: Path) -> None:
    keep(store, NewSession(id="s"), NewMessage("user", "hello"))
    line = json.loads(exported(store))
    renamed = json.dumps({**line, "id": "copy", "messages": line["messages"] * 2})
    report = imported(store, tmp_path, renamed)
    assert (report.imported, report.messages) == (("copy",), 2)
    assert len({m.uid for name in ("s", "copy") for m in said(store, name)}) == 3
    assert imported(store, tmp_path, renamed).skipped == ("copy",)


def test_an_import_is_journalled_once_and_an_idle_one_is_not(other: Store, tmp_path: Path) -> None:
    line = '{"id": "a", "started_at": 1, "messages": [{"role": "user", "content": "x", "timestamp": 1}]}'
    for _ in range(2):
        imported(other, tmp_path, line)
    with other.read() as connection:
        (entry,) = journal.recent(connection, 10, kind="sessions.imported")
    assert entry.after == {
        **dict.fromkeys(("skipped", "extended", "detached", "renamed", "broken", "owned", "forgotten"), 0),
        "messages_forgotten": 0,
        "imported": 1,
        "messages": 1,
    }


def test_imported_messages_are_found(other: Store, tmp_path: Path) -> None:
    imported(
        other,
        tmp_path,
        '{"id": "a", "started_at": 1, "messages": [{"role": "user", "content": "wombats", "timestamp": 1}]}',
    )
    with other.read() as connection:
        found = other.engine.text.match(connection, "talk", parse("wombats"), 10, "best").best
    assert [match.id for match in found] == [1]


def test_the_work_says_how_far_it_is(store: Store) -> None:
    for name in "ab":
        keep(store, NewSession(id=name))
    assert list(export(store, io.BytesIO(), "jsonl")) == [Step("sessions", n, 2) for n in range(3)]


def test_what_came_in_before_an_interruption_is_journalled(store: Store, other: Store, tmp_path: Path) -> None:
    for number in range(40):
        keep(store, NewSession(id=f"s{number}"), *(NewMessage("user", f"{number} {i}") for i in range(60)))
    file = tmp_path / "sessions.jsonl"
    file.write_bytes(exported(store))
    work = import_file(other, file)
    for step in work:
        if step.what == "sessions" and step.done:
            break
    work.close()
    with other.read() as connection:
        (entry,) = journal.recent(connection, 10)
        kept = len(sessions.every_id(connection))
    assert 0 < kept < 40
    assert entry.text == f"{kept} sessions were imported and 0 continued."
