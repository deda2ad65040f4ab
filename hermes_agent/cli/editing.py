"""Open a file in the editor that the user wants, and wait until it is closed."""

import subprocess
from pathlib import Path

from hermes_agent.config.editor import editor_command
from hermes_agent.errors import UsageError


def open_editor(place: Path, instead: str = "`hermes config path` prints the file to edit.") -> None:
    """Run $VISUAL or $EDITOR on the file; an editor that fails is an error."""
    command = editor_command(instead)
    try:
        finished = subprocess.run([*command, place], check=False)
    except OSError as error:
        raise UsageError(f"{command[0]} cannot be started: {error.strerror}.", hint="Set $EDITOR.") from error
    if finished.returncode != 0:
        raise UsageError(f"{command[0]} ended with exit code {finished.returncode}.")
