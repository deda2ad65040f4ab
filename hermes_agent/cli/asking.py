"""Where a chat gets its words from: the command line, a pipe, or a person at a terminal.

At a terminal prompt_toolkit reads them, with history, several lines and completion; where it cannot
work, a plain prompt does. What is typed while an answer is under way waits for the next prompt, but
never answers a question that was not yet asked.
"""

import select
import signal
import socket
import sys
import termios
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from hermes_agent.cli.chat_signals import Signals, Terminated
from hermes_agent.cli.output import say
from hermes_agent.errors import UsageError

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

HOW_TO_LEAVE = "Ctrl-D or /quit ends the chat."
_PROMPT = "> "
_CONTINUED = "  "
_BOM = b"\xef\xbb\xbf"


class Keyboard(Protocol):
    """Whoever talks to the agent."""

    is_person: bool
    """Whether somebody is there to be asked."""

    def messages(self) -> Iterator[str]:
        """Yield what is said, until the end."""

    def ask(self, question: str) -> str:
        """Ask something and return the answer; nothing when nobody answers."""

    def quiet(self) -> AbstractContextManager[None]:
        """Keep what is typed meanwhile from the screen."""


class Said:
    """One message, given on the command line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.is_person = sys.stdin.isatty() and sys.stderr.isatty()

    def messages(self) -> Iterator[str]:
        """Yield the one message."""
        yield self._text

    def ask(self, question: str) -> str:
        """Ask on the standard error, so that the output stays the answer alone."""
        return _ask(question, is_error=True) if self.is_person else ""

    def quiet(self) -> AbstractContextManager[None]:
        """Hide what is typed, if somebody is there to type."""
        return _echo(False) if self.is_person else nullcontext()


class Pipe:
    """Messages from a pipe or a file, one a line."""

    is_person = False

    def messages(self) -> Iterator[str]:
        """Yield the lines that hold something; the last one needs no line end."""
        is_first = True
        while line := sys.stdin.buffer.readline():
            text = decoded(line, is_first=is_first).strip()
            is_first = False
            if text:
                yield text

    def ask(self, question: str) -> str:
        """Nobody is there."""
        return ""

    def quiet(self) -> AbstractContextManager[None]:
        """Nothing is typed."""
        return nullcontext()


class PlainPrompt:
    """A person at a terminal that can do little, or whose output goes elsewhere."""

    is_person = True

    def messages(self) -> Iterator[str]:
        """Yield what is typed; a backslash at the end of a line continues it on the next."""
        lines: list[str] = []
        presses = 0
        while True:
            try:
                read = _read(_CONTINUED if lines else _PROMPT)
            except Terminated:
                raise
            except KeyboardInterrupt:
                click.echo(err=True)
                presses = 0 if lines else presses + 1
                lines = []
                if presses > 1:
                    say(HOW_TO_LEAVE, is_error=True)
                continue
            presses = 0
            line = decoded(read).rstrip()
            if line.endswith("\\") and read:
                lines.append(line[:-1])
                continue
            said = "\n".join([*lines, line]).strip()
            lines = []
            if said:
                yield said
            if not read:
                click.echo(err=True)
                return

    def ask(self, question: str) -> str:
        """Ask on the standard error."""
        return _ask(question, is_error=True)

    def quiet(self) -> AbstractContextManager[None]:
        """Hide what is typed."""
        return _echo(False)


class Prompt:
    """A person at a terminal. `history` is the file of what was typed; without one it is forgotten."""

    is_person = True

    def __init__(self, history: Path | None, commands: Mapping[str, str], signals: Signals) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.application import get_app
        from prompt_toolkit.filters import Condition

        from hermes_agent.cli.typed import SlashCompleter, TypedHistory, forgotten

        self._signals = signals
        self._presses = 0
        self._session: PromptSession[str] = PromptSession(
            [("bold", _PROMPT)],
            multiline=True,
            prompt_continuation=_CONTINUED,
            history=forgotten() if history is None else TypedHistory(history),
            completer=SlashCompleter(commands),
            # Only then is room kept for the list: elsewhere the prompt stays at the bottom.
            complete_while_typing=Condition(lambda: get_app().current_buffer.text.startswith("/")),
            key_bindings=self._keys(),
            enable_suspend=True,
        )

    def messages(self) -> Iterator[str]:
        """Yield what is typed until Ctrl-D."""
        while True:
            self._presses = 0
            try:
                with self._signals.told(self._leave_soon):
                    said = self._session.prompt(pre_run=self._leave).strip()
            except EOFError:
                return
            if said:
                yield said

    def ask(self, question: str) -> str:
        """Ask below the answer."""
        return _ask(question, is_error=False)

    def quiet(self) -> AbstractContextManager[None]:
        """Hide what is typed; the next prompt shows it."""
        return _echo(False)

    def _leave_soon(self) -> None:
        loop = self._session.app.loop
        if loop is not None:
            loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        """End the prompt if the process was asked to end."""
        app = self._session.app
        if self._signals.ended_by is not None and app.is_running and not app.is_done:
            app.exit(exception=Terminated())

    def _keys(self) -> "KeyBindings":
        from prompt_toolkit.enums import DEFAULT_BUFFER
        from prompt_toolkit.filters import has_focus
        from prompt_toolkit.key_binding import KeyBindings

        keys = KeyBindings()
        is_typing = has_focus(DEFAULT_BUFFER)
        keys.add("enter", filter=is_typing)(_enter)
        keys.add("escape", "enter", filter=is_typing)(_new_line)
        keys.add("c-c", filter=is_typing)(self._clear)
        return keys

    def _clear(self, event: "KeyPressEvent") -> None:
        from prompt_toolkit.application import run_in_terminal

        if event.current_buffer.text:
            event.current_buffer.reset()
            self._presses = 0
            return
        self._presses += 1
        if self._presses > 1:
            run_in_terminal(lambda: say(HOW_TO_LEAVE, is_dim=True))


def read_all() -> str:
    """Return everything that comes in as one message."""
    if sys.stdin.isatty():
        say("Write the message; Ctrl-D on a line of its own ends it.", is_error=True, is_dim=True)
    said = decoded(sys.stdin.buffer.read(), is_first=True).strip()
    if not said:
        raise UsageError("There is nothing to say.", hint="Put it into the pipe: echo 'Hello' | hermes chat -q -")
    return said


def decoded(data: bytes, *, is_first: bool = False) -> str:
    """Read bytes as text; what is no UTF-8 becomes a replacement mark, and no reason to stop."""
    return (data.removeprefix(_BOM) if is_first else data).decode("utf-8", "replace")


def _enter(event: "KeyPressEvent") -> None:
    buffer = event.current_buffer
    if buffer.document.text_before_cursor.endswith("\\") and not buffer.document.text_after_cursor:
        buffer.delete_before_cursor()
        buffer.insert_text("\n")
    else:
        buffer.validate_and_handle()


def _new_line(event: "KeyPressEvent") -> None:
    event.current_buffer.insert_text("\n")


def _read(prompt: str) -> bytes:
    say_prompt(prompt, is_error=not sys.stdout.isatty())
    return _line()


def say_prompt(text: str, *, is_error: bool) -> None:
    """Print a question and stay behind it."""
    click.echo(text, nl=False, err=is_error)


def _ask(question: str, *, is_error: bool) -> str:
    # A key pressed before the question was on the screen is no answer to it.
    with suppress(termios.error):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    with _echo(True):
        say_prompt(f"{question} ", is_error=is_error)
        line = _line()
    if not line:
        click.echo(err=is_error)
    return decoded(line).strip()


def _line() -> bytes:
    """Read a line. Ctrl-C pressed just before the wait begins ends it too: a plain read would sleep through it."""
    with _woken() as signalled:
        while sys.stdin not in select.select([sys.stdin, signalled], [], [])[0]:
            signalled.recv(1)
    return sys.stdin.buffer.readline()


@contextmanager
def _woken() -> Iterator[socket.socket]:
    """Give a socket that can be read as soon as a signal has come."""
    signalled, told = socket.socketpair()
    with signalled, told:
        told.setblocking(False)
        try:
            signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
            yield signalled
        finally:
            signal.set_wakeup_fd(-1)


@contextmanager
def _echo(is_on: bool) -> Iterator[None]:
    """Let the terminal show what is typed, or hide it, until the block ends."""
    try:
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
    except (termios.error, ValueError, OSError):  # no terminal after all
        yield
        return
    changed = [*before]
    changed[3] = changed[3] | termios.ECHO if is_on else changed[3] & ~termios.ECHO
    termios.tcsetattr(descriptor, termios.TCSANOW, changed)
    try:
        yield
    finally:
        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(descriptor, termios.TCSANOW, before)
