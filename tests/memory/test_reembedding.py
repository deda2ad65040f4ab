"""A drop of recall after a re-embed keeps what would be discarded, until the owner accepts it."""

from dataclasses import replace
from pathlib import Path

import pytest

from hermes_agent.embedders.local import Local
from hermes_agent.memory import reembedding
from hermes_agent.recall.grading import compare
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.selftests import Answer, Run
from hermes_agent.store import fingerprints, journal, messages, meta, selftests, sessions
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store


def run(found: int, of: int) -> Run:
    """Return a run in which so many of the questions were answered."""
    answers = [Answer(f"m{number}", "week", 1 if number < found else None) for number in range(of)]
    return Run(f"00000000-0000-7000-8000-{found:06d}{of:06d}", 1, "by hand", "old", answers, 1.0, 2.0, [])


@pytest.mark.parametrize(
    ("before", "after", "is_drop"),
    [
        (run(40, 50), run(39, 50), False),
        (run(40, 50), run(38, 50), True),
        (run(40, 50), run(45, 50), False),
        (run(10, 10), run(0, 10), False),
        (run(20, 20), run(20, 200), False),
    ],
)
def test_a_drop_is_more_than_two_points_over_twenty_questions(before: Run, after: Run, is_drop: bool) -> None:
    assert compare(before, after).is_drop is is_drop


def test_a_run_in_which_vectors_could_not_be_read_is_no_measure(tmp_path: Path) -> None:
    store = Store(Sqlite(tmp_path / "s.db"), "default")
    well = replace(run(20, 20), fingerprint=Local.fingerprint)
    with store.write() as connection:
        session = sessions.create(connection, NewSession())
        told = [
            NewMessage("user", f"I bought the wooden {thing} from an old shop for {price} crowns")
            for price, thing in enumerate(("violin", "kettle", "compass", "lantern", "tunnel"), start=1_000)
        ]
        messages.append(connection, store.engine, session, told)
        # The embedder is ours, but its vectors are of another length: it cannot search them.
        damaged = fingerprints.require(connection, Local.fingerprint, 8)
        fingerprints.mark_complete(connection, damaged.id)
    assert list(reembedding.measure_before(store)) == []
    with store.read() as connection:
        assert reembedding.may_discard(connection), "nothing is owed: there is nothing to compare with"
    with store.write() as connection:
        selftests.add(connection, well)
    list(reembedding.measure_before(store))
    with store.read() as connection:
        assert meta.get(connection, "selftest.owed") == well.uid
    store.close()


def test_nothing_is_discarded_while_a_comparison_is_owed_or_a_drop_not_accepted(tmp_path: Path) -> None:
    store = Store(Sqlite(tmp_path / "s.db"), "default")
    with store.write() as connection:
        selftests.add(connection, run(40, 50))
        assert selftests.recent(connection, 5, fingerprint="old") == [run(40, 50)]
        assert reembedding.may_discard(connection)
        meta.put(connection, "selftest.owed", run(40, 50).uid)
        assert not reembedding.may_discard(connection)
        meta.put(connection, "selftest.owed", "")
        meta.put(connection, "selftest.dropped", "It fell.")
        assert not reembedding.may_discard(connection)
    assert reembedding.trouble(store) == "It fell."
    assert reembedding.accept(store, "a test") == "It fell."
    with store.read() as connection:
        assert reembedding.may_discard(connection)
        assert journal.recent(connection, 1)[0].kind == "selftest.accepted"
    store.close()
