"""An import that is killed at any moment is finished by running it again."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.ops.aside import all_aside
from tests.conftest import Hermes
from tests.counts import count
from tests.ops import foreign_homes

ROOT = Path(__file__).resolve().parents[2]
SESSIONS = 60


def kill_after(seconds: float, *arguments: str) -> None:
    script = f"from hermes_agent.cli.main import run; run({arguments!r})"
    process = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.DEVNULL)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()


def expected(folder: Path, hermes: Hermes) -> str:
    """Write a file of sessions, each after its child; return the export of a store that has them all."""
    path = folder / "all.jsonl"
    with path.open("w") as file:
        for number in reversed(range(SESSIONS)):
            messages = [{"role": "user", "content": f"word {n}", "timestamp": n} for n in range(30)]
            parent = str(number - 1) if number else None
            line = {"id": str(number), "started_at": number, "parent_session_id": parent, "messages": messages}
            file.write(json.dumps(line) + "\n")
    hermes("profile", "create", "whole")
    hermes("-p", "whole", "sessions", "import", str(path))
    return hermes("-p", "whole", "sessions", "export").stdout


@pytest.mark.alone
def test_a_killed_import_is_finished_by_the_next_one(hermes: Hermes, tmp_path: Path) -> None:
    whole = expected(tmp_path, hermes)
    seed = random.randrange(2**32)
    generator = random.Random(seed)
    for attempt in range(count(3, 30)):
        hermes("profile", "create", f"k{attempt}")
        kill_after(
            generator.uniform(0.3, 1.5), "-p", f"k{attempt}", "sessions", "import", str(tmp_path / "all.jsonl")
        )
        for line in hermes("-p", f"k{attempt}", "sessions", "export").stdout.splitlines():
            assert len(json.loads(line)["messages"]) == 30, f"half a session, seed {seed}"
        hermes("-p", f"k{attempt}", "sessions", "import", str(tmp_path / "all.jsonl"))
        assert hermes("-p", f"k{attempt}", "sessions", "export").stdout == whole, f"seed {seed}"


@pytest.mark.alone
def test_a_killed_takeover_of_our_own_home_is_finished_by_the_next_one(hermes: Hermes, own_home: Home) -> None:
    seed = random.randrange(2**32)
    generator = random.Random(seed)
    for _ in range(count(3, 30)):
        for path in own_home.root.glob("state.db*"):
            path.unlink()
        foreign_homes.build(own_home.root, 23)
        kill_after(generator.uniform(0.2, 1.0), "import")
        assert hermes("import").exit_code == 0, f"seed {seed}"
        assert len(hermes("sessions", "export").stdout.splitlines()) == 3, f"seed {seed}"
        assert len(all_aside(own_home.state_db)) == 1, f"seed {seed}"
