"""Whether a call failed, and why, in the words of its tool: of a structured answer the error alone, without hints.

A tool says so itself, or its answer is a JSON object with an exit code, an error or no success, as those of other
agents have it: what an import brings bears no other mark.
"""

import re
from collections.abc import Mapping

from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.archive import Json
from hermes_agent.text import outside_json
from hermes_agent.text.clean import preview

EXIT = Pattern(r"\[(?:exit code [1-9]\d*|ended by signal \d+)\]")
_ERROR_LINE = Pattern(
    r"\b(?:error|exception|fail(?:ed|ure)?|not found|no such|denied|refused|cannot|can't|unable|fatal)\b"
)
_TELLING = ("error", "message", "msg", "stderr", "detail", "details", "reason", "description", "errors")
"""Where an answer of ours, of a server or of a shell says what went wrong, the likeliest first."""
_PRINTED = ("output", "stdout")
"""Where it may stand, too, if nowhere else."""
_CODES = ("exit_code", "exitCode", "returncode")
_NO_ERROR = "not an error"
"""What `exit_code_meaning` says of a search that found nothing."""
_FIRST_SENTENCE = re.compile(r"\A.*?[.!?](?=\s+[\"'“`]?[A-Z`])", re.DOTALL)
_LONGEST = 160
_DEEPEST = 5


def has_failed(answer: str) -> bool:
    """Tell whether a structured answer says that the call failed."""
    told = _structured(answer)
    if not isinstance(told, Mapping):
        return False
    is_bad_end = _exit_code(told) != 0 and _NO_ERROR not in str(told.get("exit_code_meaning") or "")
    return is_bad_end or bool(told.get("error")) or told.get("success") is False


def why_failed(answer: str) -> str:
    """Return on one line why a call failed; empty if its answer does not say."""
    structured = _structured(answer)
    told = _told(structured, _DEEPEST)
    if told is None and isinstance(structured, Mapping) and (code := _exit_code(structured)):
        return f"exit code {code}"
    if told is None:
        return preview(_telling_line(answer), _LONGEST)
    line = _telling_line(told)
    # What follows is advice to whoever called.
    first = _FIRST_SENTENCE.match(line)
    return preview(line if first is None else first[0], _LONGEST)


def _structured(answer: str) -> Json:
    return outside_json.read(answer) if answer.lstrip().startswith(("{", "[")) else None


def _exit_code(told: Mapping[str, Json]) -> int:
    """Return how a command ended; 0 if an answer is about none."""
    return next((code for name in _CODES if isinstance(code := told.get(name), int)), 0)


def _told(value: Json, depth: int) -> str | None:
    """Return the words of an error, wherever in an answer they are."""
    if isinstance(value, str):
        return value if value.strip() else None
    if depth == 0:
        return None
    if isinstance(value, list):
        return next((told for one in value if (told := _told(one, depth - 1)) is not None), None)
    if not isinstance(value, Mapping):
        return None
    held = [value[name] for name in (*_TELLING, *_PRINTED) if name in value]
    return next((told for one in held if (told := _told(one, depth - 1)) is not None), None)


def _telling_line(text: str) -> str:
    """Return the last line that speaks of an error."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and EXIT.search(line) is None]
    telling = [line for line in lines if _ERROR_LINE.search(line.lower())] or lines
    return telling[-1] if telling else ""
