"""Commands for a server elsewhere: the memory stays there, this machine is only the door.

The line is read here as click reads it, so that wrong usage and `--help` need no server; then it runs there, and
what it prints comes back as it is printed. Files it reads are sent along, files it makes are written here. What it
asks is asked here.
"""

import sys
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

import click

from hermes_agent.cli import command_lines
from hermes_agent.cli.command_lines import Line
from hermes_agent.cli.for_others import check_files
from hermes_agent.cli.invocation import Invocation
from hermes_agent.cli.remote_runs import Sent, follow
from hermes_agent.cli.server import connect
from hermes_agent.config import credentials, paths
from hermes_agent.errors import UsageError
from hermes_agent.web.commands import DECISIONS, Decision, Never, Served

LOCAL = "local"
"""What `--server` is given to work on this machine although the settings name a server."""
_STANDARD = "-"


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
    return follow(connect(address, invocation.settings), sent)


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
        # The name is only for the server: what no JSON can carry becomes a question mark.
        plain = path.name.encode("utf-8", "replace").decode().lstrip(".-") or "file"
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
