"""Real servers of others for `make proof`: each installed once into a folder of its own beside `.venv`."""

import fcntl
import os
import pwd
import socket
import subprocess
import sys
from pathlib import Path

_FOLDER = Path(__file__).parents[2] / ".venv-neighbours"


def installed(name: str, *packages: str) -> Path:
    """Return the folder of programs of a virtual environment with these packages; make it if it is not there."""
    folder, wanted = _FOLDER / name, "\n".join(packages)
    _FOLDER.mkdir(exist_ok=True)
    with (_FOLDER / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "installed"
        if not done.is_file() or done.read_text("utf-8") != wanted:
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            quietly = ("--quiet", "--disable-pip-version-check", "--no-warn-script-location")
            pip = [str(folder / "bin" / "python"), "-m", "pip", "install", *quietly, *packages]
            subprocess.run(pip, check=True, stderr=subprocess.DEVNULL, env=_environment())
            done.write_text(wanted, "utf-8")
    return folder / "bin"


def _environment() -> dict[str, str]:
    """Return the environment in which pip finds its settings: tests have a home of their own."""
    return {**os.environ, "HOME": pwd.getpwuid(os.geteuid()).pw_dir}


def free_port() -> int:
    """Return a port that nobody listens on; a server that takes no 0 has to be told one."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])
