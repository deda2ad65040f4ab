"""A message is cut into pieces of whole sentences, and no word is lost or moved."""

from hypothesis import given
from hypothesis import strategies as some

from hermes_agent.learn.trained.words import SHAPES, pieces


@given(some.text(max_size=400))
def test_every_word_stands_where_it_is_said_to(text: str) -> None:
    words = [word for piece in pieces(text) for word in piece.words]
    assert all(text[word.start : word.end] == word.text for word in words)
    assert all(one.end <= two.start for one, two in zip(words, words[1:], strict=False))
    left = "".join(letter for letter in text if not letter.isspace())
    assert "".join(word.text for word in words) == left


def test_a_long_message_is_cut_at_the_ends_of_sentences() -> None:
    text = " ".join(["I live in Oslo and work as a nurse on nights."] * 40)
    found = list(pieces(text))
    assert len(found) > 1
    assert all(piece.words[-1].text == "." for piece in found)
    assert all(len(piece.words) <= 120 for piece in found)


def test_words_without_an_end_are_cut_all_the_same() -> None:
    found = list(pieces("word " * 1_000))
    assert sum(len(piece.words) for piece in found) == 1_000
    assert all(len(piece.words) <= 120 for piece in found)


def test_what_has_no_word_has_no_piece() -> None:
    assert list(pieces("")) == []
    assert list(pieces(" \n\t ")) == []


def test_a_shape_tells_what_lower_case_hides() -> None:
    (piece,) = pieces("ok. Ana has 2 cats in NYC")
    shapes = {word.text: shape for word, shape in zip(piece.words, piece.shapes(), strict=True)}
    assert all(len(shape) == SHAPES for shape in shapes.values())
    assert shapes["Ana"][0] == 1 and shapes["cats"][0] == 0
    assert shapes["NYC"][1] == 1 and shapes["2"][3] == 1
