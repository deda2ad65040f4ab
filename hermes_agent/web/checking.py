"""Check a backup for somebody who waits for the answer: one at a time, since each is a whole home."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_agent.app import App
from hermes_agent.errors import StoreBusy
from hermes_agent.ops.steps import finish

if TYPE_CHECKING:
    from hermes_agent.ops.backups.checking import Checked

_CHECKING = threading.Lock()


def check(app: App, path: Path) -> "Checked":
    """Restore a backup into a folder of its own and compare; StoreBusy while another is being checked."""
    # Imported here: age is loaded for it.
    from hermes_agent.ops.backups import checking

    if not _CHECKING.acquire(blocking=False):
        raise StoreBusy("Another backup is being checked.", hint="Try again in a while.")
    try:
        return finish(checking.check(app.home, path))
    finally:
        _CHECKING.release()
