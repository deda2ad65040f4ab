"""`hermes memory import` of what other programs export: conversations and memories come, twice as well as once."""

import json
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes

CHATGPT = [
    {
        "title": "Trip to Porto",
        "create_time": 1700000000.5,
        "update_time": 1700000100.0,
        "conversation_id": "c-1",
        "current_node": "d",
        "mapping": {
            "root": {"id": "root", "message": None, "parent": None, "children": ["a"]},
            "a": {
                "message": {
                    "author": {"role": "user"},
                    "create_time": 1700000001.0,
                    "content": {
                        "content_type": "text",
                        "parts": ["I live in Porto now.", {"content_type": "image"}],
                    },
                },
                "parent": "root",
            },
            "b": {
                "message": {
                    "author": {"role": "assistant"},
                    "create_time": 1700000002.0,
                    "content": {"content_type": "text", "parts": ["The first answer."]},
                },
                "parent": "a",
            },
            "c": {
                "message": {
                    "author": {"role": "system"},
                    "create_time": None,
                    "content": {"content_type": "text", "parts": [""]},
                },
                "parent": "a",
            },
            "d": {
                "message": {
                    "author": {"role": "assistant"},
                    "create_time": 1700000003.0,
                    "content": {"content_type": "text", "parts": ["The second answer."]},
                },
                "parent": "c",
            },
        },
    }
]
CLAUDE = [
    {
        "uuid": "u-1",
        "name": "Cello lessons",
        "created_at": "2024-03-01T10:00:00.000000Z",
        "updated_at": "2024-03-01T10:05:00.000000Z",
        "chat_messages": [
            {
                "sender": "human",
                "text": "I play the cello.",
                "created_at": "2024-03-01T10:00:01Z",
                "content": [{"type": "text", "text": "I play the cello."}],
            },
            {"sender": "assistant", "text": "Lovely.", "created_at": "2024-03-01T10:00:02Z", "content": []},
        ],
    }
]
MEM0 = {
    "results": [
        {"id": "1", "memory": "Likes hiking in the Alps", "created_at": "2024-03-01T10:00:00-07:00"},
        {"id": "2", "memory": "Works at Nordwind", "created_at": None},
    ]
}
LETTA = {
    "agents": [
        {
            "id": "agent-1",
            "name": "Sam",
            "messages": [
                {
                    "role": "system",
                    "content": [{"type": "text", "text": "You are…"}],
                    "created_at": "2024-03-01T10:00:00Z",
                },
                {
                    "role": "user",
                    "content": [{"type": "text", "text": "My dog is called Rex."}],
                    "created_at": "2024-03-01T10:00:01Z",
                },
            ],
        }
    ],
    "blocks": [{"label": "human", "value": "# Human\n- Name: Ada\n- Prefers tea"}],
}


def put(tmp_path: Path, value: object) -> str:
    file = tmp_path / "export.json"
    file.write_text(json.dumps(value))
    return str(file)


@pytest.mark.parametrize(
    ("value", "session", "words"),
    [(CHATGPT, "chatgpt-c-1", "The second answer."), (CLAUDE, "claude-u-1", "I play the cello.")],
    ids=["chatgpt", "claude"],
)
def test_conversations_come_with_their_titles_and_times(
    hermes: Hermes, tmp_path: Path, value: object, session: str, words: str
) -> None:
    file = put(tmp_path, value)
    done = hermes("memory", "import", file)
    assert done.exit_code == 0 and "Imported 1 session; 2 new messages." in done.stdout, done
    shown = json.loads(hermes("sessions", "show", session, "--json").stdout)
    assert len(shown["messages"]) == 2 and words in json.dumps(shown["messages"])
    assert "The first answer." not in json.dumps(shown["messages"]), "an answer that was made anew"
    assert {one["source_class"] for one in shown["messages"]} == {"import"}
    assert "Here already: 1 session." in hermes("memory", "import", file).stdout


def test_the_owners_own_conversations_are_learned_from(hermes: Hermes, tmp_path: Path) -> None:
    assert hermes("memory", "import", "--own", put(tmp_path, CLAUDE)).exit_code == 0
    hermes("jobs", "run")
    assert "cello" in hermes("memory", "facts", "list").stdout


