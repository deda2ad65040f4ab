"""Run `hermes` and kill it at the n-th thing it does to a file of the home once it holds the home alone.

    python -m tests.proof.struck N encrypt --yes

The process kills itself with SIGKILL, so it dies as hard as by any other's, at the same place each time. When it
comes to its end first, it tells how many places there were.
"""

import os
import signal
import sys

from hermes_agent.cli.main import run

_TOUCHING = {"open", "os.rename", "os.remove", "os.truncate", "os.mkdir", "os.chmod", "shutil.rmtree"}
_LOCK = ".in-use.lock"


def watch(place: int, home: str) -> list[int]:
    """Count what is done below the home, and die at a place; the count is in the list that is returned."""
    seen: list[int] = []

    def look(event: str, arguments: tuple[object, ...]) -> None:
        if event not in _TOUCHING or not isinstance(path := arguments[0], str | os.PathLike):
            return
        name = os.fspath(path)
        if not isinstance(name, str) or not name.startswith(home):
            return
        if seen or name.endswith(_LOCK):
            seen.append(1)
        if len(seen) == place:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(look)
    return seen


if __name__ == "__main__":
    places = watch(int(sys.argv[1]), os.environ["HERMES_HOME"])
    try:
        run(sys.argv[2:])
    finally:
        print(f"places {len(places)}")  # noqa: T201  # told to the test
