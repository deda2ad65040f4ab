"""A conversation that is over, in a home."""

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.records.archive import NewMessage, NewSession


def keep_ended(home: Home, said: str) -> None:
    """Keep a conversation in which the user said one thing and left."""
    app = App(home, load(home))
    session_id = app.memory.begin(NewSession())
    app.memory.append(session_id, NewMessage("user", said))
    app.memory.end(session_id, "user_exit")
    app.close()
