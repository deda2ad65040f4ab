"""The command `hermes`: its commands, and how a run of it ends.

A command's module is imported when that command runs. The table below holds the one-line help of each,
so `hermes --help` imports no database, no pydantic, no rich: it starts in a tenth of a second.
"""

import atexit
import errno
import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from hermes_agent import __version__
from hermes_agent.cli import command_lines
from hermes_agent.cli.invocation import Invocation
from hermes_agent.cli.lazy import LazyGroup
from hermes_agent.cli.output import examples, say, show_error
from hermes_agent.crypto import unlocked
from hermes_agent.errors import HermesError

INTERRUPTED = 130
_OBJECTS_BETWEEN_COLLECTIONS = 50_000
_MEDIUM = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EACCES, errno.EPERM)
"""What a disk, not a mistake of ours, answers."""

# Whoever looks after the store or its jobs decides alone what runs.
_CARETAKERS = {"start", "stop", "restart", "status", "jobs", "db", "doctor", "encrypt", "decrypt"}

# name → (where the command is, its one-line help)
COMMANDS: dict[str, tuple[str, str]] = {
    "chat": ("hermes_agent.cli.chat:chat", "Talk; everything is kept and found again."),
    "sessions": (
        "hermes_agent.cli.sessions:sessions",
        "List, show, search and export conversations.",
    ),
    "memory": ("hermes_agent.cli.memory:memory", "Search memory, see its facts and how it changed, correct it."),
    "notes": ("hermes_agent.cli.notes:notes", "Show and change what is always in front of the agent."),
    "skills": ("hermes_agent.cli.skills:skills", "See and change the procedures the agent knows."),
    "import": ("hermes_agent.cli.takeover:import_home", "Take over the conversations of another program."),
    "start": ("hermes_agent.cli.daemon:start", "Start the daemon, which does the work that follows."),
    "stop": ("hermes_agent.cli.daemon:stop", "Stop the daemon, and make the store one whole file."),
    "restart": ("hermes_agent.cli.daemon:restart", "Stop the daemon and start it again."),
    "honcho": ("hermes_agent.cli.honcho:honcho", "Use Honcho as the external memory."),
    "dashboard": ("hermes_agent.cli.dashboard:dashboard", "Open the dashboard in a browser."),
    "token": ("hermes_agent.cli.token:token", "Make, list and revoke tokens for use over HTTP."),
    "login": ("hermes_agent.cli.login:login", "Save the token of a server elsewhere."),
    "logout": ("hermes_agent.cli.login:logout", "Forget the token of a server elsewhere."),
    "status": ("hermes_agent.cli.status:status", "Tell how everything is, and what to do about it."),
    "jobs": ("hermes_agent.cli.jobs:jobs", "See and run the work that waits in the background."),
    "doctor": ("hermes_agent.cli.doctor:doctor", "Examine everything, and mend what is safe to mend."),
    "db": ("hermes_agent.cli.db:db", "Look after the database: migrate, check, vacuum."),
    "backup": ("hermes_agent.cli.backup:backup", "Make encrypted backups, check them, restore them."),
    "encrypt": ("hermes_agent.cli.encrypt:encrypt", "Encrypt this home, or change the key it is encrypted with."),
    "decrypt": ("hermes_agent.cli.encrypt:decrypt", "Make an encrypted home plain again."),
    "config": ("hermes_agent.cli.config:config", "Show and change settings."),
    "model": ("hermes_agent.cli.model:model", "See, choose and try the language model."),
    "checkpoints": ("hermes_agent.cli.checkpoints:checkpoints", "See and drop copies of changed folders."),
    "profile": ("hermes_agent.cli.profile:profile", "Keep separate memories: list, create, use, delete."),
    "gateway": ("hermes_agent.cli.gateway:gateway", "Talk over chat platforms: Telegram, Discord, a webhook."),
    "mcp": ("hermes_agent.cli.mcp:mcp", "Give other agents this memory: an MCP server."),
    "completion": ("hermes_agent.cli.completion:completion", "Print the completion script of your shell."),
}


