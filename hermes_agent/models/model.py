"""What the agent asks: anything that answers a request in pieces."""

from collections.abc import Iterator
from typing import Protocol

from hermes_agent.records.talk import Piece, Request


class Model(Protocol):
    """A language model, or what stands in for one."""

    @property
    def name(self) -> str:
        """What the archive writes beside its answers: `openai:gpt-5`, `embedded`."""

    @property
    def is_embedded(self) -> bool:
        """Whether it is our own stand-in, which takes no free text for an order and needs no reminding."""

    @property
    def context_window(self) -> int:
        """Most tokens of one request and its answer together."""

    def ask(self, request: Request) -> Iterator[Piece]:
        """Answer in pieces; the last one is the whole `Reply`. Closing the iterator stops the answer.

        What goes wrong is raised as a `ModelError`.
        """
