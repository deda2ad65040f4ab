"""Session titles: one clean line, and the next name of a lineage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.errors import UsageError
from hermes_agent.text.titles import TITLE_CAP, base_title, clean_title, next_title

ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=TITLE_CAP)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Atlas launch", "Atlas launch"),
        ("  Atlas \n\t launch  ", "Atlas launch"),
        ("a\u00a0b\u3000c\u2028d", "a b c d"),
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("left\u202eright\u2066!\u2069", "leftright!"),
        ("lone\ud800surrogate", "lonesurrogate"),
        ("emoji 🎉 stays", "emoji 🎉 stays"),
        ("机器学习", "机器学习"),
        ("100% _literal_", "100% _literal_"),
        ("x" * TITLE_CAP, "x" * TITLE_CAP),
        (" " * 200 + "short", "short"),
        ("", None),
        (" \n\t ", None),
        ("\u200b\u202e\x00", None),
    ],
)
def test_a_title_becomes_one_clean_line(typed: str, expected: str | None) -> None:
    assert clean_title(typed) == expected


@pytest.mark.parametrize("typed", ["x" * (TITLE_CAP + 1), "机" * 500])
def test_a_longer_title_is_refused_with_its_length(typed: str) -> None:
    with pytest.raises(UsageError, match=str(len(typed))):
        clean_title(typed)


@given(ANY_STRING)
def test_a_clean_title_is_clean(typed: str) -> None:
    title = clean_title(typed)
    if title is not None:
        assert clean_title(title) == title
        assert title.isprintable() or not title.isascii()
        assert title == title.strip() and len(title.splitlines()) == 1
        title.encode()


@pytest.mark.parametrize(
    ("title", "base"),
    [
        ("plan", "plan"),
        ("plan #3", "plan"),
        ("plan #12", "plan"),
        ("plan #2 #3", "plan #2"),
        ("plan #", "plan #"),
        ("plan#3", "plan#3"),
        ("issue #3 fixed", "issue #3 fixed"),
        ("#3", "#3"),
    ],
)
def test_the_base_of_a_title_has_no_number(title: str, base: str) -> None:
    assert base_title(title) == base


@pytest.mark.parametrize(
    ("title", "taken", "expected"),
    [
        ("plan", ["plan"], "plan #2"),
        ("plan #2", ["plan", "plan #2"], "plan #3"),
        ("plan", ["plan", "plan #2", "plan #7"], "plan #8"),
        ("plan #7", ["plan", "plan #2", "plan #7"], "plan #8"),
        ("plan", ["plan", "plan b #9", "100% #4"], "plan #2"),
        ("100%", ["100%", "100% #2"], "100% #3"),
    ],
)
def test_a_lineage_counts_on(title: str, taken: list[str], expected: str) -> None:
    assert next_title(title, taken) == expected


def test_the_next_title_of_a_long_one_is_a_title_too() -> None:
    following = next_title("x" * TITLE_CAP, ["x" * TITLE_CAP])
    assert clean_title(following) == following
