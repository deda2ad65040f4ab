"""What is known of a command before it runs."""

import pytest

from hermes_agent.agent.tools.shell_rules import is_listed, is_reading, without_secrets

LISTED = ["git status", "ls *", "npm run test *", "echo 'two words' *", "make"]


@pytest.mark.parametrize(
    "command",
    [
        "git status",
        "git  status ",
        "git 'status'",
        "ls",
        "ls -la src",
        'ls "with space"',
        "ls *.py",
        "npm run test",
        "npm run test --watch=false",
        "echo 'two words' three",
        "make",
    ],
)
def test_a_listed_command_is_known(command: str) -> None:
    assert is_listed(command, LISTED)


@pytest.mark.parametrize(
    "command",
    [
        "git status --porcelain",
        "git",
        "gitstatus",
        "git push",
        "make install",
        "lsof",
        "npm run build",
        "ls; rm -rf /",
        "ls && rm x",
        "ls & rm x",
        "ls | sh",
        "ls || rm x",
        "ls `rm x`",
        "ls $(rm x)",
        "ls ${IFS}",
        "ls $HOME",
        "ls > x",
        "ls < x",
        "ls >(rm x)",
        "ls\nrm x",
        "ls\rrm x",
        "ls \\\nrm x",
        "ls {a,b}",
        "ls # nothing",
        "! ls",
        "A=1 ls",
        "ls 'a",
        "ls \0",
        "(ls)",
        "",
        "  ",
        "*",
    ],
)
def test_anything_else_is_not(command: str) -> None:
    assert not is_listed(command, LISTED)


@pytest.mark.parametrize("pattern", ["*", "ls; rm *", "", "ls 'a", "$(x) *"])
def test_a_pattern_that_is_no_plain_command_lists_nothing(pattern: str) -> None:
    assert not is_listed("ls", [pattern])
    assert not is_listed("rm x", [pattern])
    assert not is_listed(pattern, [pattern])


@pytest.mark.parametrize(
    "command", ["ls -la", "cat a b", "git log --oneline -5", "git diff HEAD~1", "pwd", "grep -rn x ."]
)
def test_reading_commands_need_no_checkpoint(command: str) -> None:
    assert is_reading(command)


@pytest.mark.parametrize(
    "command",
    [
        "rm a",
        "cat a > b",
        "git commit",
        "git diff --output=x",
        "git -c a=b status",
        "git",
        "find . -delete",
        "",
        "ls; rm a",
    ],
)
def test_all_others_may_change_something(command: str) -> None:
    assert not is_reading(command)


def test_a_command_sees_no_secrets_and_nothing_of_ours() -> None:
    kept = {"PATH": "/bin", "HOME": "/h", "LANG": "C", "MONKEY": "x", "KEYBOARD": "de", "TOKENIZERS": "1"}
    dropped = ["OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "github_token", "TOKEN", "DB_PASSWORD", "PGPASSWORD"]
    dropped += ["SESSION_SECRET", "HERMES_HOME", "HERMES_ANYTHING", "GITHUB_PAT", "GPG_PASSPHRASE"]
    address = "postgres://user:" + "s3cr3t" + "@db.example.org/x"
    environment = {**kept, **dict.fromkeys(dropped, "x"), "DATABASE_URL": address}
    assert without_secrets(environment) == kept
