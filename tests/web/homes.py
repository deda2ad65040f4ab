"""Homes with something in them, for the pages that show it."""

from hermes_agent.app import App
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.turn import FinishedTurn

SCRIPT = "<script>alert('stored')</script>"
SCRIPTS = "Приве́т мир · こんにちは世界 · مرحبا بالعالم · नमस्ते · 🦊"


def talk(app: App, *said: str, session: str | None = None, title: str | None = None) -> str:
    """Hold a conversation: each text is answered with its own length; return the session's id."""
    name = app.memory.begin(NewSession(id=session, title=title))
    for text in said:
        app.memory.append(name, NewMessage("user", text))
        entry = NewEntry("turn.answered", name, f"Asked: {text[:80]}", actor="agent", session_id=name)
        app.memory.finish_turn(
            name, FinishedTurn(NewMessage("assistant", f"That has {len(text)} letters."), entry)
        )
    return name