@pytest.mark.parametrize(
    ("value", "texts"),
    [(MEM0, ("Likes hiking in the Alps", "Works at Nordwind")), (LETTA, ("Name: Ada", "Prefers tea"))],
    ids=["mem0", "letta"],
)
def test_memories_come_as_facts_once(
    hermes: Hermes, tmp_path: Path, value: object, texts: tuple[str, ...]
) -> None:
    file = put(tmp_path, value)
    done = hermes("memory", "import", file)
    assert done.exit_code == 0 and "2 facts; 0 were here already." in done.stdout, done
    found = json.loads(hermes("memory", "facts", "list", "--json").stdout)
    assert [one["text"] for one in found][:2] == list(texts) and {one["trust"] for one in found} == {"untrusted"}
    assert "0 facts; 2 were here already." in hermes("memory", "import", file).stdout
    assert len(json.loads(hermes("memory", "facts", "list", "--json").stdout)) == len(found)


def test_what_is_nothing_of_the_kind_is_refused(hermes: Hermes, tmp_path: Path) -> None:
    circle = json.loads(json.dumps(CHATGPT))
    circle[0]["mapping"]["root"]["parent"] = "d"
    wrong: list[object] = [
        [],
        {"a": 1},
        [1],
        "text",
        {"results": [1]},
        circle,
        [{"mapping": {}}],
        [{"chat_messages": []}],
    ]
    for value in wrong:
        done = hermes("memory", "import", put(tmp_path, value))
        assert "Traceback" not in done.stderr and (done.exit_code == 2 or "Imported 0" in done.stdout), (
            value,
            done,
        )


def test_own_raises_conversations_that_came_before_without_it(hermes: Hermes, tmp_path: Path) -> None:
    file = put(tmp_path, CLAUDE)
    hermes("memory", "import", file)
    hermes("jobs", "run")
    raised = hermes("memory", "import", "--own", file)
    assert "Your own now: 1 session: claude-u-1." in raised.stdout, raised
    shown = json.loads(hermes("sessions", "show", "claude-u-1", "--json").stdout)
    assert [one["source_class"] for one in shown["messages"]] == ["user", "assistant"]
    hermes("jobs", "run")
    facts = json.loads(hermes("memory", "facts", "list", "--json").stdout)
    assert [one["source_class"] for one in facts] == ["user"], facts
    again = hermes("memory", "import", "--own", file)
    assert "Your own now" not in again.stdout and "Here already: 1 session." in again.stdout


@pytest.mark.parametrize("text", ["{}", "root:x:0:0:root:/root:/bin/bash\n"])
def test_a_hint_names_no_option_that_the_command_lacks(hermes: Hermes, tmp_path: Path, text: str) -> None:
    file = tmp_path / "passwd"
    file.write_text(text)
    done = hermes("memory", "import", str(file))
    assert done.exit_code == 2 and "add --skip-broken" not in done.stderr, done
    assert "conversations.json of ChatGPT or Claude" in done.stderr


def test_own_raises_facts_that_came_before_without_it_and_can_be_undone(hermes: Hermes, tmp_path: Path) -> None:
    file = put(tmp_path, MEM0)
    hermes("memory", "import", file)
    raised = hermes("memory", "import", "--own", file)
    assert "Your own now: 2 facts." in raised.stdout, raised
    found = json.loads(hermes("memory", "facts", "list", "--json").stdout)
    assert [one["source_class"] for one in found] == ["user", "user"]
    assert "Your own now" not in hermes("memory", "import", "--own", file).stdout
    undone = hermes("memory", "undo")
    assert undone.exit_code == 0, undone
    found = json.loads(hermes("memory", "facts", "list", "--json").stdout)
    assert sorted(one["source_class"] for one in found) == ["import", "user"]


def test_what_another_program_remembered_replaces_nothing_of_the_owners(
    hermes: Hermes, own_home: Home, tmp_path: Path
) -> None:
    hermes("-q", "I live in Graz.")
    hermes("jobs", "run")
    memory = {"id": "1", "memory": "User lives in Vienna", "created_at": "2024-03-01T10:00:00Z"}
    hermes("memory", "import", "--own", put(tmp_path, {"results": [memory]}))
    hermes("jobs", "run")
    assert own_home.user_note.read_text() == "Lives in Graz"
    told = hermes("memory", "conflicts").stdout
    assert "Graz" in told and "Vienna" in told
