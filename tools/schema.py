"""Write docs/reference/memory.schema.json: the form of `hermes memory export` as a JSON Schema.

`python -m tools.schema` writes it; a test compares it with the tables it is made of.
"""

import json
from pathlib import Path

from hermes_agent.ops.whole.form import CHECKED, FORMAT, VERSION
from hermes_agent.records.notes import SUBJECTS
from hermes_agent.store import canonical

FILE = Path(__file__).parent.parent / "docs" / "reference" / "memory.schema.json"
_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
_UID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"

Schema = dict[str, object]


def schema() -> Schema:
    """Return the schema of the whole document."""
    text: Schema = {"type": "string"}
    known: Schema = {
        "format": {"const": FORMAT},
        "version": {"const": VERSION},
        "exported": _object(
            {
                "at": {"type": "string", "format": "date-time"},
                "profile": text,
                "program": text,
                "shape": {"type": "integer"},
            }
        ),
        "settings": {"type": "object"},
        "notes": {
            "type": "object",
            "properties": dict.fromkeys(SUBJECTS.values(), text),
            "additionalProperties": False,
        },
        "joined": {"type": "array", "items": {"type": "array", "items": text, "minItems": 2, "maxItems": 2}},
    }
    known |= {name: {"type": "array", "items": _row(name)} for name in canonical.TABLES}
    one_sum = _object({"rows": {"type": "integer"}, "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}})
    known["checksums"] = _object(dict.fromkeys(CHECKED, one_sum))
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "title": "A memory of hermes-agent", **_object(known)}


def text() -> str:
    """Return the schema as it stands in the file."""
    return json.dumps(schema(), indent=1) + "\n"


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _row(name: str) -> Schema:
    words, uids = canonical.words(name), canonical.uids(name)
    properties: Schema = {}
    for column, (kind, is_optional) in canonical.kinds(name).items():
        one: Schema = {} if kind is None else {"type": [_TYPES[kind], "null"] if is_optional else _TYPES[kind]}
        if column in words:
            one["enum"] = [*words[column], None] if is_optional else list(words[column])
        if column in uids:
            one["pattern"] = _UID
        properties[column] = one
    return _object(properties)


def main() -> int:
    """Write the file."""
    FILE.write_text(text(), encoding="ascii")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
