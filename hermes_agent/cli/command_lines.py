"""A command line as click will read it, without running it: which command it is, and with which values."""

from collections.abc import Sequence
from dataclasses import dataclass

import click


@dataclass(frozen=True, slots=True)
class Line:
    """The command in the end, its name in words, and the values of its arguments and options."""

    path: str
    command: click.Command
    values: dict[str, object]


def read(context: click.Context, words: Sequence[str]) -> Line:
    """Read what stands behind the program's own options; wrong usage is raised as when it runs."""
    names: list[str] = []
    while isinstance(context.command, click.Group) and words:
        name, command, rest = context.command.resolve_command(context, list(words))
        assert command is not None and name is not None
        names.append(name)
        context = command.make_context(name, rest, parent=context)
        words = waiting(context)
    return Line(" ".join(names), context.command, dict(context.params))


def waiting(context: click.Context) -> list[str]:
    """Return the words of a group's line that are its command's."""
    # What `click.Group.invoke` itself reads; there is no public name for it since click 8.2.
    return [*context._protected_args, *context.args]
