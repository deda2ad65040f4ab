"""Episodes as JSON, each under the name it goes by."""

from collections.abc import Iterable
from dataclasses import asdict

from hermes_agent.memory.shown.archive import message_json
from hermes_agent.memory.shown.values import values_json
from hermes_agent.records.archive import Json, Message
from hermes_agent.records.memory import Episode


def episode_json(one: Episode) -> dict[str, Json]:
    """Write an episode, its times in UTC."""
    return {**values_json(asdict(one)), "id": one.name, "name": one.name}


def opened_episode_json(one: Episode, messages: Iterable[Message]) -> dict[str, Json]:
    """Write an episode with its messages."""
    return {**episode_json(one), "messages": [message_json(message) for message in messages]}
