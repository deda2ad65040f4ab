"""What a row of an exported memory must be like: every value is checked before one is used.

The columns and their types are those of the store's tables; here is what types do not tell.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import cast

from hermes_agent.ids import is_uid
from hermes_agent.records.archive import Json
from hermes_agent.skills.validation import is_within, name_problem
from hermes_agent.store import canonical, sessions
from hermes_agent.text.runs import is_hashed

_LARGEST, _SMALL = 2**63, 2**31
_DEEPEST = 200
_MOMENTS = ("_at", "valid_from", "valid_to")
_EARLIEST, _LATEST = -62_135_596_800_000_000, 253_402_300_799_999_999
_SMALL_COLUMNS = (
    "token_count",
    "episode_count",
    "span_start",
    "span_end",
    "corroborations",
    "occurrences",
    "used_count",
)
_TYPES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def problem(name: str, row: Json) -> str | None:
    """Say what is wrong with a row of a table; None if nothing is."""
    if not isinstance(row, dict):
        return "it is no object"
    kinds, allowed, uids = _form(name)
    for column in row:
        if column not in kinds:
            return f"{column} is not known"
    for column, (kind, is_optional) in kinds.items():
        value = row.get(column)
        if value is None:
            if not is_optional:
                return f"{column} is missing"
        elif (wrong := _misfit(column, kind, value)) is not None:
            return f"{column} {wrong}"
        elif column in allowed and value not in allowed[column]:
            return f"{column} is {value!r}"
        elif column in uids and not is_uid(str(value)):
            return f"{column} is no uid"
    if name == "system_prompts" and sessions.prompt_hash(str(row["prompt"])) != row["hash"]:
        return "hash is not that of its prompt"
    if name == "receipts":
        return _receipt_problem(row)
    return _skill_problem(row) if name == "skills" else None


def _receipt_problem(row: Mapping[str, Json]) -> str | None:
    """Say what is wrong with a receipt: its hashes are compared with everything that is learned."""
    if re.fullmatch("[0-9a-f]{64}", str(row.get("key"))) is None:
        return "key is none"
    for column in ("runs", "blocks", "found", "backups"):
        listed = row.get(column)
        if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
            return f"{column} is no list of texts"
    if not all(is_hashed(str(one)) for one in _listed(row.get("runs"))):
        return "runs are not ours"
    return None if isinstance(row.get("counts"), dict) else "counts is no object"


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _skill_problem(row: Mapping[str, Json]) -> str | None:
    """Say what is wrong with a skill: its name and those of its files are written to the disk."""
    files, category = row.get("files"), row.get("category")
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        return "files is no object of texts"
    names = [str(row["skill"]), *(str(category).split("/") if category is not None else ())]
    if any(name_problem(one) is not None for one in names):
        return "skill or category is no name"
    return next((f"files: {name!r} leads elsewhere" for name in files if not is_within(name)), None)


def _misfit(column: str, kind: type | None, value: Json) -> str | None:
    if kind is None:
        return f"is nested deeper than {_DEEPEST} levels" if _is_deep(value) else None
    if kind is float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return None if is_number and abs(cast(float, value)) < _LARGEST else "is not a number"
    if type(value) is not kind:
        return f"is not {_TYPES[kind]}"
    is_moment = column == "at" or column.endswith(_MOMENTS)
    if kind is int and is_moment and not _EARLIEST <= cast(int, value) <= _LATEST:
        return "is no moment of the years 1 to 9999"
    most = _SMALL if column in _SMALL_COLUMNS else _LARGEST
    return "is too large" if kind is int and not -most <= cast(int, value) < most else None


def _is_deep(value: Json) -> bool:
    layer: list[Json] = [value]
    for _ in range(_DEEPEST):
        layer = [
            item
            for one in layer
            if isinstance(one, dict | list)
            for item in (one.values() if isinstance(one, dict) else one)
        ]
        if not layer:
            return False
    return True


@cache
def _form(
    name: str,
) -> tuple[Mapping[str, tuple[type | None, bool]], Mapping[str, tuple[str, ...]], frozenset[str]]:
    return canonical.kinds(name), canonical.words(name), frozenset(canonical.uids(name))
