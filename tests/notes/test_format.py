"""Entries in a file's text, how full a note is, and how it stands in the prompt."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hermes_agent.notes import format

TEXT = st.text(st.sampled_from("ab §\n\r\t\ufeffé机"), max_size=60)
ENTRY = st.text(min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", []),
        ("  \n ", []),
        ("one", ["one"]),
        ("one\n§\ntwo", ["one", "two"]),
        ("one\n§\ntwo\n", ["one", "two"]),
        ("one\n§\n\n§\ntwo\n§\n", ["one", "two"]),
        ("\ufeffone\n§\ntwo", ["one", "two"]),
        ("see § 12 of the law\n§\n§§ both", ["see § 12 of the law", "§§ both"]),
        ("first line\nsecond line\n§\ntwo", ["first line\nsecond line", "two"]),
        ("windows\r\nline\r\n§\r\ntwo", ["windows\r\nline", "two"]),
        ("twice\n§\ntwice", ["twice", "twice"]),
    ],
)
def test_entries_stand_apart_by_a_line_with_the_sign(text: str, entries: list[str]) -> None:
    assert format.parse(text) == entries


def test_a_file_has_no_header_and_no_newline_at_its_end() -> None:
    assert format.render(["one", "two"]) == "one\n§\ntwo"
    assert format.render([]) == ""


@given(st.lists(ENTRY, max_size=6))
def test_entries_that_hold_no_boundary_are_read_back_as_they_were_written(raw: list[str]) -> None:
    entries = [entry.removeprefix(format.BOM).strip() for entry in raw]
    assume(all(entry and not format.holds_boundary(entry) for entry in entries))
    assume(not entries or not entries[0].startswith(format.BOM))
    assert format.reads_back(entries)
    assert format.is_tidy(format.render(entries))


@given(TEXT)
def test_writing_what_was_parsed_changes_nothing_in_an_entry(text: str) -> None:
    entries = format.parse(text)
    if format.reads_back(entries):
        assert format.parse(format.render(entries)) == entries
    assert all(entry == entry.strip() != "" for entry in entries)


@pytest.mark.parametrize("text", ["one\n§\ntwo  \n\n", "\ufeffone", "a\r\n§\r\nb", "a\n§\na", "", "a §\n§ b"])
def test_a_file_as_the_public_product_leaves_it_is_tidy(text: str) -> None:
    assert format.is_tidy(text)


@pytest.mark.parametrize("text", ["one\n\n§\ntwo", "one\n§\n\n§\ntwo", "one \n§\ntwo", "one\n§\n"])
def test_space_around_the_sign_is_not_tidy(text: str) -> None:
    assert not format.is_tidy(text)


@pytest.mark.parametrize("content", ["§", "a\n§\nb", "a\n§", "§\nb", "a\r\n§\r\nb", "a\n  §\t\nb"])
def test_a_line_with_nothing_but_the_sign_is_a_boundary(content: str) -> None:
    assert format.holds_boundary(content)


@pytest.mark.parametrize("content", ["§ 12", "a § b", "§§", "a\n§ 3\nb"])
def test_a_sign_beside_words_is_no_boundary(content: str) -> None:
    assert not format.holds_boundary(content)


def test_the_size_counts_characters_and_what_stands_between_entries() -> None:
    assert format.size(["ab", "机器"]) == 2 + 3 + 2


def test_usage_is_a_percentage_and_a_fraction_with_thousands_apart() -> None:
    assert format.usage(1_234, 2_200) == "56% — 1,234/2,200 chars"
    assert format.usage(0, 2_200) == "0% — 0/2,200 chars"
    assert format.usage(9_999, 2_200) == "100% — 9,999/2,200 chars"


def test_a_block_is_a_heading_between_two_rules_of_46_signs() -> None:
    rule, title, second, body = format.block("MEMORY (your personal notes)", "a\n§\nb").split("\n", 3)
    assert rule == second == "\u2550" * 46
    assert (title, body) == ("MEMORY (your personal notes)", "a\n§\nb")
