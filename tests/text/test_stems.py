"""Words by their stem: inflections are one number, stop words none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.stems import content_words, stem, stem_numbers


@pytest.mark.parametrize(
    "forms",
    [
        ("paint", "paints", "painted", "painting"),
        ("museum", "museums"),
        ("recommend", "recommended", "recommending", "recommends"),
        ("happy", "happiness"),
    ],
)
def test_inflections_are_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1
    assert len(set(stem_numbers(forms))) == 1


def test_different_words_are_different_numbers() -> None:
    found = stem_numbers(["kiln", "bowl", "train", "vienna", "wien"])
    assert len(set(found)) == 5
    assert all(0 <= number < 2**32 for number in found)


def test_stop_words_are_left_out_and_the_order_stays() -> None:
    assert content_words("The kiln of the potter is in the yard") == ["kiln", "potter", "yard"]
    assert content_words("What is it that you are?") == []
    assert content_words("") == []


def test_case_and_accents_make_no_difference() -> None:
    assert stem_numbers(content_words("CAFÉ")) == stem_numbers(content_words("cafe"))


@given(st.lists(st.text(st.characters(codec=None, exclude_categories=()), max_size=40), max_size=20))
def test_any_word_has_one_number_always_the_same(found: list[str]) -> None:
    assert stem_numbers(found) == stem_numbers(found)
    assert len(stem_numbers(found)) == len(found)
