"""`hermes status`: how everything is, and what to do about what is not well."""

from collections.abc import Sequence

import click

from hermes_agent import status as sections
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.status import Line
from hermes_agent.text.clean import printable


@click.command(epilog=examples("hermes status", "hermes status --json"))
@as_json
@pass_invocation
def status(invocation: Invocation, is_json: bool) -> None:
    """Tell how everything is: daemon, jobs, store, profile, model, embedder, index, learning, reranker, cap.

    Below what is not well stands what to do about it. Exit code 1 then, else 0; a daemon that was never
    started is no trouble.
    """
    with opened(invocation) as app:
        found = sections.lines(app)
    if is_json:
        print_json(sections.as_json(found))
    else:
        _print(found)
    if not sections.is_well(found):
        raise SystemExit(1)


def _print(lines: Sequence[Line]) -> None:
    width = max(len(line.name) for line in lines)
    for line in lines:
        say(f"{line.name:<{width}}  {printable(line.text)}")
        if line.advice is not None:
            say(f"{'':<{width}}  → {printable(line.advice)}")
