"""`/api/run`: a `hermes` command line of somebody elsewhere, run here as it would be here.

So every command of memory works from another machine, with the same words, the same exit code and the same
`--json`. Which commands, and the right each needs, stands in `web/commands.py`: the words are looked at here, and
the command as it is really read, with its options, once more where it runs.
"""

import json
import os
from base64 import b64decode, b64encode
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, EncodedBytes, EncoderProtocol, Field, field_validator
from pydantic_core import PydanticCustomError
from starlette.concurrency import run_in_threadpool

from hermes_agent import __version__
from hermes_agent.config.settings import WEB_MOST_BODY_MB
from hermes_agent.errors import UsageError
from hermes_agent.records.archive import Json
from hermes_agent.web.callers import Caller, Reader, TheApp
from hermes_agent.web.commands import Here, Never, Served, decision_of
from hermes_agent.web.problems import Forbidden, NotNow
from hermes_agent.web.runs import Ended, Piece, Run, Runs, Terminals, Wanted
from hermes_agent.web.streams import ENDED, begun, while_valid

router = APIRouter(tags=["remote use"])

LINES = "application/x-ndjson"
_MOST_ARGUMENTS = 1_000
_MOST_TYPED = 65_536
_PLAIN = r"^[^/\x00-\x1f.-][^/\x00-\x1f]{0,199}$"
_HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
_STREAM: dict[int | str, dict[str, Any]] = {  # Any: as the framework wants it
    200: {
        "content": {LINES: {"schema": {"type": "string"}}},
        "description": "What it prints, a JSON object a line.",
    }
}

FileName = Annotated[str, Field(pattern=_PLAIN, description="A file's own name, no path.")]


class _Base64(EncoderProtocol):
    """Base64 that is nothing else: what is skipped in reading it would be words that never arrive."""

    @classmethod
    def decode(cls, data: bytes) -> bytes:
        """Read it; lines may be broken, as programs write it."""
        try:
            return b64decode(b"".join(data.split()), validate=True)
        except ValueError as error:
            raise PydanticCustomError("base64_decode", "This is not base64") from error

    @classmethod
    def encode(cls, value: bytes) -> bytes:
        """Write it."""
        return b64encode(value)

    @classmethod
    def get_json_format(cls) -> Literal["base64"]:
        """Name it in the API's description."""
        return "base64"


Packed = Annotated[bytes, EncodedBytes(encoder=_Base64)]


class Screen(BaseModel):
    """Which of the client's streams are terminals, and what they can."""

    stdin: bool = False
    stdout: bool = False
    stderr: bool = False
    columns: Annotated[int, Field(ge=20, le=1_000)] = 80
    rows: Annotated[int, Field(ge=1, le=1_000)] = 24
    color: bool = False


class CommandLine(BaseModel):
    """A command line without `hermes` in front, and what comes along with it."""

    arguments: Annotated[list[str], Field(min_length=1, max_length=_MOST_ARGUMENTS)]
    terminal: Screen = Screen()
    stdin: Annotated[Packed, Field(description="What stands in its input, in base64.")] = b""
    files: Annotated[dict[FileName, Packed], Field(description="Files it reads, by name, in base64.")] = {}

    @field_validator("arguments")
    @classmethod
    def can_be_passed(cls, arguments: list[str]) -> list[str]:
        """Refuse what no system passes on to a program."""
        for one in arguments:
            try:
                is_fine = b"\0" not in os.fsencode(one)
            except UnicodeEncodeError:
                is_fine = False
            if not is_fine:
                raise ValueError("an argument holds what no command line can")
        return arguments


class Input(BaseModel):
    """What was typed for a command that asks."""

    data: Annotated[Packed, Field(max_length=_MOST_TYPED)] = b""
    is_end: Annotated[bool, Field(description="Whether nothing more will come.")] = False


async def the_runs(request: Request) -> Runs:
    """Return the commands that run on this server."""
    runs = request.app.state.runs
    assert isinstance(runs, Runs)
    return runs


TheRuns = Annotated[Runs, Depends(the_runs)]


@router.get("/server")
def tell_server(app: TheApp, caller: Reader) -> dict[str, Json]:
    """Tell which version this is, whose memory it has, what the token may do, and how large a request may be."""
    return {
        "version": __version__,
        "profile": app.home.profile,
        "token": {"name": caller.token.name, "scope": caller.token.scope},
        "most_bytes": app.settings[WEB_MOST_BODY_MB] * 1_000_000,
    }


@router.post("/run", response_class=StreamingResponse, responses=_STREAM)
async def run(
    app: TheApp,
    runs: TheRuns,
    caller: Reader,
    line: CommandLine,
    hermes_version: Annotated[str | None, Header(max_length=50, description="The client's version.")] = None,
) -> StreamingResponse:
    """Run a command. The first line names the run, the last one brings its exit code.

    Lines: `{"run": …}`, `{"stdout": …}` and `{"stderr": …}` in base64, `{"file": name, "data": …}`,
    `{"exit": code}`; an empty object is a sign of life.
    """
    check_version(hermes_version)
    _check(line.arguments, caller)
    wanted = Wanted(line.arguments, Terminals(**line.terminal.model_dump()), line.stdin, line.files)
    started = await run_in_threadpool(runs.start, wanted, caller.token)
    lines = while_valid(_lines(started), app.store, caller.token, _LAST)
    return StreamingResponse(await begun(lines), media_type=LINES, headers=_HEADERS)


@router.post("/run/{run}/input")
def type_in(runs: TheRuns, caller: Reader, run: str, typed: Input) -> dict[str, Json]:
    """Give a command what was typed when it asked."""
    runs.find(run, caller.token).type(typed.data, is_end=typed.is_end)
    return {"run": run}


def check_version(version: str | None) -> None:
    """Refuse a client that reads command lines in another way."""
    if version is not None and version.split(".")[:2] != __version__.split(".")[:2]:
        raise NotNow(
            f"The server runs hermes {__version__}, this is {version[:50]!r}.", hint="Install the same on both."
        )


def _check(arguments: list[str], caller: Caller) -> None:
    path, decision = decision_of(arguments)
    if decision is None:
        raise UsageError("That is no command for others.", hint="Name the command first; options follow it.")
    if isinstance(decision, Never):
        raise Forbidden(f"`hermes {path}` is not for others. {decision.why}")
    if isinstance(decision, Here):
        raise Forbidden(f"`hermes {path}` works on the machine it is typed on.")
    assert isinstance(decision, Served)
    if not caller.token.allows(decision.scope):
        held = caller.token
        raise Forbidden(
            f"The token {held.name!r} may only {held.scope}; `hermes {path}` needs {decision.scope}.",
            hint=f"Commands act in your name. Make one there: hermes token create NAME --scope {decision.scope}",
        )


async def _lines(run: Run) -> AsyncGenerator[bytes, None]:
    try:
        yield _line({"run": run.id})
        async for piece in run.output():
            yield _line(_written(piece))
    finally:
        run.close()


def _written(piece: Piece | Ended) -> dict[str, Json]:
    match piece:
        case Ended(code):
            return {"exit": code}
        case Piece("nothing"):
            return {}
        case Piece("file", data, name):
            return {"file": name, "data": b64encode(data).decode()}
        case Piece(of, data):
            return {of: b64encode(data).decode()}


def _line(value: dict[str, Json]) -> bytes:
    return json.dumps(value).encode() + b"\n"


_LAST = _line({"stderr": b64encode(f"Error: {ENDED}\n".encode()).decode()}) + _line({"exit": 1})
