"""The text editor that the user wants."""

import os
import shlex

from hermes_agent.errors import UsageError


def editor_command(instead: str) -> list[str]:
    """Return $VISUAL or $EDITOR as words, to be followed by the file; `instead` says what to do without one."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        words = shlex.split(editor)
    except ValueError as error:
        raise UsageError(f"$EDITOR is not a command: {editor!r}.") from error
    if not words:
        raise UsageError("No editor is set.", hint=f"Set $EDITOR; {instead}")
    return words
