"""The tool `memory`: the agent keeps MEMORY.md and USER.md up to date, entry by entry.

There is nothing to read with it: the notes stand in the prompt. A reply says how full the note is and what
was saved, never the whole list, which made models write the same thing again. A new object is made for
every turn: a model that fails again and again is told to stop.
"""

import json
from collections.abc import Mapping, Sequence

from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes import format
from hermes_agent.notes.edit import ACTIONS
from hermes_agent.records.archive import Json
from hermes_agent.records.notes import SUBJECTS, Changed, Operation, Refused, Target
from hermes_agent.records.talk import ToolSpec

MOST_FAILURES = 3
"""After so many failures in one turn the next one ends the trying."""

_DESCRIPTION = """\
Keep notes that outlive this conversation. They stand in the prompt of every coming one, so they must stay \
short. Target `user` is who the user is: name, preferences, habits, how they want to be answered. Target \
`memory` is everything else that stays true: their projects, machines, conventions, decisions, lessons.
Save without being asked when the user states a preference, corrects you, or tells something that will matter \
in weeks. Most worth keeping: what spares the user from saying it again; then facts about the environment; \
then ways of working. Do not save progress, to-do items, raw data, what can be looked up, or what will be \
stale in a week. A procedure of several steps is a skill, not a note.
Write each entry as one short statement of fact, not as an order to yourself. Make all changes of a target in \
one call with `operations`. When a note is full, shorten or remove entries and add the new one in the same \
batch: only the result must fit."""

_OPERATION: dict[str, Json] = {
    "action": {"type": "string", "enum": list(ACTIONS), "description": "What to do."},
    "content": {"type": "string", "description": "The text of the entry, for add and replace."},
    "old_text": {
        "type": "string",
        "description": "A short part of the entry that is meant, found in no other one; for replace and remove.",
    },
}
_SPEC = ToolSpec(
    "memory",
    _DESCRIPTION,
    {
        "type": "object",
        "properties": {
            "target": {
                "type": "string",
                "enum": ["memory", "user"],
                "description": "Which note: user is about the user, memory is everything else.",
            },
            **_OPERATION,
            "operations": {
                "type": "array",
                "description": "Several changes that are made together or not at all; instead of action.",
                "items": {"type": "object", "properties": _OPERATION, "required": ["action"]},
            },
        },
        "required": ["target"],
    },
)


class MemoryTool:
    """The notes, for one turn of one conversation."""

    spec = _SPEC

    def __init__(
        self, notebook: Notebook, session_id: str | None, actor: str = "agent", *, is_owner: bool = False
    ) -> None:
        self._notebook = notebook
        self._session_id = session_id
        self._actor = actor
        self._is_owner = is_owner
        self._failures = 0

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Nothing needs asking: every change is journalled and can be undone."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Make the change, or say why not."""
        target = _target(arguments.get("target"))
        operations = _operations(arguments)
        outcome: Changed | Refused
        if isinstance(target, Refused):
            outcome = target
        elif isinstance(operations, Refused):
            outcome = operations
        else:
            outcome = self._notebook.change(
                target, operations, actor=self._actor, session_id=self._session_id, is_owner=self._is_owner
            )
        if isinstance(outcome, Refused):
            return self._refused(outcome)
        self._failures = 0
        return _reply(_done(outcome, is_batch=bool(arguments.get("operations"))))

    def _refused(self, refused: Refused) -> ToolResult:
        self._failures += 1
        if self._failures > MOST_FAILURES:
            error = (
                f"{refused.error} This was failure {self._failures} in this turn: stop changing notes now, answer"
                " the user, and say what could not be saved."
            )
            return _reply({"success": False, "done": True, "error": error}, is_error=True)
        details: dict[str, Json] = {
            "current_entries": refused.current_entries,
            "entry_sizes": refused.entry_sizes,
            "usage": refused.usage,
            "matches": refused.matches,
            "drift_backup": refused.drift_backup,
            "remediation": refused.remediation,
        }
        told = {name: value for name, value in details.items() if value is not None}
        error = f"{refused.error} {refused.advice}".strip()
        return _reply({"success": False, "error": error, **told}, is_error=True)


def _done(changed: Changed, *, is_batch: bool) -> dict[str, Json]:
    name = SUBJECTS[changed.target]
    reply: dict[str, Json] = {
        "success": True,
        "done": True,
        "target": changed.target,
        "usage": format.usage(changed.characters, changed.limit),
        "entry_count": changed.entry_count,
        "message": changed.message,
    }
    if is_batch:
        reply["entries_saved"] = list(changed.saved)
    elif changed.saved:
        reply["entry"] = changed.saved[0]
    if format.is_nearly_full(changed.characters, changed.limit):
        full = format.percent(changed.characters, changed.limit)
        reply["warning"] = (
            f"{name} is {full}% full. Soon merge entries that belong together and remove what is stale."
        )
    reply["note"] = "This is done: do not write it again. The prompt shows it from the next conversation on."
    return reply


def _target(value: Json) -> Target | Refused:
    """Read the target; a missing one is memory."""
    match value:
        case None | "" | "memory":
            return "memory"
        case "user":
            return "user"
    asked = repr(value[:80]) if isinstance(value, str) else "of that kind"
    return Refused("unknown", f"There is no target {asked}.", "Use memory or user.")


def _operations(arguments: Mapping[str, Json]) -> Sequence[Operation] | Refused:
    """Read the batch, or the single operation."""
    batch = arguments.get("operations")
    if isinstance(batch, str) and batch.strip():
        # Some models send the list as a text that holds the list.
        try:
            batch = json.loads(batch)
        except (ValueError, RecursionError):
            return Refused("unknown", "operations is not a list. Send a list of objects with an action each.")
    if not batch:
        return [_operation(arguments)] if arguments.get("action") else _nothing()
    if not isinstance(batch, list):
        return Refused("unknown", "operations is not a list. Send a list of objects with an action each.")
    for number, item in enumerate(batch, start=1):
        if not isinstance(item, dict):
            return Refused(
                "unknown", f"Operation {number} is not an object. Nothing was changed; send them again."
            )
    return [_operation(item) for item in batch]


def _operation(values: Mapping[str, Json]) -> Operation:
    action, content, old_text = (_text(values.get(name)) for name in ("action", "content", "old_text"))
    return Operation(action or "", content, old_text)


def _text(value: Json) -> str | None:
    """Take a number as it is written; a list or an object is no text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value)


def _nothing() -> Refused:
    return Refused("unknown", f"There is no action. Use one of: {', '.join(ACTIONS)}; or send operations.")


def _reply(values: Mapping[str, Json], *, is_error: bool = False) -> ToolResult:
    # Our own words about the notes: nothing from elsewhere.
    return ToolResult(json.dumps(values, ensure_ascii=False), source_class="system", is_error=is_error)
