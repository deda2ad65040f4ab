"""The tool that runs commands."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hermes_agent.agent.toolbox import LONGEST_RESULT
from hermes_agent.agent.tools import command as commands
from hermes_agent.agent.tools.overflow import Overflow
from hermes_agent.agent.tools.shell import Shell
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import Approval
from tests.agent.tools.calls import call, refusal
from tests.agent.tools.conftest import Notebook

ENVIRONMENT = {"PATH": os.environ["PATH"], "OPENAI_API_KEY": "x", "HERMES_HOME": "y", "KEPT": "z"}


@pytest.fixture
def shell(folder: Path, overflow: Overflow, keeper: Notebook) -> Shell:
    return Shell(folder, "ask", ["git status"], ENVIRONMENT, overflow, keeper)


def is_gone(process: int) -> bool:
    """Tell whether a process has ended; a killed one may take a moment to go."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state in "ZX":
            return True
    return False


def test_output_and_exit_code_are_returned(shell: Shell, folder: Path) -> None:
    result = call(shell, command="pwd; echo error >&2; exit 3")
    assert result.text == f"{folder}\nerror\n[exit code 3]"
    assert result.is_error
    quiet = call(shell, command="true")
    assert quiet.text == "[exit code 0]"
    assert not quiet.is_error
    assert quiet.source_class == "tool"
    assert call(shell, command="kill -9 $$").text == "[ended by signal 9]"


def test_the_owner_is_asked_and_sees_the_whole_command(shell: Shell, folder: Path) -> None:
    assert shell.question({"command": "rm -rf build"}) == f"Run this command in {folder}?\n  rm -rf build"
    assert shell.question({"command": "a\nb"}) == f"Run this command in {folder}?\n  a\n  b"
    hidden = shell.question({"command": "rm x\x1b[2K\rls \u202eabc"})
    assert hidden == f"Run this command in {folder}?\n  rm x\\x1b[2K\\rls \\u202eabc"


def test_a_listed_command_is_run_without_asking(shell: Shell) -> None:
    assert shell.question({"command": "git status"}) is None
    assert shell.question({"command": "git status; rm x"}) is not None


def make(approval: Approval, folder: Path, keeper: Notebook | None = None) -> Shell:
    return Shell(folder, approval, ["echo *"], ENVIRONMENT, Overflow(None), keeper)


def test_allow_runs_what_is_listed_and_nothing_else(folder: Path) -> None:
    shell = make("allow", folder)
    assert shell.question({"command": "rm x"}) is None
    assert call(shell, command="echo a b").text == "a b\n[exit code 0]"
    for command in (
        "touch x",
        "echo a > x",
        "echo $(touch x)",
        "echo a; touch x",
        "echo a\ntouch x",
        "touch x # echo",
    ):
        assert refusal(shell, command=command).startswith(
            "This command is not on the owner's list. Listed: `echo *`."
        )
    assert list(folder.iterdir()) == []


def test_deny_runs_nothing(folder: Path) -> None:
    shell = make("deny", folder)
    assert shell.question({"command": "echo a"}) is None
    assert (
        refusal(shell, command="echo a")
        == "Commands are switched off here. Go on without; the setting is tools.shell."
    )


@pytest.mark.parametrize("command", ["", "  ", "a\0b"])
def test_what_is_no_command_is_refused(shell: Shell, command: str) -> None:
    assert "NUL" in refusal(shell, command=command)


def test_a_checkpoint_is_taken_before_a_command_that_may_change_files(
    shell: Shell, keeper: Notebook, folder: Path
) -> None:
    call(shell, command="ls -la")
    assert keeper.told == []
    keeper.sentence = "No checkpoint was taken."
    assert call(shell, command="touch a").text == "[exit code 0]\nNo checkpoint was taken."
    assert keeper.told == [(folder, "shell touch a")]
    make("deny", folder, keeper).question({"command": "touch b"})
    refusal(make("deny", folder, keeper), command="touch b")
    assert len(keeper.told) == 1


