"""`hermes mcp`: this memory for other agents, over the Model Context Protocol."""

import logging
import sys
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.mcp_install import install
from hermes_agent.cli.options import opened
from hermes_agent.cli.output import examples, say
from hermes_agent.errors import UsageError

if TYPE_CHECKING:
    from hermes_agent.records.tokens import Scope


@click.group(
    invoke_without_command=True,
    epilog=examples(
        "hermes mcp", "hermes mcp --read-only", "hermes mcp install claude-code", "hermes -p work mcp"
    ),
)
@click.option("--read-only", is_flag=True, help="Offer and allow only what reads.")
@click.option("--as-owner", is_flag=True, help="Let what the client writes count like your own word.")
@click.pass_context
def mcp(ctx: click.Context, read_only: bool, as_owner: bool) -> None:
    """Give other agents this memory: an MCP server on standard input and output.

    A client such as Claude Code starts it; by hand it waits for the protocol. What a client writes is kept as that
    program's word, marked and beside yours, unless --as-owner is given.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(serve, read_only=read_only, as_owner=as_owner)
    elif read_only or as_owner:
        raise UsageError(
            "These options belong behind the command.", hint=f"hermes mcp {ctx.invoked_subcommand} --read-only"
        )


@mcp.command(epilog=examples("hermes mcp serve", "hermes mcp serve --read-only"))
@click.option("--read-only", is_flag=True, help="Offer and allow only what reads.")
@click.option("--as-owner", is_flag=True, help="Let what the client writes count like your own word.")
@pass_invocation
def serve(invocation: Invocation, read_only: bool, as_owner: bool) -> None:
    """Serve one client on standard input and output; the same as `hermes mcp`."""
    if read_only and as_owner:
        raise UsageError("Who may only read writes nothing as the owner.", hint="Leave out one of the two.")
    # The output is the protocol's: whatever there is to say goes to the standard error.
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if sys.stdin.isatty():
        say("Waiting for a client; Ctrl-C ends it. Give it to one: hermes mcp install CLIENT", is_error=True)
    # Imported here: the protocol's library takes a while to load, and `install` needs none of it.
    from hermes_agent.cli import afterwards
    from hermes_agent.mcp import stdio

    with opened(invocation) as app:
        scope: Scope = "read" if read_only else "admin" if as_owner else "write"
        stdio.serve(app, scope, lambda: afterwards.run_jobs(invocation))


mcp.add_command(install)
