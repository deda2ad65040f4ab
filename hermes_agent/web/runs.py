"""A command of somebody elsewhere while it runs: a process of this program, without a shell, in an empty folder.

Its streams are terminals where the client's are, so that it prints what it would print there. What it prints goes
out as it comes, and no faster than the client reads. A client that leaves ends it, as Ctrl-C would. If the server
is killed, it ends too, and what it laid into the folder is gone (`config/passing.py`).
"""

import asyncio
import fcntl
import math
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import full_disk, own_process, passing, paths
from hermes_agent.errors import NotFound, UsageError
from hermes_agent.ids import new_uid
from hermes_agent.records.tokens import Token
from hermes_agent.web.problems import NotNow, TooMany

_RUNNER = "hermes_agent.cli.served"
_MOST_AT_ONCE, _MOST_OF_ONE = 8, 4
_RETRY_SECONDS = 2
_PIECE_BYTES = 32_768
_PIECES_WAITING = 16
_ALIVE_SECONDS = 15.0
_LOOK_SECONDS = 0.5
_GRACE_SECONDS = 10.0
_TYPING_SECONDS = 5.0
_PAUSE_SECONDS = 0.02
_STREAMS = ("stdout", "stderr")
_LIFE = "life"
"""A pipe that the command watches: it ends when ours does, also if we are killed."""


@dataclass(frozen=True, slots=True)
class Terminals:
    """Which of the client's streams are terminals, and what they can."""

    stdin: bool = False
    stdout: bool = False
    stderr: bool = False
    columns: int = 80
    rows: int = 24
    color: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """A command line, and what comes along with it."""

    arguments: Sequence[str]
    terminals: Terminals = Terminals()
    stdin: bytes = b""
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of what a command prints, of a file it made, or nothing yet: a sign that it is alive."""

    of: str
    data: bytes
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended."""

    code: int


class Runs:
    """The commands that run for others."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._running: dict[str, Run] = {}
        self._starting: list[int] = []
        """The tokens whose commands are being started."""
        self._is_closed = False
        self._lock = threading.Lock()

    def start(self, wanted: Wanted, token: Token) -> "Run":
        """Start a command with the rights of a token."""
        with self._lock:
            self._refuse_too_many(token)
            self._starting.append(token.id)
        try:
            run = Run(self._app, wanted, token, self._forget)
            with self._lock:
                self._running[run.id] = run
        finally:
            with self._lock:
                self._starting.remove(token.id)
        if self._is_closed:
            run.close()
        return run

    def _refuse_too_many(self, token: Token) -> None:
        if self._is_closed:
            raise TooMany("The server is about to end.", _RETRY_SECONDS)
        under_way = [*self._starting, *(run.token_id for run in self._running.values())]
        if len(under_way) >= _MOST_AT_ONCE:
            raise TooMany(f"{_MOST_AT_ONCE} commands run already.", _RETRY_SECONDS)
        if under_way.count(token.id) >= _MOST_OF_ONE:
            raise TooMany(f"{_MOST_OF_ONE} commands of the token {token.name!r} run already.", _RETRY_SECONDS)

    def find(self, run_id: str, token: Token) -> "Run":
        """Return a command that this token started; another's is not there."""
        with self._lock:
            run = self._running.get(run_id)
        if run is None or run.token_id != token.id:
            raise NotFound("There is no such command of yours, or it has ended.")
        return run

    def stop(self) -> None:
        """Begin no more, and end what runs; return at once."""
        with self._lock:
            self._is_closed = True
            running = list(self._running.values())
        for run in running:
            run.close()

    def close(self, timeout_seconds: float) -> None:
        """End what runs, and wait for it."""
        self.stop()
        deadline = clock.monotonic() + timeout_seconds
        with self._lock:
            running = list(self._running.values())
        for run in running:
            run.ended.wait(max(deadline - clock.monotonic(), 0))

    def _forget(self, run: "Run") -> None:
        with self._lock:
            self._running.pop(run.id, None)


