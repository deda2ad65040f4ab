"""YAML: read it, and edit one value of it in its own text.

ruamel.yaml tells where each key and value stands; an edit replaces just those characters. Loading and
dumping the whole file would keep most comments but move some: ruamel ties a comment to the key before
it, so a new key lands below the next section's heading.
"""

import json
import re
import warnings
from collections.abc import Sequence
from typing import Any

from hermes_agent.config.broken import BrokenText

# Any in this file: ruamel.yaml is imported late, and its nodes carry no types.

_PLAIN = re.compile(r"[A-Za-z_~/$][\w./~@+-]*")
_NOT_PRINTABLE = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


# Few are enough for settings. What is nested without end takes the scanner a time that grows with the square.
_MOST_ALIASES = 20
_DEEPEST = 50


def parse(text: str) -> object:
    """Return the value that the text holds, None for no value at all."""
    from ruamel.yaml.error import ReusedAnchorWarning, YAMLError

    try:
        _refuse_endless(text)
        with warnings.catch_warnings():
            # An anchor that is used twice is legal YAML; the later one counts.
            warnings.simplefilter("ignore", ReusedAnchorWarning)
            value: object = _reader().load(text)
    except YAMLError as error:
        raise _explain(error) from error
    # A tag or a date that promises more than its text holds, and nesting without end.
    except (ValueError, TypeError, OverflowError, IndexError) as error:
        raise BrokenText(str(error)) from error
    except RecursionError as error:
        raise BrokenText("nested too deep") from error
    return value


def _refuse_endless(text: str) -> None:
    """Refuse a text whose aliases could unfold without end, or that is nested without: before it is loaded."""
    from ruamel.yaml import tokens

    starts = (
        tokens.BlockSequenceStartToken,
        tokens.BlockMappingStartToken,
        tokens.FlowSequenceStartToken,
        tokens.FlowMappingStartToken,
    )
    ends = (tokens.BlockEndToken, tokens.FlowSequenceEndToken, tokens.FlowMappingEndToken)
    aliases = depth = 0
    for token in _reader().scan(text):
        aliases += isinstance(token, tokens.AliasToken)
        depth += isinstance(token, starts) - isinstance(token, ends)
        if aliases > _MOST_ALIASES:
            raise BrokenText(f"it has more than {_MOST_ALIASES} aliases")
        if depth > _DEEPEST:
            raise BrokenText("nested too deep")


def put(text: str, path: Sequence[str], value: object) -> str:
    """Set the value at the path and leave the rest of the text as it is; missing sections are added.

    The text must have been parsed before. An unusual layout may come out wrong: compare the outcome.
    """
    from ruamel.yaml.tokens import AliasToken

    if any(isinstance(token, AliasToken) for token in _reader().scan(text)):
        raise BrokenText("it has aliases")
    node = _reader().compose(text)
    if node is None or _is_empty(node):
        return _with_newline(text) + _write_block(path, value, "")
    for depth, key in enumerate(path):
        rest = path[depth + 1 :]
        pair = _pair(node, key)
        if pair is None:
            return _add(text, node, path[depth:], value)
        key_node, node = pair
        if rest and _is_empty(node):
            indent = " " * (key_node.start_mark.column + 2)
            return _insert_line(text, key_node.end_mark.index, _write_block(rest, value, indent))
        if _is_empty(node):
            colon = text.index(":", key_node.end_mark.index) + 1
            return text[:colon] + " " + _write_flow(rest, value) + text[colon:]
        if not rest or not isinstance(node.value, list):
            return text[: node.start_mark.index] + _write_flow(rest, value) + text[_end(key_node, node) :]
    raise ValueError("a path has at least one key")


def remove(text: str, path: Sequence[str]) -> str:
    """Take the key at the path out; a comment on its line goes with it, the lines above stay."""
    node = _reader().compose(text)
    for key in path[:-1]:
        node = _find(node, key)[1]
    key_node, value_node = _find(node, path[-1])
    start, end = key_node.start_mark.index, _end(key_node, value_node)
    if not node.flow_style:
        begin = text.rfind("\n", 0, start) + 1
        line_end = text.find("\n", end)
        return text[:begin] + ("" if line_end == -1 else text[line_end + 1 :])
    after = re.compile(r"\s*,\s*").match(text, end)
    if after:
        return text[:start] + text[after.end() :]
    return re.sub(r",\s*$", "", text[:start]) + text[end:]


def _add(text: str, node: Any, path: Sequence[str], value: object) -> str:
    if node.flow_style:
        closing = node.end_mark.index - 1
        comma = ", " if node.value else ""
        return text[:closing] + f"{comma}{_write_flow(path, value)[1:-1]}" + text[closing:]
    indent = " " * node.start_mark.column
    return _insert_line(text, _end(node, node), _write_block(path, value, indent))


def _end(key: Any, node: Any) -> int:
    """Return where the node's own text ends: the end mark of a block lies behind the comments that follow."""
    while isinstance(node.value, list) and node.value and not node.flow_style:
        last = node.value[-1]
        key, node = last if isinstance(last, tuple) else (last, last)
    end: int = (key if _is_empty(node) else node).end_mark.index
    is_block_text = isinstance(node.value, str) and node.style in ("|", ">")
    return end - 1 if is_block_text else end


def _pair(node: Any, key: str) -> tuple[Any, Any] | None:
    pairs = node.value if isinstance(node.value, list) else []
    return next((pair for pair in pairs if isinstance(pair, tuple) and pair[0].value == key), None)


def _find(node: Any, key: str) -> tuple[Any, Any]:
    pair = _pair(node, key)
    if pair is None:
        raise BrokenText(f"{key} does not stand in its own place")
    return pair


def _is_empty(node: Any) -> bool:
    """Tell whether nothing stands there: `memory:` with its whole content commented out."""
    return bool(node.value == "" and node.start_mark.index == node.end_mark.index)


def _insert_line(text: str, position: int, lines: str) -> str:
    line_end = text.find("\n", position)
    if line_end == -1:
        return _with_newline(text) + lines
    return text[: line_end + 1] + lines + text[line_end + 1 :]


def _with_newline(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _write_block(path: Sequence[str], value: object, indent: str) -> str:
    lines = [f"{indent}{'  ' * depth}{_scalar(key)}:" for depth, key in enumerate(path)]
    return "\n".join(lines) + f" {_scalar(value)}\n"


def _write_flow(path: Sequence[str], value: object) -> str:
    written = _scalar(value)
    for key in reversed(path):
        written = f"{{{_scalar(key)}: {written}}}"
    return written


def _scalar(value: object) -> str:
    """Write one value: plain where YAML reads it back as the same text, else in JSON's quotes."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and parse(value) == value:
        return value
    written = json.dumps(value, ensure_ascii=False)
    return _NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match.group()):04x}", written)


def _explain(error: Any) -> BrokenText:
    from ruamel.yaml.error import MarkedYAMLError

    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        return BrokenText(str(error.problem), error.problem_mark.line + 1)
    return BrokenText(str(error).splitlines()[0])


def _reader() -> Any:
    from ruamel.yaml import YAML

    return YAML(typ="safe", pure=True)
