"""Every command has a decision of what it may do for others, and the files it names are known."""

from collections.abc import Iterator

import click
import pytest

from hermes_agent.cli.main import hermes
from hermes_agent.web.commands import DECISIONS, Here, Never, Served, decision_of

FILES = {"file", "output", "source", "identity", "key_file", "path", "folder"}


def commands(command: click.Command, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield every command that runs, also groups that run by themselves."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    if command.invoke_without_command:
        yield path, command
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from commands(found, f"{path} {name}".strip())


COMMANDS = dict(commands(hermes))


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_a_decision(path: str) -> None:
    assert path in DECISIONS, "decide in hermes_agent/web/commands.py what others may do with it"


def test_no_decision_is_about_a_command_that_is_gone() -> None:
    assert set(DECISIONS) <= set(COMMANDS)


@pytest.mark.parametrize("path", [path for path, made in DECISIONS.items() if isinstance(made, Served)])
def test_every_option_that_names_a_file_is_known(path: str) -> None:
    decision = DECISIONS[path]
    assert isinstance(decision, Served)
    known = {*decision.sends, *decision.brings, *decision.names, *decision.refuses}
    names = {one.name for one in COMMANDS[path].params}
    assert known <= names
    assert {*decision.needs} <= names
    files = {
        one.name
        for one in COMMANDS[path].params
        if one.name in FILES and (isinstance(one.type, click.Path) or one.metavar in (None, "FILE"))
    }
    # `sessions list --source` and `skills show NAME FILE` name no file of the machine.
    files -= {"source"} if path.startswith("sessions") else set()
    files -= {"file"} if path == "skills show" else set()
    assert files <= known


def test_a_line_is_decided_by_the_words_it_begins_with() -> None:
    assert decision_of(["memory", "fact", "add", "delete"])[0] == "memory fact add"
    assert decision_of(["memory", "selftest", "--json"])[0] == "memory selftest"
    assert isinstance(decision_of(["start"])[1], Never)
    assert isinstance(decision_of(["config", "set"])[1], Here)
    for line in (["-p", "work", "status"], ["--server", "x"], ["nothing"], [], ["memory"], ["memory fact add"]):
        decision = decision_of(line)[1]
        assert decision is None or line == ["memory fact add"]


def test_what_lets_others_at_keys_or_profiles_is_never_served() -> None:
    for path in (
        "encrypt",
        "decrypt",
        "backup key",
        "backup restore",
        "profile delete",
        "import",
        "chat",
        "start",
    ):
        assert isinstance(DECISIONS[path], Never)
