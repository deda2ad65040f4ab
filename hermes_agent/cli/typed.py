"""What prompt_toolkit asks for while something is typed: the history and the completion of commands."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from hermes_agent.text.secrets import redact


class TypedHistory(FileHistory):
    """The history in a file that only its owner may read, without the secrets that were typed."""

    def __init__(self, path: Path) -> None:
        with suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
            path.chmod(0o600)
        super().__init__(path)

    def load_history_strings(self) -> Iterable[str]:
        """Return what was typed before, the latest first; a file that cannot be read holds nothing."""
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        """Add what was typed; it is a convenience, and a full disk is no reason to refuse the message."""
        with suppress(OSError):
            super().store_string(redact(string)[0])


def forgotten() -> History:
    """Return a history that ends with the chat."""
    return InMemoryHistory()


class SlashCompleter(Completer):
    """Completes the names of commands, with their help beside them."""

    def __init__(self, commands: Mapping[str, str]) -> None:
        self._commands = commands

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Offer the commands that begin with what stands before the cursor."""
        typed = document.text_before_cursor
        if not typed.startswith("/") or " " in typed or "\n" in typed:
            return
        for name, help in self._commands.items():
            if name.startswith(typed.lower()):
                yield Completion(name, start_position=-len(typed), display_meta=help)
