"""Memories as Mem0 and Letta export them: sentences held to be true, and the conversations behind them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_agent.ops.elsewhere.chats import seconds
from hermes_agent.records.archive import Json

_LISTS = ("results", "memories")


@dataclass(frozen=True, slots=True)
class Remembered:
    """A sentence that another program remembered, and when; None if it does not say."""

    text: str
    at: float | None


@dataclass(frozen=True, slots=True)
class Memories:
    """What a file of another program holds."""

    program: Literal["mem0", "letta"]
    remembered: Sequence[Remembered]
    sessions: Sequence[Json]


def read(value: Json) -> Memories | None:
    """Return what an export of Mem0 or Letta holds; None if it is neither."""
    if isinstance(value, dict) and isinstance(value.get("agents"), list) and isinstance(value.get("blocks"), list):
        return _letta(value)
    rows = next((value[name] for name in _LISTS if name in value), None) if isinstance(value, dict) else value
    if isinstance(rows, list) and rows and all(isinstance(one, dict) and "memory" in one for one in rows):
        return Memories("mem0", [one for row in rows if (one := _mem0(row)) is not None], [])
    return None


def _mem0(row: Json) -> Remembered | None:
    if not isinstance(row, dict) or not isinstance(text := row.get("memory"), str) or not text.strip():
        return None
    return Remembered(text, seconds(row.get("updated_at")) or seconds(row.get("created_at")))


def _letta(value: Mapping[str, Json]) -> Memories:
    agents, blocks = value["agents"], value["blocks"]
    assert isinstance(agents, list) and isinstance(blocks, list), "looked at before"
    told = [one for block in blocks if isinstance(block, dict) for one in _lines(block.get("value"))]
    sessions = [_letta_session(one) for one in agents if isinstance(one, dict)]
    return Memories("letta", [Remembered(one, None) for one in told], [one for one in sessions if one is not None])


def _lines(text: Json) -> Iterator[str]:
    """Yield the lines of a block of memory; headings and marks are none."""
    for line in text.splitlines() if isinstance(text, str) else ():
        told = line.strip().lstrip("-*• ").strip()
        if any(letter.isalpha() for letter in told) and not told.startswith(("#", "<")):
            yield told


def _letta_session(agent: Mapping[str, Json]) -> Json:
    said = agent.get("messages")
    name = agent.get("id") or agent.get("name")
    messages = [
        one for row in (said if isinstance(said, list) else []) if (one := _letta_message(row)) is not None
    ]
    if not messages or not isinstance(name, str):
        return None
    return {"id": f"letta-{name}", "source": "letta", "title": agent.get("name"), "messages": messages}


def _letta_message(row: Json) -> Json:
    if not isinstance(row, dict) or row.get("role") not in ("user", "assistant"):
        return None
    content = row.get("content")
    parts = (
        [one.get("text") for one in content if isinstance(one, dict)] if isinstance(content, list) else [content]
    )
    text = "\n".join(one for one in parts if isinstance(one, str)).strip()
    moment = seconds(row.get("created_at"))
    return {"role": row["role"], "content": text, "timestamp": moment} if text and moment is not None else None
