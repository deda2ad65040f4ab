"""An agent that remembers: a memory engine with an agent on top.

    from hermes_agent import Agent, Memory

    agent = Agent(memory=Memory(session_store="./sessions"))
    print(agent.process("What did we decide about the deploy?"))

The names below are loaded when they are first used: `hermes --help` needs none of them. The version
stands here and nowhere else; the package's metadata reads it from this line.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes_agent.agent.events import Response as Response
    from hermes_agent.errors import HermesError as HermesError
    from hermes_agent.providers.provider import MemoryProvider as MemoryProvider
    from hermes_agent.public.agent import Agent as Agent
    from hermes_agent.public.memory import Memory as Memory

__version__ = "0.1.0"

_PLACES = {
    "Agent": "hermes_agent.public.agent",
    "HermesError": "hermes_agent.errors",
    "Memory": "hermes_agent.public.memory",
    "MemoryProvider": "hermes_agent.providers.provider",
    "Response": "hermes_agent.agent.events",
}
__all__ = ["Agent", "HermesError", "Memory", "MemoryProvider", "Response", "__version__"]


def __getattr__(name: str) -> object:
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
