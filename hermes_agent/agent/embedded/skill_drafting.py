"""A skill at the user's word: "save this as a skill called deploy-atlas" drafts one from the task before."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes_agent import clock
from hermes_agent.agent.embedded.requests import Wish
from hermes_agent.agent.embedded.scene import Done, Scene
from hermes_agent.agent.embedded.telling import Call, call
from hermes_agent.agent.embedded.wording import quote
from hermes_agent.learn.drafting import draft_of
from hermes_agent.learn.tasks import Task, tasks
from hermes_agent.recall import block
from hermes_agent.records.archive import Json, Message, Role
from hermes_agent.records.talk import AssistantLine, Line, ToolLine, UserLine
from hermes_agent.text import outside_json
from hermes_agent.text.words import fold

_NOTHING = (
    "There is nothing in this conversation yet to make a skill of. Tell me the steps, or do the task first, and"
    " say it again."
)
_PATH = re.compile(r"[/\\\0]|\.\.|^[.~-]")
_NOT_KEPT = "Nothing of this conversation is kept, so no skill is made of it."


def draft_calls(wish: Wish, scene: Scene) -> list[Call]:
    """Return the call that makes the skill; none where there is nothing to make it of."""
    if not _is_usable(wish.what):
        return []
    task = _told(wish, scene) if wish.text else _last(scene)
    drafted = None if task is None else draft_of(task, wish.what, scene.zone)
    if drafted is None:
        return []
    return [call("skill_manage", action="create", name=drafted.name, content=drafted.document)]


def draft_answer(wish: Wish, scene: Scene, done: Done | None) -> str:
    """Say what became of the skill."""
    if not _is_usable(wish.what):
        return (
            f"A skill cannot be called {quote(wish.what)}: its name is a folder's, of the letters a to z, digits"
            " and hyphens, like deploy-atlas. I made none; say it again with another name."
        )
    if done is None:
        return _NOTHING if "skill_manage" in scene.tools else _NOT_KEPT
    if not done.succeeded:
        error = done.payload.get("error") if done.payload is not None else done.text
        return f"I could not make the skill: {str(error or '').strip() or 'the tool gave no answer.'}"
    name = _argument(done, "name")
    return (
        f"I made the skill {name} of it. `hermes skills show {name}` shows it, `hermes skills edit {name}` changes"
        " it; it is used from the next conversation on."
    )


def _is_usable(typed: str) -> bool:
    """Tell whether a name can be written with a to z, digits and hyphens, or that there is none."""
    letters = [one for one in fold(typed) if one.isalnum()]
    is_plain = bool(letters) and all(one.isascii() for one in letters)
    return not typed or (is_plain and not _PATH.search(typed))


def _told(wish: Wish, scene: Scene) -> Task:
    """Return what the wish itself tells as the task."""
    return Task(_message("user", wish.text, scene))


def _last(scene: Scene) -> Task | None:
    """Return the latest task of this conversation."""
    found = [task for task in tasks(list(_messages(scene))) if (task.request.content or "").strip()]
    return found[-1] if found else None


def _messages(scene: Scene) -> Iterator[Message]:
    """Yield the conversation so far as messages: what recalled memory said is not in them."""
    for number, line in enumerate(scene.lines, start=1):
        yield replace(_read(line, scene), id=number)


def _read(line: Line, scene: Scene) -> Message:
    match line:
        case UserLine(text):
            return _message("user", block.read(text)[1], scene)
        case AssistantLine(text, calls):
            wanted: list[Json] = [
                {"id": one.id, "function": {"name": one.name, "arguments": one.arguments}} for one in calls
            ]
            return replace(_message("assistant", text, scene), tool_calls=wanted or None)
        case ToolLine(call_id, name, text):
            return replace(_message("tool", text, scene), tool_call_id=call_id, tool_name=name)


def _message(role: Role, text: str, scene: Scene) -> Message:
    return Message(
        id=0,
        uid="",
        session_id="",
        role=role,
        content=text,
        said_at=clock.from_datetime(scene.now),
        source_class="user" if role == "user" else "assistant",
        tool_calls=None,
        tool_call_id=None,
        tool_name=None,
        token_count=None,
        finish_reason=None,
        reasoning=None,
        model=None,
        sent=None,
        is_summary=False,
        state="live",
        is_cut=False,
        attachments=None,
        metadata={},
        speaker=None,
    )


def _argument(done: Done, name: str) -> str:
    arguments = outside_json.read(done.call.arguments)
    return str(arguments.get(name) or "") if isinstance(arguments, dict) else ""
