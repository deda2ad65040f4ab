"""What a client sends that is no message: answered as JSON-RPC says, since whoever sent it may wait for a reply.

Over stdio the SDK's transport hands such a line on as the error of its check, and its server passes over that. So
it is taken out on the way. Over HTTP it would answer in the words of its check, and with nothing to a request
whose id is none. The id is that of the request, if what was sent still tells one.
"""

import json
from contextvars import Context
from types import TracebackType
from typing import Any, Self

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from hermes_agent.mcp.unanswered import Unanswered


class Heard:
    """The messages that come in; what is none is answered, and not handed on. They end when all are answered."""

    # Any: the SDK's streams, whose types are its own.
    def __init__(self, incoming: Any, outgoing: Any, unanswered: Unanswered) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._unanswered = unanswered

    @property
    def last_context(self) -> Context | None:
        """Whose context the last message came with, as the SDK asks for it."""
        found: Context | None = self._incoming.last_context
        return found

    async def receive(self) -> SessionMessage | Exception:
        """Wait for the next message."""
        while True:
            item = await self._next()
            if not isinstance(item, ValidationError):
                self._unanswered.take(item)
                return item
            answer = answer_to(item)
            if answer is not None:
                await self._outgoing.send(SessionMessage(answer))

    async def _next(self) -> SessionMessage | Exception:
        try:
            item: SessionMessage | Exception = await self._incoming.receive()
        except anyio.EndOfStream:
            await self._unanswered.wait_for_none()
            raise
        return item

    async def aclose(self) -> None:
        """Hear no more."""
        await self._incoming.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def fault_of(body: bytes) -> JSONRPCError | None:
    """Return what is answered to a body that is no message; None if it is one."""
    try:
        message = jsonrpc_message_adapter.validate_json(body, by_name=False)
    except ValidationError as error:
        return answer_to(error) or _error(PARSE_ERROR, "That is no JSON.", None)
    if isinstance(message, JSONRPCNotification) and "id" in json.loads(body):
        return refusal("The id of a request is a text or a whole number.")
    return None


def refusal(message: str) -> JSONRPCError:
    """Return the answer to what is no request, whoever sent it."""
    return _error(INVALID_REQUEST, message, None)


def answer_to(error: ValidationError) -> JSONRPCError | None:
    """Return what is answered to a line that is no message; None if it was empty."""
    (first, *others) = error.errors(include_url=False, include_context=False)
    if first["type"] != "json_invalid":
        whole = next((one["input"] for one in (first, *others) if _is_request(one["input"])), None)
        return _error(INVALID_REQUEST, "That is no request of JSON-RPC 2.0.", whole)
    line = first["input"]
    if not line.strip():
        return None
    try:
        # Python reads more than the SDK does: a half of a character, and with it the id.
        whole = json.loads(line)
    except (ValueError, RecursionError):
        whole = None
    return _error(PARSE_ERROR, "That is no JSON.", whole)


# Any: whatever a client may send.
def _error(code: int, message: str, whole: Any) -> JSONRPCError:
    number = whole.get("id") if _is_request(whole) else None
    known = number if isinstance(number, int | str) and not isinstance(number, bool) else None
    if isinstance(known, str) and not known.isprintable():
        known = None
    return JSONRPCError(jsonrpc="2.0", id=known, error=ErrorData(code=code, message=message))


def _is_request(value: Any) -> bool:
    return isinstance(value, dict) and "jsonrpc" in value and "method" in value
