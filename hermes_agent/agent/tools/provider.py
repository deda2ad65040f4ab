"""The tools of the external memory, as the toolbox takes them.

Nobody is asked before a call: who chose the provider lets the agent use it. What comes back is a stranger's words,
and marked as a tool's. What it says of its tools is, too: one that speaks to the assistant there is left out. A
name of ours stays ours, and a tool that a vendor of models would refuse, all others with it, is left out.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.agent.tools.overflow import Overflow
from hermes_agent.memory.external import External
from hermes_agent.notes import screening
from hermes_agent.providers.provider import Schema
from hermes_agent.recall.block import strip_fences
from hermes_agent.records.archive import Json
from hermes_agent.records.talk import ToolSpec
from hermes_agent.text.clean import printable

_LONGEST_DESCRIPTION = 2_000
_LONGEST_PARAMETERS = 20_000
_MOST_TOOLS = 32
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class ProviderTool:
    """One tool of the external memory."""

    external: External
    spec: ToolSpec
    session_id: str
    overflow: Overflow

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Ask nothing: the owner chose the provider."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Let the provider do it."""
        answer = self.external.call(self.spec.name, dict(arguments), self.session_id)
        return ToolResult(self.overflow.shorten(answer), "tool")


def tools_of(
    external: External, session_id: str, overflow: Overflow, taken: Collection[str]
) -> Iterator[ProviderTool]:
    """Yield the provider's tools but those whose names are taken; the first of one name counts."""
    specs = islice(_specs(external.tools(session_id), taken), _MOST_TOOLS)
    return (ProviderTool(external, spec, session_id, overflow) for spec in specs)


def _specs(schemas: Iterable[Schema], taken: Collection[str]) -> Iterator[ToolSpec]:
    used = set(taken)
    for schema in schemas:
        name, parameters = schema["name"], _parameters(schema)
        if name in used or not _NAME.fullmatch(name) or parameters is None:
            continue
        said = schema.get("description")
        description = _clean(said[: _LONGEST_DESCRIPTION * 2] if isinstance(said, str) else "")
        if all(map(_is_harmless, (description, *_texts(parameters)))):
            used.add(name)
            yield ToolSpec(name, description[:_LONGEST_DESCRIPTION], parameters)


def _parameters(schema: Schema) -> Mapping[str, Json] | None:
    """Return what a tool takes, an object; None if it is too long, or of another kind."""
    given = schema.get("parameters") or {}
    if not isinstance(given, dict) or given.get("type", "object") != "object":
        return None
    if not isinstance(given.get("properties", {}), dict) or len(json.dumps(given)) > _LONGEST_PARAMETERS:
        return None
    try:
        return {"properties": {}, **_cleaned(given), "type": "object"}
    except RecursionError:
        return None


# Any: JSON of any depth.
def _cleaned(value: Any) -> Any:
    """Return the same with clean texts."""
    match value:
        case str():
            return _clean(value)
        case list():
            return [_cleaned(one) for one in value]
        case dict():
            return {_clean(name): _cleaned(one) for name, one in value.items()}
    return value


def _texts(value: Json) -> Iterator[str]:
    """Yield what can be read in JSON: names and texts."""
    match value:
        case str():
            yield value
        case list():
            for one in value:
                yield from _texts(one)
        case dict():
            for name, one in value.items():
                yield name
                yield from _texts(one)


def _clean(text: str) -> str:
    return strip_fences(printable(text))


@lru_cache(maxsize=4_096)  # the same tools are offered at every turn
def _is_harmless(text: str) -> bool:
    return bool(_NAME.fullmatch(text)) or not screening.find(text, "foreign")
