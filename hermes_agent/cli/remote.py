"""Commands for a server elsewhere: the memory stays there, this machine is only the door.

The line is read here as click reads it, so that wrong usage and `--help` need no server; then it runs there, and
what it prints comes back as it is printed. Files it reads are sent along, files it makes are written here. What it
asks is asked here.
"""

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
from typing import BinaryIO

import click

from hermes_agent.cli import command_lines
from hermes_agent.cli.command_lines import Line
from hermes_agent.cli.for_others import check_files
from hermes_agent.cli.invocation import Invocation
from hermes_agent.cli.server import Server, connect
from hermes_agent.config import credentials, paths, terminal
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.records.archive import Json
from hermes_agent.text import outside_json
from hermes_agent.web.commands import DECISIONS, Decision, Never, Served

LOCAL = "local"
"""What `--server` is given to work on this machine although the settings name a server."""
_STANDARD = "-"
_PIECE_BYTES = 4_096


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


def address_of(invocation: Invocation, given: str | None) -> str | None:
    """Return the server that commands go to: as given, as the environment or the settings say; None is here."""
    named = given or credentials.server_in_environment() or invocation.server_setting
    return None if named is None or named == LOCAL else credentials.address_of(named)


def run(invocation: Invocation, address: str, program: click.Command, words: Sequence[str]) -> int | None:
    """Run a command line on a server and return its exit code; None if it is one for this machine."""
    with click.Context(program, info_name="hermes", obj=invocation) as reading:
        line = command_lines.read(reading, words or ["chat"])
    decision = _decided(line)
    if decision is not None and not isinstance(decision, Served | Never):
        return None
    if invocation.profile is not None:
        raise UsageError("A token is for one profile of the server: -p cannot choose another.")
    if line.path == "chat":
        from hermes_agent.cli import remote_chat

        return remote_chat.talk(connect(address, invocation.settings), invocation.home, line.values)
    if not isinstance(decision, Served):
        why = decision.why if decision is not None else "It is not known there."
        raise UsageError(
            f"`hermes {line.path}` does not go to a server. {why}",
            hint=f"For this machine: hermes --server {LOCAL} {line.path}",
        )
    sent = _prepared(line, decision, words)
    return _follow(connect(address, invocation.settings), sent)


def follow_words(server: Server, words: Sequence[str]) -> int:
    """Run a command line that was made here, and print what it prints."""
    is_typed = sys.stdin.isatty()
    return _follow(server, Sent(words, {}, b"", is_typed, None, False))


def captured(server: Server, words: Sequence[str]) -> Json:
    """Run a command line that prints JSON, and return that."""
    printed: dict[str, bytes] = {"stdout": b"", "stderr": b""}
    code = 1
    with server.stream("POST", "/api/run", {"arguments": list(words)}) as response:
        for text in response.iter_lines():
            told = outside_json.read(text)
            if not isinstance(told, dict):
                continue
            for name in printed:
                printed[name] += b64decode(str(told.get(name, "")))
            code = int(str(told.get("exit", code)))
    if code:
        said = printed["stderr"].decode("utf-8", "replace").strip().removeprefix("Error: ")
        message, _, hint = said.partition("\nHint: ")
        raise UsageError(message or "The server refused it.", hint=hint or None)
    return outside_json.read(printed["stdout"].decode("utf-8", "replace"))


def _decided(line: Line) -> Decision | None:
    if line.path not in DECISIONS and isinstance(line.command, click.Group):
        # The help of a group needs no server.
        raise click.exceptions.NoArgsIsHelpError(click.Context(line.command, info_name=f"hermes {line.path}"))
    return DECISIONS.get(line.path)


def _prepared(line: Line, decision: Served, words: Sequence[str]) -> Sent:
    """Take the files of this machine out of a line: their content goes along, their names lose the path."""
    values, arguments, files = dict(line.values), list(words), {}
    target: Path | None = None
    is_reading = False
    for name in (*decision.sends, *decision.brings):
        value = values.get(name)
        if value is None:
            continue
        if str(value) == _STANDARD:
            is_reading = is_reading or name in decision.sends
            continue
        path = paths.expand(str(value))
        plain = path.name.lstrip(".-") or "file"
        if name in decision.sends:
            files[plain] = b64encode(_content(path)).decode()
        else:
            target = path
        arguments = _renamed(arguments, str(value), plain)
        values[name] = plain
    check_files(Line(line.path, line.command, values), decision)
    is_asking = values.get("yes") is False
    is_typed = is_asking and sys.stdin.isatty()
    stdin = sys.stdin.buffer.read() if (is_reading or is_asking) and not is_typed else b""
    return Sent(arguments, files, stdin, is_typed, target, bool(values.get("force")))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error


def _renamed(arguments: Sequence[str], value: str, plain: str) -> list[str]:
    """Put a file's own name in the place of its path, wherever the line names it last."""
    renamed = list(arguments)
    for place in range(len(renamed) - 1, -1, -1):
        if renamed[place].endswith(value):
            renamed[place] = renamed[place].removesuffix(value) + plain
            break
    return renamed


def _follow(server: Server, sent: Sent) -> int:
    """Run the line there; print here what it prints."""
    body: dict[str, Json] = {
        "arguments": list(sent.arguments),
        "terminal": _screen(is_typed=sent.is_typed),
        "stdin": b64encode(sent.stdin).decode(),
        "files": sent.files,
    }
    streams = {"stdout": sys.stdout.buffer, "stderr": sys.stderr.buffer}
    with ExitStack() as opened:
        made = _Made(sent, opened)
        with server.stream("POST", "/api/run", body) as response, ExitStack() as typing:
            for text in response.iter_lines():
                told = outside_json.read(text)
                if not isinstance(told, dict):
                    continue
                for name, stream in streams.items():
                    if name in told:
                        stream.write(b64decode(str(told[name])))
                        stream.flush()
                if "run" in told and sent.is_typed:
                    typing.enter_context(_typed(server, str(told["run"])))
                if "file" in told:
                    made.write(b64decode(str(told["data"])))
                if "exit" in told:
                    made.is_whole = True
                    return int(str(told["exit"]))
    raise HermesError(f"{server.address} broke off.", hint="The command may have been done: look, then try again.")


class _Made:
    """The file that a command makes, written here; it appears whole or not at all."""

    def __init__(self, sent: Sent, opened: ExitStack) -> None:
        self._sent = sent
        self._opened = opened
        self._file: BinaryIO | None = None
        self.is_whole = False
        if sent.target is not None and sent.target.exists() and not sent.is_forced:
            raise UsageError(f"{sent.target} exists already.", hint="Add --force to replace it.")

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
