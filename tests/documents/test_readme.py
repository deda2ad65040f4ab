"""The session of the README: whoever types it, from a fresh home on, sees what it shows."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Hermes

README = Path(__file__).parents[2] / "README.md"
VARIES = re.compile(
    r"\d{8}_\d{6}_[0-9a-f]{6}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d|\d\d:\d\d(?::\d\d)?"
    r"|\d{1,2} [A-Z][a-z]+ \d{4}"
)
"""Names of sessions and changes, days and times."""


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield each command of the session with the lines below it; what needs a key is none of them."""
    section = README.read_text(encoding="utf-8").partition("## A session\n")[2].partition("\n## ")[0]
    for block in re.findall(r"```console\n(.*?)```", section, re.DOTALL):
        if "API_KEY" not in block:
            for command in block.split("$ ")[1:]:
                typed, *shown = command.splitlines()
                yield typed, shown


def pieces(shown: list[str]) -> list[str]:
    """Return what is shown without a break: what is typed, an empty line and a gap are breaks."""
    text = "\n".join("" if line.startswith("> ") or line == "…" else line for line in shown)
    return [plain(piece) for piece in re.split(r"\n\s*\n", text) if piece.strip()]


def plain(text: str) -> str:
    return " ".join(VARIES.sub("#", text).split())


def test_the_session_of_the_readme_is_what_hermes_prints(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    for typed, shown in commands():
        if typed == "make run":
            said = [line.removeprefix("> ") for line in shown if line.startswith("> ")]
            outcome = hermes(input="".join(f"{line}\n" for line in said))
            assert hermes("jobs", "run").exit_code == 0
        else:
            outcome = hermes(*shlex.split(typed)[1:])
        assert outcome.exit_code == 0, outcome.stderr
        printed = plain(outcome.stdout + outcome.stderr)
        assert [piece for piece in pieces(shown) if piece not in printed] == [], printed
