"""Processes that are killed while they keep a folder, what they leave behind, and two at once."""

import shutil
import subprocess
import sys
from pathlib import Path

from hermes_agent.agent.checkpoints import Checkpoints
from hermes_agent.config.paths import Home
from tests.agent.checkpoints.snapshots import git, keep, reasons, state
from tests.counts import count
from tests.proof.processes import ROOT, environment, seeded, spin


def test_what_a_killed_git_left_locked_stops_nothing(own_home: Home, work: Path) -> None:
    few = Checkpoints(own_home, 2)
    for number in range(3):
        (work / "file").write_text(str(number))
        keep(few, work, f"change {number}")
    few.prune()
    index = next(own_home.checkpoint_index("x").parent.iterdir())
    for lock in ("packed-refs.lock", "HEAD.lock", "config.lock"):
        (own_home.checkpoint_store / lock).touch()
    index.with_name(f"{index.name}.lock").touch()
    for number in range(3, 6):
        (work / "file").write_text(str(number))
        keep(few, work, f"change {number}")
    few.prune()
    assert reasons(few, work) == ["change 5", "change 4"]


def test_a_damaged_index_is_made_anew(checkpoints: Checkpoints, own_home: Home, work: Path) -> None:
    (work / "file").write_text("old")
    keep(checkpoints, work, "first")
    for index in own_home.checkpoint_index("x").parent.iterdir():
        index.write_bytes(b"DIRC garbage")
    (work / "file").write_text("new")
    keep(checkpoints, work, "second")
    assert reasons(checkpoints, work) == ["second", "first"]


ORPHAN = """
import itertools, sys
from pathlib import Path
store = Path(sys.argv[1])
for number in itertools.count():
    halves = [store / "objects" / f"tmp_obj_{number}", store / "refs" / f"{number}.lock"]
    for half in halves:
        half.touch()
    for half in halves:
        half.unlink(missing_ok=True)
"""


def test_a_git_that_outlived_its_process_stops_nothing(own_home: Home, work: Path) -> None:
    few = Checkpoints(own_home, 2)
    keep(few, work, "first")
    writer = subprocess.Popen([sys.executable, "-c", ORPHAN, str(own_home.checkpoint_store)])
    try:
        for number in range(count(20, 100)):
            (work / "file").write_text(str(number))
            keep(few, work, f"change {number}")
    finally:
        writer.kill()
        writer.wait()


KEEPER = """
import sys
from pathlib import Path
from hermes_agent.agent.checkpoints import Checkpoints, Pruned
from hermes_agent.config.paths import active_home
checkpoints, folder = Checkpoints(active_home(), 1000), Path(sys.argv[1])
for number in range(int(sys.argv[2])):
    for name in range(20):
        (folder / f"{sys.argv[3]}{name}").write_text(f"{sys.argv[3]} {number} {name}")
    said = checkpoints.keep(folder, f"{sys.argv[3]} {number}")
    sys.stdout.write(f"{number} {said or 'kept'}\\n")
    sys.stdout.flush()
"""


def keeper(folder: Path, times: int, name: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", KEEPER, str(folder), str(times), name],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(),
    )


def test_a_process_killed_while_keeping_leaves_whole_snapshots_and_the_next_one_works(
    own_home: Home, work: Path
) -> None:
    checkpoints = Checkpoints(own_home, 1_000)
    chance = seeded("checkpoints")
    told: list[str] = []
    for attempt in range(count(5, 40)):
        process = keeper(work, 1_000, f"run{attempt}")
        assert process.stdout is not None
        for line in process.stdout:
            told.append(f"run{attempt} {line.split()[0]}")
            assert line.endswith(" kept\n")
            if chance.random() < 0.3:
                break
        spin(chance.uniform(0, 0.06))
        process.kill()
        process.communicate()
        (work / "file").write_text(str(attempt))
        keep(checkpoints, work, f"after {attempt}")
        told.append(f"after {attempt}")
    assert set(told) <= set(reasons(checkpoints, work))
    git("fsck", "--strict", folder=own_home.checkpoint_store)
    before = state(work)
    for snapshot in checkpoints.list(work):
        git("ls-tree", "-r", snapshot.hash, folder=own_home.checkpoint_store)
    shutil.rmtree(work)
    work.mkdir()
    checkpoints.restore(work, 1)
    assert state(work) == before


def test_two_processes_at_once_lose_nothing(own_home: Home, work: Path) -> None:
    checkpoints = Checkpoints(own_home, 1_000)
    times = count(8, 40)
    running = [keeper(work, times, name) for name in ("a", "b")]
    for process in running:
        printed, _ = process.communicate()
        assert printed == "".join(f"{number} kept\n" for number in range(times))
    found = reasons(checkpoints, work)
    # A state that another process has kept just before needs no snapshot of its own.
    assert set(found) <= {f"{name} {number}" for name in "ab" for number in range(times)}
    assert len(found) > times
    git("fsck", "--strict", folder=own_home.checkpoint_store)
