"""Forgetting many conversations at once, on both engines: what is asked of the store does not grow with them."""

from pathlib import Path

import pytest

from hermes_agent.app import App
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.ops import doctor
from hermes_agent.ops.forgetting import carrying_out
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import NewMessage, NewSession, ParentKind
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import entities, journal, messages, reflections, sessions
from hermes_agent.store import forgetting as rows
from tests.forgetting.homes import opened
from tests.memory.test_forgetting_cost import statements

DAY = 86_400_000_000
MOST_BOUND = 66_000
"""More than PostgreSQL binds in one statement: 65,535."""


def talk(app: App, day: int, count: int) -> None:
    """Have so many conversations on a day; half of them delegate work, and the journal names each."""
    with app.store.write() as connection:
        for number in range(count):
            name, at = f"d{day}n{number}", day * DAY
            parent = f"d{day}n{number - 1}" if number % 2 else None
            kind: ParentKind | None = None if parent is None else "delegation"
            sessions.create(
                connection, NewSession(id=name, started_at=at, parent_session_id=parent, parent_kind=kind)
            )
            said = [
                NewMessage("user", f"Where is the violin of Xylvorena{day}x{number}?", said_at=at),
                NewMessage("assistant", f"Xylvorena{day}x{number} has it at home.", said_at=at),
            ]
            messages.append(connection, app.store.engine, name, said)
            told = f"Proposed what Xylvorena{day}x{number} does"
            journal.write(connection, NewEntry("skill.proposed", "memory", told, after={"session": name}))


@pytest.mark.parametrize("kind", ["plain", "postgres"])
def test_what_is_asked_of_the_store_does_not_grow_with_the_conversations(kind: str, tmp_path: Path) -> None:
    counts = []
    with opened(kind, tmp_path) as app:
        talk(app, 1, 2)
        talk(app, 2, 40)
        for last in (2, 3):
            with statements() as asked:
                carrying_out.preview(app.forgetting, carrying_out.seek(Asked(before=last * DAY)))
            counts.append(len(asked))
    assert counts[1] <= counts[0]


@pytest.mark.parametrize("kind", ["plain", "postgres"])
def test_many_go_whole_and_others_stay(kind: str, tmp_path: Path) -> None:
    with opened(kind, tmp_path) as app:
        talk(app, 1, 620)
        talk(app, 3, 2)
        receipt = finish(carrying_out.carry_out(app.forgetting, carrying_out.seek(Asked(before=2 * DAY))))
        assert (receipt.counts["sessions"], receipt.counts["messages"], receipt.found) == (620, 1240, [])
        with app.store.read() as connection:
            assert [
                one.id for one in sessions.get_many(connection, ["d1n0", "d1n619", "d3n0", "d3n1"]).values()
            ] == [
                "d3n0",
                "d3n1",
            ]
            told = [one.text for one in journal.of_kinds(connection, ["skill.proposed"])]
        assert not any("Xylvorena1" in one for one in told) and sum("Xylvorena3" in one for one in told) == 2
        assert doctor.check(app.store).is_well


@pytest.mark.parametrize("kind", ["plain", "postgres"])
def test_changes_that_name_one_of_many_are_those_that_name_each(kind: str, tmp_path: Path) -> None:
    names = [f"name-{number}" for number in range(60)]
    sides = [names[3], {"of": names[7]}, {names[9]: 1}, [f"{names[11]} and more"], ", ", 'say "name-1"']
    with opened(kind, tmp_path) as app:
        with app.store.write() as connection:
            for side in sides:
                journal.write(connection, NewEntry("thing.changed", "memory", "It was changed.", after=side))
        with app.store.read() as connection:
            each = {entry.id for name in names for entry in journal.naming(connection, [name])}
            every = [entry.id for entry in journal.naming(connection, names)]
    assert every == sorted(each) and len(every) == 3


@pytest.mark.parametrize("kind", ["plain", "postgres"])
def test_more_can_be_named_than_a_statement_binds_values(kind: str, tmp_path: Path) -> None:
    with opened(kind, tmp_path) as app:
        talk(app, 1, 2)
        names = ["d1n0", "d1n1", "half \ud800", *(f"none-{number}" for number in range(MOST_BOUND))]
        with app.store.write() as connection:
            journal.write(connection, NewEntry("thing.changed", names[2], "It was changed."))
            journal.write(connection, NewEntry("thing.changed", "memory", "And that.", session_id="d1n0"))
            assert sorted(sessions.get_many(connection, names)) == names[:2]
            assert [one.text for one in journal.of_subjects(connection, names)] == ["It was changed."]
            assert [one.text for one in journal.of_sessions(connection, names)] == ["It was changed.", "And that."]
            assert rows.empty_sessions(connection, names)[0] == names[2]
            assert not reflections.of_sessions(connection, names)
            named = entities.named_in(connection, names)
            assert entities.known(connection, [*names, *named]) == named


@pytest.mark.parametrize("others", [0, 60])
@pytest.mark.parametrize("kind", ["plain", "postgres"])
def test_a_change_that_names_it_in_capitals_names_another(kind: str, others: int, tmp_path: Path) -> None:
    with opened(kind, tmp_path) as app:
        with app.store.write() as connection:
            for name in ("trip", "Trip", "TRIP"):
                journal.write(connection, NewEntry("thing.changed", name, "It was changed.", after={"of": name}))
        with app.store.read() as connection:
            wanted = ["Trip", *(f"name-{number}" for number in range(others))]
            assert [entry.subject for entry in journal.naming(connection, wanted)] == ["Trip"]
