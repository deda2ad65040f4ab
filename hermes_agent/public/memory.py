"""`Memory` as programs open it: the facade over a home, or over any folder."""

import os

from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.memory import memory


class Memory(memory.Memory):
    """Everything that was said, kept and found again.

    Without an argument it is the memory of the active home, the one `hermes` uses. With
    `session_store` it lives in that folder, apart from every home; the folder is made when needed.
    """

    def __init__(self, session_store: str | os.PathLike[str] | None = None) -> None:
        home = paths.active_home() if session_store is None else paths.home_at(session_store)
        self.app = App(home, load(home))
        app = self.app
        super().__init__(
            app.store,
            home.profile,
            app.zone,
            embedder=lambda: app.embedder,
            retrieval=app.retrieval,
            reranking=app.reranking,
            cap=app.cap,
            is_trained=app.memory.is_trained,
            external=lambda: app.external,
            provider=lambda: app.provider,
        )

    def close(self) -> None:
        """Let go of the database."""
        self.app.close()
