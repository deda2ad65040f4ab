"""A process that appends until there is no room left.

`kept UID` after each commit; at the end `failed CLASS EXIT_CODE SENTENCE`. The room may be bounded by
the disk itself, or by a limit this process sets on the size of any file it writes.
"""

import resource
import signal

from hermes_agent.errors import HermesError
from hermes_agent.ids import new_uid
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession
from tests.proof.places import open_at, tell

_MOST = 5_000


def fill(place: str, limit_bytes: str) -> None:
    """Append long messages until one fails; `limit_bytes` bounds every file, 0 for no bound."""
    if limit_bytes != "0":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit_bytes), resource.RLIM_INFINITY))
    memory = Memory(open_at(place), "default")
    try:
        memory.begin(NewSession(id="s"))
        for number in range(_MOST):
            uid = new_uid()
            memory.append("s", NewMessage("user", f"filling{number} " + "some words " * 200, uid=uid))
            tell("kept", uid)
        tell("endless")
    except HermesError as error:
        tell("failed", type(error).__name__, str(error.exit_code), error.message)
    finally:
        memory.store.close()
