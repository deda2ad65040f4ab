"""What a vendor's server answered, read strictly: another shape is no answer, and never "nothing found"."""

import re

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Unreadable(ValueError):
    """The answer is not what was asked for."""


def mapping(value: object) -> dict[str, object]:
    """Return what must be a JSON object."""
    if not isinstance(value, dict):
        raise Unreadable
    return value


def rows(answer: object, *path: str) -> list[dict[str, object]]:
    """Return the objects of a list, which lies behind these keys and must be there."""
    for key in path:
        answer = mapping(answer).get(key)
    if not isinstance(answer, list):
        raise Unreadable
    return [mapping(one) for one in answer]


def text(row: object, *names: str) -> str:
    """Return the first of these that is a text and not empty; one must be."""
    found = mapping(row)
    for name in names:
        value = found.get(name)
        if isinstance(value, str) and value:
            return value
    raise Unreadable


def whole(row: object, name: str) -> int:
    """Return what must be a whole number; JSON from JavaScript may write it with a point."""
    value = mapping(row).get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise Unreadable
    return int(value)


def day(row: object, *names: str) -> str:
    """Return the day of the first of these that is a date, or nothing."""
    found = row if isinstance(row, dict) else {}
    for name in names:
        value = found.get(name)
        if isinstance(value, str) and _DAY.match(value):
            return value[:10]
    return ""
