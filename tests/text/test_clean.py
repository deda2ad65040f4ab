"""Text that is safe to show: no colours, no control characters, no broken encoding."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.clean import preview, printable, strip_ansi

ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=300)
TERMINAL = st.lists(
    st.sampled_from(["\x1b", "[", "]", "0", ";", "m", "\x07", "\\", "P", "(", "B", "7", "\x9b", "\r", "\n", "a"])
).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain [31m text", "plain [31m text"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[1;38;5;196mbold\x1b[m", "bold"),
        ("\x1b[38:2::255:0:0mtrue colour\x1b[0m", "true colour"),
        ("\x1b[?25lhidden cursor\x1b[?25h", "hidden cursor"),
        ("\x1b[2J\x1b[H\x1b[10;20Htop", "top"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP1$r0m\x1b\\text", "text"),
        ("\x1b(Bcharset", "charset"),
        ("\x1b7save\x1b8", "save"),
        ("\x1bcreset", "reset"),
        ("\x1bMup", "up"),
        ("\x1b\x1b[0m[31mnested", "nested"),
    ],
)
def test_escape_sequences_are_taken_out(text: str, expected: str) -> None:
    assert strip_ansi(text) == expected


def is_control(character: str) -> bool:
    return unicodedata.category(character) == "Cc" and character not in "\n\t"


@given(st.one_of(ANY_STRING, TERMINAL))
def test_printable_text_holds_no_control_characters(text: str) -> None:
    shown = printable(text)
    assert [c for c in shown if is_control(c)] == []
    shown.encode()


def test_a_carriage_return_cannot_write_over_a_line() -> None:
    assert "\r" not in printable("rm -rf /\rls")


@given(TERMINAL)
def test_stripping_twice_changes_nothing(text: str) -> None:
    assert strip_ansi(strip_ansi(text)) == strip_ansi(text)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=200))
def test_text_without_control_characters_stays_as_it_is(text: str) -> None:
    assert printable(text) == strip_ansi(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("one\ntwo\r\n\tthree", "one two three"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 57 + "..."),
        ("\x1b[31mred\x1b[0m alert", "red alert"),
        ("机" * 100, "机" * 57 + "..."),
    ],
)
def test_a_preview_is_the_start_on_one_line(text: str, expected: str) -> None:
    assert preview(text) == expected


@given(ANY_STRING, st.integers(10, 80))
def test_a_preview_is_never_longer_than_asked(text: str, characters: int) -> None:
    shown = preview(text, characters)
    assert len(shown) <= characters
    assert len(shown.splitlines()) <= 1
