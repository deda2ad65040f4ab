"""Several programs with one file of the holographic provider, and one that is killed while it writes."""

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hermes_agent.providers.holographic import Holographic
from hermes_agent.providers.provider import Surroundings
from tests.counts import count


def test_two_programs_write_at_once_and_nothing_is_lost(home: Path) -> None:
    def write(first: int) -> None:
        memory = Holographic(Surroundings(home))
        for number in range(first, first + 15):
            memory.remember(f"Fact number {number} about Berlin.")

    threads = [threading.Thread(target=write, args=(first,)) for first in (0, 100, 200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(Holographic(Surroundings(home)).memories())) == 45


def test_two_programs_make_the_file_at_once(home: Path) -> None:
    for number in range(count(20, 200)):
        new = Surroundings(home / str(number))
        start = threading.Barrier(3)

        def write(name: str, new: Surroundings = new, start: threading.Barrier = start) -> None:
            memory = Holographic(new)
            start.wait()
            memory.remember(f"{name} lives in Berlin.")

        with ThreadPoolExecutor(3) as pool:
            list(pool.map(write, ("Anna", "Ben", "Cleo")))
        assert len(list(Holographic(new).memories())) == 3


def test_killed_in_the_middle_of_writing_whole_facts_are_there(home: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from hermes_agent.providers.holographic import Holographic\n"
        "from hermes_agent.providers.provider import Surroundings\n"
        f"memory = Holographic(Surroundings(Path({str(home)!r})))\n"
        "for number in range(10_000):\n"
        "    memory.remember(f'Anna Weber and Peppi met {number} times.')\n"
        "    print(number, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        last = next(number for line in writer.stdout if (number := int(line)) >= 5)
        os.kill(writer.pid, signal.SIGKILL)
    memory = Holographic(Surroundings(home))
    kept = len(list(memory.memories()))
    assert kept > last
    found = memory.handle_tool_call("fact_store", {"action": "probe", "entity": "Peppi", "limit": 50})
    assert json.loads(found)["count"] == min(50, kept)
