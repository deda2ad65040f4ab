"""Whether a call failed, and why, in the words of its tool: of a structured answer the error alone, without hints.

A tool says so itself, or its answer is a JSON object with an exit code, an error or no success, as those of other
agents have it: what an import brings bears no other mark. A command of another agent's shell says it in plain
words, on the first line or the last; in between, and in what is read, such words are only told.
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


_ENDED = Pattern(r"\[(?:exit code \d+|ended by signal \d+)\]")
"""The last line of our own shell, which tells how a command ended, whatever it printed."""
_COMMANDS = Pattern(r"shell|terminal|bash|exec|command|console|python|\brun|_run|process")
"""How tools are called that run commands."""
_BAD_END = Pattern(
    r"(?:(?:error|command|process|program)\b:? )?(?:failed |returned )?(?:with )?(?:a )?(?:non-zero )?"
    r"\[?exit (?:code|status)(?: of)?:? ?[1-9]\d*\]?\.?"
    r"|(?:\S.{0,80} )?exited with (?:a )?(?:non-zero )?(?:exit )?(?:code|status)(?: of)?:? ?[1-9]\d*\.?"
    r"|(?:g?make|ninja)(?:\[\d+\])?: \*\*\* .*error [1-9]\d*"
    r"|(?:error|fatal)(?:\[\w+\])?: (?!0\b|no\b|none\b|nothing\b)\S.*"
    r"|\S.{0,200}: (?:permission denied|(?:command )?not found|no such file or directory)\.?"
    r"|=+ .*\b[1-9]\d* (?:failed|errors?)\b.* =+|failed \S+(?:::\S.*|\.py\b.*)"
)
_TRACEBACK = "Traceback (most recent call last):"
_RAISED = Pattern(r"[\w.]*(?:error|exception|exit|interrupt|warning|failure)(?:: .*)?")
_LONGEST_LINE = 500


def has_failed(answer: str, tool: str = "") -> bool:
    """Tell whether the answer of a tool says that the call failed."""
    told = _structured(answer)
    if not isinstance(told, Mapping):
        return _is_said_plainly(answer, tool)
    is_bad_end = _exit_code(told) != 0 and _NO_ERROR not in str(told.get("exit_code_meaning") or "")
    return is_bad_end or bool(told.get("error")) or told.get("success") is False


def _is_said_plainly(answer: str, tool: str) -> bool:
    lines = [line.strip()[:_LONGEST_LINE] for line in answer.strip().splitlines() if line.strip()]
    if not lines or _ENDED.fullmatch(lines[-1]) is not None:
        return False  # our own shell says it by its own mark
    if tool and _COMMANDS.search(tool) is None:
        # What was read may begin or end with anything; a lone line that speaks of an error is the tool's.
        return (
            len(lines) == 1
            and lines[0].casefold().startswith("error")
            and _BAD_END.fullmatch(lines[0]) is not None
        )
    is_raised = _TRACEBACK in answer and _RAISED.fullmatch(lines[-1]) is not None
    return is_raised or any(_BAD_END.fullmatch(line) is not None for line in (lines[0], lines[-1]))


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
