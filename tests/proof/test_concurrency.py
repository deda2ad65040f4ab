"""Many processes at one store at once: nobody meets an error, nothing is lost or doubled."""

from collections import Counter
from pathlib import Path

import pytest

from hermes_agent.ids import new_uid
from hermes_agent.ops import doctor
from hermes_agent.store.postgres import schema_name
from tests.counts import count, record
from tests.postgres import server_address
from tests.proof.appender import SHARED
from tests.proof.ledger import uids_by_session, wrong_counts
from tests.proof.places import open_at
from tests.proof.processes import run_at_once

pytestmark = pytest.mark.alone


def test_processes_share_a_sqlite_store(tmp_path: Path) -> None:
    told = append_at_once(str(tmp_path / "state.db"), count(4, 8), count(2, 30))
    record("concurrent.processes", told.processes)
    record("concurrent.seconds", told.seconds)
    record("concurrent.messages", told.messages)
    record("concurrent.searches", told.searches)
    record("concurrent.longest_append_seconds", told.longest)
    record("concurrent.errors", len(told.errors))
    record("concurrent.lost", len(told.lost))
    assert told.errors == []
    assert told.lost == []


def test_processes_share_a_postgres_store() -> None:
    place = f"{server_address()}#{schema_name(new_uid())}"
    told = append_at_once(place, 4, count(2, 10))
    record("concurrent.postgres.messages", told.messages)
    assert told.errors == []
    assert told.lost == []


class Told:
    """What the processes told."""

    def __init__(self, told: list[list[str]]) -> None:
        lines = [line.split(" ") for one in told for line in one]
        done = [line[1:] for line in lines if line[0] == "done"]
        self.kept = [uid for line in lines if line[0] == "kept" for uid in line[1:]]
        # Whatever is neither a commit nor the end is trouble, tracebacks included.
        self.errors = [" ".join(line) for line in lines if line[0] not in ("kept", "done")]
        self.lost: list[str] = []
        self.messages = len(self.kept)
        self.processes = len(done)
        self.seconds = min((float(line[0]) for line in done), default=0.0)
        self.longest = max((float(line[1]) for line in done), default=0.0)
        self.searches = sum(int(line[2]) for line in done)


def append_at_once(place: str, processes: int, seconds: int) -> Told:
    """Let processes append to a store that none of them has made, and compare what they told with it."""
    told = Told(run_at_once(*(("append", place, str(number), str(seconds)) for number in range(processes))))
    store = open_at(place)
    present = uids_by_session(store)
    there = Counter(uid for uids in present.values() for uid in uids)
    told.lost = [uid for uid in told.kept if there[uid] != 1] + [uid for uid in there if uid not in set(told.kept)]
    assert told.processes == processes, told.errors
    assert told.searches > 0
    assert set(present) == {SHARED, *(f"of-{number}" for number in range(processes))}
    assert wrong_counts(store) == []
    checked = doctor.check(store)
    store.close()
    assert checked.problems == ()
    assert checked.messages == told.messages
    return told
