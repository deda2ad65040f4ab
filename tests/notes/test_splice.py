"""Single entries change and every other byte stays."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hermes_agent.notes import format
from hermes_agent.notes.splice import splice

CASES = [
    ("", {}, ["a"], "a"),
    ("\n", {}, ["a", "b"], "a\n§\nb\n"),
    ("x", {}, ["a"], "x\n§\na"),
    ("x\n\n", {}, ["a"], "x\n§\na\n\n"),
    ("x\r\n§\r\ny\r\n", {}, ["a"], "x\r\n§\r\ny\r\n§\r\na\r\n"),
    ("x\r\nz", {}, ["a"], "x\r\nz\r\n§\r\na"),
    ("\ufeffx", {}, ["a"], "\ufeffx\n§\na"),
    ("a\n§\nx", {"a": None}, [], "x"),
    (" a \n§\n  x  \n§\nb", {"a": "c", "b": None}, [], " c \n§\n  x  "),
    ("a", {"a": None}, [], ""),
    ("a\n§\nx\n§\na\n", {"a": None}, ["b"], "x\n§\nb\n"),
    ("a § b", {"a": None}, [], "a § b"),
]


@pytest.mark.parametrize(("text", "changes", "added", "result"), CASES)
def test_entries_are_changed_where_they_stand(
    text: str, changes: dict[str, str | None], added: list[str], result: str
) -> None:
    assert splice(text, changes, added) == result


OWN = st.text(st.sampled_from("ab §\n\r\t東\ufeff"), max_size=30)


@given(OWN)
def test_what_was_added_can_be_taken_out_without_a_trace(own: str) -> None:
    assume(own.replace("\ufeff", "").split()[-1:] != ["§"])
    added = splice(own, {}, ["One line", "Another"])
    assert format.parse(added) == [*format.parse(own), "One line", "Another"]
    back = splice(added, {"One line": None, "Another": None}, [])
    assert format.parse(back) == format.parse(own)
    if own.strip() and not own.rstrip("\n\r\t ").endswith("§"):
        assert back == own


@pytest.mark.parametrize("own", ["a\n§", "a\n§\n", "a\r\n§ ", "§"])
def test_what_is_added_stands_behind_a_mark_at_the_end(own: str) -> None:
    added = splice(own, {}, ["One line"])
    assert [entry for entry in format.parse(added) if entry != "a"] == ["One line"]
