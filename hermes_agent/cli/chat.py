"""`hermes chat`: talk in a terminal or through a pipe; every line is kept before it is answered."""

import sys
from collections.abc import Iterator

import click

from hermes_agent.agent import embedded
from hermes_agent.agent.turn import take_turn
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import opened
from hermes_agent.cli.output import examples, say
from hermes_agent.errors import UsageError
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.looking import Request
from hermes_agent.records.archive import NewSession

_COMMANDS = ("/search", "/help", "/quit", "/exit")
_HELP = """\
Say anything: it is kept. Ask a question: what you said about it is quoted with its date.
/search WORDS   find conversations        /help   this text
/quit           end the conversation      (Ctrl-D ends it too)"""


@click.command(
    epilog=examples("hermes", 'hermes chat -q "What is my name?"', "echo 'My name is Ada.' | hermes chat")
)
@click.option("-q", "--query", metavar="TEXT", help="Say this, print the answer, end.")
@pass_invocation
def chat(invocation: Invocation, query: str | None = None) -> None:
    """Talk; everything is kept and found again."""
    if query is not None and not query.strip():
        raise UsageError("There is nothing to say.", hint='Write it behind -q: hermes chat -q "What is my name?"')
    with opened(invocation) as app:
        memory = app.memory
        session_id: str | None = None
        reason = "agent_close"
        try:
            for said in [query] if query is not None else _lines():
                if said.split()[0] in _COMMANDS:
                    if said in ("/quit", "/exit"):
                        break
                    say(_command(memory, said))
                    continue
                session_id = session_id or memory.begin(NewSession(source="cli"))
                say(take_turn(memory, session_id, said))
        except KeyboardInterrupt:
            reason = "interrupted"
            raise
        finally:
            if session_id is not None:
                memory.end(session_id, reason)


def _lines() -> Iterator[str]:
    """Yield what is typed, line by line; in a terminal after a prompt."""
    is_terminal = sys.stdin.isatty()
    click.echo(embedded.INTRODUCTION, err=not is_terminal)
    while True:
        if is_terminal:
            click.echo("> ", nl=False)
        line = sys.stdin.readline()
        if not line:
            if is_terminal:
                click.echo()
            return
        if line.strip():
            yield line.strip()


def _command(memory: Memory, said: str) -> str:
    name, _, rest = said.partition(" ")
    if name == "/search" and rest.strip():
        answer = memory.discover(Request(rest))
        found = [f"{result.session.id}  {result.snippet}" for result in answer.results]
        return "\n".join([*found, *([answer.message] if answer.message else [])])
    return _HELP
