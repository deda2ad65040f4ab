"""A real `hermes` at a real pseudo-terminal: type, read until something is shown, end.

    with open_chat("chat", columns=80) as terminal:
        terminal.ready()
        terminal.type("Hello\\r")
        terminal.expect("Hello to you")
        terminal.ready()
                                      # Ctrl-D is typed at the end, and it must end well

`expect` waits for words on the screen with a deadline and never sleeps. What prompt_toolkit asks a
terminal (where is the cursor?) is answered as a terminal would.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hermes_agent.text.clean import strip_ansi

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_SECONDS = 60
# The terminal becomes the process's own, so that Ctrl-C typed there reaches it as a signal.
_OWN_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
_HERMES = f"from hermes_agent.cli.start import run\n{_OWN_TERMINAL}run()"
# What prompt_toolkit switches on when it begins to read.
_PROMPT = b"\x1b[?2004h"
_WHERE_IS_THE_CURSOR = b"\x1b[6n"


@dataclass
class Terminal:
    """One process and the terminal it sits at."""

    process: "subprocess.Popen[bytes]"
    descriptor: int
    raw: bytes = b""
    _seen: int = 0
    _prompts: int = 0
    exit_code: int | None = field(default=None)

    @property
    def text(self) -> str:
        """Everything that was shown so far, without colours and movements of the cursor."""
        return strip_ansi(self.raw.decode("utf-8", "replace")).replace("\r", "")

    def type(self, keys: str) -> None:
        """Press keys; `\\r` is Enter, `\\x03` is Ctrl-C."""
        os.write(self.descriptor, keys.encode())

    def expect(self, words: str) -> str:
        """Read until the words are shown after what was expected before; return what came up to them."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (place := self.text.find(words, self._seen)) < 0:
            assert time.monotonic() < deadline, f"{words!r} was not shown; the terminal holds:\n{self.text}"
            assert self._read(1), f"{words!r} was not shown before the end; the terminal holds:\n{self.text}"
        start, self._seen = self._seen, place + len(words)
        return self.text[start : self._seen]

    def forget(self) -> None:
        """Drop what was shown up to what was expected last: a long conversation stays quick to read."""
        self.raw, self._seen, self._prompts = self.text[self._seen :].encode(), 0, 0

    def begun(self) -> None:
        """Wait until the program begins: the terminal is its own from then on."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while os.tcgetpgrp(self.descriptor) != self.process.pid:
            assert time.monotonic() < deadline, "it does not begin"

    def ready(self) -> str:
        """Read until the next prompt waits for a message; return what was shown before it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.raw.count(_PROMPT) <= self._prompts:
            assert time.monotonic() < deadline, f"there is no prompt; the terminal holds:\n{self.text}"
            assert self._read(1), f"it ended without a prompt; the terminal holds:\n{self.text}"
        self._prompts += 1
        start, self._seen = self._seen, len(self.text)
        return self.text[start:]

    def end(self) -> int:
        """Read to the end and return the exit code."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self._read(1):
            assert time.monotonic() < deadline, f"it did not end; the terminal holds:\n{self.text}"
        self.exit_code = self.process.wait(PATIENCE_SECONDS)
        return self.exit_code

    def hang_up(self) -> int:
        """Close the terminal, as a window is closed, and return how the process ended."""
        os.close(self.descriptor)
        self.descriptor = -1
        self.exit_code = self.process.wait(PATIENCE_SECONDS)
        return self.exit_code

    def kill(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        self.process.send_signal(number)

    def _read(self, seconds: float) -> bool:
        """Read what is there, waiting a while for something; False when the process has let go."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return True
        try:
            read = os.read(self.descriptor, 65_536)
        except OSError:  # EIO: the other side is closed
            return False
        self.raw += read
        for _ in range(read.count(_WHERE_IS_THE_CURSOR)):
            os.write(self.descriptor, b"\x1b[1;1R")
        return bool(read)


@contextmanager
def open_chat(
    *arguments: str,
    columns: int = 80,
    rows: int = 24,
    folder: Path | None = None,
    program: str | None = None,
    **extra: str,
) -> Iterator[Terminal]:
    """Start `hermes`, or another program, at a terminal of this size; `extra` goes into its environment."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    # The connection to a model stays open until the process ends; Python would remark on it only then.
    warnings = "error,ignore::ResourceWarning"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": warnings, "TERM": "xterm-256color"}
    for name in ("COLUMNS", "LINES", "NO_COLOR"):
        environment.pop(name, None)
    process = subprocess.Popen(
        [sys.executable, "-c", _HERMES if program is None else _OWN_TERMINAL + program, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        cwd=folder or ROOT,
        env=environment | extra,
    )
    os.close(theirs)
    terminal = Terminal(process, ours)
    try:
        yield terminal
        if terminal.exit_code is None:
            terminal.type("\x04")
            assert terminal.end() == 0
    finally:
        process.kill()
        process.wait()
        if terminal.descriptor >= 0:
            os.close(terminal.descriptor)
