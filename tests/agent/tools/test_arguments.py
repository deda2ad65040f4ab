"""Arguments of tools: what models send is read, and what cannot be read is explained."""

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Annotated, Literal

import pytest

from hermes_agent.agent.arguments import read_arguments, schema_of
from hermes_agent.errors import ToolError


@dataclass(frozen=True, slots=True)
class Part:
    name: Annotated[str, "What it is called."]
    state: Annotated[Literal["new", "used"], "How it is."] = "new"


@dataclass(frozen=True, slots=True)
class Order:
    path: Annotated[str, "Where it goes."]
    count: Annotated[int, "How many."] = 1
    weight: Annotated[float | None, "In kilograms."] = None
    is_gift: Annotated[bool, "Whether it is wrapped."] = False
    parts: Annotated[list[Part] | None, "What it holds."] = None


def test_the_schema_has_every_field_in_order_with_its_description() -> None:
    assert json.dumps(schema_of(Order)) == json.dumps(
        {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Where it goes."},
                "count": {"type": "integer", "description": "How many.", "default": 1},
                "weight": {"type": "number", "description": "In kilograms."},
                "is_gift": {"type": "boolean", "description": "Whether it is wrapped.", "default": False},
                "parts": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "name": {"type": "string", "description": "What it is called."},
                            "state": {
                                "type": "string",
                                "enum": ["new", "used"],
                                "description": "How it is.",
                                "default": "new",
                            },
                        },
                        "required": ["name"],
                    },
                    "description": "What it holds.",
                },
            },
            "required": ["path"],
        }
    )


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({"path": "a"}, Order("a")),
        ({"path": "a", "count": "5"}, Order("a", 5)),
        ({"path": "a", "count": 5.0}, Order("a", 5)),
        ({"path": "a", "count": None}, Order("a")),
        ({"path": "a", "weight": None}, Order("a")),
        ({"path": "a", "weight": "1.5"}, Order("a", weight=1.5)),
        ({"path": "a", "is_gift": "true"}, Order("a", is_gift=True)),
        ({"path": 404}, Order("404")),
        ({"path": "a", "colour": {"deep": [1]}}, Order("a")),
        ({"path": "a", "parts": [{"name": "b", "size": 3}]}, Order("a", parts=[Part("b")])),
        ({"path": "a", "parts": '[{"name": "b", "state": "used"}]'}, Order("a", parts=[Part("b", "used")])),
    ],
)
def test_what_models_send_is_read_generously(sent: dict[str, object], read: Order) -> None:
    assert read_arguments(Order, sent) == read


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({}, "path is missing. Send path, a string."),
        ({"path": None}, "path is missing. Send path, a string."),
        ({"path": ["a"]}, "path is not a string. Send path, a string."),
        ({"path": "a", "count": "many"}, "count is not a whole number. Send count, a whole number."),
        ({"path": "a", "count": 1.5}, "count is not a whole number. Send count, a whole number."),
        ({"path": "a", "count": float("nan")}, "count is not a whole number. Send count, a whole number."),
        ({"path": "a", "is_gift": "maybe"}, "is_gift is not true or false. Send is_gift, true or false."),
        ({"path": "a", "parts": "b"}, "parts is not a list. Send parts, a list."),
        ({"path": "a", "parts": [3]}, "parts[0] is not an object. Send parts[0], an object."),
        ({"path": "a", "parts": [{}]}, "parts[0].name is missing. Send parts[0].name, a string."),
        (
            {"path": "a", "parts": [{"name": "b", "state": "old"}]},
            "parts[0].state is not one of new, used. Send parts[0].state, one of new, used.",
        ),
        ({"path": "\ud800"}, "path holds half a character."),
        ({"path": "a", "parts": [{"name": "\udfff"}]}, "parts[0].name holds half a character."),
    ],
)
def test_what_cannot_be_read_is_explained(sent: dict[str, object], sentence: str) -> None:
    with pytest.raises(ToolError) as refused:
        read_arguments(Order, sent)
    assert refused.value.message == sentence


def test_the_message_of_a_bad_call_stays_short_however_much_was_sent() -> None:
    with pytest.raises(ToolError) as refused:
        read_arguments(Order, {"path": "a", "parts": [{"name": ["x" * 10_000]}] * 1_000})
    assert len(refused.value.message) < 500


def test_offering_the_tools_imports_none_of_the_heavy_libraries() -> None:
    program = (
        "import sys; from hermes_agent.agent.tools import files, search, shell, web_fetch, todo, session_search;"
        "print([name for name in ('pydantic', 'regex', 'httpx2', 'html_to_markdown') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
