"""What a row of an exported memory must be like: every value is checked before one is used.

The columns and their types are those of the store's tables; here is what types do not tell.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import cast, get_args

from hermes_agent.ids import is_uid
from hermes_agent.notes.files import MOST_BYTES
from hermes_agent.records.archive import Json
from hermes_agent.records.notes import Basis, Grounds
from hermes_agent.skills.validation import is_within, name_problem
from hermes_agent.store import canonical, sessions
from hermes_agent.text.runs import is_hashed

_LARGEST, _LAST, _SMALL = 2**63, 2**53, 2**31
"""What a number is below; so many rows no table gets, and the numbers after it can still be given."""
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
_GROUNDS = {one.name for one in fields(Grounds)}
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
    further = _FURTHER.get(name)
    return None if further is None else further(row)


def _receipt_problem(row: Mapping[str, Json]) -> str | None:
    """Say what is wrong with a receipt: its hashes are compared with everything that is learned."""
    if re.fullmatch("[0-9a-f]{64}", str(row.get("key"))) is None:
        return "key is none"
    for column in ("runs", "blocks", "found", "backups"):
        if not _is_texts(row.get(column)):
            return f"{column} is no list of texts"
    if not all(is_hashed(str(one)) for one in _listed(row.get("runs"))):
        return "runs are not ours"
    counts = row.get("counts")
    is_counts = isinstance(counts, dict) and all(type(one) is int for one in counts.values())
    return None if is_counts else "counts is no object of whole numbers"


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


def _note_problem(row: Mapping[str, Json]) -> str | None:
    """Say what is wrong with a version of a note: it may be written to its file again."""
    if (wrong := text_problem(str(row["text"]))) is not None:
        return f"text {wrong}"
    grounds = row.get("grounds")
    if grounds is None:
        return None
    is_shaped = isinstance(grounds, dict) and all(_is_grounds(one) for one in grounds.values())
    return None if is_shaped else "grounds are not ours"


def _is_grounds(value: Json) -> bool:
    if not isinstance(value, dict) or not {"basis", "evidence", "confidence"} <= value.keys() <= _GROUNDS:
        return False
    is_number = type(value["confidence"]) in (int, float)
    return value["basis"] in get_args(Basis) and is_number and _is_texts(value.get("facts", []))


def text_problem(text: str) -> str | None:
    """Say why a text cannot be that of a note; None if it can."""
    try:
        return None if len(text.encode()) <= MOST_BYTES else f"is larger than {MOST_BYTES // 1_000_000} MB"
    except UnicodeEncodeError:
        return "cannot be written as UTF-8"


def _summary_problem(row: Mapping[str, Json]) -> str | None:
    lines = row.get("lines")
    is_ours = isinstance(lines, list) and all(isinstance(one, dict) and _is_line(one) for one in lines)
    return None if is_ours else "lines are not ours"


def _is_line(line: Mapping[str, Json]) -> bool:
    texts = [line.get(name) for name in ("session", "who", "text")]
    return all(isinstance(one, str) for one in texts) and "message" in line and type(line.get("at")) is int


def _lists_texts(*columns: str) -> "_Problem":
    def problem_of(row: Mapping[str, Json]) -> str | None:
        return next((f"{one} is no list of texts" for one in columns if not _is_texts(row.get(one))), None)

    return problem_of


def _is_texts(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


_Problem = Callable[[Mapping[str, Json]], str | None]
_FURTHER: dict[str, _Problem] = {
    "receipts": _receipt_problem,
    "skills": _skill_problem,
    "note_versions": _note_problem,
    "summaries": _summary_problem,
    "reflections": _lists_texts("worked", "differently"),
    "quarantine": _lists_texts("reasons"),
}
"""What types do not tell of the rows of a table."""


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
    if kind is int and not is_moment:
        least, most = int(column == "id"), _SMALL if column in _SMALL_COLUMNS else _LAST
        return None if least <= cast(int, value) < most else f"is not from {least} to {most - 1}"
    return None


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
