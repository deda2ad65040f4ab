"""Calls of the memory tool, and the files that it changes."""

import json
from pathlib import Path

from hermes_agent.agent.tools.memory import MemoryTool
from hermes_agent.memory.notebook import Notebook
from hermes_agent.records.archive import Json
from hermes_agent.records.notes import Target

TARGETS: tuple[Target, ...] = ("memory", "user")


def call(tool: MemoryTool, **arguments: Json) -> dict[str, Json]:
    result = tool.run(arguments)
    reply = json.loads(result.text)
    assert isinstance(reply, dict)
    assert result.is_error != reply["success"]
    return reply


def file_of(notebook: Notebook, target: Target) -> Path:
    return notebook.path(target)


def backups(notebook: Notebook, target: Target) -> list[Path]:
    path = file_of(notebook, target)
    return sorted(path.parent.glob(path.name + ".bak.*"))
