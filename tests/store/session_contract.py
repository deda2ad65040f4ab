"""What every engine must do with sessions: one class of tests, inherited once for each engine."""

import pytest

from hermes_agent.errors import NotFound, UsageError
from hermes_agent.memory.memory import Memory
from hermes_agent.ops import doctor
from hermes_agent.records.archive import NewMessage, NewSession, ParentKind
from hermes_agent.store import removing, sessions
from hermes_agent.store.store import Store
from tests.store.talk import found, say


class SessionContract:
    """Tests of the sessions of a store; `store` is a new one."""

    def test_deleting_a_session_takes_its_messages_out_of_the_index(self, store: Store) -> None:
        say(store, "secret words", session="gone")
        (kept,) = say(store, "secret keeper", session="kept")
        with store.write() as connection:
            assert removing.remove(connection, store.engine, removing.going(connection, ["gone"])) == 1
        assert found(store, "secret") == [kept]
        assert doctor.check(store).is_well

    def test_deleting_takes_delegated_work_along_and_orphans_the_rest(self, store: Store) -> None:
        with store.write() as connection:
            sessions.create(connection, NewSession(id="root"))
            for kind in ("delegation", "branch", "compression"):
                child = NewSession(id=kind, parent_session_id="root", parent_kind=kind)
                sessions.create(connection, child)
            assert removing.remove(connection, store.engine, removing.going(connection, ["root"])) == 2
            assert sessions.get(connection, "delegation") is None
            for kind in ("branch", "compression"):
                assert sessions.require(connection, kind).parent_session_id is None

    def test_the_first_end_reason_wins(self, store: Store) -> None:
        with store.write() as connection:
            session_id = sessions.create(connection, NewSession())
            assert sessions.end(connection, session_id, "new_command")
            assert not sessions.end(connection, session_id, "agent_close")
            assert sessions.require(connection, session_id).end_reason == "new_command"

    def test_creating_a_session_twice_changes_nothing(self, store: Store) -> None:
        with store.write() as connection:
            sessions.create(connection, NewSession(id="s", source="cli", title="one"))
            sessions.create(connection, NewSession(id="s", source="cron", title="two"))
            session = sessions.require(connection, "s")
        assert (session.source, session.title) == ("cli", "one")

    def test_titles_are_unique_but_none_is_not_a_title(self, store: Store) -> None:
        with store.write() as connection:
            for name in ("a", "b"):
                sessions.create(connection, NewSession(id=name))
            sessions.rename(connection, "a", "Plan")
            with pytest.raises(UsageError, match="belongs to session a"):
                sessions.rename(connection, "b", "Plan")
            sessions.rename(connection, "a", None)
            sessions.rename(connection, "b", "Plan")

    def test_an_automatic_title_never_replaces_a_chosen_one(self, store: Store) -> None:
        with store.write() as connection:
            sessions.create(connection, NewSession(id="s"))
            assert sessions.rename(connection, "s", "Auto", source="auto") == "Auto"
            assert sessions.rename(connection, "s", "Mine") == "Mine"
            assert sessions.rename(connection, "s", "Auto again", source="auto") == "Mine"

    def test_a_session_is_found_by_the_unique_start_of_its_id(self, store: Store) -> None:
        with store.write() as connection:
            for name in ("2026_aa", "2026_ab", "x%y"):
                sessions.create(connection, NewSession(id=name))
            assert sessions.require(connection, "2026_aa").id == "2026_aa"
            assert sessions.require(connection, "2026_ab").id == "2026_ab"
            with pytest.raises(NotFound, match="2026_aa, 2026_ab"):
                sessions.require(connection, "2026")
            assert sessions.resolve(connection, "%") == []
            assert sessions.resolve(connection, "X%") == [], "an id has its case"
            assert sessions.require(connection, "x%").id == "x%y"
            with pytest.raises(NotFound):
                sessions.require(connection, "nothing")

    def test_going_on_with_a_base_title_takes_the_latest_of_the_lineage(self, store: Store) -> None:
        with store.write() as connection:
            for number, title in enumerate(("plan", "plan #2", "plan #3", "plan #x"), start=1):
                sessions.create(connection, NewSession(id=f"s{number}", title=title, started_at=number))
            assert sessions.latest_named(connection, "plan").id == "s3"
            assert sessions.latest_named(connection, "plan #2").id == "s2"
            assert sessions.require(connection, "plan").id == "s1", "whoever deletes `plan` means `plan`"

    def test_pruning_spares_what_was_pinned_reopened_or_ended_lately(self, store: Store) -> None:
        memory = Memory(store, "default")
        for name in ("old", "pinned", "open", "late"):
            memory.begin(NewSession(id=name, started_at=1))
        with store.write() as connection:
            for name in ("old", "pinned"):
                sessions.end(connection, name, "done", at=2)
            sessions.end(connection, "late", "done", at=50)
            connection.exec_driver_sql("UPDATE sessions SET is_pinned = true WHERE id = 'pinned'")
        assert memory.prunable(10) == ["old"]
        assert memory.delete(["old", "open", "pinned", "late"], cause="test", quiet_since=10) == 1

    def test_a_list_shows_one_row_a_conversation(self, store: Store) -> None:
        with store.write() as connection:
            sessions.create(connection, NewSession(id="root", started_at=1))
            kinds: tuple[tuple[ParentKind, int], ...] = (("compression", 5), ("delegation", 6), ("branch", 7))
            for kind, at in kinds:
                child = NewSession(id=kind, parent_session_id="root", parent_kind=kind, started_at=at)
                sessions.create(connection, child)
            sessions.create(connection, NewSession(id="hidden", source="tool", started_at=8))
            listing = sessions.Listing(hidden_sources=("tool",))
            listed = [row.session.id for row in sessions.recent(connection, listing, 10)]
        assert listed == ["branch", "compression"]

    def test_a_conversation_goes_on_where_it_was(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession(title="plan", system_prompt="You are Hermes."))
        first, second, third = memory.append(session_id, *(NewMessage("user", f"step {n}") for n in "abc"))
        memory.end(session_id, "agent_close")
        summary = memory.compact(session_id, second, NewMessage("assistant", "steps a and b were taken"))
        resumed = memory.resume("plan")
        assert (resumed.session.id, resumed.session.ended_at) == (session_id, None)
        assert resumed.system_prompt == "You are Hermes."
        assert [message.id for message in resumed.messages] == [summary, third], "a summary leads the window"
        assert sorted(found(store, "step")) == [first, second, third], "compacted messages are still found"
        assert memory.rewind(session_id, third) == 1
        assert [message.id for message in memory.resume(session_id[:15]).messages] == [summary]
        assert sorted(found(store, "step")) == [first, second]
        kinds = [entry.kind for entry in memory.log(10)]
        assert kinds == ["session.rewound", "session.compacted"]

    def test_a_resumed_conversation_continues_in_its_latest_part(self, store: Store) -> None:
        memory = Memory(store, "default")
        memory.begin(NewSession(id="old", title="long talk"))
        memory.end("old", "compression")
        memory.begin(NewSession(id="new", parent_session_id="old", parent_kind="compression"))
        memory.append("new", NewMessage("user", "and on"))
        assert memory.resume("long talk").session.id == "new"
        assert [m.content for m in memory.resume("old").messages] == ["and on"]
