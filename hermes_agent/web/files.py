"""Files that go out or come in over HTTP: laid down first, closed to others, and gone when the answer is sent.

An export is written to its end before its first byte is sent: what fails half-way is a problem, not half a file,
and nobody who reads slowly holds a transaction open. In an encrypted home the file lies in memory.
"""

import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, cast

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from hermes_agent.app import App
from hermes_agent.config import passing, paths, private
from hermes_agent.config.load import load
from hermes_agent.errors import HermesError
from hermes_agent.ops import exporting
from hermes_agent.ops.steps import finish
from hermes_agent.web.problems import TooLarge

Packing = Literal["json", "zst"]
ZSTD = "application/zstd"

_CHUNK = 1 << 18
_PREFIX = "hermes-"
_NAME = "file"
_PACKED: dict[Packing, tuple[str, str]] = {"json": (".json", "application/json"), "zst": (".json.zst", ZSTD)}


def memory(app: App, packing: Packing, name: str) -> StreamingResponse:
    """Send all of the memory as one file; `name` is without its ending."""
    ending, kind = _PACKED[packing]

    def write(out: BinaryIO) -> None:
        finish(exporting.write(app.notebook, load(app.home), out, is_packed=packing == "zst"))

    return sent(app, write, f"{name}{ending}", kind)


def sent(app: App, write: Callable[[BinaryIO], object], name: str, media_type: str) -> StreamingResponse:
    """Let a file be written, and send it under a name."""
    with ExitStack() as stack:
        file = stack.enter_context(tempfile.TemporaryFile(prefix=_PREFIX, dir=private.for_a_moment(app.home)))
        write(cast(BinaryIO, file))
        size = file.tell()
        file.seek(0)
        held = stack.pop_all()

    def chunks() -> Iterator[bytes]:
        with held:
            while chunk := file.read(_CHUNK):
                yield chunk

    headers = {"Content-Length": str(size), "Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(chunks(), headers=headers, media_type=media_type)


@asynccontextmanager
async def received(app: App, request: Request) -> AsyncIterator[Path]:
    """Give the body of a request as a file, until the block ends."""
    with passing.folder(app.home) as folder, paths.cached(folder, _NAME).open("wb") as file:
        try:
            async for chunk in request.stream():
                await run_in_threadpool(file.write, chunk)
        except ClientDisconnect as error:
            # So the guard cuts off a body that is too large; whoever really left hears nothing.
            raise TooLarge(
                "The file is larger than is taken.", hint="Raise web.mostBodyMb, or import it at the terminal."
            ) from error
        await run_in_threadpool(file.flush)
        yield Path(file.name)


@contextmanager
def uploaded(app: App, file: BinaryIO) -> Iterator[Path]:
    """Give a file that came in a form as one with a place, until the block ends."""
    with passing.folder(app.home) as folder, paths.cached(folder, _NAME).open("wb") as laid:
        shutil.copyfileobj(file, laid, _CHUNK)
        laid.flush()
        yield Path(laid.name)


@contextmanager
def called(path: Path, name: str) -> Iterator[None]:
    """Let what is said of a file name it as its owner does, not by the place where it lay for a moment."""
    try:
        yield
    except HermesError as error:
        raise type(error)(error.message.replace(str(path), name), hint=error.hint) from error
