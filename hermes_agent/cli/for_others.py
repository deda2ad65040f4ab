"""Whether a command line, as click reads it, may be run for others; `web/commands.py` has the decisions."""

from hermes_agent.cli.command_lines import Line
from hermes_agent.config.changing import refuse_variable
from hermes_agent.errors import UsageError
from hermes_agent.records.tokens import SCOPES
from hermes_agent.web.commands import DECISIONS, Served

_STANDARD = "-"


def check(line: Line, scope: str) -> None:
    """Refuse a command that is not for others, needs more than the scope, or names files of this machine."""
    decision = DECISIONS.get(line.path)
    if not isinstance(decision, Served):
        raise UsageError(f"`hermes {line.path}` is not for others.")
    if scope not in SCOPES or SCOPES.index(scope) < SCOPES.index(decision.scope):
        raise UsageError(f"`hermes {line.path}` needs a token that may {decision.scope}.")
    check_files(line, decision)
    for name, setting in decision.sets.items():
        refuse_variable(line.values.get(name), setting)


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
