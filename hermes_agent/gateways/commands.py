"""The commands of a chat: /new, /status, /remember and so on, each a short reply."""

from collections.abc import Callable
from dataclasses import dataclass

from hermes_agent.gateways.guests import Room
from hermes_agent.gateways.intake import COMMANDS
from hermes_agent.memory import facts
from hermes_agent.text.clean import preview

_LINE_CHARACTERS = 200
_NOTHING_TO_STOP = "Nothing is being answered."


@dataclass(frozen=True, slots=True)
class Context:
    """What a command works on."""

    room: Room
    session_id: str | None
    start_over: Callable[[], None]
    """End the session; the next message begins another."""


def run(name: str, rest: str, context: Context) -> str:
    """Do what a command says; return the reply. One that there is not is answered with those there are."""
    act = _COMMANDS.get(name)
    if act is None:
        return f"There is no command /{name}. There are:\n{_help(rest, context)}"
    return act(rest, context)


def _help(rest: str, context: Context) -> str:
    return "\n".join(f"/{name} – {what}" for name, what in COMMANDS.items())


def _new(rest: str, context: Context) -> str:
    context.start_over()
    return "A new conversation begins. What I know stays."


def _stop(rest: str, context: Context) -> str:
    return _NOTHING_TO_STOP


def _status(rest: str, context: Context) -> str:
    app, session_id = context.room.app, context.session_id
    lines = [f"Model: {app.model.name}"]
    if session_id is None or not app.memory.has_session(session_id):
        lines.append("Conversation: none yet.")
    else:
        session = app.memory.session(session_id)
        lines.append(f"Conversation: {session.id}, {session.message_count} messages.")
    whose = "a guest's, apart from everybody else's" if context.room.is_guest else "the owner's"
    return "\n".join([*lines, f"Memory: {whose}."])


def _remember(rest: str, context: Context) -> str:
    if not rest:
        return "What should I remember? Write it behind: /remember My bike is green."
    added = facts.add(context.room.app.store, rest, cause="/remember")
    if isinstance(added, facts.KnownAlready):
        return f"I know: {preview(added.fact.text, _LINE_CHARACTERS)}"
    return f"Noted: {preview(added.fact.text, _LINE_CHARACTERS)}"


def _undo(rest: str, context: Context) -> str:
    memory, session_id = context.room.app.memory, context.session_id
    is_there = session_id is not None and memory.has_session(session_id)
    said = [one for one in memory.window(session_id or "") if one.role == "user"] if is_there else []
    if session_id is None or not said:
        return "There is nothing to take back in this conversation."
    memory.rewind(session_id, said[-1].id)
    return f"Taken back: {preview(said[-1].content or '', _LINE_CHARACTERS)}\nWhat tools did stays done."


_COMMANDS: dict[str, Callable[[str, Context], str]] = {
    "new": _new,
    "reset": _new,
    "stop": _stop,
    "status": _status,
    "remember": _remember,
    "undo": _undo,
    "help": _help,
}
