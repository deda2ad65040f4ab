"""Call a tool the way the agent does: JSON through the toolbox."""

import json

from hermes_agent.agent.toolbox import Tool, Toolbox, ToolResult
from hermes_agent.records.talk import ToolCall


def call(tool: Tool, **arguments: object) -> ToolResult:
    """Return what a model gets for these arguments."""
    box = Toolbox({tool.spec.name: tool})
    return box.run(ToolCall("1", tool.spec.name, json.dumps(arguments)))


def refusal(tool: Tool, **arguments: object) -> str:
    """Return the sentence with which a tool refuses a call."""
    result = call(tool, **arguments)
    assert result.is_error, result.text
    answer = json.loads(result.text)
    assert answer["success"] is False
    assert "failed inside" not in answer["error"]
    return str(answer["error"])
