"""Transcripts: readable, in the reader's time, and not to be broken out of."""

import tempfile
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.ops.markdown import contained, fenced, write_transcript
from hermes_agent.records.archive import Message, NewMessage, NewSession, Session
from hermes_agent.store import messages, sessions
from tests.ops.stores import open_new


def kept(folder: Path, session: NewSession, *said: NewMessage) -> tuple[Session, list[Message]]:
    with open_new(folder / "store.db") as store:
        with store.write() as connection:
            session_id = sessions.create(connection, session)
            messages.append(connection, store.engine, session_id, said)
        with store.read() as connection:
            found = sessions.get(connection, session_id)
            assert found is not None
            return found, list(messages.of_session(connection, session_id))


def test_a_transcript_reads_like_a_page(tmp_path: Path) -> None:
    session, said = kept(
        tmp_path,
        NewSession(id="s1", started_at=1_775_038_500_000_000, title="Docker", model="big"),
        NewMessage("user", "How?\x1b[31m", said_at=1_775_038_501_000_000),
        NewMessage(
            "assistant",
            "Like so.",
            said_at=1_775_038_502_000_000,
            tool_calls=[{"function": {"name": "a<b"}}],
        ),
        NewMessage("tool", "```\nexit", tool_name="shell", said_at=1_775_038_503_000_000),
    )
    assert "".join(write_transcript(session, said, ZoneInfo("Europe/Berlin"))) == (
        "# Docker\n\n- Session: s1\n- Source: cli\n- Model: big\n- Started: 2026-04-01 12:15:00\n- Messages: 3\n"
        "\n## User · 2026-04-01 12:15:01\n\nHow?\n"
        "\n## Assistant · 2026-04-01 12:15:02\n\nLike so.\n"
        "\n<details><summary>Call of a&lt;b</summary>\n\n"
        '```json\n{\n  "function": {\n    "name": "a<b"\n  }\n}\n```\n\n</details>\n'
        "\n## Tool · 2026-04-01 12:15:03\n"
        "\n<details><summary>Result of shell</summary>\n\n````\n```\nexit\n````\n\n</details>\n\n"
    )


@given(st.text("`~ a\n", max_size=40))
def test_no_text_ends_the_fence_it_stands_in(text: str) -> None:
    first, *inside, last = fenced(text).split("\n")
    assert first == last
    assert not any(line.strip().startswith(first) for line in inside)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain", "plain"),
        ("```\nopen", "```\nopen\n```"),
        ("```py\nclosed\n```", "```py\nclosed\n```"),
        ("~~~~\n```\n~~~", "~~~~\n```\n~~~\n~~~~"),
        ("<!-- swallow", "\\<!-- swallow"),
        ("```\n<b>\n```\n<details>", "```\n<b>\n```\n\\<details>"),
        ("a < b", "a < b"),
    ],
)
def test_what_would_swallow_the_rest_is_mended(text: str, safe: str) -> None:
    assert contained(text) == safe


@given(text=st.text(st.characters(codec=None, exclude_categories=()), max_size=200))
def test_any_message_can_be_written(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        session, said = kept(
            Path(folder),
            NewSession(source=text, title=text[:20], model=text),
            NewMessage(text, text, tool_calls=[text, {"name": text}]),
            NewMessage("tool", text, tool_name=text),
        )
    page = "".join(write_transcript(session, said, None))
    assert page.encode("utf-8")
    assert "\x1b" not in page
