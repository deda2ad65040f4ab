"""Tokens as JSON, without what opens anything."""

from dataclasses import asdict

from hermes_agent.memory.shown.values import values_json
from hermes_agent.records.archive import Json
from hermes_agent.records.tokens import Token


def token_json(token: Token) -> dict[str, Json]:
    """Write a token, its times in UTC; its hash stays in the store."""
    values = asdict(token)
    del values["hash"]
    return values_json(values)
