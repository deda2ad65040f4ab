"""Play the two weeks of `tests/documents/two_weeks.json` without a model, and write the guide that shows them.

    python -m tools.story           plays them in a home of their own and writes docs/guides/two-weeks.md

Every command is the real one, in a process of its own; only the clock is another: it says the day of the story,
and goes on by a microsecond whenever it is asked.
What differs from run to run, the ends of session ids, is numbered instead.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parent.parent
STORY = ROOT / "tests" / "documents" / "two_weeks.json"
GUIDE = ROOT / "docs" / "guides" / "two-weeks.md"
_ZONE = "Europe/Stockholm"
_AT = "HERMES_STORY_AT"
_PROGRAM = f"""
import itertools, os
from hermes_agent import clock
ticks = itertools.count(int(os.environ["{_AT}"]))
clock.now = lambda: next(ticks)
from hermes_agent.cli.main import run
run()
"""
_SESSION_ID = re.compile(r"\b(\d{8}_\d{6}_)[0-9a-f]{6}\b")
_HEAD = """\
# Two weeks with hermes

What memory makes of two weeks of talk, with no model and no key: Mara, a data engineer, tells of her work, moves
to another country, changes her mind, sees a deploy fail. Every answer and every list below is what hermes printed
(`python -m tools.story` plays it again; a test compares). After each conversation the jobs ran, as the daemon
runs them within the hour.
"""


def main() -> None:
    """Write the guide anew."""
    with tempfile.TemporaryDirectory() as folder:
        GUIDE.write_text(guide(Path(folder)), encoding="utf-8")
    sys.stderr.write(f"{GUIDE.relative_to(ROOT)} is written.\n")


def guide(home: Path) -> str:
    """Play the story in an empty folder and return the page."""
    story = json.loads(STORY.read_text(encoding="utf-8"))
    parts = [_HEAD]
    for session in story["sessions"]:
        at = datetime.fromisoformat(session["at"]).replace(tzinfo=ZoneInfo(_ZONE))
        parts += [f"## {at:%A, %-d %B, %H:%M}\n", _conversation(home, at, session["said"])]
        _hermes(home, at + timedelta(hours=1), "jobs", "run")
        parts += [_commands(home, at + timedelta(hours=2), session.get("then", ()))]
    parts += ["## What is known now\n", _commands(home, at + timedelta(hours=3), story["asked"])]
    return _numbered("\n".join(part for part in parts if part))


def _conversation(home: Path, at: datetime, said: Sequence[str]) -> str:
    lines = _hermes(home, at, "chat", "--json", typed="".join(f"{one}\n" for one in said)).splitlines()
    answers = [json.loads(line)["text"] for line in lines]
    shown = [f"> {one}\n{answer}\n" for one, answer in zip(said, answers, strict=True)]
    return _fenced("text", "\n".join(shown))


def _commands(home: Path, at: datetime, commands: Sequence[Sequence[str]]) -> str:
    shown = [f"$ hermes {_typed(one)}\n{_hermes(home, at, *one)}" for one in commands]
    return _fenced("console", "\n".join(shown)) if shown else ""


def _typed(arguments: Sequence[str]) -> str:
    return " ".join(f'"{one}"' if " " in one else one for one in arguments)


def _hermes(home: Path, at: datetime, *arguments: str, typed: str | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HERMES_")} | {
        "HERMES_HOME": str(home),
        "HERMES_DISPLAY_TIME_ZONE": _ZONE,
        "HERMES_NO_JOBS": "1",
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "115",
        _AT: str(int(at.timestamp() * 1_000_000)),
    }
    ended = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments],
        input=typed,
        env=environment,
        cwd=home,
        capture_output=True,
        text=True,
    )
    if ended.returncode:
        raise RuntimeError(f"hermes {_typed(arguments)} ended with {ended.returncode}:\n{ended.stderr}")
    return ended.stdout


def _fenced(kind: str, text: str) -> str:
    return f"```{kind}\n{text.rstrip()}\n```\n"


def _numbered(page: str) -> str:
    numbers: dict[str, str] = {}
    return _SESSION_ID.sub(lambda found: found[1] + numbers.setdefault(found[0], f"{len(numbers) + 1:06}"), page)


if __name__ == "__main__":
    main()
