"""What tasks taught and what old conversations came to as JSON: reflections and summaries."""

from collections.abc import Iterable
from dataclasses import asdict

from hermes_agent import clock
from hermes_agent.memory.shown.archive import message_json
from hermes_agent.memory.shown.values import values_json
from hermes_agent.records.archive import Json, Message
from hermes_agent.records.reflections import Reflection
from hermes_agent.records.summaries import Summary


def reflection_json(one: Reflection) -> dict[str, Json]:
    """Write a reflection under the name people give it, its times in UTC."""
    names: dict[str, Json] = {"id": one.name, "name": one.name, "lesson": one.lesson}
    return {**values_json(asdict(one)), **names}


def summary_json(one: Summary) -> dict[str, Json]:
    """Write a summary under the name people give it, its times in UTC."""
    lines: list[Json] = [{**line, "at": clock.iso(line["at"])} for line in one.lines]
    return {**values_json(asdict(one)), "id": one.name, "name": one.name, "lines": lines}


def opened_summary_json(one: Summary, messages: Iterable[Message]) -> dict[str, Json]:
    """Write a summary with the messages it stands for."""
    return {**summary_json(one), "messages": [message_json(message) for message in messages]}
