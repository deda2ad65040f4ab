"""A command line while it runs on a server: what it prints is printed here, what it asks is asked here."""

import os
import select
import shutil
import sys
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NoReturn

from hermes_agent.cli.server import Server, lines
from hermes_agent.config import terminal
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.records.archive import Json
from hermes_agent.text import outside_json

_PIECE_BYTES = 4_096
_MOST_PRINTED = 64_000_000
"""What is taken in and not printed must end."""
_CODES = range(256)


@dataclass(frozen=True, slots=True)
class Sent:
    """A command line as it goes to the server."""

    arguments: Sequence[str]
    files: dict[str, str]
    stdin: bytes
    is_typed: bool
    """Whether somebody at this terminal may have to answer."""
    target: Path | None
    is_forced: bool


def follow_words(server: Server, words: Sequence[str]) -> int:
    """Run a command line that was made here, and print what it prints."""
    is_typed = sys.stdin.isatty()
    return follow(server, Sent(words, {}, b"", is_typed, None, False))


def captured(server: Server, words: Sequence[str]) -> Json:
    """Run a command line that prints JSON, and return that."""
    printed: dict[str, bytes] = {"stdout": b"", "stderr": b""}
    code: int | None = None
    with server.stream("POST", "/api/run", {"arguments": list(words)}) as response:
        for text in lines(response, server.address):
            told = outside_json.read(text)
            if not isinstance(told, dict):
                continue
            for name in printed:
                printed[name] += _bytes(server, told.get(name, ""))
                if len(printed[name]) > _MOST_PRINTED:
                    _refuse(server)
            if "exit" in told:
                code = _code(server, told["exit"])
    if code is None:
        raise _broken_off(server)
    if code:
        said = printed["stderr"].decode("utf-8", "replace").strip().removeprefix("Error: ")
        message, _, hint = said.partition("\nHint: ")
        raise UsageError(message or "The server refused it.", hint=hint or None)
    return outside_json.read(printed["stdout"].decode("utf-8", "replace"))


def follow(server: Server, sent: Sent) -> int:
    """Run the line there; print here what it prints."""
    body: dict[str, Json] = {
        "arguments": list(sent.arguments),
        "terminal": _screen(is_typed=sent.is_typed),
        "stdin": b64encode(sent.stdin).decode(),
        "files": sent.files,
    }
    try:
        with ExitStack() as opened:
            code = _followed(server, sent, body, _Made(sent, opened))
            # Inside: what came of a file goes with the error, be it ours or the command's.
            if code is None:
                raise _broken_off(server)
            if code:
                raise _Failed(code)
    except _Failed as failed:
        return failed.code
    return 0


def _followed(server: Server, sent: Sent, body: dict[str, Json], made: "_Made") -> int | None:
    """Print what is printed there, and write what it makes; return the exit code, None if none came."""
    streams = {"stdout": sys.stdout.buffer, "stderr": sys.stderr.buffer}
    with server.stream("POST", "/api/run", body) as response, ExitStack() as typing:
        for text in lines(response, server.address):
            told = outside_json.read(text)
            if not isinstance(told, dict):
                continue
            for name, stream in streams.items():
                if name in told:
                    stream.write(_bytes(server, told[name]))
                    stream.flush()
            if "run" in told and sent.is_typed:
                typing.enter_context(_typed(server, str(told["run"])))
            if "file" in told:
                made.write(_bytes(server, told.get("data")))
            if "exit" in told:
                return _code(server, told["exit"])
    return None


class _Failed(Exception):
    """The command failed there; it has said why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def _broken_off(server: Server) -> HermesError:
    return HermesError(
        f"{server.address} broke off.", hint="The command may have been done: look, then try again."
    )


def _code(server: Server, told: Json) -> int:
    return told if isinstance(told, int) and told in _CODES else _refuse(server)


def _bytes(server: Server, told: Json) -> bytes:
    try:
        return b64decode(told if isinstance(told, str) else _refuse(server), validate=True)
    except ValueError:
        _refuse(server)


def _refuse(server: Server) -> NoReturn:
    raise HermesError(
        f"{server.address} answers, but not as hermes does.", hint="The command may have been done: look there."
    )


class _Made:
    """The file that a command makes, written here; it appears whole or not at all."""

    def __init__(self, sent: Sent, opened: ExitStack) -> None:
        self._sent = sent
        self._opened = opened
        self._file: BinaryIO | None = None
        if sent.target is not None and sent.target.exists() and not sent.is_forced:
            raise UsageError(f"{sent.target} exists already.", hint="Add --force to replace it.")
        # Before it is asked for: the server says that it is done before the file is written here.
        if sent.target is not None and not os.access(sent.target.resolve().parent, os.W_OK):
            raise UsageError(
                f"{sent.target} cannot be written.", hint="Name a folder that is there, and that you may write to."
            )

    def write(self, data: bytes) -> None:
        """Add to the file."""
        from hermes_agent.ops.fresh_file import fresh_file

        if self._sent.target is None:
            return
        if self._file is None:
            self._file = self._opened.enter_context(fresh_file(self._sent.target, overwrites=self._sent.is_forced))
        self._file.write(data)


def _screen(*, is_typed: bool) -> dict[str, Json]:
    size = shutil.get_terminal_size()
    return {
        "stdin": is_typed,
        "stdout": sys.stdout.isatty(),
        "stderr": sys.stderr.isatty(),
        "columns": min(max(size.columns, 20), 1_000),
        "rows": min(max(size.lines, 1), 1_000),
        "color": not terminal.is_dumb(),
    }


@contextmanager
def _typed(server: Server, run: str) -> Iterator[None]:
    """Send what is typed meanwhile; only what is typed: nothing is read ahead of the end."""
    over, told = os.pipe()

    def forward() -> None:
        while True:
            ready = select.select([sys.stdin, over], [], [])[0]
            if over in ready:
                return
            data = os.read(sys.stdin.fileno(), _PIECE_BYTES)
            with suppress(HermesError):  # the command has ended meanwhile
                server.ask("POST", f"/api/run/{run}/input", {"data": b64encode(data).decode(), "is_end": not data})
            if not data:
                return

    thread = threading.Thread(target=forward, name="typed", daemon=True)
    thread.start()
    try:
        yield
    finally:
        os.write(told, b"\0")
        thread.join()
        os.close(over)
        os.close(told)
