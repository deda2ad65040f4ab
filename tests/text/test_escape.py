"""Strings an engine refuses are written so that both keep them, and come back as they were."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hermes_agent.store.types import escape, unescape

ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
PIECES = ["\x00", "\ud800", "\udfff", "\ue0ff", "0000", "e0ff", "d800", "a", "\\"]
NASTY = st.lists(st.sampled_from(PIECES)).map("".join)


@given(st.one_of(ANY_STRING, NASTY))
@example("\ue0ff0000")
@example("\ue0ff" * 3 + "e0ff")
def test_any_string_comes_back_as_it_was(text: str) -> None:
    assert unescape(escape(text)) == text


@given(st.one_of(ANY_STRING, NASTY))
def test_an_escaped_string_is_one_every_engine_takes(text: str) -> None:
    written = escape(text)
    assert "\x00" not in written
    written.encode("utf-8")


@given(st.one_of(ANY_STRING, NASTY), st.one_of(ANY_STRING, NASTY))
def test_two_strings_are_never_written_alike(one: str, other: str) -> None:
    assert (escape(one) == escape(other)) == (one == other)


@pytest.mark.parametrize("text", ["", "plain", "über 机器 🎉", "\ue000", "line\nline"])
def test_ordinary_text_is_written_as_it_is(text: str) -> None:
    assert escape(text) == text
