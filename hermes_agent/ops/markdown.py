"""A session as a transcript to read: Markdown that no message can break out of.

Messages are Markdown already and stay so; only what would swallow the rest of the page is mended:
a code block left open, HTML at the start of a line. Tool calls and their results are folded away.
"""

import html
import json
import re
from collections.abc import Iterable, Iterator
from datetime import tzinfo

from hermes_agent import clock
from hermes_agent.records.archive import Json, Message, Session
from hermes_agent.text.clean import printable

_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}|~{3,})(?P<rest>.*)$")
_HTML_START = re.compile(r"^( {0,3})<(?=[A-Za-z/!?])")
_TICKS = re.compile("`+")
_NAMES = {"user": "User", "assistant": "Assistant", "tool": "Tool", "system": "System"}


def write_transcript(session: Session, messages: Iterable[Message], zone: tzinfo | None) -> Iterator[str]:
    """Yield the transcript of one session, part by part; times are in `zone`."""
    yield f"# {_line(session.title or session.id)}\n\n"
    yield "\n".join(f"- {name}: {_line(value)}" for name, value in _facts(session, zone)) + "\n"
    for message in messages:
        yield from _write_message(message, zone)
    yield "\n"


def fenced(text: str, language: str = "") -> str:
    """Put a text into a code block whose fence is longer than any run of backticks in it."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def contained(text: str) -> str:
    """Return Markdown that ends where it ends: open code blocks closed, HTML at a line's start shown as text."""
    lines: list[str] = []
    opened = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if opened:
            if match and _closes(match, opened):
                opened = ""
        elif match and not (match["mark"][0] == "`" and "`" in match["rest"]):
            opened = match["mark"]
        else:
            line = _HTML_START.sub(r"\1\\<", line)
        lines.append(line)
    if opened:
        lines.append(opened)
    return "\n".join(lines)


def _closes(match: re.Match[str], opened: str) -> bool:
    mark = match["mark"]
    return mark[0] == opened[0] and len(mark) >= len(opened) and not match["rest"].strip()


def _facts(session: Session, zone: tzinfo | None) -> Iterator[tuple[str, str]]:
    yield "Session", session.id
    yield "Source", session.source
    if session.model is not None:
        yield "Model", session.model
    yield "Started", _time(session.started_at, zone)
    if session.ended_at is not None:
        reason = f" ({session.end_reason})" if session.end_reason else ""
        yield "Ended", _time(session.ended_at, zone) + reason
    if session.parent_session_id is not None:
        yield "Continues" if session.parent_kind == "compression" else "From", session.parent_session_id
    yield "Messages", str(session.message_count)


def _write_message(message: Message, zone: tzinfo | None) -> Iterator[str]:
    name = _NAMES.get(message.role, _line(message.role))
    mark = " (summary)" if message.is_summary else ""
    yield f"\n## {name}{mark} · {_time(message.said_at, zone)}\n"
    content = printable(message.content or "")
    if content and message.role == "tool":
        yield _folded(f"Result of {message.tool_name or 'a tool'}", fenced(content))
    elif content:
        yield f"\n{contained(content)}\n"
    calls = message.tool_calls if isinstance(message.tool_calls, list) else [message.tool_calls]
    for call in calls:
        if call is not None:
            yield _folded(f"Call of {_called(call)}", fenced(_pretty(call), "json"))


def _folded(summary: str, body: str) -> str:
    return f"\n<details><summary>{html.escape(_line(summary))}</summary>\n\n{body}\n\n</details>\n"


def _called(call: Json) -> str:
    """Return the name in a tool call of the usual forms."""
    if isinstance(call, dict):
        function = call.get("function")
        name = function.get("name") if isinstance(function, dict) else call.get("name")
        if isinstance(name, str):
            return name
    return "a tool"


def _pretty(call: Json) -> str:
    return printable(json.dumps(call, ensure_ascii=False, indent=2))


def _line(text: str) -> str:
    return " ".join(printable(text).split())


def _time(moment: int, zone: tzinfo | None) -> str:
    return clock.written(moment, zone)
