"""Make the parts of the docs that follow from the code: commands, settings, errors, layers.

Each function returns Markdown and is called by a cog block in its page; `make docs` renews the pages and
`make check` fails when one is stale. Nothing here depends on the machine, the home or the terminal.
"""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click
from annotated_types import Ge, Gt, Le, Lt

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 90
FORMS = {bool: "true or false", int: "whole number", float: "number", str: "text"}


def walk(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[click.Context]:
    """Yield a context for the command and for every visible command below it."""
    # With the command's own settings: click remembers the names of the help option it first sees.
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    yield context
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            if found is not None and not found.hidden:
                yield from walk(found, child, context)


def all_commands() -> list[click.Context]:
    """Return every command of the program, in the order of its help."""
    from hermes_agent.cli.main import hermes

    return list(walk(hermes, "hermes"))


def commands() -> str:
    """Write every command with the text of its --help."""
    blocks = [f"## {context.command_path}\n\n```text\n{context.get_help()}\n```\n" for context in all_commands()]
    return "\n" + "\n".join(blocks)


def settings() -> str:
    """Write the table of settings."""
    from hermes_agent.config.settings import TABLE

    lines = ["", "| setting | values | default | what it does |", "|---|---|---|---|"]
    for setting in TABLE:
        help = f"{setting.help} Secret." if setting.is_secret else setting.help
        cells = (f"`{setting.name}`", values(setting.form), default(setting.default), help)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def values(form: Any) -> str:  # Any: whatever may stand in an annotation
    """Say for people what an annotation allows: `Annotated[int, Ge(1)]` gives `whole number, at least 1`."""
    origin, arguments = get_origin(form), get_args(form)
    if origin is Annotated:
        return ", ".join([values(arguments[0]), *bounds(arguments[1:])])
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in arguments)
    if origin in (Union, UnionType):
        return " or ".join(values(part) for part in arguments if part is not NoneType)
    if origin in (list, tuple):
        return f"list of {values(arguments[0])}"
    if origin is dict:
        return "names with values"
    return FORMS.get(form) or str(form.__name__)


def bounds(marks: tuple[object, ...]) -> list[str]:
    """Say what the bounds of a number are; lengths of text go without saying."""
    low = [f"{mark.ge:,}" for mark in marks if isinstance(mark, Ge)]
    high = [f"{mark.le:,}" for mark in marks if isinstance(mark, Le)]
    if low and high:
        return [f"{low[0]} to {high[0]}"]
    words = [f"at least {number}" for number in low] + [f"at most {number}" for number in high]
    words += [f"above {mark.gt}" for mark in marks if isinstance(mark, Gt)]
    return words + [f"below {mark.lt}" for mark in marks if isinstance(mark, Lt)]


def default(value: object) -> str:
    """Write a default as it would stand in config.yaml."""
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value}`"


def errors() -> str:
    """Write what each error means, what it is a kind of, and its exit code."""
    from hermes_agent import errors as module

    lines = ["", "| error | is a | exit code | meaning |", "|---|---|---|---|"]
    for name, kind in vars(module).items():
        if isinstance(kind, type) and issubclass(kind, module.HermesError):
            parent = ", ".join(base.__name__ for base in kind.__bases__)
            lines.append(f"| `{name}` | `{parent}` | {kind.exit_code} | {first_line(kind.__doc__)} |")
    return "\n".join(lines) + "\n"


def layers() -> str:
    """Write the layers as import-linter knows them, each package with the first line of its docstring."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    [rows] = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    lines = ["", "| layer | packages | what they hold |", "|---|---|---|"]
    for number, row in enumerate(rows):
        names = [name.strip() for name in row.split("|")]
        shown = ", ".join(f"*{name.strip('()')}*" if name.startswith("(") else f"`{name}`" for name in names)
        holds = " ".join(line for name in names if (line := module_line(name.strip("()"))))
        lines.append(f"| {len(rows) - number} | {shown} | {holds} |")
    return "\n".join(lines) + "\n"


def module_line(name: str) -> str:
    """Return the first line of a module's docstring, without importing it."""
    package = ROOT / "hermes_agent"
    for path in (package / f"{name}.py", package / name / "__init__.py"):
        if path.exists():
            return first_line(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))))
    return ""


def first_line(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0]
