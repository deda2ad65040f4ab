"""Two homes of one owner that went on apart are joined: both hold the same then, nothing lost, nothing twice."""

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, example, given, note, settings

from hermes_agent import clock
from hermes_agent.memory import compressing, undoing
from hermes_agent.memory.compressing import Wanted
from hermes_agent.memory.undo_choice import Named
from hermes_agent.ops.steps import finish
from hermes_agent.ops.whole.merge import Brought
from hermes_agent.ops.whole.merging import bring_in
from hermes_agent.ops.whole.reading import check
from hermes_agent.ops.whole.writing import export
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import canonical, summaries
from hermes_agent.store import episodes as kept_episodes
from hermes_agent.store import facts as kept_facts
from hermes_agent.store.store import Store
from tests.counts import IS_PROOF, count
from tests.engines import ENGINES, opened
from tests.ops.apart import DAY, OPERATIONS, Home, Operation
from tests.ops.stores import open_at, open_new

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""Without shrinking: an example takes a while, and seven operations are few enough to read."""


def written(store: Store, path: Path) -> Path:
    with path.open("wb") as out:
        finish(export(store, out, {}, {}))
    return path


def brought(store: Store, path: Path) -> Brought:
    return finish(bring_in(store, path, finish(check(path)), is_own=True))


def content(store: Store) -> dict[str, object]:
    """Return what a store holds, whatever the numbers and names of its own."""
    with store.read() as connection:
        rows = {name: list(canonical.rows(connection, name)) for name in canonical.TABLES}
    uid_of = {
        name: {row.get("id"): row["uid"] for row in rows[name]}
        for name in ("sessions", "messages", "summaries", "facts")
    }
    messages = {row["uid"]: row for row in rows["messages"]}
    # What was said before any request is in no episode; in the other home it may stand behind one.
    told: dict[str, object] = {str(uid): None for uid, row in messages.items() if row["state"] != "rewound"}
    for episode in rows["episodes"]:
        within = [
            str(row["uid"])
            for row in rows["messages"]
            if row["session_id"] == episode["session_id"]
            and episode["first_message"] <= row["id"] <= episode["last_message"]  # type: ignore[operator]
            and row["state"] != "rewound"
        ]
        told |= dict.fromkeys(within, uid_of["summaries"].get(episode["summary_id"]))
    return {
        "sessions": {
            row["uid"]: [row[name] for name in ("title", "is_archived", "is_pinned", "message_count")]
            for row in rows["sessions"]
        },
        "messages": {
            uid: (uid_of["sessions"][row["session_id"]], row["content"], row["state"], row["source_class"])
            for uid, row in messages.items()
        },
        "facts": {row["uid"]: [row[name] for name in FACT] for row in rows["facts"]},
        "disputes": sorted(
            [str(uid_of["facts"][row["fact_id"]]), str(uid_of["facts"][row["rival_id"]])]
            for row in rows["disputes"]
        ),
        "summaries": {row["uid"]: row["state"] for row in rows["summaries"]},
        "told": told,
    }


FACT = (
    "text",
    "state",
    "superseded_by",
    "corroborations",
    "is_pinned",
    "confidence",
    "source_message",
    "valid_to",
)


def check_whole(store: Store) -> None:
    """Check that nothing is told twice, and nothing left untold."""
    with store.read() as connection:
        rows = {name: list(canonical.rows(connection, name)) for name in canonical.TABLES}
    times: Counter[object] = Counter()
    for episode in rows["episodes"]:
        for row in rows["messages"]:
            if row["session_id"] == episode["session_id"] and row["state"] != "rewound":
                times[row["id"]] += episode["first_message"] <= row["id"] <= episode["last_message"]  # type: ignore[operator]
    assert all(one <= 1 for one in times.values()), "a message is in two episodes"
    openers = [row for row in rows["messages"] if row["role"] == "user" and row["state"] != "rewound"]
    assert all(times[row["id"]] == 1 for row in openers), "a request is in no episode"
    began: dict[object, object] = {}
    for row in openers:
        began.setdefault(row["session_id"], row["id"])
    for row in rows["messages"]:
        is_behind = row["session_id"] in began and began[row["session_id"]] < row["id"]  # type: ignore[operator]
        assert times[row["id"]] or row["state"] == "rewound" or not is_behind, "an answer is in no episode"
    lines = Counter(
        line["message"]
        for row in rows["summaries"]
        if row["state"] == "current"
        for line in row["lines"]  # type: ignore[attr-defined]
    )
    assert all(one == 1 for message, one in lines.items() if message is not None), (
        "two summaries tell of a message"
    )
    twins = Counter(
        (row["source_message"], row["span_start"], row["text"]) for row in rows["facts"] if row["source_message"]
    )
    assert all(one == 1 for one in twins.values()), "a fact is there twice"


def settle(home: Home) -> None:
    home._make()


# Reduced runs try the same operations every time: others are for the proof, which has the time to look into them.
@settings(
    max_examples=count(12, 500),
    deadline=None,
    phases=PHASES,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not IS_PROOF,
)
@given(before=OPERATIONS, here=OPERATIONS, there=OPERATIONS)
# What was answered here to a request that was taken back there.
@example(before=[("rewind", 3)], here=[("answer", 5), ("begin", 3)], there=[("rewind", 3)])
@example(
    before=[],
    here=[("pin", 5), ("rewind", 4), ("rewind", 2), ("add", 0), ("delete", 3), ("remove", 5), ("title", 4)],
    there=[("answer", 0)],
)
# An answer there without a request of its own, after a request here that was taken back.
@example(before=[("ask", 2)], here=[("ask", 5), ("rewind", 3)], there=[("say", 4), ("answer", 1)])
# What followed a fact here was learned there, too, and the fact comes before it.
@example(before=[], here=[("learn", 0), ("learn", 1)], there=[("learn", 1), ("delete", 0)])
# A request that a summary told of, and whose answer was taken back since.
@example(before=[("say", 2), ("compress", 2), ("rewind", 2)], here=[("edit", 0)], there=[("compress", 2)])
# A conversation that was deleted here, and learned from there: a fact outlives it.
@example(before=[], here=[("remove", 5)], there=[("learn", 5)])
# An exchange here whose request was taken back there, where others were said before its answer came.
@example(
    before=[("rewind", 0)],
    here=[("answer", 2), ("say", 2), ("rewind", 0)],
    there=[("rewind", 4), ("say", 2)],
)
# A fact that was learned in both and undone here: it stays so, also when the same file comes again.
@example(before=[], here=[("learn", 1), ("undo", 0)], there=[("learn", 1)])
# An answer here to what was asked last before: there it comes behind a request that a summary tells of.
@example(before=[], here=[("answer", 1)], there=[("say", 1), ("compress", 0)])
# An exchange that a summary tells of, and that went on here alone, while more was said there.
@example(before=[("say", 1), ("compress", 0)], here=[("answer", 1)], there=[("say", 1)])
# A summary here of what was left of an exchange when its answer was taken back.
@example(before=[("say", 1)], here=[("rewind", 1), ("compress", 0)], there=[])
# A summary here of what was put together there, too, and taken apart again later: it tells of nothing then.
@example(before=[("say", 0)], here=[("compress", 0)], there=[("compress", 0), ("undo", 0)])
# A summary here that was undone, of an exchange whose answer was taken back there.
@example(before=[("say", 1)], here=[("compress", 0), ("undo", 0)], there=[("rewind", 1)])
# An answer there to a request that was taken back, said before what was asked here since.
@example(before=[("rewind", 0), ("rewind", 0)], here=[("ask", 4)], there=[("answer", 0)])
def test_two_homes_that_went_on_apart_hold_the_same_once_joined(
    tmp_path_factory: pytest.TempPathFactory,
    before: Sequence[Operation],
    here: Sequence[Operation],
    there: Sequence[Operation],
) -> None:
    folder = tmp_path_factory.mktemp("join")
    with open_new(folder / "base.db") as store:
        base = Home(store, "base")
        for operation in (("begin", 0), ("begin", 1), *before):
            base.do(operation)
        settle(base)
    for name in ("a.db", "b.db"):
        shutil.copy(folder / "base.db", folder / name)
    with open_at(folder / "a.db") as first, open_at(folder / "b.db") as second:
        homes = Home(first, "a"), Home(second, "b")
        # In turns: of both homes' changes now one, now the other is the later one.
        for number in range(max(len(here), len(there))):
            for home, operations in zip(homes, (here, there), strict=True):
                if number < len(operations):
                    home.do(operations[number])
        for home in homes:
            settle(home)
        said = [set(content(home.store)["messages"]) for home in homes]  # type: ignore[call-overload]
        files = [written(home.store, folder / f"{home.name}.json") for home in homes]
        for home, file in zip(homes, reversed(files), strict=True):
            brought(home.store, file)
            settle(home)
            check_whole(home.store)
        one, other = content(first), content(second)
        for name in one:
            note(f"{name}: {json.dumps(str(one[name]))}\n{json.dumps(str(other[name]))}")
            assert one[name] == other[name], name
        deleted = any(operation == ("remove", 5) for operation in (*here, *there))
        assert deleted or set(one["messages"]) == said[0] | said[1]  # type: ignore[call-overload]
        for home, file in zip(homes, reversed(files), strict=True):
            again = brought(home.store, file)
            assert not again.has_changes, again
            settle(home)
            assert content(home.store) == one


@pytest.fixture(params=ENGINES)
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from opened(request.param, tmp_path)


@pytest.fixture
def pair(other: Store, tmp_path: Path) -> Iterator[tuple[Home, Home]]:
    """Two homes that were one: the first on SQLite, the second on either engine."""
    with open_new(tmp_path / "first.db") as store:
        first, second = Home(store, "a"), Home(other, "b")
        first.do(("begin", 0))
        first.do(("say", 0))
        first.do(("say", 0))
        first.do(("ask", 0))
        brought(second.store, written(store, tmp_path / "base.json"))
        yield first, second


def joined(one: Home, other: Home, folder: Path) -> None:
    """Join both homes with what the other was before."""
    files = [written(home.store, folder / f"{home.name}.json") for home in (one, other)]
    for home, file in zip((one, other), reversed(files), strict=True):
        brought(home.store, file)
        settle(home)
        check_whole(home.store)
    assert content(one.store) == content(other.store)


def test_one_summary_tells_of_what_both_homes_put_together(pair: tuple[Home, Home], tmp_path: Path) -> None:
    for home, more in zip(pair, (1, 2), strict=True):
        home.do(("begin", more))
        home.do(("say", more))
        home.do(("compress", 0))
    joined(*pair, tmp_path)
    with pair[0].store.read() as connection:
        assert summaries.count(connection) >= 1
    for home in pair:
        home.do(("compress", 0))
        check_whole(home.store)


def test_an_exchange_that_was_open_is_whole_in_both(pair: tuple[Home, Home], tmp_path: Path) -> None:
    for home in pair:
        home.do(("answer", 0))
    joined(*pair, tmp_path)
    for home in pair:
        with home.store.read() as connection:
            rows = list(canonical.rows(connection, "messages"))
            owners = kept_episodes.owner_ids(connection, [int(str(row["id"])) for row in rows])
        assert len(owners) == len(rows), "each message is in an exchange"


def test_numbers_of_what_is_gone_are_not_given_again(pair: tuple[Home, Home], tmp_path: Path) -> None:
    first, second = pair
    second.do(("add", 1))
    with second.store.read() as connection:
        (gone,) = kept_facts.recent(connection, 1)
        (entry,) = [row for row in canonical.rows(connection, "journal") if row["kind"] == "fact.added"]
    undoing.undo(second.notebook(), Named(str(entry["uid"])))
    first.do(("add", 2))
    joined(first, second, tmp_path)
    with second.store.read() as connection:
        (came,) = kept_facts.recent(connection, 1)
    assert came.id > gone.id


def test_messages_that_were_discarded_do_not_come_back(pair: tuple[Home, Home], tmp_path: Path) -> None:
    first, second = pair
    old = clock.now() - 60 * DAY
    first.memory.begin(NewSession(id="old", started_at=old))
    first.memory.append("old", NewMessage("user", "The heron report is late.", said_at=old))
    first._make()
    brought(second.store, written(first.store, tmp_path / "more.json"))
    wanted = Wanted(clock.now() - 30 * DAY, is_discarding=True, unlearned=("cli",), actor="owner")
    assert any(list(compressing.compress(second.store, wanted)))
    with second.store.read() as connection:
        assert summaries.stand_alone(connection)
    assert not any("heron" in one.content for one in second.memory.messages("old") if one.content)
    first.do(("add", 1))
    brought(second.store, written(first.store, tmp_path / "again.json"))
    second._make()
    assert not any("heron" in one.content for one in second.memory.messages("old") if one.content)
    check_whole(second.store)
