"""The form of the file that holds all of a memory: one JSON document, laid out a row a line.

    {"format": "hermes-agent memory", "version": 1,
    "exported": {"at": …, "profile": …, "program": …, "shape": …},
    "settings": {…},
    "notes": {…},
    "sessions": [
    {…},
    {…}
    ],
    …
    "checksums": {"sessions": {"rows": 2, "sha256": …}, …}
    }

Any JSON reader reads it; who has little memory reads it line by line. Everything is ASCII, so lone surrogates
survive and no editor can spoil the encoding. A checksum is of the rows, not of their layout: SHA-256 over each row
as JSON with sorted keys, no spaces, and a line feed. docs/formats.md has it in full.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes_agent.records.archive import Json
from hermes_agent.store.canonical import TABLES, Row

FORMAT = "hermes-agent memory"
VERSION = 1
OBJECTS = ("exported", "settings", "notes", "joined")
"""What stands before the tables, an object or a list each, on a line of its own."""
CHECKED = (*OBJECTS[1:], *TABLES)
"""What has a checksum: all but when and by what it was written."""
SUMS = "checksums"


@dataclass(slots=True)
class Sum:
    """The checksum of rows, while they pass by."""

    rows: int = 0
    _digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def add(self, value: Json | Row) -> None:
        """Take one more row, or the one value that stands alone."""
        self.rows += 1
        self._digest.update(json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n")

    def told(self) -> dict[str, Json]:
        """Return it as it stands in the file."""
        return {"rows": self.rows, "sha256": self._digest.hexdigest()}


def line(value: Json | Row) -> str:
    """Write a value on one line."""
    return json.dumps(value, separators=(", ", ": "))


@dataclass(frozen=True, slots=True)
class Whole:
    """What a file holds beside the rows of its tables."""

    exported: Mapping[str, Json]
    settings: Mapping[str, Json]
    notes: Mapping[str, str]
    joined: list[Json]
    rows: Mapping[str, int]
    """How many rows each table has."""
