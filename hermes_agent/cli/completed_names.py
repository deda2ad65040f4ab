"""Names that a shell completes: read from the entry points of installed packages, of which none is loaded."""

from collections.abc import Iterable

import click


def gateways(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a gateway."""
    from hermes_agent.gateways import found

    return beginning_with(incomplete, found.names())


def providers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of an external memory."""
    from hermes_agent.providers import choose

    return beginning_with(incomplete, choose.installed())


def beginning_with(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the names that a word may become."""
    return sorted(name for name in names if name.startswith(incomplete))
