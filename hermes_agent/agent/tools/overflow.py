"""What is too long for the model goes into a file; the model gets both ends and the way to the rest.

The files lie in the cache of the home, without secrets, and only the latest are kept. A file's name begins with
the class of its source: what came from the web stays from the web when `read_file` shows more of it.
"""

import logging
import os
from pathlib import Path
from typing import get_args

from hermes_agent import ids
from hermes_agent.agent.toolbox import LONGEST_RESULT
from hermes_agent.config.replace import replace_text
from hermes_agent.errors import SettingError
from hermes_agent.records.archive import SourceClass
from hermes_agent.text import secrets

log = logging.getLogger(__name__)

KEPT_FILES = 50
_CLASSES: tuple[SourceClass, ...] = get_args(SourceClass)
_TAIL_SHARE = 4


class Overflow:
    """Keeps long outputs in a folder; without one (a conversation that leaves no trace) they are only cut."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = None if folder is None else Path(os.path.realpath(folder))

    def shorten(self, text: str, source_class: SourceClass = "tool", limit: int = LONGEST_RESULT) -> str:
        """Return the text, or its two ends and where the whole of it can be read."""
        if len(text) <= limit:
            return text
        # Before anything is cut: half a key is no longer recognised as one.
        text, _ = secrets.redact(text)
        path = None if self._folder is None else self._keep(self._folder, text, source_class)
        tail = limit // _TAIL_SHARE
        head = limit - tail
        line = text.count("\n", 0, head) + 1
        rest = "The rest was not kept; ask for less."
        if path is not None:
            rest = f'The whole is kept: read_file(path="{path}", offset={line}) goes on from here.'
        left_out = f"\n[… {len(text) - limit:,} of {len(text):,} characters left out. {rest} …]\n"
        return text[:head] + left_out + text[-tail:]

    def source_class(self, path: Path) -> SourceClass:
        """Return whose words a file holds: what its name says if it is one of ours."""
        if path.parent == self._folder:
            for known in _CLASSES:
                if path.name.startswith(f"{known}-"):
                    return known
        return "tool"

    def _keep(self, folder: Path, text: str, source_class: SourceClass) -> Path | None:
        """Write the text into a new file and let the oldest go; None when there is no place to write."""
        path = folder / f"{source_class}-{ids.new_uid()}.txt"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_text(path, text)
            # The uid in a name begins with the time.
            kept = sorted(folder.glob("*-*.txt"), key=lambda file: file.name.partition("-")[2])
            for old in kept[:-KEPT_FILES]:
                old.unlink(missing_ok=True)
        except (OSError, SettingError):
            log.warning("a long output could not be kept in %s", folder, exc_info=True)
            return None
        return path
