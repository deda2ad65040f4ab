"""Long answers in parts: nothing is lost, every part fits, no code block is left open."""

from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.gateways.splitting import length, split

LINE = st.text(st.characters(codec="utf-8"), max_size=60)
MARKS = st.sampled_from(["```", "```python", "~~~", "    ", "- item", "", "word " * 12, "x" * 150, "🎉" * 70])
TEXT = st.lists(LINE | MARKS, max_size=40).map("\n".join)


@given(TEXT, st.integers(100, 400))
def test_the_parts_joined_are_the_text_and_each_fits(text: str, limit: int) -> None:
    parts = split(text, limit)
    assert "".join(part.body for part in parts) == text
    assert all(length(part.shown) <= limit for part in parts)
    assert all(part.body for part in parts)


def test_a_short_text_is_one_part() -> None:
    assert [part.shown for part in split("hello", 4096)] == ["hello"]
    assert split("", 4096) == []


def test_it_is_cut_between_paragraphs_then_lines_then_words() -> None:
    paragraphs = "\n\n".join(["word " * 10] * 4)
    assert all(part.body.endswith("\n\n") for part in split(paragraphs, 120)[:-1])
    lines = "\n".join(["word " * 10] * 4)
    assert all(part.body.endswith("\n") for part in split(lines, 120)[:-1])
    words = "word " * 100
    assert all(part.body.endswith(" ") for part in split(words, 120)[:-1])


def test_a_code_block_is_not_cut_when_there_is_room_before_it() -> None:
    text = "Intro line.\n\n" + "Some words. " * 5 + "\n\n```python\n" + "x = 1\n" * 10 + "```\n\nThe end."
    parts = split(text, 120)
    assert [part.shown.count("```") for part in parts] == [0, 2]


def test_a_long_code_block_is_closed_and_opened_again() -> None:
    text = "```python\n" + "\n".join(f"line_{number} = {number}" for number in range(60)) + "\n```\nDone."
    parts = split(text, 200)
    assert len(parts) > 3
    assert all(part.shown.count("```") == 2 for part in parts)
    assert all(part.shown.startswith("```python\n") for part in parts)
    assert "".join(part.body for part in parts) == text


def test_a_block_that_was_never_closed_is_closed() -> None:
    (part,) = split("```\ncode", 100)
    assert part.shown == "```\ncode\n```"


def test_characters_that_count_twice_are_counted_twice() -> None:
    assert [len(part.shown) for part in split("🎉" * 100, 100)] == [50, 50]
