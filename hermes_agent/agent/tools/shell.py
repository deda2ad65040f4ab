"""The tool `shell`: one command in the working folder, with the owner's approval.

The setting tools.shell decides: `ask` asks before each command but the listed ones, `allow` runs the listed
ones and no others, `deny` runs none.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from hermes_agent.agent.arguments import read_arguments, spec_of
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.agent.tools import command as commands
from hermes_agent.agent.tools.overflow import Overflow
from hermes_agent.agent.tools.shell_rules import is_listed, is_reading, without_secrets
from hermes_agent.agent.tools.workspace import Keeper
from hermes_agent.config.settings import Approval
from hermes_agent.errors import ToolError
from hermes_agent.records.archive import Json
from hermes_agent.text.clean import preview, strip_ansi

_LONGEST_SECONDS = 600
_REASON_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class ShellCall:
    """Arguments of `shell`."""

    command: Annotated[str, "The command, as typed into a shell."]
    timeout_seconds: Annotated[int, f"After how long it is ended, at most {_LONGEST_SECONDS}."] = 120


class Shell:
    """Runs commands in the working folder."""

    spec = spec_of(
        "shell",
        "Run a command in the working folder and wait for its end; the owner may be asked first. It has no input "
        "and cannot stay in the background. Prefer the file tools for reading, searching and editing files.",
        ShellCall,
    )

    def __init__(
        self,
        folder: Path,
        approval: Approval,
        listed: Sequence[str],
        environment: Mapping[str, str],
        overflow: Overflow,
        keeper: Keeper | None = None,
    ) -> None:
        # The real path, as the file tools use it: a folder has one row of checkpoints, not two.
        self._folder = Path(os.path.realpath(folder))
        self._approval = approval
        self._listed = listed
        self._environment = environment
        self._overflow = overflow
        self._keeper = keeper

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Return what to ask the owner, unless the settings have answered it."""
        call = read_arguments(ShellCall, arguments)
        if self._approval != "ask" or is_listed(call.command, self._listed):
            return None
        shown = "\n".join(f"  {_visible(line)}" for line in call.command.split("\n"))
        return f"Run this command in {self._folder}?\n{shown}"

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Run the command; the owner was asked where that is needed."""
        call = read_arguments(ShellCall, arguments)
        self._refuse(call.command)
        note = None
        if self._keeper is not None and not is_reading(call.command):
            note = self._keeper.before_change(self._folder, f"shell {preview(call.command, _REASON_CHARACTERS)}")
        seconds = max(1, min(call.timeout_seconds, _LONGEST_SECONDS))
        try:
            ended = commands.run(call.command, self._folder, without_secrets(self._environment), seconds)
        except OSError as error:
            raise ToolError(f"The command could not be started: {error.strerror}.") from None
        output = strip_ansi(ended.output).rstrip()
        parts = [self._overflow.shorten(output), _outcome(ended.code, seconds), note]
        return ToolResult("\n".join(part for part in parts if part), is_error=ended.code != 0, notice=note)

    def _refuse(self, command: str) -> None:
        """Say no to what the settings do not let run, and to what is no command."""
        if not command.strip() or "\0" in command:
            raise ToolError("command is empty or holds a NUL character.", hint="Send the command to run.")
        if self._approval == "deny":
            raise ToolError("Commands are switched off here.", hint="Go on without; the setting is tools.shell.")
        if self._approval == "allow" and not is_listed(command, self._listed):
            listed = ", ".join(f"`{pattern}`" for pattern in self._listed) or "none"
            raise ToolError(
                "This command is not on the owner's list.",
                hint=f"Listed: {listed}. One plain command, without ;, &, |, >, $ or backquotes, can be listed.",
            )


def _outcome(code: int | None, seconds: int) -> str:
    if code is None:
        return f"[Ended after {seconds} seconds, before it was done. Set timeout_seconds, or do less at once.]"
    return f"[exit code {code}]" if code >= 0 else f"[ended by signal {-code}]"


def _visible(line: str) -> str:
    """Write out what would not be seen on the screen: the owner must see all of what will run."""
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in line)
