"""Whether a call failed, by what its tool answered: in JSON, or in the plain words of a shell."""

import pytest

from hermes_agent.learn.failing import has_failed

FAILED = (
    "Error: exit code 2",
    "exit code: 1",
    "Exit code 127\nzsh: command not found: gh",
    "building\nProcess exited with code 1",
    "Command failed with exit status 3.",
    "Error: permission denied",
    "bash: ./run.sh: Permission denied",
    "cat: /etc/none: No such file or directory",
    "   Compiling app v0.1.0\nerror: could not compile `app`",
    "cc -c main.c\nmake: *** [build] Error 2",
    "make[1]: *** [Makefile:3: test] Error 1",
    'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\nValueError: x',
    'ran\nTraceback (most recent call last):\n  File "x.py", line 1\njson.decoder.JSONDecodeError: x',
    "FAILED tests/test_x.py::test_a - assert 1 == 2",
    "....F\n=== 1 failed, 4 passed in 0.10s ===",
    "fatal: not a git repository (or any of the parent directories): .git",
    '{"exit_code": 2, "output": "x"}',
    '{"success": false, "error": "no such file"}',
)
INNOCENT = (
    "0 errors",
    "no error found",
    "Error: 0",
    "error: none",
    "exit code 0",
    "status: 200",
    "Code 5",
    "Process exited with code 0",
    "=== 5 passed in 0.10s ===",
    "0 failed, 5 passed",
    "Checked 40 files; errors are logged to error.log",
    "error: retrying\nconnected\nDone.".replace("error: retrying", "a first error, retried"),
    "docs/errors.md: how an error is shown\nsrc/error.py",
    "The exit code 2 means a usage error; read on.",
    "1\nTraceback (most recent call last): is what Python prints\nall good",
    "grep: Error: disk full\n[exit code 0]",
    "Error: that is the first line of a log that was printed\n[exit code 0]",
    '{"exit_code": 0, "output": "Error: x"}',
    "[]",
    "",
)


@pytest.mark.parametrize("answer", FAILED)
def test_a_command_says_that_it_failed(answer: str) -> None:
    assert has_failed(answer, "terminal")


@pytest.mark.parametrize("answer", INNOCENT)
def test_a_command_that_speaks_of_errors_has_not_failed(answer: str) -> None:
    assert not has_failed(answer, "terminal")


def test_what_is_read_may_tell_of_anything() -> None:
    log = 'Error: disk full\nTraceback (most recent call last):\n  File "x.py", line 1\nValueError: x'
    assert has_failed(log, "bash") and not has_failed(log, "read_file")
    assert has_failed("Error: permission denied", "read_file")
