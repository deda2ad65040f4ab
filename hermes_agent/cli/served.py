"""A command for somebody elsewhere: checked as it is really read, then run like any other.

Called by the server as `python -m hermes_agent.cli.served PIPE PROFILE SCOPE NAME COMMAND …`. The pipe ends with
the server. The profile, the scope and the name are the token's; the journal says that name. The words are the
client's. They begin with a command, so none of the program's own options, such as another profile, can be among
them.
"""

import os
import shutil
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from hermes_agent.cli import command_lines, main
from hermes_agent.cli.for_others import check
from hermes_agent.cli.output import show_error
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.store.asking import note_asking


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
    note_asking(f"token {name}")
    main.run(["-p", profile, "--server", "local", *words])


def _end_with(pipe: int) -> None:
    """End at once when the server is gone: nobody would read what is printed, nor clear up what is written.

    A pipe, since the kernel tells a child only of the end of the thread that started it, and those come and go.
    """
    os.set_inheritable(pipe, False)

    def watch() -> None:
        os.read(pipe, 1)
        shutil.rmtree(Path.cwd(), ignore_errors=True)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, name="server", daemon=True).start()


if __name__ == "__main__":
    _end_with(int(sys.argv[1]))
    run(sys.argv[2:])
