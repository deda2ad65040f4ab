"""JSON that somebody else wrote: a model, a tool, another program, a file that lies about."""

import json


def read(text: str | bytes) -> object:
    """Return the value that a text holds; None if it is no JSON, or nested deeper than anybody means it."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value
