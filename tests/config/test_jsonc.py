"""JSON with comments: read as guides print it, edited one value at a time."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.config import jsonc
from hermes_agent.config.broken import BrokenText

GUIDE = """{
  "memory": {
    "backend": "sqlite",
    "path": "~/.hermes/memory.db",
    "vacuumSchedule": "weekly",   // auto-vacuum to reclaim space
    "walMode": true               // write-ahead logging for better concurrency
  }
}
"""

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_the_block_of_the_guide_reads_as_printed() -> None:
    assert jsonc.parse(GUIDE) == {
        "memory": {
            "backend": "sqlite",
            "path": "~/.hermes/memory.db",
            "vacuumSchedule": "weekly",
            "walMode": True,
        }
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "// no comment", }', {"a": "// no comment"}),
        ('{"a": "/* none */ \\" // x"}', {"a": '/* none */ " // x'}),
        ('{"a": [1, 2, /* two */ ], // end\n}', {"a": [1, 2]}),
        ("// only a comment\n", None),
        ("", None),
    ],
)
def test_comments_and_trailing_commas_are_left_out_but_strings_stay(text: str, value: object) -> None:
    assert jsonc.parse(text) == value


@pytest.mark.parametrize(
    ("text", "line"),
    [("{\n// x\n  a: 1}", 3), ("{}\n/* open", 2), ('{"a": 1, "a": 2}', None), ("[" * 100_000, None)],
)
def test_broken_text_is_refused_with_its_line(text: str, line: int | None) -> None:
    with pytest.raises(BrokenText) as caught:
        jsonc.parse(text)
    assert caught.value.line == line


def test_a_changed_value_leaves_every_other_character() -> None:
    edited = jsonc.put(GUIDE, ("memory", "walMode"), False)
    assert edited == GUIDE.replace("true ", "false ")


def test_a_new_value_comes_last_and_the_comment_above_keeps_its_line() -> None:
    edited = jsonc.put(GUIDE, ("memory", "poolSize"), 7)
    assert '"walMode": true,               // write-ahead' in edited
    assert edited.splitlines()[6] == '    "poolSize": 7'


def test_a_removed_last_value_takes_the_comma_before_it() -> None:
    added = jsonc.put(GUIDE, ("memory", "poolSize"), 7)
    assert jsonc.remove(added, ("memory", "poolSize")) == GUIDE


@given(json_values.filter(lambda value: isinstance(value, dict)), st.text(), st.text(), json_values)
def test_an_edit_changes_what_was_asked_and_nothing_else(
    data: dict[str, object], section: str, key: str, value: object
) -> None:
    data = {**data, section: {}} if not isinstance(data.get(section), dict) else data
    text = json.dumps(data, indent=2) if len(section) % 2 else json.dumps(data, ensure_ascii=False)
    put = jsonc.put(text, (section, key), value)
    inner = data[section]
    assert isinstance(inner, dict)
    assert jsonc.parse(put) == {**data, section: {**inner, key: value}}
    without = {name: kept for name, kept in inner.items() if name != key}
    assert jsonc.parse(jsonc.remove(put, (section, key))) == {**data, section: without}


@given(st.text(alphabet='{}[]",:/* \n\\ab1'))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        jsonc.parse(text)
    except BrokenText as error:
        assert error.message
