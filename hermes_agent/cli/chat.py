"""`hermes chat`: talk at a terminal, through a pipe, or once from the command line.

What is said is on the disk before it is answered. At a terminal answers stream as Markdown; in a pipe
each line is a message and each answer plain text, or one JSON object.
"""

import io
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click

from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.app import App
from hermes_agent.cli import slash, suggest
from hermes_agent.cli.asking import Keyboard, Pipe, PlainPrompt, Prompt, Said, read_all
from hermes_agent.cli.chat_room import Chat
from hermes_agent.cli.chat_screen import JsonScreen, PipeScreen, Screen, TerminalScreen
from hermes_agent.cli.chat_signals import Signals
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.output import examples
from hermes_agent.config import terminal
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.notes import format
from hermes_agent.records.notes import SUBJECTS

_INCOGNITO = "Incognito: nothing of this conversation is kept."
_INCOGNITO_END = "Nothing of this conversation was kept."
_REVIEW_SECONDS = 2.0
_SIGNALLED = 128


@click.command(
    epilog=examples(
        "hermes",
        'hermes chat -q "What is my name?"',
        "git diff | hermes chat -q -",
        "echo 'My name is Ada.' | hermes chat",
        "hermes chat --continue",
    )
)
@click.option(
    "-q", "--query", metavar="TEXT", help="Say this, print the answer, end; `-` takes all of stdin as the message."
)
@click.option(
    "-r",
    "--resume",
    metavar="[ID|TITLE]",
    is_flag=False,
    flag_value="",
    help="Go on with this conversation; without a name you are asked which.",
)
@click.option("-c", "--continue", "is_continued", is_flag=True, help="Go on with the latest chat.")
@click.option(
    "-m", "--model", metavar="NAME", help="Ask this model in this run, such as openai:gpt-5 or embedded."
)
@click.option("--incognito", "is_incognito", is_flag=True, help="Keep nothing of this conversation.")
@click.option("--json", "is_json", is_flag=True, help="With -q or a pipe: print one JSON object an answer.")
@pass_invocation
def chat(
    invocation: Invocation,
    query: str | None = None,
    resume: str | None = None,
    is_continued: bool = False,
    model: str | None = None,
    is_incognito: bool = False,
    is_json: bool = False,
) -> None:
    """Talk; everything is kept and found again.

    At a terminal: Enter sends, Alt-Enter begins a new line, /help lists commands. In a pipe every line is a
    message; the answers are printed with an empty line between them, everything else goes to stderr.
    """
    check(query, resume, is_continued, is_incognito, is_json)
    for stream in (sys.stdout, sys.stderr):
        # An answer may hold letters that a terminal of another time does not know: no reason to lose it.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    said = read_all() if query == "-" else query
    app = invocation.open(model)
    opening = Opening(source="cli", folder=_folder(), is_incognito=is_incognito)
    with Signals() as signals, closing(app):
        room = Chat(
            app,
            Conversation(app.desk, opening),
            screen(said, is_json=is_json, is_incognito=is_incognito),
            keyboard(said, app.home, signals, is_incognito=is_incognito),
            signals,
        )
        with closing(room):
            code = _talk(room, suggest.latest_chat(app).id if is_continued else resume, is_brief=said is not None)
    if code:
        raise SystemExit(code)


def check(query: str | None, resume: str | None, is_continued: bool, is_incognito: bool, is_json: bool) -> None:
    """Refuse what does not go together."""
    if query is not None and not query.strip():
        raise UsageError("There is nothing to say.", hint='Write it behind -q: hermes chat -q "What is my name?"')
    if resume is not None and is_continued:
        raise UsageError("--resume and --continue do not go together.")
    if is_incognito and (resume is not None or is_continued):
        raise UsageError("An incognito conversation cannot go on with a kept one.")
    if is_json and query is None and sys.stdin.isatty():
        raise UsageError("--json needs -q or a pipe.", hint='hermes chat --json -q "What is my name?"')


def _folder() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError("The folder you are in is gone.", hint="Go to another one: cd ~") from error


