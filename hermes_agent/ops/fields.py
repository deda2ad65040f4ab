"""The keys of one JSON object, taken one by one with their types checked.

What is left at the end is what we have no place for; it goes into the record's metadata, so that
nothing of a foreign object is lost.
"""

import json
import re
import uuid
from collections.abc import Mapping
from typing import cast

from hermes_agent import clock
from hermes_agent.records.archive import Json

_DEEPEST = 200
_USUAL_UID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# The years 1 to 9999: outside no calendar can show it, so it is not unix seconds.
_EARLIEST_SECONDS = -62_135_596_800
_LATEST_SECONDS = 253_402_300_799


class Malformed(ValueError):
    """A value that does not fit; the text says where and why."""


class Fields:
    """An object that is being read; `where` begins every complaint (`message 3: `)."""

    def __init__(self, values: Mapping[str, Json], where: str = "") -> None:
        self._values = dict(values)
        self._where = where

    def __contains__(self, key: str) -> bool:
        return self._values.get(key) is not None

    def drop(self, *keys: str) -> None:
        """Forget what only means something where it came from."""
        for key in keys:
            self._values.pop(key, None)

    def text(self, key: str) -> str | None:
        """Take a text, None if it is absent."""
        value = self._values.pop(key, None)
        if value is None or isinstance(value, str):
            return value
        raise self.malformed(key, value, "a text")

    def text_if_it_is(self, key: str) -> str | None:
        """Take a text; anything else stays for the metadata."""
        return self.text(key) if isinstance(self._values.get(key), str) else None

    def needed_text(self, key: str) -> str:
        """Take a text that must be there."""
        value = self.text(key)
        if value is None:
            raise Malformed(f"{self._where}{key} is missing")
        return value

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str | None:
        """Take one of a few words."""
        value = self.text(key)
        if value is None or value in allowed:
            return value
        raise Malformed(f"{self._where}{key} is {value!r}; it can be {', '.join(allowed)}")

    def whole(self, key: str, *, bits: int = 64) -> int | None:
        """Take a whole number that fits into so many bits."""
        value = self._values.pop(key, None)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.malformed(key, value, "a whole number")
        if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
            raise Malformed(f"{self._where}{key} is too large")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Take a yes or no, which may be written as 1 or 0."""
        value = self._values.pop(key, None)
        if value is None:
            return default
        if value in (0, 1) and isinstance(value, int | float):
            return bool(value)
        raise self.malformed(key, value, "true or false")

    def moment(self, key: str) -> int | None:
        """Take unix seconds as microseconds."""
        value = self._values.pop(key, None)
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self.malformed(key, value, "a number of seconds since 1970")
        # Compared first: an integer may be too large for a float.
        if not _EARLIEST_SECONDS <= value <= _LATEST_SECONDS:
            raise Malformed(f"{self._where}{key} is not a number of seconds since 1970")
        return value * clock.MICROSECONDS if isinstance(value, int) else clock.from_seconds(value)

    def uid(self, key: str = "uid") -> str | None:
        """Take a UUID in its usual form."""
        value = self.text(key)
        if value is None or _USUAL_UID.fullmatch(value):
            return value
        try:
            return str(uuid.UUID(value))
        except ValueError as error:
            raise Malformed(f"{self._where}{key} is not a UUID") from error

    def raw(self, key: str) -> Json:
        """Take a value that will not be kept as it is."""
        return self._values.pop(key, None)

    def json(self, key: str) -> Json:
        """Take any value."""
        value = self._values.pop(key, None)
        self._refuse_depth(key, value)
        return value

    def decoded(self, key: str) -> Json:
        """Take any value; a text that holds JSON counts as what it holds."""
        value = self.json(key)
        if not isinstance(value, str):
            return value
        try:
            held = json.loads(value)
        except (ValueError, RecursionError):
            return value
        self._refuse_depth(key, held)
        return cast(Json, held)

    def metadata(self) -> dict[str, Json]:
        """Take the metadata, and into it everything nobody took; call it last."""
        given = self._values.pop("metadata", None)
        if given is not None and not isinstance(given, dict):
            self._values["metadata"] = given
        known: dict[str, Json] = given if isinstance(given, dict) else {}
        rest = {key: value for key, value in self._values.items() if value is not None and key not in known}
        self._refuse_depth("metadata", known)
        self._refuse_depth("what is unknown", rest)
        return {**known, **rest}

    def malformed(self, key: str, value: object, wanted: str) -> Malformed:
        """Say that a value is of the wrong type."""
        names = {str: "a text", bool: "true or false", list: "a list", dict: "an object"}
        return Malformed(f"{self._where}{key} is {names.get(type(value), 'a number')}, not {wanted}")

    def _refuse_depth(self, key: str, value: Json) -> None:
        """Refuse what cannot be written as JSON again: its writer gives up at some depth."""
        if not isinstance(value, dict | list):
            return
        layer: list[Json] = [value]
        for _ in range(_DEEPEST):
            deeper: list[Json] = []
            for item in layer:
                if isinstance(item, dict):
                    deeper += item.values()
                elif isinstance(item, list):
                    deeper += item
            if not deeper:
                return
            layer = deeper
        raise Malformed(f"{self._where}{key} is nested deeper than {_DEEPEST} levels")
