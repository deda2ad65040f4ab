"""The tools that OpenViking offers the model, as the public Hermes Agent describes them."""

from hermes_agent.providers.described import tool
from hermes_agent.providers.provider import Schema

MOST_READ = 3
LONGEST = {"abstract": 1_200, "overview": 4_000, "full": 8_000}
"""How many characters of a text are shown at each level."""
FOLDERS = {
    "preference": "preferences",
    "entity": "entities",
    "event": "events",
    "case": "cases",
    "pattern": "patterns",
}
"""The categories of memories, and where the server keeps them."""

_TEXT: Schema = {"type": "string"}


TOOLS = [
    tool(
        "viking_search",
        "Find memories and resources in OpenViking by meaning; deep looks at the conversation, too.",
        ["query"],
        query=_TEXT,
        mode={"type": "string", "enum": ["auto", "fast", "deep"]},
        scope={
            "type": "string",
            "description": "A viking:// address to look below; default: memories and resources.",
        },
        limit={"type": "integer", "description": "How many at most (default 10)."},
    ),
    tool(
        "viking_read",
        "Read what stands at a viking:// address, or at up to three of them.",
        [],
        uri=_TEXT,
        uris={"type": "array", "items": _TEXT, "maxItems": MOST_READ},
        level={"type": "string", "enum": list(LONGEST), "description": "How much of it (default overview)."},
    ),
    tool(
        "viking_browse",
        "Look around below a viking:// address.",
        ["action"],
        action={"type": "string", "enum": ["tree", "list", "stat"]},
        path={"type": "string", "description": "Default viking://"},
    ),
    tool(
        "viking_remember",
        "Keep a fact in OpenViking, word for word.",
        ["content"],
        content=_TEXT,
        category={"type": "string", "enum": list(FOLDERS)},
    ),
    tool("viking_forget", "Forget one memory by its viking:// address.", ["uri"], uri=_TEXT),
    tool(
        "viking_add_resource",
        "Let OpenViking read a public web page or repository.",
        ["url"],
        url=_TEXT,
        reason=_TEXT,
        to=_TEXT,
        parent=_TEXT,
        instruction=_TEXT,
        wait={"type": "boolean"},
        timeout={"type": "number", "description": "Seconds to wait at most."},
    ),
]