def keyboard(said: str | None, home: Home, signals: Signals, *, is_incognito: bool) -> Keyboard:
    """Choose where the words come from."""
    if said is not None:
        return Said(said)
    if not sys.stdin.isatty():
        return Pipe()
    if not sys.stdout.isatty() or terminal.is_dumb():
        return PlainPrompt()
    helps = {name: command.help for name, command in slash.COMMANDS.items()}
    is_forgotten = is_incognito or home.encryption.exists()
    return Prompt(None if is_forgotten else home.chat_history, helps, signals)


def screen(said: str | None, *, is_json: bool, is_incognito: bool) -> Screen:
    """Choose where the talk is shown."""
    if is_json:
        return JsonScreen(is_incognito=is_incognito)
    if sys.stdout.isatty() and not terminal.is_dumb():
        return TerminalScreen(is_incognito=is_incognito, is_apart=said is not None or not sys.stdin.isatty())
    return PipeScreen(is_incognito=is_incognito)


def _talk(room: Chat, resumed: str | None, *, is_brief: bool) -> int:
    """Hold the conversation to its end, however that comes; return the exit code."""
    reason = "agent_close"
    try:
        _open(room, resumed, is_brief=is_brief)
        _listen(room)
    except KeyboardInterrupt:
        reason = "interrupted" if room.signals.ended_by is None else "terminated"
    except OSError:
        # With the terminal gone nothing can be shown any more; that is no error of ours.
        if room.signals.ended_by is None:
            raise
        reason = "terminated"
    finally:
        room.conversation.end(reason)
        room.reviews.wait(_REVIEW_SECONDS)
    if reason == "terminated":
        return _SIGNALLED + (room.signals.ended_by or 0)
    _tell_news(room)
    if room.opening.is_incognito:
        room.screen.aside(_INCOGNITO_END)
    if reason == "interrupted":
        return _SIGNALLED + signal.SIGINT
    # Whoever sat at the prompt has read the error; a program that waits for the code has not.
    return room.exit_code if is_brief or not room.keyboard.is_person else 0


def _listen(room: Chat) -> None:
    for said in room.keyboard.messages():
        _take(room, said)
        if room.is_over:
            return
        _tell_news(room)


def _open(room: Chat, resumed: str | None, *, is_brief: bool) -> None:
    """Say who answers, what the owner should know, and which conversation goes on."""
    if not is_brief:
        room.screen.aside(_introduction(room.app))
    if room.opening.is_incognito:
        room.screen.aside(_INCOGNITO)
    for warning in _warnings(room.app):
        room.screen.aside(warning)
    name = resumed if resumed != "" else slash.chosen_session(room)
    if name:
        count = room.resume(name)
        lines = slash.resumed_lines(room, count)
        room.screen.aside("\n".join(lines[:1] if is_brief else lines))
    room.screen.part()


def _introduction(app: App) -> str:
    if app.model.is_embedded:
        from hermes_agent.agent.embedded.model import INTRODUCTION

        return INTRODUCTION
    return f"{slash.model_line(app)} /help lists what you can do."


def _warnings(app: App) -> Iterator[str]:
    # A note that cannot be read is told of once; the conversation goes on without it.
    yield from dict.fromkeys([*app.notebook.reconcile(), *app.notebook.snapshot().warnings, *app.sync_skills()])
    for target, limit in slash.note_limits(app).items():
        try:
            used = format.size(app.notebook.entries(target))
        except HermesError:
            continue
        if format.is_nearly_full(used, limit):
            yield f"{SUBJECTS[target]} is nearly full: {format.usage(used, limit)}. /memory shows it."


def _take(room: Chat, said: str) -> None:
    """Do what a command says, or answer; what goes wrong is told, and the chat goes on."""
    try:
        command = slash.read(said)
        if command is not None:
            slash.run(room, command)
        elif suggest.is_sentence(said):
            slash.remember(room, "")
        else:
            room.answer(said)
    except HermesError as error:
        room.screen.fail(error)
        room.exit_code = error.exit_code
    except KeyboardInterrupt:
        if not room.keyboard.is_person or room.signals.ended_by is not None:
            raise
        room.screen.aside("Stopped.")


def _tell_news(room: Chat) -> None:
    news = list(room.reviews.news())
    for line in news:
        room.screen.aside(line)
    if news:
        room.screen.part()
