"""The embedder is switched on a store that is searched all the while, and who embeds is killed again and again."""

import random
import subprocess
import threading
from collections import Counter
from pathlib import Path

import pytest

from hermes_agent.memory.embedding import health
from hermes_agent.store import fingerprints, vectors
from tests.counts import count, record
from tests.proof.embedding import embedder_named, fill, open_store
from tests.proof.processes import PATIENCE_SECONDS, Child, Nursery, seeded, spin, start

pytestmark = pytest.mark.alone

_LONGEST_SPIN_SECONDS = 0.4
_SEARCHES_AFTER = 20


def test_a_search_is_right_and_whole_while_the_embedder_is_switched(tmp_path: Path) -> None:
    chance = seeded("switch")
    episodes, kills = count(600, 10_000), count(4, 30)
    (tmp_path / "cache").mkdir()
    place = str(tmp_path / "state.db")
    store = open_store(place)
    fill(store, episodes)
    with Nursery() as nursery:
        embed_all(nursery, place, "old")
        with start("seek", place, str(episodes), str(chance.randrange(2**32))) as seeker:
            told = Told(seeker)
            told.wait_for("old right", 1)
            killed = kill_again_and_again(nursery, place, kills, chance)
            told.wait_for("new right", _SEARCHES_AFTER)
            seeker.kill()
    record("switch.episodes", episodes)
    record("switch.kills", killed)
    record("switch.searches", told.lines.total())
    record("switch.wrong", sum(number for line, number in told.lines.items() if not line.endswith("right")))
    assert set(told.lines) == {"old right", "new right"}, told.lines
    assert killed > 0
    with store.read() as connection:
        complete = fingerprints.complete(connection)
        assert complete is not None and complete.name == "new"
        assert vectors.count(connection, complete.id, "episode") == episodes
    assert not health(store, embedder_named("new")).is_behind
    store.close()


def kill_again_and_again(nursery: Nursery, place: str, kills: int, chance: random.Random) -> int:
    """Let processes embed, one after the other, all but the last killed on the way; return how many were."""
    for killed in range(kills):
        child = nursery.begin("embed", place, "new")
        wait_until(child, "begun")
        spin(chance.uniform(0, _LONGEST_SPIN_SECONDS))
        if "complete" in child.kill():
            return killed
    embed_all(nursery, place, "new")
    return kills


def embed_all(nursery: Nursery, place: str, name: str) -> None:
    """Let a process embed to the end."""
    child = nursery.begin("embed", place, name)
    wait_until(child, "complete")
    child.kill()


def wait_until(child: Child, line: str) -> None:
    assert line in child.tell(), f"it ended with {child.status}"


class Told:
    """The lines a process tells, counted while it runs."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.lines: Counter[str] = Counter()
        self._process = process
        self._heard = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def wait_for(self, line: str, times: int) -> None:
        """Wait until a line was told so often."""
        with self._heard:
            assert self._heard.wait_for(lambda: self.lines[line] >= times, PATIENCE_SECONDS), self.lines

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._heard:
                self.lines[line.strip()] += 1
                self._heard.notify_all()
