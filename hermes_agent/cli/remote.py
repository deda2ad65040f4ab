"""Commands for a server elsewhere: the memory stays there, this machine is only the door.

The line is read here as click reads it, so that wrong usage and `--help` need no server; then it runs there, and
what it prints comes back as it is printed. Files it reads are sent along, files it makes are written here. What it
asks is asked here.
"""

import sys
from base64 import b64encode
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

import click

from hermes_agent.cli import command_lines
from hermes_agent.cli.command_lines import Line
from hermes_agent.cli.for_others import check_files
from hermes_agent.cli.invocation import Invocation
from hermes_agent.cli.remote_runs import Sent, follow
from hermes_agent.cli.server import Server, connect
from hermes_agent.config import credentials, paths
from hermes_agent.config.credentials import LOCAL
from hermes_agent.errors import UsageError
from hermes_agent.text.quantities import size
from hermes_agent.web.commands import DECISIONS, Decision, Never, Served

_STANDARD = "-"
_PART_BYTES = 65_536
_LEAST_BYTES, _USUAL_BYTES, _GREATEST_BYTES = 1_000_000, 64_000_000, 100_000_000_000
"""What every server takes, what one takes that does not tell, and what none exceeds (web.mostBodyMb)."""
_OF_THE_LINE = 100_000
"""So much of a request is left for the words of the line, and the names of files."""


def address_of(invocation: Invocation, given: str | None) -> str | None:
    """Return the server that commands go to: as given, as the environment or the settings say; None is here."""
    if given is not None and not given.strip():
        # A variable of a script that is not set: what was meant for elsewhere must not be done here.
        raise UsageError("--server names no server.", hint=f"Give its address; `{LOCAL}` is this machine.")
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
    server = connect(address, invocation.settings)
    return follow(server, _prepared(line, decision, words, _Room(server)))


def _decided(line: Line) -> Decision | None:
    if line.path not in DECISIONS and isinstance(line.command, click.Group):
        # The help of a group needs no server.
        raise click.exceptions.NoArgsIsHelpError(click.Context(line.command, info_name=f"hermes {line.path}"))
    return DECISIONS.get(line.path)


class _Room:
    """How much may go along with a line: the server is asked when it is much, and nothing is read past that."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._taken = 0

    def read(self, file: BinaryIO, name: str) -> bytes:
        """Read a file to its end."""
        parts: list[bytes] = []
        while part := file.read(_PART_BYTES):
            parts.append(part)
            self._taken += len(part)
            if self._taken > _of_files(_LEAST_BYTES) and self._taken > self._most:
                raise UsageError(
                    f"{name} is too large: {self._server.address} takes {size(self._most)} with a command.",
                    hint="Raise web.mostBodyMb there, or run the command on that machine.",
                )
        return b"".join(parts)

    @cached_property
    def _most(self) -> int:
        told = self._server.ask("GET", "/api/server").get("most_bytes")
        return _of_files(min(told, _GREATEST_BYTES) if isinstance(told, int) else _USUAL_BYTES)


def _of_files(request_bytes: int) -> int:
    """Return how much of a request is left for files, which are a third longer on the way (base64)."""
    return max(request_bytes - _OF_THE_LINE, 0) * 3 // 4


def _prepared(line: Line, decision: Served, words: Sequence[str], room: _Room) -> Sent:
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
        # The name is only for the server: what no JSON can carry becomes a question mark.
        plain = path.name.encode("utf-8", "replace").decode().lstrip(".-") or "file"
        if name in decision.sends:
            files[plain] = b64encode(_content(path, room)).decode()
        else:
            target = path
        arguments = _renamed(arguments, str(value), plain)
        values[name] = plain
    check_files(Line(line.path, line.command, values), decision)
    is_asking = values.get("yes") is False
    is_typed = is_asking and sys.stdin.isatty()
    is_piped = (is_reading or is_asking) and not is_typed
    stdin = room.read(sys.stdin.buffer, "What is piped in") if is_piped else b""
    return Sent(arguments, files, stdin, is_typed, target, bool(values.get("force")))


def _content(path: Path, room: _Room) -> bytes:
    try:
        with path.open("rb") as file:
            return room.read(file, str(path))
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
