"""JSON with comments and trailing commas, as guides print it: read it, and edit one value of it.

The one idea: comments and trailing commas are overwritten with spaces of the same length. What is left
is plain JSON for the standard library, and every position in it is a position in the original text. So
errors name the right line, and an edit replaces exactly one value and keeps every comment.

Written here because the packages for this drop the comments when they write.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes_agent.config.broken import BrokenText

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"?|//[^\n]*|/\*.*?\*/|/\*', re.DOTALL)
_TRAILING_COMMA = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])', re.DOTALL)
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class _Member:
    key: str
    start: int  # of the key's opening quote
    value: int  # where the value begins
    end: int  # just past the value


def parse(text: str) -> object:
    """Return the value that the text holds, None for no value at all."""
    plain = _blank(text)
    if not plain.strip():
        return None
    try:
        value: object = json.loads(plain, object_pairs_hook=_refuse_twice)
    except json.JSONDecodeError as error:
        raise BrokenText(error.msg, error.lineno) from error
    except ValueError as error:  # an integer of thousands of digits
        raise BrokenText(str(error)) from error
    except RecursionError as error:
        raise BrokenText("nested too deep") from error
    return value


def put(text: str, path: Sequence[str], value: object) -> str:
    """Set the value at the path and leave the rest of the text as it is; missing objects are added."""
    plain = _blank(text)
    if not plain.strip():
        return text + _write(_nest(path, value), margin="", lines=True) + "\n"
    start = _skip(plain, 0)
    for depth, key in enumerate(path):
        rest = path[depth + 1 :]
        member = next((member for member in _members(plain, start) if member.key == key), None)
        if member is None:
            return _add(text, start, key, _nest(rest, value))
        if not rest or plain[member.value] != "{":
            written = _write(_nest(rest, value), margin=_margin(text, member.start), lines=bool(rest))
            return text[: member.value] + written + text[member.end :]
        start = member.value
    raise ValueError("a path has at least one key")


def remove(text: str, path: Sequence[str]) -> str:
    """Take the member at the path out, with its comma; the comments around it stay."""
    plain = _blank(text)
    start = _skip(plain, 0)
    for key in path[:-1]:
        start = next(member.value for member in _members(plain, start) if member.key == key)
    members = list(_members(plain, start))
    index = next(index for index, member in enumerate(members) if member.key == path[-1])
    gone = members[index]
    commas = _without_comments(text)
    comma = _skip(commas, gone.end)
    if commas[comma] != ",":
        comma = _skip(plain, members[index - 1].end) if index else -1
    for begin, end in sorted([(gone.start, gone.end), (comma, comma + 1)], reverse=True):
        text = text if begin < 0 else text[:begin] + text[end:]
    return _drop_blank_line(text, gone.start - (0 <= comma < gone.start))


def _add(text: str, start: int, key: str, value: object) -> str:
    """Put a new member last in the object at `start`, below the comment of the member before it."""
    plain, commas = _blank(text), _without_comments(text)
    members = list(_members(plain, start))
    _, closing = _DECODER.raw_decode(plain, start)
    closing -= 1
    has_lines = "\n" in text[start:closing] or not members
    margin = _margin(text, start)
    indent = _margin(text, members[0].start) if members and has_lines else margin + "  "
    written = f"{json.dumps(key, ensure_ascii=False)}: {_write(value, margin=indent, lines=has_lines)}"
    if not has_lines:
        return text[: members[-1].end] + ", " + written + text[members[-1].end :]
    last = members[-1].end if members else start + 1
    line_end = text.find("\n", last, closing)
    if line_end == -1:
        text = text[:closing].rstrip(" ") + f"\n{indent}{written}\n{margin}" + text[closing:]
    else:
        text = text[:line_end] + f"\n{indent}{written}" + text[line_end:]
    needs_comma = members and commas[_skip(commas, last)] != ","
    return text[:last] + "," + text[last:] if needs_comma else text


def _members(plain: str, start: int) -> Iterator[_Member]:
    """Walk the members of the object that begins at `start`, in text that is known to be JSON."""
    position = _skip(plain, start + 1)
    while plain[position] == '"':
        key, after_key = _DECODER.raw_decode(plain, position)
        value = _skip(plain, _skip(plain, after_key) + 1)
        _, end = _DECODER.raw_decode(plain, value)
        yield _Member(key, position, value, end)
        position = _skip(plain, end)
        if plain[position] == ",":
            position = _skip(plain, position + 1)


def _blank(text: str) -> str:
    plain = _without_comments(text)
    return _TRAILING_COMMA.sub(lambda match: " " if match.group() == "," else match.group(), plain)


def _without_comments(text: str) -> str:
    def hide(match: re.Match[str]) -> str:
        token = match.group()
        if token.startswith('"'):
            return token
        if token == "/*":
            raise BrokenText("a comment is never closed with */", text.count("\n", 0, match.start()) + 1)
        return re.sub(r"[^\n]", " ", token)

    return _TOKEN.sub(hide, text)


def _refuse_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BrokenText(f"the key {twice!r} stands twice in one object")
    return made


def _write(value: object, *, margin: str, lines: bool) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2 if lines else None).replace("\n", "\n" + margin)


def _nest(path: Sequence[str], value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _margin(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip())]


def _drop_blank_line(text: str, position: int) -> str:
    begin = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return text if end == -1 or text[begin:end].strip() else text[:begin] + text[end + 1 :]


def _skip(plain: str, position: int) -> int:
    match = _SPACE.match(plain, position)
    return match.end() if match else position
