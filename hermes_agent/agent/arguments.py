"""The arguments of a tool: one frozen dataclass is the schema that a model sees and the value the tool gets.

A field is written `path: Annotated[str, "The file to read."]`; the sentence goes into the schema. Models are
imprecise, so reading is lax: "5" is 5, null means absent, a key that no field knows is ignored, unless the form is
closed. What cannot be read becomes a sentence that says what to send instead.

The schema is made here rather than by pydantic, which is imported when the first call is read: a chat
offers its tools at once, and another version of that library must not change a byte of the prompt.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from itertools import islice
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from hermes_agent.errors import ToolError
from hermes_agent.records.archive import Json
from hermes_agent.records.talk import ToolSpec

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

T = TypeVar("T")
Schema = dict[str, Json]

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
_WORDS = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}
_MOST_PROBLEMS = 3
_LONGEST_NAME = 100

# Any: adapters of every form.
_adapters: "dict[type, TypeAdapter[Any]]" = {}


@dataclass(frozen=True, slots=True)
class Between:
    """Beside the sentence of a field: the whole numbers it takes, both ends included."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class NoArguments:
    """The form of a tool that takes none."""


def spec_of(name: str, description: str, form: type) -> ToolSpec:
    """Describe a tool whose arguments have this form."""
    return ToolSpec(name, description, schema_of(form))


def schema_of(form: type) -> Mapping[str, Json]:
    """Make the JSON schema of a form: type object, the fields in their order, the required ones named."""
    hints = get_type_hints(form, include_extras=True)
    properties: Schema = {}
    for field in _fields(form):
        schema = _schema(hints[field.name])
        if field.default is not MISSING and field.default is not None:
            schema["default"] = field.default
        properties[field.name] = schema
    required = [field.name for field in _fields(form) if _is_required(field)]
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def closed(schema: Mapping[str, Json]) -> Schema:
    """Return the schema of a form that takes nothing but what it names, in its lists neither."""
    shut: Schema = {name: closed(value) if isinstance(value, dict) else value for name, value in schema.items()}
    return shut | ({"additionalProperties": False} if schema.get("type") == "object" else {})


def read_closed(form: type[T], arguments: Mapping[str, Json]) -> T:
    """Read what a program sent into the form; what no field knows is refused: it meant something by it."""
    strange = list(islice(_strangers(schema_of(form), dict(arguments), ""), _MOST_PROBLEMS))
    if strange:
        raise ToolError(" ".join(strange))
    return read_arguments(form, arguments)


def read_arguments(form: type[T], arguments: Mapping[str, Json]) -> T:
    """Read what a model sent into the form, or say what to send instead."""
    from pydantic import ValidationError

    schema = schema_of(form)
    given = {
        field.name: _lax(_inner(schema, [field.name]), arguments[field.name])
        for field in _fields(form)
        if arguments.get(field.name) is not None
    }
    try:
        value: T = _adapter(form).validate_python(given)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        raise ToolError(" ".join(_sentence(schema, problem) for problem in problems[:_MOST_PROBLEMS])) from None
    for field in _fields(form):
        _check_range(field.name, _inner(schema, [field.name]), getattr(value, field.name))
    for place, text in _strings(value, ""):
        if not _is_whole(text):
            raise ToolError(f"{place} holds half a character.", hint="Send it as well-formed Unicode.")
    return value


def _adapter(form: type[T]) -> "TypeAdapter[T]":
    """Return what reads a form; making it takes a millisecond, so it is kept."""
    from pydantic import TypeAdapter

    if form not in _adapters:
        _adapters[form] = TypeAdapter(form)
    return _adapters[form]


def _fields(form: type) -> Sequence["Field[object]"]:
    return fields(form)


def _is_required(field: "Field[object]") -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _schema(hint: object) -> Schema:
    """Return the schema of one field's type; a type that no schema here knows is a mistake of ours."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        described = _schema(parts[0])
        described |= {"description": " ".join(part for part in parts[1:] if isinstance(part, str))}
        for part in parts[1:]:
            if isinstance(part, Between):
                described |= {"minimum": part.least, "maximum": part.most}
        return described
    if origin in (Union, UnionType):
        (given,) = (part for part in parts if part is not type(None))
        return _schema(given)
    if origin is Literal:
        return {"type": "string", "enum": list(parts)}
    if origin is list:
        return {"type": "array", "items": _schema(parts[0])}
    if isinstance(hint, type) and is_dataclass(hint):
        return dict(schema_of(hint))
    if isinstance(hint, type) and hint in _TYPES:
        return {"type": _TYPES[hint]}
    raise TypeError(f"{hint!r} has no place in a tool's form")


def _lax(schema: Mapping[str, Json], value: Json) -> Json:
    """Forgive what models often send: a list as its JSON text, a number where a text is wanted."""
    if schema["type"] == "array" and isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    if schema["type"] == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return json.dumps(value)
    return value


def _strangers(schema: Mapping[str, Json], value: Json, place: str) -> Iterator[str]:
    """Yield a sentence for each key that no field knows."""
    value = _lax(schema, value)
    if isinstance(value, list) and schema["type"] == "array":
        for number, item in enumerate(value):
            yield from _strangers(_inner(schema, [number]), item, f"{place}[{number}]")
    elif isinstance(value, dict) and schema["type"] == "object":
        known = schema["properties"]
        assert isinstance(known, dict)
        where = f" in {place}" if place else ""
        for name, inner in value.items():
            if name in known:
                yield from _strangers(_inner(schema, [name]), inner, f"{place}.{name}" if place else name)
            else:
                yield f"There is no argument {name[:_LONGEST_NAME]!r}{where}. There are: {', '.join(known)}."


def _check_range(name: str, schema: Mapping[str, Json], value: object) -> None:
    least, most = schema.get("minimum"), schema.get("maximum")
    if isinstance(value, int) and isinstance(least, int) and isinstance(most, int) and not least <= value <= most:
        raise ToolError(f"{name} is out of range. Send {name}, {_wanted(schema)}.")


def _sentence(schema: Mapping[str, Json], problem: "ErrorDetails") -> str:
    """Say what is wrong with one argument and what to send."""
    place = ""
    for step in problem["loc"]:
        place += f"[{step}]" if isinstance(step, int) else f".{step}" if place else step
    wanted = _wanted(_inner(schema, problem["loc"]))
    fault = "is missing" if problem["type"] == "missing" else f"is not {wanted}"
    return f"{place} {fault}. Send {place}, {wanted}."


def _inner(schema: Mapping[str, Json], places: Sequence[str | int]) -> Mapping[str, Json]:
    """Follow names and numbers into a schema."""
    for place in places:
        if isinstance(place, int):
            inner = schema["items"]
        else:
            properties = schema["properties"]
            assert isinstance(properties, dict)
            inner = properties[place]
        assert isinstance(inner, dict)
        schema = inner
    return schema


def _wanted(schema: Mapping[str, Json]) -> str:
    allowed = schema.get("enum")
    if isinstance(allowed, list):
        return f"one of {', '.join(allowed)}"
    words = _WORDS[str(schema["type"])]
    return f"{words} from {schema['minimum']} to {schema['maximum']}" if "minimum" in schema else words


def _strings(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Yield every text in a form's value with its place."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _strings(item, f"{place}[{number}]")
    elif is_dataclass(value):
        for field in fields(value):
            name = f"{place}.{field.name}" if place else field.name
            yield from _strings(getattr(value, field.name), name)


def _is_whole(text: str) -> bool:
    """Tell whether a text can be written as UTF-8; JSON can smuggle in half a surrogate pair."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