def test_a_folder_behind_a_link_is_kept_under_its_real_name(
    folder: Path, overflow: Overflow, keeper: Notebook
) -> None:
    alias = folder.parent / "alias"
    alias.symlink_to(folder)
    call(Shell(alias, "ask", (), ENVIRONMENT, overflow, keeper), command="touch a")
    assert keeper.told == [(folder, "shell touch a")]


def test_the_environment_holds_no_keys(shell: Shell) -> None:
    names = set(re.findall(r"^(\w+)=", call(shell, command="env").text, re.MULTILINE))
    assert "KEPT" in names
    assert not {"OPENAI_API_KEY", "HERMES_HOME"} & names


def test_there_is_no_input_to_wait_for(shell: Shell) -> None:
    assert call(shell, command="cat; read x; echo done").text == "done\n[exit code 0]"


def test_a_command_that_takes_too_long_is_ended_with_its_children(shell: Shell) -> None:
    started = time.monotonic()
    text = call(shell, command="echo first; sleep 600 & echo $!; sleep 600", timeout_seconds=1).text
    assert time.monotonic() - started < 30
    lines = text.splitlines()
    assert lines[0] == "first"
    assert lines[2].startswith("[Ended after 1 seconds")
    assert is_gone(int(lines[1]))


def test_a_command_that_ignores_the_polite_signal_is_ended_too(shell: Shell) -> None:
    text = call(shell, command="trap '' TERM; echo $$; while :; do sleep 600; done", timeout_seconds=1).text
    assert is_gone(int(text.splitlines()[0]))


@pytest.mark.parametrize(
    "command",
    [
        "sleep 600 & echo $!",
        "nohup sleep 600 >/dev/null 2>&1 & echo $!",
        "(sleep 600 & echo $!)",
        "setsid sleep 600 & echo $!",
        "mkfifo pipe; setsid bash -c 'echo $$; echo >pipe; exec sleep 600' & cat pipe",
    ],
)
def test_nothing_stays_in_the_background(shell: Shell, command: str) -> None:
    started = time.monotonic()
    text = call(shell, command=command, timeout_seconds=3).text
    assert time.monotonic() - started < 30
    assert is_gone(int(text.splitlines()[0]))


def test_a_long_output_is_cut_and_kept(shell: Shell, home: Home) -> None:
    text = call(shell, command="seq 100000").text
    assert len(text) < LONGEST_RESULT + 600
    assert text.startswith("1\n2\n")
    assert text.endswith("99999\n100000\n[exit code 0]")
    (kept,) = home.outputs.iterdir()
    assert kept.read_text().splitlines() == [str(number) for number in range(1, 100_001)]


def test_an_output_without_end_is_bounded(shell: Shell, home: Home) -> None:
    text = call(shell, command="yes", timeout_seconds=1).text
    assert "[Ended after 1 seconds" in text
    (kept,) = home.outputs.iterdir()
    assert kept.stat().st_size < commands.KEPT_BYTES + 1_000
    assert "bytes left out" in kept.read_text()


def test_colours_and_broken_bytes_do_no_harm(shell: Shell) -> None:
    assert call(shell, command=r"printf '\033[31mred\033[0m \377'").text == "red \ufffd\n[exit code 0]"


def test_a_folder_that_is_gone_is_said(folder: Path, shell: Shell) -> None:
    folder.rmdir()
    assert "could not be started" in refusal(shell, command="ls")


def test_stopping_the_agent_stops_the_command(tmp_path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from hermes_agent.agent.tools import command\n"
        "try:\n"
        "    command.run('echo $$ > started; sleep 600', Path(sys.argv[1]), dict(os.environ), 600)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    started = tmp_path / "started"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        while not (started.exists() and started.read_text().strip()):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
    assert output == "interrupted\n"
    assert is_gone(int(started.read_text()))
