"""How a chat shows what happens: on a terminal, in a pipe, or as JSON for programs.

In a pipe the standard output holds the answers and nothing else: one behind the other with an empty
line between them, or with `--json` one object a line. Everything said beside an answer goes to the
standard error.
"""

import sys
from collections.abc import Mapping
from typing import Literal, Protocol

from hermes_agent.agent.events import (
    ApprovalAsked,
    Event,
    Finished,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
)
from hermes_agent.agent.shown import response_json, tool_json
from hermes_agent.cli import event_lines
from hermes_agent.cli.output import folded, print_json_line, say, show_error
from hermes_agent.cli.streamed import StreamedMarkdown
from hermes_agent.errors import HermesError
from hermes_agent.records.archive import Json

_STOPPED = "Stopped. What was said is kept."
_STOPPED_INCOGNITO = "Stopped."
# A difference of files and the text of a skill: what is in them may be copied.
_VERBATIM = ("/rollback", "/skills")


class Screen(Protocol):
    """Where a chat is shown."""

    def begin(self) -> None:
        """Show that an answer is on its way."""

    def show(self, event: Event) -> None:
        """Show what happened in a turn."""

    def tell(self, text: str, command: str) -> None:
        """Show what a slash command has to say."""

    def aside(self, text: str) -> None:
        """Show a line beside the talk."""

    def fail(self, error: HermesError) -> None:
        """Show why there is no answer, and what to do."""

    def part(self) -> None:
        """Leave an empty line before a prompt, where there is one."""


class PipeScreen:
    """Answers as plain text, one after the other."""

    def __init__(self, *, is_incognito: bool = False) -> None:
        self._stopped = _STOPPED_INCOGNITO if is_incognito else _STOPPED
        self._has_printed = False

    def begin(self) -> None:
        """Show nothing: the answer is printed when it is whole."""

    def show(self, event: Event) -> None:
        """Print an answer when it is whole; tools and recalled memories beside it."""
        line = event_lines.line_of(event)
        if line is not None:
            self.aside(line)
        if isinstance(event, Finished):
            self._print(event.response.text)
            if event.response.ending == "interrupted":
                self.aside(self._stopped)

    def tell(self, text: str, command: str) -> None:
        """Print it as an answer."""
        self._print(text)

    def aside(self, text: str) -> None:
        """Print a dim line on the standard error."""
        say(text, is_error=True, is_dim=True)

    def fail(self, error: HermesError) -> None:
        """Print the error as every command does."""
        show_error(error)

    def part(self) -> None:
        """Leave nothing: the answers part themselves."""

    def _print(self, text: str) -> None:
        text = text.strip("\n").rstrip()
        if not text:
            return
        say(f"\n{text}" if self._has_printed else text)
        sys.stdout.flush()
        self._has_printed = True


class JsonScreen:
    """Answers as JSON, one object a line; what a command says and why an answer is missing too."""

    def __init__(self, *, is_incognito: bool = False) -> None:
        self._is_incognito = is_incognito
        self._tools: list[Mapping[str, Json]] = []

    def begin(self) -> None:
        """Forget the tools of the turn before."""
        self._tools = []

    def show(self, event: Event) -> None:
        """Print the object when the answer is whole."""
        if isinstance(event, ToolFinished):
            self._tools.append(tool_json(event))
        if isinstance(event, Finished):
            _print_line(response_json(event.response, self._tools, is_kept=not self._is_incognito))

    def tell(self, text: str, command: str) -> None:
        """Print an object with the command and its text."""
        _print_line({"command": command, "text": text})

    def aside(self, text: str) -> None:
        """Print a line on the standard error."""
        say(text, is_error=True)

    def fail(self, error: HermesError) -> None:
        """Print an object with the error."""
        _print_line({"error": error.message, "hint": error.hint})

    def part(self) -> None:
        """Leave nothing: a line is an object."""


class TerminalScreen:
    """Streaming Markdown; everything beside the answer in dim lines, which with `is_apart` go to stderr.

    Text and what stands beside it are kept apart by an empty line, and so is what comes after an answer.
    """

    def __init__(self, *, is_incognito: bool = False, is_apart: bool = False) -> None:
        self._stopped = _STOPPED_INCOGNITO if is_incognito else _STOPPED
        self._is_apart = is_apart
        self._above: Literal["nothing", "prompt", "aside", "text"] = "nothing"
        self._answer: StreamedMarkdown | None = None

    def begin(self) -> None:
        """Paint a sign that goes when something comes."""
        if not self._is_apart:
            self._above = "prompt"
        self._streamed().wait()

    def show(self, event: Event) -> None:
        """Paint the words as they come, and a line for everything else."""
        match event:
            case TextDelta(text):
                self._streamed().add(text)
            case ThinkingDelta():
                pass
            case ApprovalAsked():
                self._aside("")
            case Finished(response):
                self._finish()
                if response.ending == "interrupted":
                    self._aside(self._stopped)
                self.part()
            case _:
                self._note(event)
                self._streamed().wait()

    def tell(self, text: str, command: str) -> None:
        """Print it, broken at words; what may be copied as it is."""
        self._finish()
        say(text if command in _VERBATIM else folded(text))
        self.part()

    def aside(self, text: str) -> None:
        """Print a dim line, below what was said so far."""
        self._aside(text)

    def fail(self, error: HermesError) -> None:
        """Print the error as every command does."""
        self._finish()
        show_error(error)
        self.part()

    def part(self) -> None:
        """Leave an empty line; what is answered once needs none."""
        if not self._is_apart:
            say("")
            self._above = "prompt"

    def _note(self, event: Event) -> None:
        line = event_lines.line_of(event)
        if line is None:
            return
        is_folded = isinstance(event, ToolStarted) or (
            isinstance(event, ToolFinished) and not event.result.is_error
        )
        self._aside(self._streamed().fitting(line) if is_folded else line)

    def _aside(self, text: str) -> None:
        self._finish()
        if self._above == "text":
            say("", is_error=self._is_apart)
        if text:
            say(folded(text), is_dim=True, is_error=self._is_apart)
        self._above = "aside"

    def _streamed(self) -> StreamedMarkdown:
        if self._answer is None:
            self._answer = StreamedMarkdown(is_apart=self._above != "nothing")
        return self._answer

    def _finish(self) -> None:
        if self._answer is not None and self._answer.finish():
            self._above = "text"
        self._answer = None


def _print_line(value: Mapping[str, Json]) -> None:
    print_json_line(value)
    sys.stdout.flush()
