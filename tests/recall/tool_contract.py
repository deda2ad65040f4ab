"""What the tool `session_search` must do besides searching: scroll, read, browse, and bear with models."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage
from hermes_agent.store import tables
from tests.counts import record
from tests.recall.conversations import DAY, FIRST_DAY, SECOND, contents, put, search, talk

NUMBERED = [f"line {number}" for number in range(60)]
ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)
# Strings that lead somewhere: ids, profiles, modes, roles.
NAMED = ["s", "default/s", "@session:default/s", "other/s", "@session:", "/"]
LEADING = st.sampled_from([*NAMED, "docker", "dock*", "newest", "index", "tool"])
SCALAR = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 70), st.integers(), st.floats(), ANY_STRING, LEADING, st.just("5")
)
JSON = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_STRING, inner, max_size=3)
)
NAMES = ["query", "limit", "sort", "session_id", "around_message_id", "window", "role_filter", "profile", "detail"]
ARGUMENTS = st.dictionaries(st.sampled_from(NAMES) | ANY_STRING, JSON, max_size=6)


class ToolContract:
    """Tests of the tool; `memory` is a new one of the profile `default` on the engine at hand."""

    # Scroll.

    def test_scrolling_shows_what_stands_around_a_message(self, memory: Memory) -> None:
        ids = talk(memory, "s", *NUMBERED, day=3, title="Lines", model="m1")
        answer = search(memory, session_id="s", around_message_id=ids[30])
        shown = answer.pop("messages")
        assert answer == {
            "success": True,
            "mode": "scroll",
            "session_id": "s",
            "link": "@session:default/s",
            "around_message_id": ids[30],
            "session_meta": {"when": "2026-01-04 00:00", "source": "cli", "model": "m1", "title": "Lines"},
            "window": 5,
            "messages_before": 25,
            "messages_after": 24,
        }
        assert contents(shown) == NUMBERED[25:36]
        assert [message["id"] for message in shown if message.get("anchor")] == [ids[30]]

    @pytest.mark.parametrize(
        ("window", "held"), [(1, 1), (7, 7), (20, 20), (999, 20), (0, 1), (-5, 1), (None, 5), ("3", 3), (2.9, 2)]
    )
    def test_the_window_is_held_between_one_and_twenty(self, memory: Memory, window: object, held: int) -> None:
        ids = talk(memory, "s", *NUMBERED)
        answer = search(memory, session_id="s", around_message_id=ids[30], window=window)
        assert answer["window"] == held
        assert contents(answer["messages"]) == NUMBERED[30 - held : 31 + held]

    def test_the_window_is_short_at_the_ends(self, memory: Memory) -> None:
        ids = talk(memory, "s", *NUMBERED[:8])
        first = search(memory, session_id="s", around_message_id=ids[0])
        assert (contents(first["messages"]), first["messages_before"]) == (NUMBERED[:6], 0)
        last = search(memory, session_id="s", around_message_id=ids[-1])
        assert (contents(last["messages"]), last["messages_after"]) == (NUMBERED[2:8], 0)

    def test_scrolling_shows_tools_and_cuts_long_messages(self, memory: Memory) -> None:
        calls = [{"name": "shell", "arguments": {"command": "ls"}}]
        output = NewMessage("tool", "\x1b[31m" + "x" * 5_000, tool_name="shell", tool_call_id="c1")
        ids = talk(memory, "s", "go", NewMessage("assistant", None, tool_calls=calls), output)
        shown = search(memory, session_id="s", around_message_id=ids[1])["messages"]
        assert shown[1]["tool_calls"] == calls and shown[1]["content"] == ""
        assert (shown[2]["tool_name"], shown[2]["tool_call_id"]) == ("shell", "c1")
        assert shown[2]["content"] == "x" * 4_000
        assert shown[2]["original_content_chars"] == 5_000

    def test_scrolling_forward_goes_on_where_it_ended(self, memory: Memory) -> None:
        ids = talk(memory, "s", *NUMBERED)
        read: list[int] = []
        around = ids[0]
        while True:
            answer = search(memory, session_id="s", around_message_id=around)
            shown = [message["id"] for message in answer["messages"]]
            assert not read or around in shown, "the message it goes on from is shown again"
            read += [one for one in shown if one not in read]
            if answer["messages_after"] == 0:
                break
            around = shown[-1]
        assert read == ids

    def test_scrolling_wins_over_a_query(self, memory: Memory) -> None:
        ids = talk(memory, "s", *NUMBERED)
        answer = search(memory, query="line", session_id="s", around_message_id=str(ids[3]))
        assert (answer["mode"], answer["around_message_id"]) == ("scroll", ids[3])

    def test_scrolling_into_the_live_conversation_is_refused(self, memory: Memory) -> None:
        root = talk(memory, "root", "hello", "hi")
        ids = talk(memory, "now", "one", "two", parent="root", kind="branch")
        for session, message in (("now", ids[0]), ("root", root[0])):
            answer = search(memory, "now", session_id=session, around_message_id=message)
            assert answer["success"] is False
            assert "current conversation" in answer["error"]
        assert search(memory, session_id="now", around_message_id=ids[0])["success"]

    def test_scrolling_to_what_left_the_window_is_allowed(self, memory: Memory) -> None:
        root = talk(memory, "root", "hello", "hi", ended="compression")
        ids = talk(memory, "now", "old", "new", parent="root", kind="compression")
        put(memory, ids[:1], "compacted")
        for session, message in (("root", root[1]), ("now", ids[0])):
            assert search(memory, "now", session_id=session, around_message_id=message)["success"]
        assert not search(memory, "now", session_id="now", around_message_id=ids[1])["success"]

    def test_a_message_of_another_session_of_the_conversation_is_followed_with_a_warning(
        self, memory: Memory
    ) -> None:
        talk(memory, "root", "hello", ended="compression")
        ids = talk(memory, "tip", "one", "two", parent="root", kind="compression")
        answer = search(memory, session_id="root", around_message_id=ids[0])
        assert (answer["session_id"], contents(answer["messages"])) == ("tip", ["one", "two"])
        assert "tip" in answer["warning"]

    def test_a_message_of_a_stranger_is_refused(self, memory: Memory) -> None:
        talk(memory, "s", "hello")
        (other,) = talk(memory, "other", "hello")
        answer = search(memory, session_id="s", around_message_id=other)
        assert answer["success"] is False and "other" in answer["error"]

    def test_a_rewound_message_is_not_there(self, memory: Memory) -> None:
        ids = talk(memory, "s", "one", "taken back", "three")
        put(memory, ids[1:2], "rewound")
        assert not search(memory, session_id="s", around_message_id=ids[1])["success"]
        shown = search(memory, session_id="s", around_message_id=ids[0])["messages"]
        assert contents(shown) == ["one", "three"]

    @pytest.mark.parametrize("around", [0, -1, 2**70, "999999"])
    def test_a_message_that_is_not_there_is_an_error_to_act_on(self, memory: Memory, around: object) -> None:
        talk(memory, "s", "hello")
        answer = search(memory, session_id="s", around_message_id=around)
        assert answer["success"] is False and "match_message_id" in answer["error"]

    # Read.

    def test_an_id_alone_reads_the_session(self, memory: Memory) -> None:
        talk(memory, "s", *NUMBERED[:30], day=1, title="Lines")
        answer = search(memory, session_id="s")
        assert (answer["mode"], answer["session_id"], answer["link"]) == ("read", "s", "@session:default/s")
        assert answer["session_meta"]["title"] == "Lines"
        assert (answer["message_count"], answer["truncated"]) == (30, False)
        assert contents(answer["messages"]) == NUMBERED[:30]
        assert "message" not in answer

    def test_a_long_session_is_read_from_both_ends(self, memory: Memory) -> None:
        talk(memory, "s", *NUMBERED[:31])
        answer = search(memory, session_id="s")
        assert (answer["message_count"], answer["truncated"]) == (31, True)
        assert contents(answer["messages"]) == NUMBERED[:20] + NUMBERED[21:31]
        assert answer["message"].startswith("1 message")

    def test_a_session_that_is_not_there_is_an_error_to_act_on(self, memory: Memory) -> None:
        for arguments in ({"session_id": "gone"}, {"session_id": "gone", "around_message_id": 1}):
            answer = search(memory, **arguments)
            assert answer["success"] is False and "gone" in answer["error"]

    def test_an_empty_session_is_read_as_empty(self, memory: Memory) -> None:
        talk(memory, "s")
        answer = search(memory, session_id="s")
        assert (answer["messages"], answer["message_count"], answer["truncated"]) == ([], 0, False)

    # Browse.

    def test_browsing_lists_the_latest_without_the_current_conversation(self, memory: Memory) -> None:
        for day in range(5):
            talk(memory, f"s{day}", f"question {day}", "answer", day=day, title=f"Title {day}")
        answer = search(memory, "s4")
        assert (answer["mode"], answer["count"]) == ("browse", 3)
        assert [result["session_id"] for result in answer["results"]] == ["s3", "s2", "s1"]
        assert answer["results"][0] == {
            "session_id": "s3",
            "link": "@session:default/s3",
            "title": "Title 3",
            "source": "cli",
            "started_at": "2026-01-04 00:00",
            "last_active": "2026-01-04 00:00",
            "message_count": 2,
            "preview": "question 3",
        }
        assert search(memory, limit=99)["count"] == 5

    def test_browsing_shows_one_row_a_conversation(self, memory: Memory) -> None:
        talk(memory, "root", "hello", day=1, ended="compression")
        talk(memory, "tip", "go on", day=2, parent="root", kind="compression")
        talk(memory, "branch", "or this", day=3, parent="root", kind="branch")
        talk(memory, "helper", "task", day=4, parent="root", kind="delegation")
        for day, source in enumerate(("kanban", "subagent", "tool"), start=5):
            talk(memory, source, "task", day=day, source=source)
        talk(memory, "job", "nightly", day=8, source="cron")
        shown = search(memory, limit=10)["results"]
        assert [result["session_id"] for result in shown] == ["job", "branch", "tip"]
        assert [r["session_id"] for r in search(memory, "tip", limit=10)["results"]] == ["job", "branch"]

    def test_browsing_hides_the_archived_and_keeps_the_pinned_on_top(self, memory: Memory) -> None:
        for day, name in enumerate(("pinned", "archived", "plain")):
            talk(memory, name, "hello", day=day)
        with memory.store.write() as connection:
            for name, flag in (("pinned", "is_pinned"), ("archived", "is_archived")):
                connection.execute(
                    update(tables.sessions).where(tables.sessions.c.id == name).values({flag: True})
                )
        assert [result["session_id"] for result in search(memory)["results"]] == ["pinned", "plain"]

    def test_a_preview_is_the_start_of_the_first_question(self, memory: Memory) -> None:
        talk(memory, "s", NewMessage("assistant", "welcome"), NewMessage("user", "\x1b[1mone\n\ntwo " + "x" * 100))
        (result,) = search(memory)["results"]
        assert result["preview"] == "one two " + "x" * 49 + "..."

    def test_activity_is_that_of_the_newest_message(self, memory: Memory) -> None:
        late = NewMessage("user", "late", said_at=FIRST_DAY + 9 * DAY + 3_600 * SECOND)
        talk(memory, "old", "hello", late, NewMessage("user", "earlier", said_at=FIRST_DAY))
        talk(memory, "new", "hello", day=5)
        first, _ = search(memory)["results"]
        assert (first["session_id"], first["last_active"]) == ("old", "2026-01-10 01:00")

    def test_nothing_to_browse_is_said(self, memory: Memory) -> None:
        talk(memory, "now", "hello")
        answer = search(memory, "now")
        assert (answer["results"], answer["count"]) == ([], 0)
        assert "no other conversations" in answer["message"]

    @pytest.mark.parametrize("query", ["", "   ", None])
    def test_an_empty_query_browses(self, memory: Memory, query: str | None) -> None:
        talk(memory, "s", "hello")
        assert search(memory, query=query)["mode"] == "browse"

    # Profiles.

    @pytest.mark.parametrize(
        "arguments",
        [
            {"profile": "other"},
            {"profile": "other", "query": "docker"},
            {"session_id": "other/s"},
            {"session_id": "@session:other/s"},
            {"session_id": "other/s", "around_message_id": 1},
            {"session_id": "s", "profile": "other"},
            {"session_id": "default/s", "profile": "other"},
            {"session_id": "../other/s"},
        ],
    )
    def test_another_profile_is_not_looked_into(self, memory: Memory, arguments: dict[str, object]) -> None:
        talk(memory, "s", "docker")
        answer = search(memory, **arguments)
        assert answer["success"] is False
        assert "another memory" in answer["error"] and "'default'" in answer["error"]

    @pytest.mark.parametrize("name", ["s", "default/s", "@session:default/s", "@session:s", " s "])
    def test_the_own_profile_may_be_named(self, memory: Memory, name: str) -> None:
        talk(memory, "s", "docker")
        assert search(memory, session_id=name)["session_id"] == "s"
        assert search(memory, session_id=name, profile="default")["session_id"] == "s"
        (result,) = search(memory, query="docker", profile="default")["results"]
        assert search(memory, session_id=result["link"])["messages"][0]["content"] == "docker"

    # Whatever a model sends.

    @pytest.mark.parametrize(
        ("arguments", "count"),
        [
            ({"limit": "5"}, 5),
            ({"limit": " 5 "}, 5),
            ({"limit": 5.0}, 5),
            ({"limit": None}, 3),
            ({"limit": ""}, 3),
            ({"limit": 1e99}, 6),
            ({"limit": 2**80}, 6),
            ({"role_filter": ["user", "assistant"]}, 3),
            ({"role_filter": ""}, 3),
            ({"role_filter": None}, 3),
            ({"sort": 7}, 3),
            ({"detail": {}}, 3),
            ({"unknown": [1]}, 3),
        ],
    )
    def test_arguments_of_a_wrong_type_are_read_kindly(
        self, memory: Memory, arguments: dict[str, object], count: int
    ) -> None:
        for number in range(6):
            talk(memory, f"s{number}", "docker")
        answer = search(memory, query="docker", **arguments)
        assert (answer["success"], answer.get("count")) == (True, count)

    @pytest.mark.parametrize("name", ["limit", "window", "around_message_id"])
    @pytest.mark.parametrize("value", ["abc", math.nan, math.inf, -math.inf, [1], {"a": 1}, "1/2"])
    def test_a_number_that_is_none_is_an_error_that_names_it(
        self, memory: Memory, name: str, value: object
    ) -> None:
        ids = talk(memory, "s", "docker")
        answer = search(memory, **{"session_id": "s", "around_message_id": ids[0], name: value})
        assert answer["success"] is False and name in answer["error"]

    @pytest.mark.parametrize("arguments", [{"query": 42}, {"query": ["42"]}])
    def test_a_query_of_another_type_is_read_as_text(self, memory: Memory, arguments: dict[str, object]) -> None:
        talk(memory, "s", "the answer is 42")
        assert [result["session_id"] for result in search(memory, **arguments)["results"]] == ["s"]

    @pytest.mark.parametrize("value", [{"a": 1}, ["s"], 42, True, {"id": "x/y"}])
    def test_a_session_of_another_type_is_an_error_to_act_on(self, memory: Memory, value: object) -> None:
        talk(memory, "s", "docker")
        assert search(memory, session_id=value)["success"] is False

    def test_a_number_of_thousands_of_digits_has_an_answer(self, memory: Memory) -> None:
        for arguments in ({"limit": 10**5_000}, {"query": 10**5_000}, {"limit": "9" * 5_000}):
            assert "success" in search(memory, **arguments)

    def test_any_arguments_have_an_answer(self, memory: Memory) -> None:
        talk(memory, "s", *NUMBERED[:40], "docker")
        talk(memory, "t", "docker 机器学习 getUserById")
        tried = 0

        @given(ARGUMENTS, st.sampled_from([None, "s", "gone", "\x00"]))
        def call(arguments: dict[str, object], current: str | None) -> None:
            nonlocal tried
            tried += 1
            answer = memory.session_search(arguments, current_session=current)
            assert isinstance(answer["success"], bool)
            assert answer["success"] or answer["error"]
            json.dumps(answer)

        call()
        record("property.session_search.examples", tried)
