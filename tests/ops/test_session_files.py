"""Files of sessions: three forms, the public product's rows, and everything that can be wrong."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.errors import NotFound, UsageError
from hermes_agent.ops.incoming import Incoming
from hermes_agent.ops.session_files import Broken, read_file
from hermes_agent.ops.steps import finish
from hermes_agent.ops.transfer import import_file
from hermes_agent.store import messages, sessions
from hermes_agent.store.store import Store
from tests.counts import count
from tests.ops.stores import exported, imported, open_at

GOOD = '{"id": "good", "started_at": 1.5, "messages": [{"role": "user", "content": "hi", "timestamp": 2.5}]}'
PUBLIC = {
    "id": "20260401_101500_aaaaaa",
    "source": "telegram",
    "model_config": '{"temperature": 0.5}',
    "started_at": 1775038500.123456,
    "message_count": 99,
    "archived": 1,
    "billing_provider": "someone",
    "handoff_state": None,
    "messages": [
        {
            "id": 7,
            "session_id": "x",
            "role": "user",
            "content": "hi",
            "timestamp": 1775038501.25,
            "observed": 0,
        },
        {"id": 8, "role": "user", "content": [{"type": "text", "text": "ü"}], "timestamp": 1775038502},
        {"id": 9, "role": "assistant", "content": None, "tool_calls": '[{"id": "c"}]', "active": 0},
    ],
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_at(tmp_path / "store.db") as store:
        yield store


def read(folder: Path, data: bytes, limit_bytes: int = 1 << 30) -> list[Incoming | Broken]:
    path = folder / "file"
    path.write_bytes(data)
    return list(read_file(path, limit_bytes))


def ids(entries: list[Incoming | Broken]) -> list[str]:
    return [entry.past.id if isinstance(entry, Incoming) else str(entry) for entry in entries]


@pytest.mark.parametrize(
    "data",
    [
        GOOD,
        GOOD + "\n",
        "\ufeff" + GOOD + "\r\n\r\n",
        "\n\n" + GOOD + "\n",
        f"[{GOOD}]",
        f" \n[\n {GOOD} \n]\n",
        json.dumps(json.loads(GOOD), indent=2),
        json.dumps([json.loads(GOOD)], indent=2),
    ],
)
def test_lines_lists_and_objects_are_read(tmp_path: Path, data: str) -> None:
    assert ids(read(tmp_path, data.encode())) == ["good"]


@pytest.mark.parametrize("data", ["", "\n", "\ufeff", "[]", "[ ]\n"])
def test_an_empty_file_holds_no_sessions(store: Store, tmp_path: Path, data: str) -> None:
    assert imported(store, tmp_path, data).imported == ()


def test_a_long_list_is_read_item_by_item(tmp_path: Path) -> None:
    filler = "x" * 700_000
    items = [{"id": str(n), "started_at": 1, "title": filler, "messages": []} for n in range(5)]
    assert ids(read(tmp_path, json.dumps(items).encode())) == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"not json", "it is not JSON (Expecting value, character 1)"),
        (b'{"id": "x"', "it is not JSON (Expecting ',' delimiter, character 11)"),
        (b"[1, 2]", "it is not a JSON object"),
        (b"5", "it is not a JSON object"),
        (b'{"id": "\xff"}', "it is not UTF-8 (byte 9)"),
        (b'{"started_at": 1, "messages": []}', "id is missing"),
        (b'{"id": "", "started_at": 1, "messages": []}', "id is empty"),
        (b'{"id": 5, "started_at": 1, "messages": []}', "id is a number, not a text"),
        (b'{"id": "x", "started_at": 1}', "messages is missing"),
        (b'{"id": "x", "messages": []}', "started_at is missing"),
        (b'{"id": "x", "started_at": 1, "messages": {}}', "messages is an object, not a list"),
        (
            b'{"id": "x", "started_at": "now", "messages": []}',
            "started_at is a text, not a number of seconds since 1970",
        ),
        (
            b'{"id": "x", "started_at": 1e300, "messages": []}',
            "started_at is not a number of seconds since 1970",
        ),
        (
            b'{"id": "x", "started_at": NaN, "messages": []}',
            "started_at is not a number of seconds since 1970",
        ),
        (b'{"id": "x", "started_at": 1, "input_tokens": 1e30, "messages": []}', "input_tokens is too large"),
        (
            b'{"id": "x", "started_at": 1, "archived": 7, "messages": []}',
            "archived is a number, not true or false",
        ),
        (b'{"id": "x", "started_at": 1, "uid": "y", "messages": []}', "uid is not a UUID"),
        (b'{"id": "x", "started_at": 1, "messages": [5]}', "message 1: it is not a JSON object"),
        (b'{"id": "x", "started_at": 1, "messages": [{"content": "a"}]}', "message 1: role is missing"),
        (
            b'{"id": "x", "started_at": 1, "messages": [{"role": "user", "content": 5}]}',
            "message 1: content is a number, not a text",
        ),
        (
            b'{"id": "x", "started_at": 1, "messages": [{"role": "user", "source_class": "god"}]}',
            "message 1: source_class is 'god'; it can be user, assistant, tool, web, profile, import, system",
        ),
        (
            b'{"id": "x", "started_at": 1, "model_config": ' + b"[" * 300 + b"]" * 300 + b', "messages": []}',
            "model_config is nested deeper than 200 levels",
        ),
        (b"[" * 100_000, "it is nested too deep"),
        (b'{"id": "x", "started_at": ' + b"9" * 5_000 + b"}", "a number in it has too many digits"),
    ],
)
def test_a_broken_line_is_named_and_nothing_is_imported(
    store: Store, tmp_path: Path, line: bytes, reason: str
) -> None:
    data = GOOD.encode() + b"\n" + line + b"\n"
    with pytest.raises(UsageError) as caught:
        imported(store, tmp_path, data)
    assert caught.value.message.endswith(f"was not imported: line 2: {reason}.")
    assert exported(store) == b""
    report = imported(store, tmp_path, data, skips_broken=True)
    assert (report.imported, report.broken) == (("good",), (Broken("line 2", reason),))


def test_an_entry_over_the_limit_is_broken_and_the_next_is_read(tmp_path: Path) -> None:
    long = json.dumps({"id": "long", "started_at": 1, "title": "x" * 1000, "messages": []})
    entries = read(tmp_path, f"{GOOD}\n{long}\n{GOOD}\n".encode(), limit_bytes=500)
    assert ids(entries) == ["good", "line 2: it is longer than 500 bytes", "good"]


def test_a_line_as_long_as_the_largest_session_is_imported(store: Store, tmp_path: Path) -> None:
    long = "x" * count(10**6, 10**8)
    message = {"role": "assistant", "content": "short", "reasoning": long, "timestamp": 1}
    assert imported(store, tmp_path, json.dumps({"id": "s", "started_at": 1, "messages": [message]})).messages == 1


def test_a_broken_item_ends_a_list(store: Store, tmp_path: Path) -> None:
    entries = read(tmp_path, f"[{GOOD}, {{,}}, {GOOD}]".encode())
    assert ids(entries)[0] == "good"
    assert ids(entries)[1].startswith("item 2: it is not JSON")
    assert ids(read(tmp_path, f"[{GOOD}, ".encode()))[1].startswith("item 2: it is not JSON")
    assert ids(read(tmp_path, b'[{"id": "\xff"}]')) == ["item 1: it is not UTF-8"]
    assert ids(read(tmp_path, f"[5, {GOOD}]".encode())) == ["item 1: it is not a JSON object", "good"]


def test_a_file_that_is_not_there_and_a_folder_are_named(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no file"):
        finish(import_file(store, tmp_path / "none"))
    with pytest.raises(UsageError, match="is a folder"):
        finish(import_file(store, tmp_path))


def test_the_public_products_rows_are_understood(store: Store, tmp_path: Path) -> None:
    imported(store, tmp_path, json.dumps(PUBLIC))
    with store.read() as connection:
        session = sessions.get(connection, "20260401_101500_aaaaaa")
        said = list(messages.of_session(connection, "20260401_101500_aaaaaa", states=("live", "rewound")))
    assert session is not None
    assert (session.started_at, session.last_active_at) == (1775038500_123456, 1775038502_000000)
    assert (session.source, session.model_config, session.is_archived) == (
        "telegram",
        {"temperature": 0.5},
        True,
    )
    assert (session.message_count, session.metadata) == (2, {"billing_provider": "someone"})
    assert [m.metadata for m in said] == [{"observed": 0}, {"content_form": "json"}, {}]
    assert said[1].content == '[{"type": "text", "text": "ü"}]'
    assert (said[2].tool_calls, said[2].state, said[2].said_at) == ([{"id": "c"}], "rewound", said[1].said_at)


def test_the_public_products_rows_get_the_same_uids_every_time(tmp_path: Path) -> None:
    exports = []
    for name in ("a.db", "b.db"):
        with open_at(tmp_path / name) as one:
            assert imported(one, tmp_path, json.dumps(PUBLIC)).messages == 3
            assert imported(one, tmp_path, json.dumps([PUBLIC])).messages == 0
            exports.append(exported(one))
    assert exports[0] == exports[1]


def test_a_public_session_that_went_on_is_continued(store: Store, tmp_path: Path) -> None:
    imported(store, tmp_path, json.dumps(PUBLIC))
    more = [*PUBLIC["messages"], {"role": "user", "content": "and?", "timestamp": 1775038600}]  # type: ignore[misc]
    report = imported(store, tmp_path, json.dumps({**PUBLIC, "messages": more}))
    assert (report.extended, report.messages) == (("20260401_101500_aaaaaa",), 1)
