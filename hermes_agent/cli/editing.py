"""Open a file in the editor that the user wants, and wait until it is closed."""

import subprocess
import tempfile
from pathlib import Path

from hermes_agent.config import private
from hermes_agent.config.editor import editor_command
from hermes_agent.config.paths import Home
from hermes_agent.config.replace import replace_bytes
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


def edit_private(home: Home, place: Path) -> None:
    """Open a note in the editor; a sealed one as a plain copy in memory, which goes when the editor is closed."""
    if not home.encryption.exists():
        open_editor(place)
        return
    with tempfile.TemporaryDirectory(prefix="hermes-", dir=private.for_a_moment(home)) as folder:
        copy = Path(folder) / place.name
        before = private.read(place) if place.exists() else b""
        copy.write_bytes(before)
        open_editor(copy)
        after = copy.read_bytes()
    if after != before:
        replace_bytes(place, private.sealed(place.resolve(), after))
