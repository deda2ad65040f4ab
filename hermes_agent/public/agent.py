"""`Agent`: a conversation for programs, with memory behind it."""

import os
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from hermes_agent.agent.conversation import Conversation, Opening, collect
from hermes_agent.agent.events import Response, Warned
from hermes_agent.agent.turn import Happening
from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.errors import UsageError
from hermes_agent.models.model import Model
from hermes_agent.public.memory import Memory
from hermes_agent.skills.library import Library

Folder = str | os.PathLike[str]


class Agent:
    """Answers, remembers, and knows its user; one object is one conversation.

    `user_model` is the folder of USER.md and MEMORY.md, `skill_library` the folder of skills; without
    them they lie in the memory's own home. `model` is `provider:name`; without it the settings and the
    keys in the environment decide, and without any of these the embedded default answers from memory.
    Tools that need the owner's yes are refused: a program that wants to decide iterates over
    `stream()` and sends its answer.
    """

    def __init__(
        self,
        memory: Memory | None = None,
        *,
        user_model: Folder | None = None,
        skill_library: Folder | None = None,
        model: str | Model | None = None,
        folder: Folder = ".",
    ) -> None:
        self.memory = Memory() if memory is None else memory
        home = replace(
            self.memory.app.home,
            notes_folder=None if user_model is None else paths.expand(os.fspath(user_model)),
            skills_folder=None if skill_library is None else paths.expand(os.fspath(skill_library)),
        )
        paths.ensure(home)
        self._app = App(home, self.memory.app.settings, store=self.memory.store, model=model)
        opening = Opening(source="python", folder=Path(os.fspath(folder)).absolute())
        self._conversation = Conversation(self._app.desk, opening)
        self._is_closed = False
        self._unsaid = [
            *self._app.notebook.reconcile(),
            *self._app.notebook.snapshot().warnings,
            *self._app.sync_skills(),
        ]

    @property
    def skills(self) -> Library:
        """The skills: `agent.skills.list()`; what came again in this conversation is among them."""
        self._app.distill()
        return self._app.library

    @property
    def session_id(self) -> str | None:
        """The session of this conversation; None before the first message."""
        return self._conversation.session_id

    def process(self, message: str) -> Response:
        """Answer a message. The response prints as its text and carries what happened, usage and memories."""
        return collect(self.stream(message))

    def stream(self, message: str) -> Happening:
        """Answer a message as a stream of events; closing it stops the answer and keeps what had come."""
        if self._is_closed:
            raise UsageError("This agent is closed.", hint="Make a new one.")
        if not isinstance(message, str):
            raise UsageError("A message is text.")
        while self._unsaid:
            yield Warned(self._unsaid.pop(0))
        yield from self._conversation.say(message)

    def resume(self, session: str) -> None:
        """Go on with an earlier session, by id or title."""
        self._conversation.resume(session)

    def close(self) -> None:
        """End the conversation and let go of the memory."""
        self._is_closed = True
        self._conversation.end()
        self._app.close()
        self.memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
