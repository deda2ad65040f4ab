"""The chat: what was said in a session, and a field to go on. The script streams; without it a form does.

Sent without the script, the answer goes on by itself; the page waits a moment for it, and shows what there is.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from hermes_agent.agent.window import INTERRUPTED, calls_of
from hermes_agent.app import App
from hermes_agent.errors import NotFound
from hermes_agent.ids import new_uid
from hermes_agent.recall import block
from hermes_agent.recall.looking import HIDDEN_SOURCES
from hermes_agent.records.archive import Message as Kept
from hermes_agent.records.talk import ToolCall
from hermes_agent.store.sessions import Listing
from hermes_agent.text.runs import encoded
from hermes_agent.web.api.chat import TheChats
from hermes_agent.web.callers import Reader, TheApp, Writer
from hermes_agent.web.chats import MOST_MESSAGE, Message
from hermes_agent.web.places import quoted
from hermes_agent.web.problems import NotNow
from hermes_agent.web.rendering import render
from hermes_agent.web.turns import Turn

router = APIRouter(prefix="/chat")

_MOST_SHOWN = 60
_MOST_SESSIONS = 12
_MOST_RESULT = 2_000
_PATIENCE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Line:
    """One message as the page shows it."""

    role: str
    text: str
    at: int
    memories: Sequence[block.Item] = ()
    calls: Sequence[ToolCall] = ()
    tool: str = ""
    is_cut: bool = False
    is_error: bool = False


@router.get("")
def show(
    request: Request,
    app: TheApp,
    caller: Reader,
    chats: TheChats,
    session: Annotated[str, Query(max_length=500)] = "",
) -> Response:
    """Show a conversation, or the beginning of one."""
    found = app.memory.session(session) if session.strip() else None
    lines, has_more = ([], False) if found is None else _lines(app, found.id)
    turn = None if found is None else chats.latest(found.id, caller.token)
    recent = app.memory.sessions(Listing(hidden_sources=HIDDEN_SOURCES), _MOST_SESSIONS)
    return render(
        request,
        caller,
        "chat.html",
        session=found,
        lines=lines,
        has_more=has_more,
        turn=turn if turn is not None and not turn.is_over else None,
        failure=_failure(turn),
        partial="" if turn is None or turn.is_over else _partial(turn),
        recent=recent,
        most=MOST_MESSAGE,
        may_talk=caller.token.allows("write"),
        key=new_uid(),
    )


@router.post("")
async def say(
    chats: TheChats,
    caller: Writer,
    message: Annotated[str, Form(max_length=MOST_MESSAGE)],
    session: Annotated[str, Form(max_length=500)] = "",
    key: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Say something without the script: the page shows the answer when it is there.

    Sent twice from one page it is said once. Other words from the same page, after Back, are another message.
    """
    once = hashlib.sha256(encoded(f"{key}\n{message}")).hexdigest() if key else None
    said = Message(message, session.strip() or None, once)
    turn = await run_in_threadpool(chats.say, said, caller.token, is_left=True)
    await _waited(turn, for_question=True)
    return _back(turn)


@router.post("/new")
def begin_new(chats: TheChats, caller: Writer, session: Annotated[str, Form(max_length=500)] = "") -> Response:
    """End the conversation that was shown, so that it is learned from, and go on to a new one."""
    # One that is being answered, or was deleted, keeps nobody from beginning another.
    with suppress(NotNow, NotFound):
        if session:
            chats.end(session, caller.token, "new_command")
    return RedirectResponse("/chat", status_code=303)


@router.post("/{turn}/approval")
async def approve(
    chats: TheChats, caller: Writer, turn: str, id: Annotated[str, Form()], is_allowed: Annotated[bool, Form()]
) -> Response:
    """Let a tool run, or not."""
    found = await run_in_threadpool(chats.decide, turn, caller.token, id, is_allowed=is_allowed)
    await _waited(found)
    return _back(found)


@router.post("/{turn}/stop")
async def stop(chats: TheChats, caller: Writer, turn: str) -> Response:
    """Stop an answer."""
    found = await run_in_threadpool(chats.find, turn, caller.token)
    found.stop()
    await _waited(found)
    return _back(found)


async def _waited(turn: Turn, *, for_question: bool = False) -> None:
    """Wait a moment for the end, or for a question, without a thread: many may wait at once."""
    loop, more = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with suppress(RuntimeError):  # the server has ended meanwhile
            loop.call_soon_threadsafe(more.set)

    turn.listen(wake)
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while not (turn.is_over or (for_question and turn.asked is not None)):
                await more.wait()
                more.clear()
    except TimeoutError:
        return
    finally:
        turn.leave(wake)


def _back(turn: Turn) -> Response:
    return RedirectResponse(f"/chat?session={quoted(turn.session_id)}#latest", status_code=303)


def _lines(app: App, session_id: str) -> tuple[list[Line], bool]:
    window = app.memory.window(session_id)
    return [_line(message) for message in window[-_MOST_SHOWN:]], len(window) > _MOST_SHOWN


def _line(message: Kept) -> Line:
    text = message.content or ""
    is_tool = message.role == "tool"
    return Line(
        role="summary" if message.is_summary else message.role,
        text=text[:_MOST_RESULT] if is_tool else text,
        at=message.said_at,
        memories=block.read(message.sent)[0] if message.sent else (),
        calls=list(calls_of(message.tool_calls)),
        tool=message.tool_name or "",
        is_cut=message.finish_reason == INTERRUPTED or (is_tool and len(text) > _MOST_RESULT),
        is_error=bool(message.metadata.get("is_error")) or message.finish_reason == "error",
    )


def _partial(turn: Turn) -> str:
    """Return the words of the answer that have come since the last tool."""
    words: list[str] = []
    for told in list(turn.told):
        if told.name == "tool":
            words.clear()
        elif told.name == "text":
            words.append(str(told.data["text"]))
    return "".join(words)


def _failure(turn: Turn | None) -> str:
    told = [] if turn is None else [one for one in turn.told if one.name == "failed"]
    return " ".join(str(told[-1].data[part] or "") for part in ("detail", "hint")).strip() if told else ""
