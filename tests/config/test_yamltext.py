"""YAML: edited one value at a time, in its own text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.config import yamltext
from hermes_agent.config.broken import BrokenText

FILE = """\
# top
memory:   # mine
  backend: sqlite   # small
  # about the path
  path: "~/x.db"

  # about the pool
  poolSize: 5
# about sessions
sessions:
  autoPrune: yes
"""


def test_a_changed_value_leaves_every_other_character() -> None:
    assert yamltext.put(FILE, ("memory", "poolSize"), 9) == FILE.replace("poolSize: 5", "poolSize: 9")


def test_a_new_value_stands_in_its_section_above_the_next_heading() -> None:
    edited = yamltext.put(FILE, ("memory", "retrieval", "semanticTopK"), 7)
    assert edited == FILE.replace("poolSize: 5\n", "poolSize: 5\n  retrieval:\n    semanticTopK: 7\n")


def test_a_removed_value_takes_its_line_and_no_comment_above_it() -> None:
    assert yamltext.remove(FILE, ("memory", "poolSize")) == FILE.replace("  poolSize: 5\n", "")


@pytest.mark.parametrize(
    ("text", "edited"),
    [
        ("", "m:\n  x: 1\n"),
        ("# only a comment", "# only a comment\nm:\n  x: 1\n"),
        ("m:\n", "m:\n  x: 1\n"),
        ("m:  # nothing yet\nn: 2\n", "m:  # nothing yet\n  x: 1\nn: 2\n"),
        ("m: null\n", "m: {x: 1}\n"),
        ("m: {a: 1}\n", "m: {a: 1, x: 1}\n"),
        ("m:\n  x:\n", "m:\n  x: 1\n"),
        ("m:\n  a:\n# n\nn: 2\n", "m:\n  a:\n  x: 1\n# n\nn: 2\n"),
        ("m:\n    a: 1", "m:\n    a: 1\n    x: 1\n"),
        ("m:\n  x: |\n    old\n    text\nn: 2\n", "m:\n  x: 1\nn: 2\n"),
    ],
)
def test_every_usual_layout_takes_a_value(text: str, edited: str) -> None:
    assert yamltext.put(text, ("m", "x"), 1) == edited


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: c: d", 2),
        ("a: 1\na: 2", 2),
        ("a: \x01", None),
        ("a: 2024-99-99", None),
        ("a: !!python/object:os.system x", 1),
        ("a: 1\n---\nb: 2", 2),
    ],
)
def test_broken_text_is_refused_with_its_line(text: str, line: int | None) -> None:
    with pytest.raises(BrokenText) as caught:
        yamltext.parse(text)
    assert caught.value.line == line


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(BrokenText):
        yamltext.parse("[" * 2_000)


values = st.text(st.characters(min_codepoint=32, max_codepoint=126)) | st.integers() | st.booleans()


def block(data: dict[str, object], indent: str = "") -> str:
    """Write nested mappings as people do; ruamel's own dump is wrong for some texts."""
    lines = ""
    for key, value in data.items():
        inner = block(value, indent + "    ") if isinstance(value, dict) else ""
        lines += f"{indent}{key}:\n{inner}" if inner else f"{indent}{key}: {json.dumps(value)}  # {key}\n"
    return lines


@given(
    st.dictionaries(
        st.text("abc", min_size=1, max_size=3),
        st.dictionaries(st.text("xyz", min_size=1, max_size=3), values, max_size=3) | values,
        max_size=4,
    ),
    st.booleans(),
    values,
)
def test_an_edit_changes_what_was_asked_and_nothing_else(
    data: dict[str, object], is_flow: bool, value: object
) -> None:
    text = json.dumps(data) if is_flow else block(data)
    inner = data.get("a") if isinstance(data.get("a"), dict) else {}
    assert isinstance(inner, dict)
    put = yamltext.put(text, ("a", "x"), value)
    assert yamltext.parse(put) == {**data, "a": {**inner, "x": value}}
    removed = yamltext.parse(yamltext.remove(put, ("a", "x")))
    assert isinstance(removed, dict)
    without = {name: kept for name, kept in inner.items() if name != "x"}
    assert {**removed, "a": removed["a"] or {}} == {**data, "a": without}


@given(st.text(alphabet="{}[]\"'&*!|>:-?# \n\tab1"))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        yamltext.parse(text)
    except BrokenText as error:
        assert error.message


def test_an_anchor_that_is_used_twice_is_legal() -> None:
    assert yamltext.parse("a: &x 1\nb: &x 2\nc: *x") == {"a": 1, "b": 2, "c": 2}
