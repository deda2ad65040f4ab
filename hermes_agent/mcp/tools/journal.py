"""`journal` and `record_event`: what happened and when, and what another agent has to add to it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import TypeAdapter

from hermes_agent.agent.arguments import Between
from hermes_agent.agent.tools.journal import LONGEST, Journal
from hermes_agent.mcp.tools.tool import NOTE, Reply, Tool
from hermes_agent.mcp.visit import Visit
from hermes_agent.memory.told_by_program import MARK
from hermes_agent.recall.block import Item
from hermes_agent.records.archive import Json

_MOST_EVENTS = 25


@dataclass(frozen=True, slots=True)
class JournalCall:
    """Arguments of `journal`."""

    about: Annotated[str | None, "Words that must be in the event or its reason."] = None
    kind: Annotated[
        Literal["decision", "result", "failure", "remark", "turn", "tool"] | None,
        "Only such events. A turn is a request and how it ended, a tool is something that a tool changed.",
    ] = None
    since: Annotated[str | None, "Only from then on: 2026-04-14, yesterday, last tuesday, 3 weeks ago."] = None
    until: Annotated[str | None, "Only up to then, that day included."] = None
    limit: Annotated[int, f"Most events, up to {_MOST_EVENTS}.", Between(1, _MOST_EVENTS)] = 10


@dataclass(frozen=True, slots=True)
class RecordCall:
    """Arguments of `record_event`."""

    kind: Annotated[Literal["decision", "result", "failure", "remark"], "What it is."]
    text: Annotated[str, f"What was decided, came out or went wrong: one sentence, at most {LONGEST} characters."]
    reason: Annotated[str | None, "Why; of a failure also how it was handled."] = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; `mark` says that the words are another program's."""

    when: str
    kind: str
    text: str
    reason: str | None
    by: str
    session: str | None = None
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Events:
    """Events, the newest first."""

    note: str
    events: list[Event]
    advice: str | None


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was taken down."""

    message: str
    id: str | None = None
    kind: str | None = None
    text: str | None = None
    reason: str | None = None


_events = TypeAdapter(list[Event])
_recorded = TypeAdapter(Recorded)


def look_up(visit: Visit, call: JournalCall) -> Reply:
    """Return what happened."""
    asked = {"kind": call.kind, "about": call.about, "since": call.since, "until": call.until, "limit": call.limit}
    answer = _ask(visit, {"action": "look_up", **asked})
    events = _events.validate_python(answer["events"])
    message = answer.get("message")
    advice = str(message) if message else None
    items = [Item(one.when, one.by, _place(one), _text(one)) for one in events]
    return Reply(Events(NOTE, events, advice), advice or "", items)


def record(visit: Visit, call: RecordCall) -> Reply:
    """Take something down under the client's name."""
    answer = _ask(visit, {"action": "record", "kind": call.kind, "text": call.text, "reason": call.reason})
    value = _recorded.validate_python(answer)
    return Reply(value, f"{value.message} {value.text or ''}".strip())


def _ask(visit: Visit, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    access = visit.access
    tool = Journal(visit.memory, None, actor=access.actor, mark=None if access.is_owner else MARK)
    answer = json.loads(tool.run(arguments).text)
    assert isinstance(answer, dict), "the tool answers with an object"
    return answer


def _place(event: Event) -> str:
    session = "" if event.session is None else f"session {event.session}"
    return ", ".join(part for part in (event.kind, session, event.mark or "") if part)


def _text(event: Event) -> str:
    return event.text if event.reason is None else f"{event.text} – {event.reason}"


TOOLS = (
    Tool(
        "journal",
        "Look up what happened",
        "Look up what happened and when: what the user asked and how it ended, what tools changed, decisions "
        "with their reasons, results and failures. Use it for “what did we do last Tuesday?” and “why did we "
        "decide that?”. For facts use recall.",
        JournalCall,
        Events,
        look_up,
    ),
    Tool(
        "record_event",
        "Record a decision, result or failure",
        "Take down in the journal a decision with its reason, or the result or failure of longer work, when "
        "later work depends on it. Not each step, and nothing that is a lasting fact: use remember for that.",
        RecordCall,
        Recorded,
        record,
        needs="write",
    ),
)
