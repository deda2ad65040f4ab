"""The tool `session_search`: the archive of past conversations, for the model.

The looking is memory's; here stand its description, the size of its answer and the summaries. Asked to
summarize, each conversation found becomes a few sentences: the light model's, or, without one, words taken
from the conversation itself. The answer stays whole JSON: long messages are cut further until it fits.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from hermes_agent.agent.arguments import spec_of
from hermes_agent.agent.toolbox import LONGEST_RESULT, ToolResult
from hermes_agent.agent.tools.session_summary import summarized
from hermes_agent.memory.memory import Memory
from hermes_agent.models.model import Model
from hermes_agent.records.archive import Json
from hermes_agent.text.clean import whole

# The kept cuts of one message; the last ones leave little more than the way to scroll there.
_CUTS = (2_000, 1_000, 500, 200, 80)
_TRUE = (True, 1, "true", "yes", "1", "on")


@dataclass(frozen=True, slots=True)
class SessionSearchCall:
    """Arguments of `session_search`."""

    query: Annotated[
        str | None, 'Words to look for; "a phrase", OR, NOT and prefix* work. Without it the latest are listed.'
    ] = None
    limit: Annotated[int, "Most conversations to return, up to 10."] = 3
    sort: Annotated[Literal["newest", "oldest"] | None, "By time instead of by relevance."] = None
    session_id: Annotated[str | None, "Read this conversation, or scroll in it with around_message_id."] = None
    around_message_id: Annotated[int | None, "Show the messages around this one; needs session_id."] = None
    window: Annotated[int, "How many messages on each side when scrolling, up to 20."] = 5
    role_filter: Annotated[str, "Whose messages to search, separated by commas; tool is possible too."] = (
        "user,assistant"
    )
    detail: Annotated[Literal["full", "index"], "index: only where it was said, without the messages."] = "full"
    summarize: Annotated[bool, "Return a summary of each conversation found instead of its messages."] = False


class SessionSearch:
    """Searches the archive from one conversation, whose own messages are left out."""

    spec = spec_of(
        "session_search",
        "Search past conversations with the user. Call it with a query to find what was said, with session_id "
        "to read a conversation, with session_id and around_message_id to scroll, with nothing to list the "
        "latest. Use it whenever the user refers to something from before.",
        SessionSearchCall,
    )

    def __init__(self, memory: Memory, session_id: str | None, summarizer: Model | None = None) -> None:
        self._memory = memory
        self._session_id = session_id
        self._summarizer = summarizer

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Ask nothing: it is the user's own archive."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Answer one call with JSON."""
        is_summary = _is_true(arguments.get("summarize"))
        asked = {name: _whole(value) for name, value in arguments.items()}
        if is_summary:
            asked["detail"] = "full"
        answer = self._memory.session_search(asked, self._session_id)
        if is_summary and answer.get("mode") == "discover":
            answer = summarized(answer, self._summarizer)
        return ToolResult(_fitting(answer), is_error=answer.get("success") is not True)


def _is_true(value: Json) -> bool:
    return (value.strip().lower() if isinstance(value, str) else value) in _TRUE


def _whole(value: Json) -> Json:
    """Take halves of characters out of a text: nothing can be found by them."""
    return whole(value) if isinstance(value, str) else value


def _fitting(answer: Mapping[str, Json]) -> str:
    """Write the answer as JSON that is short enough to be read."""
    text = json.dumps(answer, ensure_ascii=False)
    for cut in _CUTS:
        if len(text) <= LONGEST_RESULT:
            break
        text = json.dumps(_shortened(answer, cut), ensure_ascii=False)
    return text


def _shortened(value: Json, cut: int) -> Json:
    """Cut every long text in a value; a message says that it was cut and how long it is."""
    if isinstance(value, str):
        return value if len(value) <= cut else value[:cut] + "..."
    if isinstance(value, list):
        return [_shortened(item, cut) for item in value]
    if not isinstance(value, dict):
        return value
    shortened = {key: _shortened(item, cut) for key, item in value.items()}
    content = value.get("content")
    if isinstance(content, str) and len(content) > cut:
        length = value.get("original_content_chars", len(content))
        shortened |= {"content_truncated": True, "original_content_chars": length}
    return shortened
