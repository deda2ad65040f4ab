"""Run real `hermes` processes in a folder, each with the fault it is to meet, and tell how they ended."""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.faults.injecting import Fault, library
from tests.proof.processes import ROOT, environment

KILLED = -signal.SIGKILL
KEY_FILE, PASSPHRASE = "hermes.key", "correct horse battery"
"""What opens an encrypted home: a file beside it, or these words."""
_WELL = Fault()
# Discord's library imports it for voices, which we do not use.
_KNOWN_WARNING = "ignore:'audioop' is deprecated:DeprecationWarning"


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended: its exit code or minus its signal, what it printed, and what it did to files."""

    status: int
    stdout: str
    stderr: str
    deeds: int
    log: Sequence[str]
    """Each deed: its number, what it was, and the path within the folder."""

    @property
    def is_plain(self) -> bool:
        """Whether it ended well, or with a sentence for people: nothing of Python, no silence."""
        if self.status in (0, KILLED):
            return "Traceback" not in self.stderr
        # A job's failure is told with its number, a doctor's finding among the others.
        says_why = any(word in self.stderr for word in ("Error: ", "Job ")) or "wrong  " in self.stdout
        return self.status in (1, 2) and says_why and "Traceback" not in self.stderr


class Shell:
    """Runs commands in a folder: its home is `home` there, and everything below the folder is watched."""

    def __init__(self, process: "subprocess.Popen[str]", scratch: Path) -> None:
        self._process = process
        self._scratch = scratch
        self.bases = scratch / "bases"
        """Where homes are kept that were made once, to be copied."""
        self.bases.mkdir()

    def run(self, folder: Path, *arguments: str, fault: Fault = _WELL, **extra: str) -> Ran:
        """Run `hermes` to its end; `{folder}` in an argument is the folder."""
        book, log, out, err = (self._scratch / name for name in ("book", "log", "out", "err"))
        book.write_bytes(bytes(8))
        log.write_bytes(b"")
        wanted = {
            "arguments": [one.replace("{folder}", str(folder)) for one in arguments],
            "folder": str(folder),
            "stdout": str(out),
            "stderr": str(err),
            "environment": {
                "HERMES_HOME": str(folder / "home"),
                "HOME": str(folder),
                "TMPDIR": str(folder),
                "SQLITE_TMPDIR": str(folder),
                "HERMES_NO_JOBS": "1",
                "HERMES_KEY_FILE": str(folder / KEY_FILE),
                "HERMES_PASSPHRASE": PASSPHRASE,
                "HERMES_NEW_PASSPHRASE": PASSPHRASE,
                **fault.variables(folder, book, log),
                **extra,
            },
        }
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(wanted) + "\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        return Ran(
            status,
            out.read_text(errors="replace"),
            err.read_text(errors="replace"),
            int.from_bytes(book.read_bytes(), sys.byteorder),
            log.read_text(errors="surrogateescape").splitlines(),
        )


@contextmanager
def shell() -> Iterator[Shell]:
    """Start what runs commands; whatever a test set in the environment is gone from it."""
    own = {name: value for name, value in environment().items() if not name.startswith("HERMES_")}
    own |= {"LD_PRELOAD": str(library()), "TOKENIZERS_PARALLELISM": "false", "PYTHONUNBUFFERED": ""}
    with tempfile.TemporaryDirectory(prefix="hermes-faults-") as scratch:
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-W", _KNOWN_WARNING, "-m", "tests.faults.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=own,
        )
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield Shell(process, Path(scratch))
        finally:
            process.kill()
            process.communicate()