_WORDS = "hermes_agent.words"
"""Under which name a run holds the words that stand behind the program's own options."""


class _Hermes(LazyGroup):
    """The whole program; what is no command of its own is the chat's."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; its words are held, since a server elsewhere may be the one to run them."""
        ctx.meta[_WORDS] = command_lines.waiting(ctx)
        return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an option that is not ours is one of the chat's: `hermes -q …`."""
        if args[0].startswith("-") and not ctx.resilient_parsing:
            return "chat", self.get_command(ctx, "chat"), args
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Hermes,
    lazy=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "ignore_unknown_options": True},
    epilog=examples(
        "hermes sessions list",
        "hermes -p work sessions list",
        "hermes config set memory.backend postgres",
    ),
)
@click.option("-p", "--profile", metavar="NAME", help="Work in this profile instead of the active one.")
@click.option(
    "--server", metavar="URL", help="Work with the memory of a server elsewhere; `local`: of this machine."
)
@click.version_option(__version__, prog_name="hermes", message="%(prog)s %(version)s")
@click.pass_context
def hermes(ctx: click.Context, profile: str | None, server: str | None) -> None:
    """An agent that remembers."""
    ctx.obj = Invocation(profile)
    if server is not None or ctx.obj.has_server:
        _go_elsewhere(ctx, server)
    if profile is not None:
        from hermes_agent.config import profiles

        profiles.find(profile)
    if ctx.invoked_subcommand is None:
        ctx.invoke(hermes.get_command(ctx, "chat") or hermes)


def _go_elsewhere(ctx: click.Context, server: str | None) -> None:
    """Let a server do it, if one is named and the command is not one for this machine."""
    from hermes_agent.cli import remote

    address = remote.address_of(ctx.obj, server)
    code = None if address is None else remote.run(ctx.obj, address, ctx.command, ctx.meta[_WORDS])
    if code is not None:
        ctx.exit(code)


@hermes.result_callback()
@click.pass_context
def _after(ctx: click.Context, outcome: object, profile: str | None, server: str | None) -> object:
    """Let due jobs run for a moment after a command that changed something and ended well."""
    invocation = ctx.find_object(Invocation)
    if invocation is not None and invocation.has_written and ctx.invoked_subcommand not in _CARETAKERS:
        from hermes_agent.cli import afterwards

        sys.stdout.flush()
        afterwards.run_jobs(invocation)
    return outcome


def run(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave: an error as one sentence and a hint, never a traceback for it."""
    # A stream that was closed is None: what is read or written there goes nowhere.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, click.open_file(os.devnull, mode))
    # Imports make many objects and no garbage; looking for it every 700 objects is a tenth of a short command.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    # Python looks through all objects before it ends: 0.1 seconds for memory that is free then anyway. Not sooner:
    # whoever calls this within a process that goes on could never free what was used here.
    atexit.register(gc.freeze)
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    try:
        outcome = hermes.main(arguments, prog_name="hermes", standalone_mode=False)
        sys.stdout.flush()
    except HermesError as error:
        show_error(error)
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except OSError as error:
        if error.errno not in _MEDIUM:
            raise
        return _tell_medium(error)
    finally:
        unlocked.forget()
    # Click returns what `ctx.exit(code)` was given here, and None when a command just ends.
    return outcome if isinstance(outcome, int) else 0


def _tell_medium(error: OSError) -> int:
    """Say what a disk refused; without a file it was the output that found no room."""
    if error.filename is None and error.errno == errno.ENOSPC:
        # Python would try to write the rest once more when it ends.
        sys.stdout = click.open_file(os.devnull, "w")
        say("Error: The output could not be written: no room is left.", is_error=True)
        return 1
    hint = "The disk is full, failing or may not be written. Mend that and try again: nothing kept before is lost."
    show_error(HermesError(f"{error.filename or 'A file'} cannot be used: {error.strerror}.", hint=hint))
    return 1
