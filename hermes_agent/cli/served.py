"""A command for somebody elsewhere: checked as it is really read, then run like any other.

Called by the server as `python -m hermes_agent.cli.served PROFILE SCOPE NAME COMMAND …`. The profile, the scope
and the name are the token's; the journal says that name. The words are the client's. They begin with a command, so
none of the program's own options, such as another profile, can be among them.
"""

import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from hermes_agent.cli import command_lines, main
from hermes_agent.cli.for_others import check
from hermes_agent.cli.output import show_error
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.store import journal


def run(arguments: Sequence[str]) -> NoReturn:
    """Check a command line and run it, or say why it is not run."""
    profile, scope, name, *words = arguments
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
    journal.note_asking(f"token {name}")
    main.run(["-p", profile, "--server", "local", *words])


if __name__ == "__main__":
    run(sys.argv[1:])
