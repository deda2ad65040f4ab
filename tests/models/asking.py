"""What the tests of models share: a request, the choice of a scripted server, and asking to the end."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from hermes_agent.models import vendors
from hermes_agent.models.choose import COMPATIBLE, RemoteChoice
from hermes_agent.models.remote import Remote
from hermes_agent.patience import Patience
from hermes_agent.records.talk import Line, Piece, Reply, Request, ToolSpec, UserLine
from tests.openai_server import MODEL, Received, Server, Step, serve

MEMORY = ToolSpec(
    "memory",
    "Keep a note.",
    {"type": "object", "properties": {"action": {"type": "string"}}, "required": ["action"]},
)
SEARCH = ToolSpec("search", "Search.", {"type": "object", "properties": {"query": {"type": "string"}}})
HURRIED = Patience(first_wait_seconds=0)
VENDOR_KEY = "key-" + "of-the-vendor"


def request(*lines: Line, prompt: str = "You are kind.") -> Request:
    """Return a request with two tools; without lines somebody says hello."""
    return Request(prompt, lines or (UserLine("Hello"),), (MEMORY, SEARCH))


def choice_of(server: Server, provider: str = COMPATIBLE, model: str | None = MODEL) -> RemoteChoice:
    """Return the choice of a scripted server, playing one of the vendors it can play."""
    choice = RemoteChoice(provider, model, "a test", base_url=server.url)
    if provider == COMPATIBLE:
        return choice
    address = server.root if provider == "anthropic" else server.url
    variable = vendors.key_variables(provider)[0]
    return replace(choice, base_url=address, key=VENDOR_KEY, key_variable=variable, is_key_needed=True)


@contextmanager
def asking(
    *script: Step, provider: str = COMPATIBLE, model: str | None = MODEL, silence_seconds: float = 30
) -> Iterator[tuple[Server, Remote]]:
    """Run a scripted server and a model that asks it, without waiting between attempts."""
    with serve(*script) as server:
        remote = Remote(choice_of(server, provider, model), HURRIED, silence_seconds)
        try:
            yield server, remote
        finally:
            remote.close()


def whole(pieces: Iterator[Piece]) -> Reply:
    """Return the reply that a stream ends with."""
    *_, last = pieces
    assert isinstance(last, Reply)
    return last


def asked(request: Received) -> str:
    """Return what a request shows the model beside the instructions."""
    return str(request.json["messages"][-1]["content"])
