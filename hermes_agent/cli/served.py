"""A command for somebody elsewhere: checked as it is really read, then run like any other.

Called by the server as `python -m hermes_agent.cli.served PROFILE SCOPE COMMAND …`. The profile and the scope are
the token's; the words are the client's. They begin with a command, so none of the program's own options, such as
another profile, can be among them.
"""

import sys
from collections.abc import Sequence
from typing import NoReturn, get_args

import click

from hermes_agent.cli import command_lines, main
from hermes_agent.cli.command_lines import Line
from hermes_agent.cli.output import show_error
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.records.tokens import Scope
from hermes_agent.web.commands import DECISIONS, Served

_STANDARD = "-"


def run(arguments: Sequence[str]) -> NoReturn:
    """Check a command line and run it, or say why it is not run."""
    profile, scope, *words = arguments
    try:
        if not words or words[0].startswith("-"):
            raise UsageError("The command comes first.")
        with click.Context(main.hermes, info_name="hermes") as context:
            check(command_lines.read(context, words), scope)
    except HermesError as error:
        show_error(error)
        sys.exit(error.exit_code)
    except click.exceptions.Exit as left:  # its help was printed
        sys.exit(left.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    main.run(["-p", profile, "--server", "local", *words])


def check(line: Line, scope: str) -> None:
    """Refuse a command that is not for others, needs more than the scope, or names files of this machine."""
    decision = DECISIONS.get(line.path)
    if not isinstance(decision, Served):
        raise UsageError(f"`hermes {line.path}` is not for others.")
    scopes = get_args(Scope)
    if scope not in scopes or scopes.index(scope) < scopes.index(decision.scope):
        raise UsageError(f"`hermes {line.path}` needs a token that may {decision.scope}.")
    check_files(line, decision)


def check_files(line: Line, decision: Served) -> None:
    """Refuse names of files that lie elsewhere than in the folder of this run."""
    for name in (*decision.sends, *decision.brings, *decision.names):
        value = line.values.get(name)
        if value is not None and str(value) != _STANDARD and not _is_plain(str(value)):
            raise UsageError(f"{str(value)[:80]!r} is a path; from elsewhere only a file's own name can be used.")
    for name in decision.refuses:
        if line.values.get(name) is not None:
            raise UsageError(
                f"`hermes {line.path}` takes no {name} from elsewhere: it would be a file of the server's machine."
            )
    for name in decision.needs:
        if line.values.get(name) is None:
            raise UsageError("From elsewhere no editor opens.", hint="Give the text with --file.")


def _is_plain(name: str) -> bool:
    return "/" not in name and "\0" not in name and not name.startswith(("~", "."))


if __name__ == "__main__":
    run(sys.argv[1:])