class Run:
    """One command; iterate over `output` once."""

    def __init__(self, app: App, wanted: Wanted, token: Token, at_end: "Callable[[Run], None]") -> None:
        self.id = new_uid()
        self.token_id = token.id
        self.ended = threading.Event()
        """Set when the process is gone."""
        self._lock = threading.Lock()
        """Held while a descriptor is used or let go of: a number that was closed may be another file's next."""
        self._at_end = at_end
        self._wanted = wanted
        self._is_closed = False
        self._threads: list[threading.Thread] = []
        self._holder = ExitStack()
        self._folder = self._holder.enter_context(passing.folder(app.home))
        try:
            for name, data in wanted.files.items():
                paths.cached(self._folder, name).write_bytes(data)
            self._process, self._ends = _begun(app, wanted, token, self._folder)
        except (OSError, ValueError) as error:
            self._holder.close()
            if full_disk.is_meant(error):
                raise full_disk.refusal() from error
            raise UsageError("The command cannot be started: it is too long, or not a command line.") from error

    def type(self, data: bytes, *, is_end: bool) -> None:
        """Give the command what was typed; refuse it when the command does not read."""
        if not self._wanted.terminals.stdin:
            raise NotNow("The input of this command came along with it.")
        left = self._give(data + (b"\x04" if is_end else b""), _TYPING_SECONDS)
        if left:
            raise NotNow("The command does not read.")

    async def output(self) -> AsyncIterator[Piece | Ended]:
        """Yield what is printed, then the files that were made, then how it ended."""
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[Piece] = asyncio.Queue(_PIECES_WAITING)
        threads = [
            threading.Thread(target=self._read, args=(name, loop, pieces), name=f"run {name}", daemon=True)
            for name in _STREAMS
        ]
        threads.append(threading.Thread(target=self._feed, name="run stdin", daemon=True))
        for thread in threads:
            thread.start()
        self._threads = threads
        left = len(_STREAMS)
        while left:
            try:
                piece = await asyncio.wait_for(pieces.get(), _ALIVE_SECONDS)
            except TimeoutError:
                piece = Piece("nothing", b"")
            if piece.of in _STREAMS and not piece.data:
                left -= 1
                continue
            yield piece
        code = await run_in_threadpool(self._process.wait)
        for path in await run_in_threadpool(self._made) if code == 0 else ():
            with await run_in_threadpool(path.open, "rb") as file:
                yield Piece("file", b"", path.name)
                while data := await run_in_threadpool(file.read, _PIECE_BYTES):
                    yield Piece("file", data, path.name)
        # A signal that ended it is told as shells do.
        yield Ended(code if code >= 0 else 128 - code)

    def close(self) -> None:
        """End the command if it still runs, and clear up, without waiting for it."""
        if not self._is_closed:
            self._is_closed = True
            threading.Thread(target=self._end, name="run end", daemon=True).start()

    def _made(self) -> list[Path]:
        """Return the files that the command made: ordinary ones, that did not come along."""
        found = sorted(self._folder.iterdir())
        return [
            one for one in found if one.name not in self._wanted.files and one.is_file() and not one.is_symlink()
        ]

    def _read(self, name: str, loop: asyncio.AbstractEventLoop, pieces: "asyncio.Queue[Piece]") -> None:
        while True:
            data = self._taken(name)
            try:
                future = asyncio.run_coroutine_threadsafe(pieces.put(Piece(name, data)), loop)
            except RuntimeError:  # the server has ended
                return
            while not self._is_closed:
                with suppress(TimeoutError):
                    future.result(_LOOK_SECONDS)
                    break
            if not data or self._is_closed:
                return

    def _feed(self) -> None:
        """Give the command its input; one that is not typed ends with what came along."""
        self._give(self._wanted.stdin)
        if not self._wanted.terminals.stdin:
            self._let_go("stdin")

    def _taken(self, name: str) -> bytes:
        """Wait for what is printed next; nothing is the end."""
        while not self._is_closed:
            ready = select.poll()
            with self._lock:
                end = self._ends.get(name)
            if end is None:
                break
            ready.register(end, select.POLLIN)
            if not ready.poll(_LOOK_SECONDS * 1_000):
                continue
            with self._lock, suppress(OSError):  # a terminal whose other end is closed
                return os.read(end, _PIECE_BYTES) if name in self._ends else b""
            break
        return b""

    def _give(self, data: bytes, timeout_seconds: float = math.inf) -> memoryview:
        """Write to the command as fast as it reads, for a time at most; return what it did not take."""
        left, end = memoryview(data), clock.monotonic() + timeout_seconds
        while left and not self._is_closed:
            with self._lock:
                if "stdin" not in self._ends:
                    break
                try:
                    left = left[os.write(self._ends["stdin"], left[:_PIECE_BYTES]) :]
                    continue
                except BlockingIOError:
                    pass
                except OSError:  # it has ended, or closed its input
                    break
            if clock.monotonic() > end:
                break
            clock.sleep(_PAUSE_SECONDS)
        return left

    def _let_go(self, name: str) -> None:
        with self._lock, suppress(OSError, KeyError):
            os.close(self._ends.pop(name))

    def _end(self) -> None:
        """End what still runs, and clear up; Ctrl-C first, since a command puts things in order then."""
        for number in (signal.SIGINT, signal.SIGKILL):
            if self._process.poll() is None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, number)
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(_GRACE_SECONDS)
        self._at_end(self)
        self.ended.set()
        for thread in self._threads:
            thread.join(_GRACE_SECONDS)
        for name in ("stdin", *_STREAMS, _LIFE):
            self._let_go(name)
        self._holder.close()


