"""What may be said of a command before it runs: whether the owner listed it, whether it only reads.

Both are decided on the words of the command, and only when a shell would see exactly these words: a command
with an operator, a substitution or a redirection is never taken for a listed one.
"""

import re
import shlex
from collections.abc import Mapping, Sequence

from hermes_agent.text import secrets

# Everything by which a shell makes more of a line than one command with its words.
_SPECIAL = re.compile(r"[;&|<>()`$\\{}#!\x00-\x08\x0a-\x1f\x7f]")
_READERS = frozenset(
    {"cat", "df", "du", "echo", "grep", "head", "ls", "pwd", "stat", "tail", "wc", "which", "whoami"}
)
_GIT_READERS = frozenset({"status", "log", "show", "diff"})
_SECRET_NAME = re.compile(
    r"(?:.*_)?(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT)|.*PASSWORD", re.IGNORECASE
)
_OWN_PREFIX = "HERMES_"


def is_listed(command: str, patterns: Sequence[str]) -> bool:
    """Tell whether the owner listed a command.

    A pattern is a command word for word; `*` as its last word stands for any further words, also none.
    """
    words = plain_words(command)
    return words is not None and any(_fits(words, pattern) for pattern in patterns)


def is_reading(command: str) -> bool:
    """Tell whether a command surely changes no file; what is not known to only read may change some."""
    words = plain_words(command)
    if not words:
        return False
    if words[0] == "git":
        # `--output` writes what is shown into a file.
        return len(words) > 1 and words[1] in _GIT_READERS and not any(word.startswith("--out") for word in words)
    return words[0] in _READERS


def plain_words(command: str) -> list[str] | None:
    """Return the words of a command; None when a shell could see anything else in it."""
    if _SPECIAL.search(command):
        return None
    try:
        words = shlex.split(command)
    except ValueError:  # a quote without its end
        return None
    return None if not words or "=" in words[0] else words


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that a command may see: no keys, and nothing of our own."""
    return {
        name: value
        for name, value in environment.items()
        if not name.upper().startswith(_OWN_PREFIX)
        and not _SECRET_NAME.fullmatch(name)
        and not secrets.find(value)
    }


def _fits(words: Sequence[str], pattern: str) -> bool:
    wanted = plain_words(pattern)
    if wanted is None:
        return False
    if wanted[-1] == "*":  # alone it would list every command there is
        return len(wanted) > 1 and list(words[: len(wanted) - 1]) == wanted[:-1]
    return list(words) == wanted
