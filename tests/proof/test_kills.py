"""Writers killed with SIGKILL at random moments: what was acknowledged is there, and the store is well."""

import signal
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home, ensure
from hermes_agent.ids import new_uid
from hermes_agent.ops import doctor
from hermes_agent.store.postgres import schema_name
from tests.counts import count, record
from tests.postgres import server_address
from tests.proof.ledger import Ledger, wrong_counts
from tests.proof.places import open_at
from tests.proof.processes import Nursery, hermes, seeded, spin

_MOST_LINES = 60
_LONGEST_SPIN_SECONDS = 0.006


def test_a_killed_writer_loses_nothing_on_sqlite(own_home: Home) -> None:
    ensure(own_home)
    kills = count(10, 200)
    ledger, losses = kill_writers(str(own_home.state_db), kills)
    acknowledged = sum(len(uids) for uids in ledger.kept.values())
    record("kill.append.kills", kills)
    record("kill.append.lost", len(losses))
    record("kill.append.messages", acknowledged)
    assert losses == []
    assert acknowledged > kills
    checked = hermes("db", "check")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "nothing is wrong" in checked.stdout


def test_a_killed_writer_loses_nothing_on_postgres() -> None:
    place = f"{server_address()}#{schema_name(new_uid())}"
    _, losses = kill_writers(place, count(4, 20))
    assert losses == []


def kill_writers(place: str, kills: int) -> tuple[Ledger, list[str]]:
    """Kill writers of one store one after the other; return what they told and everything found wrong."""
    chance = seeded("kills")
    ledger, losses = Ledger(), list[str]()
    bystander = open_at(place)
    with Nursery() as nursery:
        for number in range(kills):
            writer = nursery.begin("write", place, str(chance.randrange(2**32)))
            last = chance.randrange(_MOST_LINES)
            for heard, line in enumerate(writer.tell()):
                ledger.note(line)
                if heard == last:
                    break
            else:
                pytest.fail(f"the writer ended by itself with {writer.status}")
            spin(chance.uniform(0, _LONGEST_SPIN_SECONDS))
            for line in writer.kill():
                ledger.note(line)
            assert writer.status == -signal.SIGKILL
            # Another process that has the store open keeps SQLite's log from being recovered; half of
            # the kills happen with one, half without.
            if number % 2:
                bystander.close()
            store = open_at(place)
            found = [*ledger.losses(store), *wrong_counts(store), *doctor.check(store).problems]
            losses += [f"kill {number}: {problem}" for problem in found]
            store.close()
            with bystander.read():
                pass
    bystander.close()
    return ledger, losses


def test_the_ledger_sees_what_is_missing(tmp_path: Path) -> None:
    ledger = Ledger()
    for line in ("begun", "try s a b", "kept s a b", "try s c"):
        ledger.note(line)
    store = open_at(str(tmp_path / "state.db"))
    assert sorted(ledger.losses(store)) == [
        "a of s is lost",
        "b of s is lost",
        "s is out of order or doubled",
    ]
    store.close()
