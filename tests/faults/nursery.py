"""The side of `running.py` that is watched: import everything, then fork a `hermes` for every line that comes.

A line is a Run as JSON. The process that comes out of it is as real as one from a shell, without the second that
importing takes: its own environment, streams, exit code, and the fault it is to meet.
"""

import atexit
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import signal
import sys
import threading
import traceback
from typing import Any

import hermes_agent
from hermes_agent.cli.main import run
from hermes_agent.embedders.local import Local

_LATE = (
    "alembic.command",
    "alembic.ddl.sqlite",
    "sqlalchemy.dialects.sqlite",
    "rich.progress",
    "backports.zstd",
    "sqlcipher3.dbapi2",
    "cryptography.hazmat.primitives.ciphers.aead",
    "cryptography.hazmat.primitives.kdf.hkdf",
    "cryptography.hazmat.primitives.kdf.argon2",
)
_PATIENCE_SECONDS = 60


def main() -> None:
    """Fork for every line; tell the exit code of each, or minus the signal that ended it."""
    _import_all()
    gc.freeze()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _become(json.loads(line))
        _, status = os.waitpid(pid, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _import_all() -> None:
    for found in pkgutil.walk_packages(hermes_agent.__path__, "hermes_agent."):
        if not found.name.endswith("__main__") and ".migrations" not in found.name:
            importlib.import_module(found.name)
    for name in _LATE:
        importlib.import_module(name)
    Local().embed(["warm"])


# Any: a Run as JSON has it.
def _become(wanted: dict[str, Any]) -> None:
    """Turn this process into the command: it ends as one does that a shell started."""
    signal.alarm(_PATIENCE_SECONDS)
    for handle, name, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, wanted["stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        (2, wanted["stderr"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
    ):
        os.dup2(os.open(name, flags, 0o600), handle)
    os.environ.update(wanted["environment"])
    os.chdir(wanted["folder"])
    ctypes.CDLL(None).faults_arm()
    code = 1
    try:
        run(wanted["arguments"])
    except SystemExit as left:
        code = int(left.code or 0)
    except BaseException:
        traceback.print_exc()
    _leave(code)


def _leave(code: int) -> None:
    """End as Python does, but for taking every module apart, which takes a quarter of a second here."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
