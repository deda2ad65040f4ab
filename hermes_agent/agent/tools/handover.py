"""The tool `handover`: give another profile of the owner's a sentence or facts, where the owner allowed the pair.

It is offered only where a pair is allowed. What arrives there is another profile's word, untrusted, and both
journals tell of it under one id; nothing of the other profile can be read with it.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Annotated

from hermes_agent.agent.arguments import read_arguments, spec_of
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.errors import ToolError
from hermes_agent.memory import handing_over
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import Json

Receivers = Mapping[str, Callable[[], AbstractContextManager[Memory]]]
"""How the memory of each profile is opened that something may be handed over to."""
LONGEST, MOST_FACTS = 2_000, 20


@dataclass(frozen=True, slots=True)
class HandoverCall:
    """Arguments of `handover`."""

    to: Annotated[str, "The profile that gets it."]
    summary: Annotated[str | None, "What to hand over, in plain sentences that stand by themselves."] = None
    facts: Annotated[list[str] | None, "Facts to hand over, by their names: fact:012."] = None


class Handover:
    """Hands something over, for one turn of one conversation."""

    spec = spec_of(
        "handover",
        "Hand something over to another profile of the user, only when the user asks for it: a summary, or facts "
        "by name. Nothing else crosses, and nothing can be read there. The other profile does not trust it until "
        "its owner accepts it.",
        HandoverCall,
    )

    def __init__(self, memory: Memory, receivers: Receivers, session_id: str) -> None:
        self._memory = memory
        self._receivers = receivers
        self._session_id = session_id

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Ask nothing: the owner allowed the pair."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Hand it over, and answer with its id."""
        call = read_arguments(HandoverCall, arguments)
        opening = self._receivers.get(call.to)
        if opening is None:
            raise ToolError(
                f"Nothing may be handed over from {self._memory.profile} to {call.to!r}.",
                hint=f"Allowed: {', '.join(sorted(self._receivers))}. The user allows others with "
                "profiles.handover.allowed.",
            )
        if not call.summary and not call.facts:
            raise ToolError("There is nothing to hand over.", hint="Send a summary, or names of facts.")
        facts = call.facts or []
        if len(call.summary or "") > LONGEST or len(facts) > MOST_FACTS:
            raise ToolError(
                f"That is too much: at most {LONGEST:,} characters and {MOST_FACTS} facts.", hint="Send less."
            )
        items = handing_over.chosen(self._memory.store, call.summary or None, facts, None)
        cause = f"the tool handover, session {self._session_id}"
        with opening() as receiver:
            given = handing_over.hand_over(self._memory.store, receiver, items, actor="agent", cause=cause)
        return ToolResult(json.dumps({"success": True, **_told(given, call.to)}, ensure_ascii=False))


def _told(given: handing_over.Given, to: str) -> dict[str, Json]:
    if given.uid is None:
        return {"message": f"{to} has it already; do not hand it over again."}
    handed = handing_over.told(given.items)
    return {"message": f"Handed over to {to}: {handed}. The user can take it back.", "id": given.uid}
