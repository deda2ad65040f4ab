"""How long `hermes memory search` takes in a new process, as a user waits for it."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.loaded import PROFILE


def search_seconds(folder: Path, questions: Sequence[str]) -> float:
    """Return the median seconds of asking each question in a process of its own.

    The folder has the store of the profile of the benchmarks, with its cache beside it.
    """
    with TemporaryDirectory(prefix="hermes-bench-") as home:
        (Path(home) / "profiles").mkdir()
        (Path(home) / "profiles" / PROFILE).symlink_to(folder.resolve(), target_is_directory=True)
        return median(_search(home, question) for question in questions)


def _search(home: str, question: str) -> float:
    # The bytecode of modules is kept, as it is wherever a program is used twice.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "hermes_agent", "-p", PROFILE, "memory", "search", question]
    begun = perf_counter()
    done = subprocess.run(command, env={**environment, "HERMES_HOME": home}, capture_output=True, text=True)
    seconds = perf_counter() - begun
    # Having found nothing near enough is told by the status too; only an error is none of our figures.
    if done.returncode and done.stderr.startswith("Error"):
        raise RuntimeError(done.stderr)
    return seconds
