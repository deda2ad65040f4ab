"""Pieces of identifiers: which runs are cut into trigrams, and that any piece is found."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.identifiers import TRIGRAM_CAP, identifiers, text_trigrams, trigrams

IDENTIFIERS = ["getUserById", "simulate.p2.test.ts", "snake_case_name", "a1b2c3", "src/app/main.py", "v1.2.3"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ordinary words only", []),
        ("call getUserById(42)", ["getuserbyid"]),
        ("see simulate.p2.test.ts.", ["simulate.p2.test.ts"]),
        ("snake_case _private", ["snake_case", "_private"]),
        ("run chat-send", ["chat-send"]),
        ("error E1234", ["e1234"]),
        ("C:\\temp\\x", ["c:\\temp\\x"]),
        ("user@example.com", ["user@example.com"]),
        ("getUserById and getUserById", ["getuserbyid"]),
        ("Hello World. Next", []),
        ("机器学习 wordОдин", []),
        ("", []),
    ],
)
def test_runs_that_look_like_identifiers_are_taken(text: str, expected: list[str]) -> None:
    assert identifiers(text) == expected


@pytest.mark.parametrize("before", ["机" * 300, '{"key":"value",' * 30, "-" * 300])
def test_an_identifier_is_taken_however_far_into_a_run_without_spaces(before: str) -> None:
    assert "getuserbyid" in identifiers(before + "，getUserById，")


def test_trigrams_are_words_an_index_can_hold() -> None:
    assert trigrams("getUser") == ["get", "etu", "tus", "use", "ser"]
    assert trigrams("aaaa") == ["aaa"]
    assert trigrams("ab") == []
    for gram in trigrams("a.b/c_d-é"):
        assert re.fullmatch("[a-z0-9]+", gram)


def test_different_trigrams_have_different_names() -> None:
    names = [trigrams(gram) for gram in ("a.b", "a-b", "a_b", "a/b", "612", "ab.", ".ab")]
    assert len({name for (name,) in names}) == len(names)


@given(st.sampled_from(IDENTIFIERS), st.integers(0, 20), st.integers(3, 20))
def test_any_piece_of_an_identifier_has_its_trigrams_in_the_text(run: str, start: int, length: int) -> None:
    piece = run[start : start + length]
    assert set(trigrams(piece.upper())) <= set(text_trigrams(f"in the middle, {run}, of a text"))


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=300))
def test_any_text_has_trigrams_each_once(text: str) -> None:
    found = text_trigrams(text)
    assert len(found) == len(set(found)) <= TRIGRAM_CAP


def test_a_huge_text_is_cut_at_the_cap() -> None:
    assert len(text_trigrams(" ".join(f"id{i:x}_{i * 7919:x}" for i in range(20_000)))) == TRIGRAM_CAP
    assert len(text_trigrams("a1" * 1_000_000)) <= TRIGRAM_CAP


def test_half_characters_have_trigrams_too() -> None:
    assert len(trigrams("\ud800\ud801\ud802")) == 1
