"""Real processes for the proofs: started, listened to line by line, killed with SIGKILL.

A process that is to be killed a hundred times is forked by a *nursery*: a process that has imported
everything and forks in a millisecond. What comes out of it is as real, and dies as hard.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

import pytest

from tests.counts import IS_PROOF

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 300
HERMES = "from hermes_agent.cli.main import run; run()"
# Root may write anywhere; without these two rights it meets a read-only folder as everyone does.
_AS_ORDINARY_USER = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


def seeded(name: str) -> random.Random:
    """Return a source of chance and print its seed, which pytest shows when the test fails.

    PROOF_SEED repeats a run. Reduced runs choose the same every time: what they find is there for everybody.
    """
    chosen = random.SystemRandom().randrange(2**32) if IS_PROOF else zlib.crc32(name.encode())
    seed = int(os.environ.get("PROOF_SEED") or chosen)
    sys.stdout.write(f"{name}: PROOF_SEED={seed}\n")
    return random.Random(seed)


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start a job of `nursery.py` in a process of its own; errors are told among its lines."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "tests.proof.nursery", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env=environment(),
    )


def run_at_once(*jobs: Sequence[str]) -> list[list[str]]:
    """Start jobs, wait until each is `ready`, let all begin together; return the lines each told."""
    running = [start(*job) for job in jobs]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.stdout.read()
    with ThreadPoolExecutor(len(running)) as threads:
        told = list(threads.map(lambda process: process.communicate("go\n", PATIENCE_SECONDS)[0], running))
    return [
        [*text.splitlines(), *([f"exit code {process.returncode}"] if process.returncode else [])]
        for process, text in zip(running, told, strict=True)
    ]


def hermes_command(*arguments: str) -> list[str]:
    """Return the command line that starts the real `hermes` of this checkout."""
    return [sys.executable, "-c", HERMES, *arguments]


def hermes(*arguments: str, prefix: Sequence[str] = (), **extra: str) -> subprocess.CompletedProcess[str]:
    """Run the real command to its end; `extra` goes into its environment."""
    return subprocess.run(
        [*prefix, *hermes_command(*arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment() | extra,
        timeout=PATIENCE_SECONDS,
    )


def assert_plain_error(done: "subprocess.CompletedProcess[str]", *words: str) -> None:
    """Assert that a command ended with a sentence that has one of the words, and showed nothing of Python."""
    assert done.returncode in (1, 2), (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr, done.stderr.splitlines()[-1]
    assert done.stderr.startswith("Error: ")
    assert not words or any(word in done.stderr for word in words), done.stderr


def environment() -> dict[str, str]:
    """Return the test's own environment, with this checkout on the path."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


def as_ordinary_user() -> Sequence[str]:
    """Return what to put before a command so that file permissions bind it; skip the test if nothing does."""
    if os.getuid() != 0:
        return ()
    if shutil.which(_AS_ORDINARY_USER[0]) is None:
        pytest.skip("root may write anywhere, and setpriv is not installed to take that right away")
    if subprocess.run([*_AS_ORDINARY_USER, "true"], capture_output=True).returncode:
        pytest.skip("root may write anywhere, and may not give that right up here")
    return _AS_ORDINARY_USER


def spin(seconds: float) -> None:
    """Let a moment pass without giving the processor away: sleeping would blur where a kill lands."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


class Nursery:
    """A process that forks jobs, one at a time."""

    def __enter__(self) -> "Nursery":
        self._process = start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def begin(self, *arguments: str) -> "Child":
        """Fork a process that does a job."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write("\t".join(arguments) + "\n")
        self._process.stdin.flush()
        lines = iter(self._process.stdout.readline, "")
        word, _, pid = next(lines).strip().partition(" ")
        assert word == "born"
        return Child(int(pid), lines)


class Child:
    """A forked process: what it tells, and how it ended."""

    def __init__(self, pid: int, lines: Iterator[str]) -> None:
        self.pid = pid
        self.status: int | None = None
        """Its exit code, or minus the signal that ended it; None while it is not known."""
        self._lines = lines

    def tell(self) -> Iterator[str]:
        """Yield what it tells until it has ended."""
        for line in self._lines:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "ended":
                self.status = int(rest)
                return
            yield line.rstrip("\n")
        raise AssertionError("the nursery died")

    def kill(self) -> list[str]:
        """Kill it and return what it had still told. The nursery has not reaped it: the pid is its own."""
        os.kill(self.pid, signal.SIGKILL)
        return list(self.tell())
