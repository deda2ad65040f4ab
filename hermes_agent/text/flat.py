"""The readable text inside a JSON value: what a tool was called with, without the JSON around it."""

from collections.abc import Iterator

from hermes_agent.text import outside_json

_DEPTH = 20


def flat_text(value: object) -> str:
    """Return every string and number of a JSON value, one a line; names of fields are left out."""
    return "\n".join(_texts(value, _DEPTH))


def _texts(value: object, depth: int) -> Iterator[str]:
    if depth == 0 or value is None or isinstance(value, bool):
        return
    if isinstance(value, dict):
        for part in value.values():
            yield from _texts(part, depth - 1)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part, depth - 1)
    elif isinstance(value, str):
        # Arguments of a call are often JSON in a string.
        inner = _inner(value)
        if inner is None:
            yield value
        else:
            yield from _texts(inner, depth - 1)
    elif isinstance(value, int | float):
        yield repr(value) if abs(value) < 1e300 else "inf"


def _inner(text: str) -> dict[str, object] | list[object] | None:
    if not text.startswith(("{", "[")):
        return None
    value = outside_json.read(text)
    return value if isinstance(value, dict | list) else None
