"""Servers and programs of others, each in a folder under `.venv-neighbours/`, installed when first needed.

Only tests behind the marker `proof` use them: they are large, and slow to start.
"""

import fcntl
import os
import pwd
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

_FOLDER = Path(__file__).parents[2] / ".venv-neighbours"


def installed(name: str, *packages: str) -> Path:
    """Return the folder of programs of a virtual environment with these packages; make it if it is not there."""
    folder = _FOLDER / name
    with _lacking(name, packages) as is_lacking:
        if is_lacking:
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            quietly = ("--quiet", "--disable-pip-version-check", "--no-warn-script-location")
            pip = [str(folder / "bin" / "python"), "-m", "pip", "install", *quietly, *packages]
            subprocess.run(pip, check=True, stderr=subprocess.DEVNULL, env=_environment())
    return folder / "bin"


def node_package(name: str, package: str) -> Path:
    """Return the folder of programs of an npm package; install it if it is not there."""
    folder = _FOLDER / name
    with _lacking(name, [package]) as is_lacking:
        if is_lacking:
            folder.mkdir(parents=True, exist_ok=True)
            npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), package]
            subprocess.run(npm, check=True, env=_environment())
    return folder / "node_modules" / ".bin"


@contextmanager
def _lacking(name: str, packages: Sequence[str]) -> Iterator[bool]:
    """Tell whether something is to be installed, one process at a time; it is once the block ended well."""
    wanted, done = "\n".join(packages), _FOLDER / name / "installed"
    _FOLDER.mkdir(exist_ok=True)
    with (_FOLDER / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        is_lacking = not done.is_file() or done.read_text("utf-8") != wanted
        yield is_lacking
        done.write_text(wanted, "utf-8")


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


def free_port() -> int:
    """Return a port that nobody listens on; a server that takes no 0 has to be told one."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def _environment() -> dict[str, str]:
    """Return the environment in which pip and npm find their settings: tests have a home of their own."""
    return {**os.environ, "HOME": pwd.getpwuid(os.geteuid()).pw_dir}
