"""The children's side of `processes.py`: import everything, then fork a process for every line that comes.

With arguments it does that one job itself and leaves. A child tells what happened in lines; each is one
`write` straight to the pipe, so that what was told has been told, however hard the child dies.
"""

import os
import sys
from collections.abc import Callable

from tests.proof import appender, embedding, filler, keeper, learner, listener, migrator, talker, writer

JOBS: dict[str, Callable[..., None]] = {
    "append": appender.append,
    "embed": embedding.embed,
    "fill": filler.fill,
    "keep": keeper.keep,
    "learn": learner.learn,
    "listen": listener.listen,
    "migrate": migrator.migrate,
    "seek": embedding.seek,
    "talk": talker.talk,
    "write": writer.write,
}


def main() -> None:
    """Do the job of the arguments, or those of the lines on stdin."""
    if len(sys.argv) > 1:
        JOBS[sys.argv[1]](*sys.argv[2:])
        return
    for line in sys.stdin:
        job, *arguments = line.rstrip("\n").split("\t")
        pid = os.fork()
        if pid == 0:
            os.write(1, f"born {os.getpid()}\n".encode())
            JOBS[job](*arguments)
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        os.write(1, f"ended {os.waitstatus_to_exitcode(status)}\n".encode())


if __name__ == "__main__":
    main()
