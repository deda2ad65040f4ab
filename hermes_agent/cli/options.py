"""Options and the opened app that many commands share."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation

if TYPE_CHECKING:
    from hermes_agent.app import App

COUNT = click.IntRange(1, 1_000_000)
"""How many of anything are wanted: more is no list that anybody reads, and beyond 64 bits a store refuses it."""
NUMBER = click.IntRange(0, 2**63 - 1)
"""What a store has counted up to."""

as_json = click.option("--json", "is_json", is_flag=True, help="Print JSON for programs.")
since_option = click.option(
    "--since", metavar="DATE", help='From this time on: 2026-04-14, yesterday, "last tuesday".'
)
until_option = click.option("--until", metavar="DATE", help="Up to this time, the day itself included.")


@contextmanager
def opened(invocation: Invocation) -> Iterator["App"]:
    """Open the profile this run works in, and close it in the end."""
    app = invocation.open()
    try:
        yield app
    finally:
        app.close()
