"""The command itself: fast help, errors as sentences, quiet ends."""

import os
import signal
import subprocess
import sys
import time

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent import __version__
from hermes_agent.cli.main import COMMANDS
from hermes_agent.cli.output import printable
from tests.conftest import Hermes
from tools import docs

HERMES = [sys.executable, "-c", "from hermes_agent.cli.start import run; run()"]
HEAVY = {"sqlalchemy", "pydantic", "rich", "ruamel", "rapidfuzz", "dotenv", "alembic"}


def test_the_help_lists_every_command(hermes: Hermes) -> None:
    outcome = hermes("--help")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert outcome.stdout == hermes("-h").stdout
    assert "Examples:\n    hermes sessions list" in outcome.stdout
    assert all(f"\n  {name} " in outcome.stdout for name in COMMANDS)


def test_the_version_is_printed(hermes: Hermes) -> None:
    assert hermes("--version").stdout == f"hermes {__version__}\n"


def test_help_imports_nothing_heavy_and_is_fast() -> None:
    script = (
        "import sys; sys.argv = ['hermes', '--help']\n"
        "from hermes_agent.cli.main import run\n"
        "try: run()\n"
        "finally: print(*sorted(sys.modules), file=sys.stderr)"
    )
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert time.monotonic() - began < 2  # 0.1 s on an idle machine; tests share the cores
    assert not HEAVY & {name.split(".")[0] for name in done.stderr.split()}


WHERE_NOTHING_CAN_BE_RAISED = """
import signal, time, weakref
from hermes_agent.cli import main, start

class Thing:
    pass

def run():
    thing = Thing()
    reference = weakref.ref(thing, lambda gone: signal.raise_signal(signal.SIGINT))
    del thing
    time.sleep(60)

main.run = run
start.run()
"""


def test_ctrl_c_where_python_drops_it_ends_the_command_all_the_same() -> None:
    done = subprocess.run([sys.executable, "-c", WHERE_NOTHING_CAN_BE_RAISED], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_a_mistyped_command_is_answered_with_the_nearest(hermes: Hermes) -> None:
    outcome = hermes("confg")
    assert outcome.exit_code == 2
    assert "No such command 'confg'. Did you mean 'config'?" in outcome.stderr


def test_an_unknown_profile_is_answered_with_the_nearest_and_how_to_create_it(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    outcome = hermes("-p", "wrok", "config", "path")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr == (
        "Error: There is no profile 'wrok'.\nHint: Did you mean work? `hermes profile create wrok` creates it.\n"
    )


def test_a_profile_name_that_is_none_is_refused(hermes: Hermes) -> None:
    outcome = hermes("-p", "../x", "config", "path")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("Error: '../x' is not a profile name.\nHint: ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_script_of_the_shell(hermes: Hermes, shell: str) -> None:
    outcome = hermes("completion", shell)
    assert outcome.exit_code == 0
    assert "_HERMES_COMPLETE" in outcome.stdout


def test_the_shell_completes_commands_without_importing_them() -> None:
    asked = {"_HERMES_COMPLETE": "bash_complete", "COMP_WORDS": "hermes co", "COMP_CWORD": "1"}
    done = subprocess.run(HERMES, env=os.environ | asked, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["plain,config", "plain,completion"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("gateway setup te", {"telegram"}),
        ("gateway run ", {"telegram", "discord", "webhook"}),
        ("memory test hon", {"honcho"}),
        ("memory migrate --from loc", {"local"}),
        ("memory migrate --from local --to mem", {"mem0"}),
    ],
)
def test_the_shell_completes_names_that_packages_bring(typed: str, offered: set[str]) -> None:
    words = f"hermes {typed}"
    asked = {"_HERMES_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(HERMES, env=os.environ | asked, capture_output=True, text=True, check=True)
    assert {line.removeprefix("plain,") for line in done.stdout.split()} >= offered
    assert typed.endswith(" ") or len(done.stdout.split()) == len(offered)


def test_an_interrupt_ends_with_130_and_no_traceback(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    process = subprocess.Popen(
        [*HERMES, "profile", "delete", "work"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    question = process.stderr.read(len("Delete the profile work"))
    assert question == b"Delete the profile work"
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*HERMES, "config", "show"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert done.stderr == ""


def test_every_command_here_shows_examples(hermes: Hermes) -> None:
    words = [
        "config",
        "config show",
        "config get",
        "config set",
        "config unset",
        "config path",
        "config edit",
    ]
    words += ["profile", "profile list", "profile create", "profile use", "profile show", "profile delete"]
    for line in [*words, "completion"]:
        outcome = hermes(*line.split(), "--help")
        assert outcome.exit_code == 0
        assert "Examples:\n    " in outcome.stdout


@given(st.text())
def test_printed_text_cannot_control_the_terminal(text: str) -> None:
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in printable(text))


@pytest.mark.parametrize(
    "command",
    [
        "memory cost --by item -n",
        "memory reflections list -n",
        "memory summaries list -n",
        "memory log -n",
        "sessions list -n",
        "jobs list -n",
        "jobs show",
    ],
)
def test_a_number_that_no_store_holds_is_refused_in_words(hermes: Hermes, command: str) -> None:
    refused = hermes(*command.split(), "9" * 20)
    assert refused.exit_code == 2 and "is not in the range" in refused.stderr


def test_every_number_that_a_command_takes_has_an_end() -> None:
    options = [one.type for context in docs.all_commands() for one in context.command.params]
    ranges = [one for one in options if isinstance(one, click.IntRange)]
    assert ranges and all(one.max is not None for one in ranges)
