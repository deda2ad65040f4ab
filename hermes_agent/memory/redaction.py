"""Take secrets out of a message before anything keeps, indexes or sends it on."""

from dataclasses import replace

from hermes_agent.records.archive import Json, NewMessage
from hermes_agent.text.secrets import redact


def redacted(message: NewMessage) -> NewMessage:
    """Return the message without its secrets; its metadata names what was taken out."""
    kinds: dict[str, None] = {}
    content = None if message.content is None else _clean(message.content, kinds)
    calls = clean_values(message.tool_calls, kinds)
    reasoning = None if message.reasoning is None else _clean(message.reasoning, kinds)
    if not kinds:
        return message
    # The vendor's own form of the reply repeats its words; without it the reply is replayed from ours.
    metadata = {name: value for name, value in message.metadata.items() if name != "vendor"}
    return replace(
        message,
        content=content,
        tool_calls=calls,
        reasoning=reasoning,
        metadata={**metadata, "redacted": list(kinds)},
    )


def clean_values(value: Json, kinds: dict[str, None]) -> Json:
    """Take secrets out of every string of a JSON value, and add what they were to `kinds`."""
    if isinstance(value, str):
        return _clean(value, kinds)
    if isinstance(value, list):
        return [clean_values(item, kinds) for item in value]
    if isinstance(value, dict):
        return {key: clean_values(item, kinds) for key, item in value.items()}
    return value


def _clean(text: str, kinds: dict[str, None]) -> str:
    clean, found = redact(text)
    kinds.update(dict.fromkeys(found))
    return clean
