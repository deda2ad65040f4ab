"""Read a file that holds all of a memory, row by row, and refuse it whole if anything is not as it should be.

Every value is checked before one is used: the file may be cut off, damaged, of a newer program, or made by
somebody who means harm. A file that another program laid out anew is read whole, if it is not too large for that.
"""

import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NoReturn, cast

from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.ops import room
from hermes_agent.ops.steps import Step
from hermes_agent.ops.whole.form import CHECKED, FORMAT, OBJECTS, SUMS, VERSION, Sum, Whole
from hermes_agent.ops.whole.row_form import problem, text_problem
from hermes_agent.records.archive import Json
from hermes_agent.records.notes import SUBJECTS
from hermes_agent.store.canonical import TABLES
from hermes_agent.store.migrate import HEAD

_SINCE = {"receipts": 110}
"""The shape in which a table came."""
_LONGEST_LINE = 64 << 20
"""More than the longest message; a small packed file can hold a line without end."""
_LARGEST_ANEW = 256 << 20
_ZSTD = b"\x28\xb5\x2f\xfd"
_TOLD = 1_000


def is_one(path: Path) -> bool:
    """Tell whether a file says of itself that it holds a memory of ours."""
    with _opened(path) as file:
        return FORMAT.encode() in file.read(4_096)


def check(path: Path) -> Generator[Step, None, Whole]:
    """Read a file to its end and compare everything with its form and its checksums; UsageError if one differs."""
    sums = {name: Sum() for name in CHECKED}
    values: dict[str, Json] = {}
    done = 0
    for name, value in entries(path):
        if name in TABLES:
            if (wrong := problem(name, value)) is not None:
                _refuse(path, f"row {sums[name].rows + 1} of {name}: {wrong}")
            if (done := done + 1) % _TOLD == 0:
                yield Step("checked", done)
        else:
            values[name] = value
        if name in sums:
            sums[name].add(value)
    told = values.get(SUMS)
    if not isinstance(told, dict):
        _refuse(path, "its end is missing")
    later = _later_tables(values.get("exported"))
    for name, one in sums.items():
        if told.get(name, one.told() if name in later and not one.rows else None) != one.told():
            _refuse(path, f"{name} is not what was exported: its checksum differs")
    return _whole(path, values, {name: sums[name].rows for name in TABLES})


def _later_tables(exported: Json) -> set[str]:
    """Return the tables that came after the shape a file was written in: it need not have them."""
    shape = exported.get("shape") if isinstance(exported, dict) else None
    return {name for name, since in _SINCE.items() if isinstance(shape, int) and shape < since}


def entries(path: Path, *, only: str | None = None) -> Iterator[tuple[str, Json]]:
    """Yield what a file holds in its order: single values by their names, of tables (`only` of one) each row."""
    with _opened(path) as file:
        first = file.readline(_LONGEST_LINE)
        head = _head(first)
        if head is None:
            anew = _read_anew(path, first + file.read(_LARGEST_ANEW + 1))
            _check_head(path, anew)
            yield from (one for one in _of_document(path, anew) if only is None or one[0] == only)
            return
        _check_head(path, head)
        yield from _of_lines(path, file, only)


def _whole(path: Path, values: Mapping[str, Json], rows: Mapping[str, int]) -> Whole:
    exported, settings, notes, joined = (values.get(name) for name in OBJECTS)
    if not isinstance(exported, dict) or not isinstance(settings, dict) or not isinstance(notes, dict):
        _refuse(path, "what stands before the tables is no object")
    if not all(name in SUBJECTS.values() and isinstance(text, str) for name, text in notes.items()):
        _refuse(path, "its notes are not ours")
    for name, text in notes.items():
        if (wrong := text_problem(str(text))) is not None:
            _refuse(path, f"the note {name} {wrong}")
    is_pairs = isinstance(joined, list) and all(_is_pair(one) for one in joined)
    if not isinstance(joined, list) or not is_pairs:
        _refuse(path, "its joined names are not pairs")
    return Whole(exported, settings, cast("Mapping[str, str]", notes), joined, rows)


def _is_pair(value: Json) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, str) for one in value)


def _head(first: bytes) -> dict[str, Json] | None:
    """Return format and version if a file is laid out as ours are."""
    text = first.strip()
    if not text.startswith(b"{") or not text.endswith(b","):
        return None
    head = _loads(text[:-1] + b"}")
    return head if isinstance(head, dict) else None


