"""What happens during a turn, each in one line for people.

Tool calls are shown folded: what was called, and how it went. Whatever comes from a model, a tool or the
archive is made safe to print here.
"""

from collections.abc import Mapping, Sequence

from hermes_agent.agent.events import Compacted, Event, Recalled, Redacted, ToolFinished, ToolStarted, Warned
from hermes_agent.agent.toolbox import ToolResult, parse_arguments
from hermes_agent.recall.block import Item
from hermes_agent.records.archive import Json
from hermes_agent.records.talk import ToolCall
from hermes_agent.text.clean import preview, printable
from hermes_agent.text.quantities import counted

# The arguments that say what a call is about, the most telling first.
_TELLING = ("command", "path", "url", "pattern", "query", "name", "content", "old_text", "text", "about")
_SHOWN_CHARACTERS = 100
_SHOWN_DATES = 3
_DATE_CHARACTERS = 10


def line_of(event: Event) -> str | None:
    """Write an event in one line; None for what is shown in another way."""
    match event:
        case Redacted(kinds):
            return redacted(kinds)
        case Recalled(items):
            return recalled(items)
        case Compacted(count, problem):
            left = f"{counted(count, 'earlier message')} left the window; a summary stands for them."
            return left if problem is None else f"{left} It holds their beginnings only. {printable(problem)}"
        case Warned(text):
            return printable(text)
        case ToolStarted(call):
            return f"· {started(call)}"
        case ToolFinished(_, result):
            notice = "" if result.notice is None else f"\n  {printable(result.notice)}"
            return f"  {finished(result)}{notice}"
        case _:
            return None


def redacted(kinds: Sequence[str]) -> str:
    """Say that secrets were taken out, and of which kinds."""
    if len(kinds) == 1:
        return f"A secret ({kinds[0]}) was taken out before anything was kept."
    return f"Secrets ({', '.join(kinds)}) were taken out before anything was kept."


def recalled(items: Sequence[Item]) -> str:
    """Say how many memories were recalled and from which days, the latest first."""
    days = sorted({item.when[:_DATE_CHARACTERS] for item in items if item.when}, reverse=True)
    shown = [*days[:_SHOWN_DATES], *(["…"] if len(days) > _SHOWN_DATES else [])]
    dates = f" ({', '.join(map(printable, shown))})" if shown else ""
    return f"Recalled {counted(len(items), 'memory', 'memories')}{dates}"


def started(call: ToolCall) -> str:
    """Write which tool is called, and what for: `shell  git status`."""
    about = preview(call.purpose or _about(call), _SHOWN_CHARACTERS)
    return f"{preview(call.name)}  {about}" if about else preview(call.name)


def finished(result: ToolResult) -> str:
    """Write how a call went: a count of lines, or the tool's own sentence."""
    mark = "✗" if result.is_error else "✓"
    return f"{mark} {_outcome(result)}"


def visible(text: str) -> str:
    """Write out what would not be seen: what hides or turns letters makes one command look like another."""
    return "".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text
    )


def _about(call: ToolCall) -> str:
    arguments = parse_arguments(call.arguments)
    if arguments is None:
        return call.arguments
    operations = arguments.get("operations")
    if isinstance(operations, list):
        parts = [_told(operation) for operation in operations if isinstance(operation, Mapping)]
        return "; ".join(part for part in parts if part)
    return _told(arguments)


def _told(arguments: Mapping[str, Json]) -> str:
    action = arguments.get("action")
    verb = f"{action} " if isinstance(action, str) else ""
    for name in _TELLING:
        value = arguments.get(name)
        if isinstance(value, str) and value.strip():
            return verb + value
    texts = (value for value in arguments.values() if isinstance(value, str) and value.strip())
    return verb + next((text for text in texts if text != action), "")


def _outcome(result: ToolResult) -> str:
    payload = parse_arguments(result.text)
    if payload:
        for noun in ("result", "event"):
            found = payload.get(f"{noun}s")
            if isinstance(found, list) and not result.is_error:
                return counted(len(found), noun)
        for name in ("error", "message"):
            said = payload.get(name)
            if isinstance(said, str) and said.strip():
                return preview(said, _SHOWN_CHARACTERS)
    lines = result.text.strip().splitlines()
    if lines and not payload and (len(lines) == 1 or result.is_error):
        return preview(lines[-1], _SHOWN_CHARACTERS)  # the last line of a failed command says how it ended
    return counted(len(lines), "line")
