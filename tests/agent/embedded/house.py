"""A home with the embedded model in it: real notes, a real archive, the real turn."""

from pathlib import Path

from hermes_agent import clock
from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.agent.embedded.model import Embedded
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.records.archive import NewMessage, NewSession

DAY = 86_400 * clock.MICROSECONDS


class House:
    """Somebody talks with the embedded model, session after session."""

    def __init__(self, home: Home, folder: Path) -> None:
        self.app = App(home, load(home), model=Embedded())
        self.folder = folder
        self.session_id = ""

    def talk(self, *said: str) -> list[str]:
        """Hold one session and return the answers."""
        conversation = Conversation(self.app.desk, Opening("cli", self.folder))
        answers = [conversation.ask(words).text for words in said]
        self.session_id = conversation.session_id or ""
        conversation.end()
        return answers

    def said_before(self, days_ago: int, *said: str) -> str:
        """Keep a session of some days ago, as another program would have left it: no notes were made of it."""
        at = clock.now() - days_ago * DAY
        session_id = self.app.memory.begin(NewSession("cli", started_at=at))
        for place, words in enumerate(said):
            moment = at + place * clock.MICROSECONDS
            self.app.memory.append(
                session_id,
                NewMessage("user", words, said_at=moment),
                NewMessage("assistant", "Kept.", said_at=moment, model="embedded"),
            )
        self.app.memory.end(session_id, "agent_close")
        return session_id

    def note(self, target: str) -> list[str]:
        """Return the entries of a note."""
        return self.app.notebook.entries("user" if target == "user" else "memory")

    def close(self) -> None:
        """Let go of the database."""
        self.app.close()
