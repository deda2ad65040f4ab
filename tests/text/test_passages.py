"""Texts cut into passages: nothing is lost, short texts stay whole, long ones have an end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.passages import LONGEST_TEXT, passages

SENTENCE = "The kiln in the yard broke on a cold day, and nobody could mend it. "


@pytest.mark.parametrize("text", ["", "   \n\t ", "***", "\n\n\n"])
def test_a_text_without_words_has_no_passage(text: str) -> None:
    assert passages(text, "user") == []


def test_a_short_text_is_one_passage() -> None:
    assert passages("Yes. It is. I know.", "user") == ["Yes. It is. I know."]


def test_what_a_person_types_is_cut_finer_than_an_answer() -> None:
    text = SENTENCE * 12
    typed, answered = passages(text, "user"), passages(text, "assistant")
    assert len(typed) == 12
    assert 1 < len(answered) < len(typed)
    assert " ".join(typed) == " ".join(answered) == text.strip()


def test_a_short_rest_goes_with_the_passage_before_it() -> None:
    assert passages(f"{SENTENCE}Sad.", "user") == [f"{SENTENCE}Sad."]
    longer = "It stood there for all of the winter."
    assert passages(SENTENCE + longer, "user") == [SENTENCE.strip(), longer]


def test_sentences_of_scripts_without_spaces_are_cut() -> None:
    sentence = "昨日、京都の古い窯が壊れてしまいました。" * 2
    pieces = passages(sentence * 4, "user")
    assert len(pieces) > 1
    assert "".join(pieces).replace(" ", "") == sentence * 4


def test_lines_end_sentences_and_markup_is_taken_out() -> None:
    pieces = passages("# Kilns\n- **one** is in the yard\n- `two` are in the house of the potter\n" * 3, "user")
    assert len(pieces) > 1
    assert not any(sign in piece for piece in pieces for sign in "#*`")


def test_of_a_huge_text_only_the_beginning_is_cut() -> None:
    pieces = passages(SENTENCE * 20_000, "user")
    assert LONGEST_TEXT * 0.9 < sum(map(len, pieces)) <= LONGEST_TEXT
    assert len(passages("a" * 1_000_000, "user")) == 1


@given(
    st.text(st.characters(codec=None, exclude_categories=()), max_size=400), st.sampled_from(["user", "assistant"])
)
def test_no_letter_of_any_text_is_lost(text: str, role: str) -> None:
    def letters(said: str) -> str:
        return "".join(letter for letter in said if letter.isalnum())

    pieces = passages(text, role)
    assert letters("".join(pieces)) == letters(text)
    assert all(piece == piece.strip() and piece for piece in pieces)
