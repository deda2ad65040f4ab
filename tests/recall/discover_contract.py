"""What a search by words must do, on every engine: found, hidden, ordered, shown, and why not."""

import pytest

from hermes_agent.memory.memory import Memory
from hermes_agent.recall.looking import Request
from hermes_agent.records.archive import NewMessage
from tests.recall.conversations import DAY, FIRST_DAY, contents, found, put, search, talk

NUMBERED = [f"line {number}" for number in range(30)]


class DiscoverContract:
    """Tests of `discover`; `memory` is a new one on the engine at hand."""

    def test_a_result_has_every_key_of_the_public_product(self, memory: Memory) -> None:
        talk(memory, "root", "before", day=1, ended="compression")
        ids = talk(
            memory,
            "s",
            "we chose docker",
            "fine",
            day=2,
            model="m1",
            title="Plans",
            parent="root",
            kind="compression",
        )
        answer = search(memory, query="docker")
        (result,) = answer["results"]
        assert {key: answer[key] for key in ("success", "mode", "query", "count", "sessions_searched")} == {
            "success": True,
            "mode": "discover",
            "query": "docker",
            "count": 1,
            "sessions_searched": 1,
        }
        assert result.pop("messages") == [
            {
                "id": ids[0],
                "role": "user",
                "content": "we chose docker",
                "timestamp": 1_767_398_401.0,
                "anchor": True,
            },
            {"id": ids[1], "role": "assistant", "content": "fine", "timestamp": 1_767_398_402.0},
        ]
        assert result == {
            "session_id": "s",
            "when": "2026-01-03 00:00",
            "source": "cli",
            "model": "m1",
            "title": "Plans",
            "matched_role": "user",
            "match_message_id": ids[0],
            "snippet": "we chose >>>docker<<<",
            "bookend_start": [],
            "bookend_end": [],
            "messages_before": 0,
            "messages_after": 0,
            "parent_session_id": "root",
            "link": "@session:default/s",
        }
        assert "reason" not in answer

    def test_a_session_without_a_parent_names_none(self, memory: Memory) -> None:
        talk(memory, "s", "docker")
        (result,) = search(memory, query="docker")["results"]
        assert "parent_session_id" not in result

    def test_the_index_leaves_the_messages_out(self, memory: Memory) -> None:
        talk(memory, "s", *NUMBERED, "docker", *NUMBERED)
        (full,) = search(memory, query="docker")["results"]
        (index,) = search(memory, query="docker", detail="index")["results"]
        left_out = {"messages", "bookend_start", "bookend_end", "messages_before", "messages_after"}
        assert index == {key: value for key, value in full.items() if key not in left_out}

    def test_metadata_is_that_of_the_session_that_matched(self, memory: Memory) -> None:
        talk(memory, "root", "hello", day=1, title="plan", ended="compression")
        talk(
            memory,
            "middle",
            "docker",
            day=5,
            title="plan #2",
            parent="root",
            kind="compression",
            ended="compression",
        )
        talk(memory, "tip", "bye", day=9, title="plan #3", parent="middle", kind="compression")
        (result,) = search(memory, query="docker")["results"]
        assert (result["session_id"], result["title"], result["when"][:10]) == ("middle", "plan #2", "2026-01-06")
        assert result["parent_session_id"] == "root"

    def test_a_conversation_is_one_result(self, memory: Memory) -> None:
        talk(memory, "root", "docker docker", "docker again", ended="compression")
        talk(memory, "tip", "docker and a lot of other words", parent="root", kind="compression")
        talk(memory, "other", "something about docker in the middle of many words")
        assert found(memory, "docker") == ["root", "other"]

    @pytest.mark.parametrize(("sort", "expected"), [("newest", ["c", "b", "a"]), ("oldest", ["a", "b", "c"])])
    def test_results_can_be_ordered_by_time(self, memory: Memory, sort: str, expected: list[str]) -> None:
        talk(memory, "b", "docker", day=2)
        talk(memory, "c", "docker among several other words", day=3)
        talk(memory, "a", "docker docker", day=1)
        assert found(memory, "docker", sort=sort) == expected
        assert found(memory, "docker", sort="nonsense")[0] == "a"

    @pytest.mark.parametrize(
        ("limit", "expected"), [(1, 1), (0, 1), (-5, 1), (4, 4), (10, 10), (99, 10), (None, 3)]
    )
    def test_the_limit_is_held_between_one_and_ten(self, memory: Memory, limit: int | None, expected: int) -> None:
        for number in range(12):
            talk(memory, f"s{number}", "docker")
        assert len(found(memory, "docker", limit=limit)) == expected

    def test_filters_by_source_and_time_narrow_the_search(self, memory: Memory) -> None:
        for day, source in enumerate(("cli", "telegram", "cli")):
            talk(memory, f"s{day}", "docker", day=day, source=source)
        second = FIRST_DAY + DAY
        requests = {
            Request("docker", source="telegram"): ["s1"],
            Request("docker", since=second, sort="oldest"): ["s1", "s2"],
            Request("docker", until=second): ["s0"],
            Request("docker", since=second, until=second + DAY): ["s1"],
            Request("docker", source="email"): [],
        }
        for request, expected in requests.items():
            answer = memory.discover(request)
            assert [result.session.id for result in answer.results] == expected
            assert (answer.reason == "hidden") == (expected == [])

    # What the asker knows already.

    def test_the_current_conversation_is_left_out_and_said_so(self, memory: Memory) -> None:
        talk(memory, "now", "docker", "docker too")
        answer = search(memory, "now", query="docker")
        assert (answer["results"], answer["reason"]) == ([], "hidden")
        assert "2 in the current conversation" in answer["message"]
        talk(memory, "other", "docker")
        assert found(memory, "docker", "now") == ["other"]

    def test_hits_left_out_are_mentioned_beside_results(self, memory: Memory) -> None:
        talk(memory, "now", "docker")
        talk(memory, "other", "docker")
        answer = search(memory, "now", query="docker")
        assert [result["session_id"] for result in answer["results"]] == ["other"]
        assert answer["reason"] == "hidden"
        assert "1 in the current conversation" in answer["message"]

    def test_compacted_messages_of_the_current_conversation_are_found_and_live_ones_not(
        self, memory: Memory
    ) -> None:
        ids = talk(memory, "now", "docker long ago", "noted", "docker just now")
        put(memory, ids[:2], "compacted")
        (result,) = search(memory, "now", query="docker")["results"]
        assert result["match_message_id"] == ids[0]
        assert found(memory, '"just now"', "now") == []

    def test_a_parent_that_ended_by_compression_is_found_from_its_child(self, memory: Memory) -> None:
        talk(memory, "root", "docker", ended="compression")
        talk(memory, "now", "hello", parent="root", kind="compression")
        assert found(memory, "docker", "now") == ["root"]

    def test_a_parent_that_delegated_is_not_found_from_its_child(self, memory: Memory) -> None:
        talk(memory, "root", "docker")
        talk(memory, "now", "hello", source="subagent", parent="root", kind="delegation")
        assert found(memory, "docker", "now") == []
        assert search(memory, "now", query="docker")["reason"] == "hidden"

    def test_rewound_messages_are_not_found(self, memory: Memory) -> None:
        ids = talk(memory, "s", "docker getUserById ocean", "yes")
        put(memory, ids[:1], "rewound")
        for query in ("docker", "UserBy", "cea", "%"):
            assert found(memory, query) == []
        assert search(memory, query="docker")["reason"] == "no_match"

    def test_a_search_that_may_not_read_long_says_what_it_left(self, memory: Memory) -> None:
        talk(memory, "s", "the ocean is far", "yes")
        answer = memory.discover(Request("cea", scan_seconds=0))
        assert (list(answer.results), answer.reason) == ([], "unfinished")
        assert [one.session.id for one in memory.discover(Request("cea")).results] == ["s"]

    def test_a_long_current_conversation_does_not_crowd_out_the_others(self, memory: Memory) -> None:
        talk(memory, "other", "once we spoke of docker in a longer sentence")
        talk(memory, "now", *["docker"] * 400)
        assert found(memory, "docker", "now") == ["other"]

    def test_the_current_conversation_does_not_keep_a_search_from_widening(self, memory: Memory) -> None:
        talk(memory, "other", "the docker deployment went well")
        talk(memory, "now", "look for docker deployment rollback")
        assert found(memory, "docker deployment rollback", "now") == ["other"]

    # Which sessions.

    def test_scheduled_sessions_stand_below_those_of_people(self, memory: Memory) -> None:
        talk(memory, "job", "docker docker docker", source="cron", day=9)
        talk(memory, "person", "a longer sentence about docker and other things")
        assert found(memory, "docker") == ["person", "job"]
        assert found(memory, "docker", sort="newest") == ["person", "job"]
        assert found(memory, "docker", limit=1) == ["person"]

    def test_many_scheduled_sessions_do_not_crowd_out_those_of_people(self, memory: Memory) -> None:
        talk(memory, "person", "a longer sentence about docker and other things")
        for number in range(12):
            talk(memory, f"job{number}", *["docker"] * 15, source="cron")
        assert found(memory, "docker", limit=3)[0] == "person"

    def test_a_scheduled_session_is_found_when_it_is_alone(self, memory: Memory) -> None:
        talk(memory, "job", "docker", source="cron")
        assert found(memory, "docker") == ["job"]

    @pytest.mark.parametrize("source", ["kanban", "subagent", "tool"])
    def test_sessions_no_person_held_are_hidden_unless_asked_for(self, memory: Memory, source: str) -> None:
        talk(memory, "hidden", "docker", source=source, title="docker notes")
        answer = search(memory, query="docker")
        assert (answer["results"], answer["reason"]) == ([], "hidden")
        asked = memory.discover(Request("docker", source=source))
        assert [result.session.id for result in asked.results] == ["hidden"]

    def test_a_title_match_comes_first(self, memory: Memory) -> None:
        talk(memory, "said", "Atlas launch Atlas launch")
        talk(memory, "titled", "hello there", "hi", title="The Atlas launch")
        first, second = search(memory, query="atlas launch")["results"]
        assert (first["session_id"], first["matched_role"]) == ("titled", "session_title")
        assert contents(first["messages"]) == ["hello there", "hi"]
        assert (second["session_id"], second["matched_role"]) == ("said", "user")

    def test_a_title_alone_is_a_result_like_any_other(self, memory: Memory) -> None:
        talk(memory, "titled", "hello", title="The Atlas launch")
        talk(memory, "empty", title="Atlas again")
        answer = search(memory, query="Atlas")
        assert {result["session_id"] for result in answer["results"]} == {"titled", "empty"}
        assert answer.get("reason") != "no_match"

    def test_a_title_is_taken_literally(self, memory: Memory) -> None:
        talk(memory, "percent", "hello", title="100% done_now")
        talk(memory, "plain", "hello", title="100x donexnow")
        assert found(memory, "100%") == ["percent"]
        assert found(memory, "done_now") == ["percent"]

    def test_a_title_is_found_whatever_its_case(self, memory: Memory) -> None:
        talk(memory, "titled", "hello", title="ÜBERSICHT Ökonomie")
        assert found(memory, "übersicht") == ["titled"]

    def test_the_title_of_the_current_conversation_is_no_result(self, memory: Memory) -> None:
        talk(memory, "now", "hello", title="The Atlas launch")
        assert found(memory, "Atlas", "now") == []

    # Which messages.

    def test_the_output_of_tools_is_found_when_asked_for(self, memory: Memory) -> None:
        output = NewMessage("tool", "kubectl says CrashLoopBackOff", tool_name="shell", tool_call_id="c1")
        ids = talk(memory, "s", "look", "ok", output)
        assert found(memory, "kubectl") == []
        (result,) = search(memory, query="kubectl", role_filter="tool")["results"]
        assert (result["matched_role"], result["match_message_id"]) == ("tool", ids[2])
        anchor = next(message for message in result["messages"] if message.get("anchor"))
        assert (anchor["tool_name"], anchor["tool_call_id"]) == ("shell", "c1")
        assert found(memory, "kubectl", role_filter="user, tool") == ["s"]
        assert found(memory, "shell", role_filter="TOOL") == ["s"]
        assert found(memory, "ashLoop", role_filter="tool") == ["s"]

    def test_ordinary_words_in_the_output_of_tools_are_found_by_part_when_asked_for(self, memory: Memory) -> None:
        talk(memory, "s", "look", NewMessage("tool", "the kettle whistles"))
        assert found(memory, "histl", role_filter="tool") == ["s"]

    @pytest.mark.parametrize("query", ["web_fetch", "example", "fetch*", "make", "tabbed"])
    def test_tool_calls_are_found_by_name_and_arguments(self, memory: Memory, query: str) -> None:
        calls = [
            {"name": "web_fetch", "arguments": {"url": "https://example.com", "script": "cd x\nmake\n\ttabbed"}}
        ]
        talk(memory, "s", "please", NewMessage("assistant", None, tool_calls=calls))
        talk(memory, "other", "nothing of the kind")
        answer = search(memory, query=query)
        assert [result["session_id"] for result in answer["results"]] == ["s"]
        assert "reason" not in answer, "found as a word, not by reading everything"

    def test_one_role_can_be_asked_for(self, memory: Memory) -> None:
        talk(memory, "asked", "docker?", "no idea")
        talk(memory, "answered", "which one?", "docker")
        assert found(memory, "docker", role_filter="user") == ["asked"]
        assert found(memory, "docker", role_filter="assistant") == ["answered"]
        assert found(memory, "docker", role_filter="system") == []
        assert search(memory, query="docker", role_filter="system")["reason"] == "hidden"

    # What is shown of a session.

    def test_the_window_holds_five_messages_on_either_side(self, memory: Memory) -> None:
        talk(memory, "s", *NUMBERED[:12], "docker", *NUMBERED[12:])
        (result,) = search(memory, query="docker")["results"]
        assert contents(result["messages"]) == [*NUMBERED[7:12], "docker", *NUMBERED[12:17]]
        assert [place for place, message in enumerate(result["messages"]) if message.get("anchor")] == [5]
        assert (result["messages_before"], result["messages_after"]) == (7, 13)
        assert contents(result["bookend_start"]) == NUMBERED[:3]
        assert contents(result["bookend_end"]) == NUMBERED[-3:]

    @pytest.mark.parametrize(
        ("place", "start", "end"), [(0, 0, 3), (5, 0, 3), (6, 1, 3), (8, 3, 3), (24, 3, 0), (23, 3, 1)]
    )
    def test_bookends_lie_outside_the_window(self, memory: Memory, place: int, start: int, end: int) -> None:
        said = NUMBERED[:29]
        said.insert(place, "docker")
        talk(memory, "s", *said)
        (result,) = search(memory, query="docker")["results"]
        assert (len(result["bookend_start"]), len(result["bookend_end"])) == (start, end)
        ids = [m["id"] for key in ("bookend_start", "messages", "bookend_end") for m in result[key]]
        assert ids == sorted(set(ids))

    def test_the_window_counts_what_people_and_assistant_said(self, memory: Memory) -> None:
        tools = [NewMessage("tool", f"output {number}") for number in range(20)]
        talk(memory, "s", "first", *tools, "docker", *tools, "last")
        (result,) = search(memory, query="docker")["results"]
        assert contents(result["messages"]) == ["first", "docker", "last"]
        assert (result["messages_before"], result["messages_after"]) == (0, 0)

    def test_summaries_and_silence_are_no_bookends(self, memory: Memory) -> None:
        summary = NewMessage("user", "[summary of what was said]", is_summary=True)
        silent = [NewMessage("assistant", None, tool_calls=[{"name": "shell"}]), NewMessage("assistant", "  \n ")]
        talk(memory, "s", summary, *silent, *NUMBERED[:9], "docker", *NUMBERED[9:20], *silent, summary)
        (result,) = search(memory, query="docker")["results"]
        assert contents(result["bookend_start"]) == NUMBERED[:3]
        assert contents(result["bookend_end"]) == NUMBERED[17:20]

    def test_long_messages_are_cut_and_say_so(self, memory: Memory) -> None:
        long = "x" * 5_000
        talk(memory, "s", long, *NUMBERED[:10], f"docker {long}", "short")
        (result,) = search(memory, query="docker")["results"]
        *_, anchor, short = result["messages"]
        bookend = result["bookend_start"][0]
        assert (len(anchor["content"]), anchor["content_truncated"], anchor["original_content_chars"]) == (
            4_000,
            True,
            5_007,
        )
        assert (len(bookend["content"]), bookend["original_content_chars"]) == (1_200, 5_000)
        assert "content_truncated" not in short and "original_content_chars" not in short

    def test_terminal_colours_are_taken_out(self, memory: Memory) -> None:
        talk(memory, "s", "\x1b[1mbold\x1b[0m and docker \x1b[31mred\x1b[0m")
        (result,) = search(memory, query="docker")["results"]
        assert result["snippet"] == "bold and >>>docker<<< red"
        assert contents(result["messages"]) == ["bold and docker red"]

    def test_coloured_words_are_found(self, memory: Memory) -> None:
        talk(memory, "s", "\x1b[31mError\x1b[0m: \x1b[1;32mdocker\x1b[0m failed")
        (result,) = search(memory, query="docker error")["results"]
        assert result["snippet"] == ">>>Error<<<: >>>docker<<< failed"
        assert search(memory, query="docker error").get("reason") is None
