"""Tell a provider what happened, and use its tools, by its own signatures: older ones take fewer arguments."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hermes_agent.providers.provider import MemoryProvider, Schema


def tell_turn(
    provider: MemoryProvider, user: str, assistant: str, session_id: str, messages: Sequence[Schema]
) -> None:
    """Tell of a turn; with all its messages where the provider takes them."""
    more = {"messages": list(messages)} if _takes(provider.sync_turn, "messages") else {}
    provider.sync_turn(user, assistant, session_id=session_id, **more)


def use_tool(provider: MemoryProvider, tool: str, arguments: Schema, session_id: str) -> str:
    """Use a tool; for which conversation, where the provider takes it."""
    more = {"session_id": session_id} if _takes(provider.handle_tool_call, "session_id") else {}
    return provider.handle_tool_call(tool, arguments, **more)


def tell_end(provider: MemoryProvider, messages: Sequence[Schema], session_id: str) -> None:
    """Tell that a conversation is over; which one, where the provider takes it: others may go on meanwhile."""
    more = {"session_id": session_id} if _takes(provider.on_session_end, "session_id") else {}
    provider.on_session_end(messages, **more)


def tell_change(
    provider: MemoryProvider, action: str, target: str, content: str, metadata: Mapping[str, Any]
) -> None:
    """Tell of a changed note; with what is known of the change where the provider takes it."""
    if _takes(provider.on_memory_write, "metadata"):
        provider.on_memory_write(action, target, content, metadata=dict(metadata))
    else:
        provider.on_memory_write(action, target, content)


# Any: a function of somebody else's.
def _takes(function: Callable[..., Any], name: str) -> bool:
    given = inspect.signature(function).parameters
    return name in given or any(one.kind is inspect.Parameter.VAR_KEYWORD for one in given.values())
