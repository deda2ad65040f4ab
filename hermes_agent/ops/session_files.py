"""A file of sessions, read one entry at a time: lines of JSON, one list, or one object.

Which of the three it is shows in its beginning: `[` opens a list, a first line of nothing but `{`
is an object printed on many lines, anything else is one session a line. A broken entry is a value
like the others, with its place and the reason, so that whoever reads decides what becomes of it.
"""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.ops.elsewhere.chats import as_session
from hermes_agent.ops.fields import Malformed
from hermes_agent.ops.incoming import Incoming, read_session
from hermes_agent.records.archive import Json

ENTRY_LIMIT_BYTES = 1 << 30
"""The longest entry that is read; our largest sessions are a hundredth of it."""

_CHUNK = 1 << 20
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Broken:
    """An entry that cannot be read, and why."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


Entry = Incoming | Broken


def read_file(path: Path, limit_bytes: int = ENTRY_LIMIT_BYTES, *, is_own: bool = False) -> Iterator[Entry]:
    """Yield each session of a file, or what is wrong in its place; `is_own` is the owner's word for it."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise UsageError(f"{path} is no ordinary file.", hint="Read from a pipe with: hermes sessions import -")
    try:
        with path.open("rb") as file:
            for entry in _read(file, limit_bytes):
                yield entry if is_own or isinstance(entry, Broken) else entry.as_import()
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {path}.") from error
    except IsADirectoryError as error:
        raise UsageError(
            f"{path} is a folder.", hint="To take over a whole Hermes home run: hermes import PATH"
        ) from error
    except OSError as error:
        raise HermesError(f"{path} cannot be read: {error.strerror}.") from error


def _read(file: BinaryIO, limit_bytes: int) -> Iterator[Entry]:
    if file.read(len(_BOM)) != _BOM:
        file.seek(0)
    start = file.tell()
    first = _first_line(file)
    file.seek(start)
    if first.startswith(b"["):
        yield from _read_list(file, limit_bytes)
    elif first.rstrip() == b"{":
        yield _read_text(file.read(limit_bytes + 1), "line 1", limit_bytes)
    else:
        yield from _read_lines(file, limit_bytes)


def _first_line(file: BinaryIO) -> bytes:
    """Return the beginning of the first line that is not blank."""
    while line := file.readline(_CHUNK):
        if line.strip():
            return line.lstrip()
    return b""


def _read_lines(file: BinaryIO, limit_bytes: int) -> Iterator[Entry]:
    number = 0
    while line := file.readline(limit_bytes + 1):
        number += 1
        place = f"line {number}"
        if len(line) > limit_bytes:
            yield _read_text(line, place, limit_bytes)
            while line and not line.endswith(b"\n"):
                line = file.readline(_CHUNK)
        elif line.strip():
            yield _read_text(line, place, limit_bytes)


def _read_text(raw: bytes, place: str, limit_bytes: int) -> Entry:
    if len(raw) > limit_bytes:
        return Broken(place, f"it is longer than {limit_bytes:,} bytes")
    try:
        text = raw.decode("utf-8").rstrip()
    except UnicodeDecodeError as error:
        return Broken(place, f"it is not UTF-8 (byte {error.start + 1})")
    try:
        value: Json = json.loads(text)
    except json.JSONDecodeError as error:
        return Broken(place, f"it is not JSON ({error.msg}, character {error.pos + 1})")
    except ValueError:
        return Broken(place, "a number in it has too many digits")
    except RecursionError:
        return Broken(place, "it is nested too deep")
    return _read_value(value, place)


def _read_value(value: Json, place: str) -> Entry:
    try:
        return read_session(as_session(value))
    except Malformed as error:
        return Broken(place, str(error))


def _read_list(file: BinaryIO, limit_bytes: int) -> Iterator[Entry]:
    """Decode a list item by item from a buffer that grows only while an item does not fit in it."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    decoder = json.JSONDecoder()
    number = 0
    try:
        buffer = text.read(_CHUNK).lstrip()[1:]
        while True:
            number += 1
            place = f"item {number}"
            buffer = _skip_comma(buffer, number, text)
            if buffer.startswith("]"):
                return
            found = _next_item(decoder, buffer, text, limit_bytes)
            if isinstance(found, str):
                # Where one item cannot be read nobody knows where the next begins.
                yield Broken(place, found)
                return
            value, buffer = found
            yield _read_value(value, place)
    except UnicodeDecodeError:
        yield Broken(f"item {max(number, 1)}", "it is not UTF-8")
    finally:
        text.detach()


def _skip_comma(buffer: str, number: int, text: io.TextIOWrapper) -> str:
    buffer = _fill(buffer.lstrip(), text)
    if number > 1 and buffer.startswith(","):
        buffer = _fill(buffer[1:].lstrip(), text)
    return buffer


def _fill(buffer: str, text: io.TextIOWrapper) -> str:
    while not buffer and (more := text.read(_CHUNK)):
        buffer = more.lstrip()
    return buffer


def _next_item(
    decoder: json.JSONDecoder, buffer: str, text: io.TextIOWrapper, limit_bytes: int
) -> tuple[Json, str] | str:
    """Return the item at the start of the buffer and what follows it, or what is wrong."""
    while True:
        try:
            value, end = decoder.raw_decode(buffer)
        except json.JSONDecodeError as error:
            # Doubling keeps the repeated attempts in proportion to the length of the item.
            more = text.read(max(_CHUNK, len(buffer)))
            if not more:
                return f"it is not JSON ({error.msg})"
            buffer += more
            if len(buffer) > limit_bytes:
                return f"it is longer than {limit_bytes:,} characters, or not JSON ({error.msg})"
        except ValueError:
            return "a number in it has too many digits"
        except RecursionError:
            return "it is nested too deep"
        else:
            return value, buffer[end:]
