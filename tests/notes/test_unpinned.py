"""What our memory tool does beyond what the public product's tests pin."""

import json

import pytest

from hermes_agent.agent.tools.memory import MemoryTool
from hermes_agent.memory.notebook import Notebook
from tests.notes.memory_tool import call, file_of


@pytest.mark.parametrize("content", ["one\n§\ntwo", "one\n§", "§\ntwo", "one\r\n§\r\ntwo"])
def test_a_content_that_would_be_two_entries_is_refused(
    notebook: Notebook, tool: MemoryTool, content: str
) -> None:
    reply = call(tool, target="memory", action="add", content=content)
    assert "separates entries" in str(reply["error"])
    assert notebook.text("memory") == ""


@pytest.mark.parametrize("content", ["a\x00b", "a\ud800b", "\udfff", "a\x1b[31mb"])
def test_a_content_that_no_file_can_hold_is_refused(notebook: Notebook, tool: MemoryTool, content: str) -> None:
    reply = call(tool, target="memory", action="add", content=content)
    assert "cannot stand in a note (U+" in str(reply["error"])
    assert notebook.text("memory") == ""


def test_a_secret_is_refused_with_the_way_out(notebook: Notebook, tool: MemoryTool) -> None:
    reply = call(tool, target="memory", action="add", content="The key is sk-" + "a1B2" * 12)
    assert "hardcoded_secret" in str(reply["error"]) and "where the secret is kept" in str(reply["error"])
    assert notebook.text("memory") == ""


def test_a_huge_content_gets_a_small_answer(tool: MemoryTool) -> None:
    result = tool.run({"target": "memory", "action": "add", "content": "word " * 200_000})
    assert "exceed" in result.text and len(result.text) < 2_000


def test_an_entry_that_would_swallow_its_neighbour_is_not_written(notebook: Notebook, tool: MemoryTool) -> None:
    """A file that ends with a lone sign: whatever came behind it would be read as another entry."""
    path = file_of(notebook, "memory")
    path.write_text("one\n§")
    reply = call(tool, target="memory", action="add", content="two")
    assert reply["success"] is False and reply["drift_backup"]
    assert path.read_text() == "one\n§"


def test_the_schema_is_plain_json_without_combinators(tool: MemoryTool) -> None:
    parameters = json.loads(json.dumps(tool.spec.parameters))
    assert tool.spec.name == "memory"
    assert not {"anyOf", "oneOf", "allOf", "not", "$defs"} & set(parameters)
    assert list(parameters["properties"]) == ["target", "action", "content", "old_text", "operations"]
    assert parameters["required"] == ["target"]
