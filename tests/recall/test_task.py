"""What memory puts in front of a task."""

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from hermes_agent.memory.memory import Memory
from hermes_agent.recall.asking import Retrieval
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.learning import learn
from tests.recall.conversations import talk


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    store = Store(Sqlite(tmp_path / "state.db"), owner="default")
    yield Memory(store, "default", retrieval=Retrieval(recency_episodes=0))
    store.close()


def tell(memory: Memory, *said: str) -> str:
    session_id = memory.begin(NewSession(source="cli"))
    memory.append(session_id, *(NewMessage("user", text) for text in said))
    memory.end(session_id, "cli_close")
    return session_id


def recalled(memory: Memory, task: str, session_id: str = "now", budget: int = 2_000) -> list[str]:
    return [item.text for item in memory.recall(task, session_id, budget_tokens=budget).items]


def test_a_statement_that_shares_words_is_recalled_and_a_question_is_not(memory: Memory) -> None:
    tell(memory, "My bicycle is red.", "Which colour is my bicycle?")
    tell(memory, "The weather is fine.")
    context = memory.recall("What colour has my bicycle?", "now")
    assert [item.text for item in context.items] == ["My bicycle is red."]
    reasons = {left.hit.text: left.reason for left in context.left_out}
    assert reasons["Which colour is my bicycle?"] == "a question"
    assert "is below" in reasons["The weather is fine."]


def test_what_the_conversation_itself_holds_is_not_recalled(memory: Memory) -> None:
    session_id = tell(memory, "My bicycle is red.")
    assert recalled(memory, "my bicycle", session_id) == []


def test_the_same_words_are_recalled_once(memory: Memory) -> None:
    tell(memory, "My bicycle is red.")
    tell(memory, "My bicycle is red.")
    assert recalled(memory, "my bicycle") == ["My bicycle is red."]


def test_the_budget_is_kept(memory: Memory) -> None:
    tell(memory, *(f"bicycle number {number} " + "word " * 50 for number in range(8)))
    assert len(recalled(memory, "bicycle", budget=200)) < 4
    assert recalled(memory, "bicycle", budget=0) == []


def test_a_place_that_was_sent_before_is_left_out(memory: Memory) -> None:
    session_id = tell(memory, "My bicycle is red.")
    (item,) = memory.recall("bicycle", "now", budget_tokens=100).items
    assert item.where.startswith(f"session {session_id}, message ")
    again = memory.recall("bicycle", "now", budget_tokens=100, without=[item.where])
    assert again.items == []
    assert [left.reason for left in again.left_out] == ["sent in this conversation before"]


@pytest.mark.parametrize("task", ["", " ", "?!", "the and of", "\x00", "«»", "a" * 100_000])
def test_whatever_the_task_is_nothing_breaks(memory: Memory, task: str) -> None:
    tell(memory, "My bicycle is red.")
    assert recalled(memory, task) == []


def test_the_latest_episodes_are_in_whatever_the_task_is(memory: Memory) -> None:
    tell(memory, "My bicycle is red.")
    recent = Memory(memory.store, "default", retrieval=Retrieval(recency_episodes=1, min_relevance=1.0))
    assert [item.text for item in recent.recall("Bake some bread", "now").items] == ["My bicycle is red."]


def test_a_long_message_is_cut_to_what_fits(memory: Memory) -> None:
    tell(memory, "One thing about the garden. " * 60 + "My bicycle is red. " + "Another thing. " * 60)
    (text,) = recalled(memory, "bicycle")
    assert "My bicycle is red." in text
    assert len(text) <= 600
    assert text.startswith("…")
    assert text.endswith("…")


def test_the_same_input_gives_the_same_bytes(memory: Memory) -> None:
    for number in range(6):
        tell(memory, f"My bicycle number {number} is red.", f"Bicycle {number} was cheap.")
    first = memory.recall("bicycle", "now")
    assert first.text == memory.recall("bicycle", "now").text
    assert [item.when for item in first.items] == sorted(item.when for item in first.items)


def test_a_fact_in_the_block_says_since_and_until_when_it_was_true(tmp_path: Path) -> None:
    store = Store(Sqlite(tmp_path / "dated.db"), owner="default")
    memory = Memory(store, "default", UTC, retrieval=Retrieval(recency_episodes=0))
    talk(memory, "first", "I live in Lyon.", day=1, ended="cli_close")
    talk(memory, "second", "I moved to Leeds on 5 January 2026.", day=9, ended="cli_close")
    for session in ("first", "second"):
        learn(store, session, zone=UTC)
    before = [(item.where, item.text) for item in memory.recall("Where did I live before?", "now").items]
    now = [(item.where, item.text) for item in memory.recall("Where do I live?", "now").items]
    store.close()
    lyon = ("fact:001, until 2026-01-04", "User lives in Lyon")
    leeds = ("fact:002, since 2026-01-05", "User lives in Leeds")
    assert lyon in before and leeds in before
    assert leeds in now and "fact:001" not in str(now)
