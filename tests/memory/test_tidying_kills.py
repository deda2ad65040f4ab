"""A process killed with SIGKILL while it tidies: every change is whole or not made, and none is made twice."""

import json
import signal
import subprocess
import sys
import time

from hermes_agent.config.paths import Home, ensure
from hermes_agent.memory import facts as verbs
from hermes_agent.memory.notebook import Notebook
from hermes_agent.store import journal
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.conftest import Hermes
from tests.counts import count
from tests.memory.memory_states import state
from tests.proof.processes import ROOT, environment, seeded

PAIRS = 40


def test_a_killed_run_leaves_whole_changes_and_the_next_does_the_rest(hermes: Hermes, own_home: Home) -> None:
    ensure(own_home)
    store = Store(Sqlite(own_home.state_db), "default")
    notebook = Notebook(store, own_home, 2_000, 2_000)
    for number in range(PAIRS):
        verbs.add(store, f"The machine number {number} is called Otto.")
        verbs.add(store, f"Machine number {number} is called Otto")
    chance, kills, in_between = seeded("tidying"), count(2, 40), 0
    for kill in range(kills):
        command = [sys.executable, "-m", "hermes_agent", "memory", "tidy"]
        with subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL) as process:
            merged = done = len(entries(store))
            while process.poll() is None and done < min(PAIRS, merged + 1 + kill % 5):
                time.sleep(0.002)
                done = len(entries(store))
            time.sleep(chance.random() * 0.01)
            process.kill()
        if process.returncode == -signal.SIGKILL and 0 < len(entries(store)) < PAIRS:
            in_between += 1
        gone = [row for row in state(notebook).facts if row["state"] == "merged"]
        kept = [row for row in state(notebook).facts if row["corroborations"]]
        assert len(gone) == len(kept) == len(entries(store)), f"kill {kill}: half a change"
    assert in_between > 0
    left = PAIRS - len(entries(store))
    assert len(json.loads(hermes("memory", "tidy", "--json").stdout)["facts"]) == left
    assert json.loads(hermes("memory", "tidy", "--json").stdout)["facts"] == []
    assert sorted(fact.corroborations for fact in verbs.recent(store, 999)) == [1] * PAIRS
    store.close()


def entries(store: Store) -> list[str]:
    """Return the facts that were merged, by the journal."""
    with store.read() as connection:
        return [entry.subject for entry in journal.of_kinds(connection, ("fact.merged",))]
