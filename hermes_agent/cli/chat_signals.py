"""Signals of a chat: Ctrl-C stops an answer, SIGTERM and SIGHUP end the chat as if it had been left.

A turn keeps what was said when it meets a KeyboardInterrupt. So every signal becomes one, and the chat
asks afterwards whether it was more than Ctrl-C.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Self

_ENDING = (signal.SIGTERM, signal.SIGHUP)
# One more press is impatience, and may not tear the commit that keeps what was said; a third one is meant.
_INSISTING = 3


class Terminated(KeyboardInterrupt):
    """The process was asked to end."""


class Signals:
    """The chat's own handling of signals while it lasts."""

    def __init__(self) -> None:
        self.ended_by: int | None = None
        self._presses = 0
        self._is_in_turn = False
        self._leave: Callable[[], None] | None = None
        self._before: dict[signal.Signals, object] = {}

    def __enter__(self) -> Self:
        self._before = {signal.SIGINT: signal.signal(signal.SIGINT, self._interrupt)}
        for number in _ENDING:
            # `nohup hermes …` means it: a signal that is ignored stays ignored.
            if signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._end)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # what signal.signal gave us

    @contextmanager
    def in_turn(self) -> Iterator[None]:
        """Say that an answer is under way: the first Ctrl-C stops it, the second waits until it is kept."""
        self._is_in_turn, self._presses = True, 0
        try:
            yield
        finally:
            self._is_in_turn = False

    @contextmanager
    def told(self, leave: Callable[[], None]) -> Iterator[None]:
        """Call something when the process is asked to end: an event loop must not be torn apart by an error."""
        self._leave = leave
        try:
            yield
        finally:
            self._leave = None

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._presses += 1
        if not self._is_in_turn or self._presses == 1 or self._presses >= _INSISTING:
            raise KeyboardInterrupt

    def _end(self, number: int, frame: FrameType | None) -> None:
        if self.ended_by is not None:
            return
        self.ended_by = number
        if self._leave is None:
            raise Terminated
        self._leave()
