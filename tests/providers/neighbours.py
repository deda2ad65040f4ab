"""Servers and programs of others, in folders of their own under `.venv-neighbours/`; installed when first needed.

Only tests behind the marker `proof` use them: they are large, and slow to start.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".venv-neighbours"


def python_packages(name: str, *packages: str) -> Path:
    """Return the `bin` of a virtual environment that holds the packages."""
    folder = FOLDER / name
    done = folder / "installed"
    if not done.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", *packages], check=True)
        done.touch()
    return folder / "bin"


def node_package(name: str, package: str) -> Path:
    """Return the folder of programs of an npm package."""
    folder = FOLDER / name
    done = folder / "installed"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), package]
        subprocess.run(command, check=True)
        done.touch()
    return folder / "node_modules/.bin"


@contextmanager
def running(command: Sequence[str], log: Path, **variables: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a server until the block ends; what it says goes into a file."""
    environment: Mapping[str, str] = {**os.environ, **variables}
    with log.open("wb") as out, subprocess.Popen(command, env=environment, stdout=out, stderr=out) as server:
        try:
            yield server
        finally:
            server.kill()


def done(command: Sequence[str], folder: Path, variables: Mapping[str, str]) -> None:
    """Run a program to its end in a folder; it must end well."""
    environment = {**os.environ, **variables}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdin=subprocess.DEVNULL, capture_output=True)