def _check_head(path: Path, head: Mapping[str, Json]) -> None:
    if head.get("format") != FORMAT:
        _refuse(path, "it is not a memory that hermes exported")
    version = head.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise UsageError(f"{path} was exported by a newer hermes.", hint="Update hermes here first.")


def _check_shape(path: Path, exported: Json) -> None:
    shape = exported.get("shape") if isinstance(exported, dict) else None
    if not isinstance(shape, int) or shape > HEAD:
        raise UsageError(f"{path} was exported by a newer hermes.", hint="Update hermes here first.")


def _of_lines(path: Path, file: BinaryIO, only: str | None) -> Iterator[tuple[str, Json]]:
    number = 1
    table: str | None = None
    while raw := file.readline(_LONGEST_LINE):
        number += 1
        text = raw.strip()
        if len(raw) == _LONGEST_LINE or not text.isascii():
            _refuse(path, f"line {number} is not as it was written")
        if table is not None and text in (b"],", b"]"):
            table = None
        elif table is not None:
            if only is not None and table != only:
                continue
            yield table, _loaded(path, number, text.removesuffix(b","))
        elif text == b"}":
            if file.read(1):
                _refuse(path, "something follows its end")
            return
        elif text.startswith(b'"') and text.endswith(b": ["):
            table = text[1:-4].decode("ascii")
            if table not in TABLES:
                _refuse(path, f"line {number}: {table!r} is not known")
        else:
            yield from _values(path, _loaded(path, number, b"{" + text.removesuffix(b",") + b"}"))
    _refuse(path, "it is cut off")


def _of_document(path: Path, document: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    known = {"format", "version", SUMS, *OBJECTS, *TABLES}
    for name in document:
        if name not in known:
            _refuse(path, f"{name!r} is not known")
    yield from _values(path, {name: document[name] for name in OBJECTS if name in document})
    later = _later_tables(document.get("exported"))
    for name in TABLES:
        rows = document.get(name, [] if name in later else None)
        if not isinstance(rows, list):
            _refuse(path, f"{name} is no list")
        for row in rows:
            yield name, row
    yield from _values(path, {SUMS: document.get(SUMS)})


def _values(path: Path, values: Json) -> Iterator[tuple[str, Json]]:
    assert isinstance(values, dict)
    for name, value in values.items():
        if name == "exported":
            _check_shape(path, value)
        elif name != SUMS and name not in OBJECTS:
            _refuse(path, f"{name!r} is not known")
        yield name, value


def _read_anew(path: Path, raw: bytes) -> dict[str, Json]:
    if len(raw) > _LARGEST_ANEW:
        _refuse(path, "another program laid it out anew, and it is too large to be read whole")
    document = _loads(raw)
    if not isinstance(document, dict):
        _refuse(path, "it is not a memory that hermes exported")
    return document


def _loaded(path: Path, number: int, text: bytes) -> Json:
    value = _loads(text)
    if isinstance(value, _NoJson):
        _refuse(path, f"line {number} is damaged")
    return value


class _NoJson:
    """What is no JSON."""


def _loads(text: bytes) -> "Json | _NoJson":
    try:
        return cast(Json, json.loads(text))
    except (ValueError, RecursionError):
        return _NoJson()


class _Capped:
    """A packed file that is refused when it turns out to hold more than a memory of its size can."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self._left = room.most(path.stat().st_size)

    def readline(self, size: int) -> bytes:
        return self._taken(self._file.readline(size))

    def read(self, size: int) -> bytes:
        return self._taken(self._file.read(size))

    def _taken(self, data: bytes) -> bytes:
        self._left -= len(data)
        if self._left < 0:
            _refuse(self._path, "it holds far more than a memory of its size can")
        return data


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file, a compressed one too."""
    try:
        with path.open("rb") as file:
            is_packed = file.read(len(_ZSTD)) == _ZSTD
            file.seek(0)
            if not is_packed:
                yield file
                return
            from backports import zstd

            try:
                with zstd.ZstdFile(file) as unpacked:
                    yield cast(BinaryIO, _Capped(path, cast(BinaryIO, unpacked)))
            except (zstd.ZstdError, EOFError) as error:
                raise UsageError(f"{path} was not imported: it is cut off or damaged.") from error
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {path}.") from error
    except IsADirectoryError as error:
        raise UsageError(f"{path} is a folder.", hint="Name the file that was exported.") from error
    except OSError as error:
        raise HermesError(f"{path} cannot be read: {error.strerror}.") from error


def _refuse(path: Path, reason: str) -> NoReturn:
    raise UsageError(
        f"{path} was not imported: {reason}.", hint="Nothing was changed. Use another copy of the file."
    )
