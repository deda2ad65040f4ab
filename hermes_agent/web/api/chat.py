"""`/api/chat`: say something and follow the answer as it comes, as server-sent events.

The first event, `begun`, names the turn and the session; `finished` or `failed` is the last. A client that leaves
stops the answer as Ctrl-C does: what had come is kept. So does the end of its token. A tool that needs a yes asks
with `approval`; only the token that began the turn may answer, and silence is a no.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request
from fastapi.responses import StreamingResponse
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from hermes_agent.app import App
from hermes_agent.records.archive import Json
from hermes_agent.web.api.given import Given
from hermes_agent.web.callers import Caller, TheApp, Writer
from hermes_agent.web.chats import MOST_MESSAGE, Chats, Message
from hermes_agent.web.streams import ENDED, begun, while_valid
from hermes_agent.web.turns import Told, Turn

router = APIRouter(prefix="/chat", tags=["chat"])

EVENTS = "text/event-stream"
_ALIVE_SECONDS = 15.0
# A proxy in between must not collect the events.
_HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
_STREAM: dict[int | str, dict[str, Any]] = {  # Any: as the framework wants it
    200: {"content": {EVENTS: {"schema": {"type": "object"}}}, "description": "What happens, as it happens."}
}


class NewMessage(Given):
    """What is said, and where."""

    message: Annotated[str, Field(min_length=1, max_length=MOST_MESSAGE)]
    session: Annotated[
        str | None,
        Field(max_length=500, description="Go on with this session, by id or title."),
    ] = None
    incognito: Annotated[bool, Field(description="Keep nothing of this conversation.")] = False


class Ending(Given):
    """Which conversation is over."""

    session: Annotated[str, Field(min_length=1, max_length=500, description="The id that `begun` told.")]


class Answer(Given):
    """The owner's answer to an `approval`."""

    id: Annotated[str, Field(max_length=100, description="The id that came with the question.")]
    is_allowed: bool


async def the_chats(request: Request) -> Chats:
    """Return the chats of this server."""
    chats = request.app.state.chats
    assert isinstance(chats, Chats)
    return chats


TheChats = Annotated[Chats, Depends(the_chats)]


@router.post("", response_class=StreamingResponse, responses=_STREAM)
async def say(
    app: TheApp,
    chats: TheChats,
    caller: Writer,
    new: NewMessage,
    idempotency_key: Annotated[
        str | None, Header(max_length=200, description="The same message with the same key is one turn.")
    ] = None,
) -> StreamingResponse:
    """Say something; what happens comes as events, the answer's words among them. The message is kept first."""
    message = Message(new.message, new.session, idempotency_key, new.incognito)
    turn = await run_in_threadpool(chats.say, message, caller.token)
    return await _stream(app, turn, caller)


@router.post("/end")
def end(chats: TheChats, caller: Writer, ending: Ending) -> dict[str, Json]:
    """End a conversation: it is learned from now, and not only after half an hour of rest.

    Another message to it takes it up again. One that began at another door, and was not gone on with here, stays
    open: `ended` says so.
    """
    return {"session_id": ending.session, "ended": chats.end(ending.session, caller.token, "agent_close")}


@router.get("/{turn}", response_class=StreamingResponse, responses=_STREAM)
async def follow(app: TheApp, chats: TheChats, caller: Writer, turn: str) -> StreamingResponse:
    """Follow a turn of this token from its beginning; it is known for ten minutes after its end.

    What is forgotten meanwhile is told no more: a turn that is over is not known then.
    """
    return await _stream(app, await run_in_threadpool(chats.find, turn, caller.token), caller)


@router.post("/{turn}/approval")
def approve(chats: TheChats, caller: Writer, turn: str, answer: Answer) -> dict[str, Json]:
    """Let a tool run, or not. A yes needs a token that may admin: tools work on the machine of the server."""
    chats.decide(turn, caller.token, answer.id, is_allowed=answer.is_allowed)
    return {"id": answer.id, "is_allowed": answer.is_allowed}


@router.post("/{turn}/stop")
def stop(chats: TheChats, caller: Writer, turn: str) -> dict[str, Json]:
    """Stop an answer; what had come is kept. Stopping what is over changes nothing."""
    found = chats.find(turn, caller.token)
    found.stop()
    return {"turn": found.id, "session_id": found.session_id}


async def _stream(app: App, turn: Turn, caller: Caller) -> StreamingResponse:
    # It has no number: the events of the turn itself have those.
    last = Told(0, "failed", {"detail": ENDED, "hint": None, "status": int(HTTPStatus.UNAUTHORIZED)}).sse
    events = while_valid(_events(turn), app.store, caller.token, last)
    return StreamingResponse(await begun(events), media_type=EVENTS, headers=_HEADERS)


async def _events(turn: Turn) -> AsyncGenerator[str, None]:
    """Yield everything that was told, then what is, until the turn is over."""
    loop, more = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with suppress(RuntimeError):  # the server has ended meanwhile
            loop.call_soon_threadsafe(more.set)

    turn.listen(wake)
    sent = 0
    try:
        while True:
            more.clear()
            is_over = turn.is_over
            for told in turn.told[sent:]:
                sent += 1
                yield told.sse
            if is_over:
                return
            try:
                await asyncio.wait_for(more.wait(), _ALIVE_SECONDS)
            except TimeoutError:
                yield ": still at it\n\n"
    finally:
        turn.leave(wake)
