"""Whose word it is that comes over HTTP: the owner's, or a program's.

`admin` tokens, and browsers that a link let in, speak for the owner (`web/callers.py`). A program with a `write`
token speaks for itself, as over MCP: its text may come from anywhere, so it never takes the place of the owner's
word (`memory/told_by_program.py`).
"""

from functools import partial

from fastapi import Request, Response

from hermes_agent.memory.program_sessions import ProgramSessions
from hermes_agent.memory.told_by_program import Program, Waiting
from hermes_agent.web.answers import Responses, answer, gives
from hermes_agent.web.callers import Caller
from hermes_agent.web.shapes import having

SOURCE = "api"
WAITS: Responses = gives(
    having("Waiting", "It is kept, but not used before its owner reviewed it.", waiting=str), 202
)


def program_of(request: Request, caller: Caller) -> Program | None:
    """Return the program that speaks; None if it is the owner."""
    if caller.is_owner:
        return None
    sessions = request.app.state.programs
    assert isinstance(sessions, ProgramSessions)
    return Program(caller.cause, partial(sessions.of, caller.cause))


def waits(waiting: Waiting) -> Response:
    """Answer that something waits for the owner's review."""
    return answer({"waiting": waiting.why}, 202)