def _begun(
    app: App, wanted: Wanted, token: Token, folder: Path
) -> "tuple[subprocess.Popen[bytes], dict[str, int]]":
    """Start the process; return it with our ends of its streams."""
    terminals = wanted.terminals
    wants = {"stdin": terminals.stdin, "stdout": terminals.stdout, "stderr": terminals.stderr}
    with ExitStack() as ours_open, ExitStack() as theirs_open:
        ours: dict[str, int] = {}
        theirs: dict[str, int] = {}
        for name, is_terminal in wants.items():
            ours[name], theirs[name] = _terminal(terminals) if is_terminal else _pipe(name)
            ours_open.callback(os.close, ours[name])
            theirs_open.callback(os.close, theirs[name])
        watched, ours[_LIFE] = os.pipe()
        ours_open.callback(os.close, ours[_LIFE])
        theirs_open.callback(os.close, watched)
        process = subprocess.Popen(
            own_process.command(
                _RUNNER, str(watched), app.home.profile, token.scope, token.name, *wanted.arguments
            ),
            pass_fds=(watched,),
            cwd=folder,
            env=own_process.environment_for_others(app.home, has_color=terminals.color),
            stdin=theirs["stdin"],
            stdout=theirs["stdout"],
            stderr=theirs["stderr"],
            start_new_session=True,
        )
        # What is not read is waited for here, where the end of the command is seen too.
        os.set_blocking(ours["stdin"], False)
        ours_open.pop_all()
        return process, ours


def _pipe(name: str) -> tuple[int, int]:
    reading, writing = os.pipe()
    return (writing, reading) if name == "stdin" else (reading, writing)


def _terminal(terminals: Terminals) -> tuple[int, int]:
    """Open a terminal of the client's size that neither shows what is typed nor changes what is printed."""
    ours, theirs = pty.openpty()
    flags = termios.tcgetattr(theirs)
    flags[1] &= ~termios.OPOST
    flags[3] &= ~(termios.ECHO | termios.ISIG)
    termios.tcsetattr(theirs, termios.TCSANOW, flags)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", terminals.rows, terminals.columns, 0, 0))
    return ours, theirs
