"""The tool `todo`: the steps of a longer piece of work, as the model keeps them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from hermes_agent.agent.arguments import read_arguments, spec_of
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.errors import ToolError
from hermes_agent.learn.forget import cut
from hermes_agent.records.archive import Json
from hermes_agent.text.clean import preview
from hermes_agent.text.runs import Look

MOST_ITEMS = 100
_SHOWN_CHARACTERS = 500
_SIGNS = {"pending": "[ ]", "in_progress": "[>]", "done": "[x]"}


@dataclass(frozen=True, slots=True)
class TodoItem:
    """One step."""

    text: Annotated[str, "What is to be done."]
    status: Annotated[Literal["pending", "in_progress", "done"], "How far it is."] = "pending"


@dataclass(frozen=True, slots=True)
class TodoCall:
    """Arguments of `todo`."""

    items: Annotated[
        list[TodoItem] | None, "The whole list in its new state; it replaces the old one. Leave it out to read it."
    ] = None


@dataclass(slots=True)
class TodoList:
    """The list of one conversation."""

    items: Sequence[TodoItem] = field(default_factory=tuple)

    def render(self) -> str:
        """Write the list, one step a line, and how far it is."""
        if not self.items:
            return "The list is empty."
        lines = [f"{_SIGNS[item.status]} {preview(item.text, _SHOWN_CHARACTERS)}" for item in self.items]
        done = sum(1 for item in self.items if item.status == "done")
        return "\n".join([*lines, f"{done} of {len(self.items)} done."])

    def forget(self, look: Look) -> None:
        """Let go of the words that were forgotten."""
        self.items = tuple(replace(item, text=cut(item.text, look)) for item in self.items)


class Todo:
    """Keeps the list of a conversation."""

    spec = spec_of(
        "todo",
        "Keep a list of the steps of work that takes several. Send the whole list each time something changes; "
        "have one step in progress at a time.",
        TodoCall,
    )

    def __init__(self, todo_list: TodoList) -> None:
        self._list = todo_list

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Ask nothing."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Replace the list if a new one came, and show it."""
        call = read_arguments(TodoCall, arguments)
        if call.items is not None:
            if len(call.items) > MOST_ITEMS:
                raise ToolError(f"{len(call.items)} items are too many.", hint=f"Keep {MOST_ITEMS} or fewer.")
            self._list.items = tuple(call.items)
        return ToolResult(self._list.render())
