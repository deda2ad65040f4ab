"""What every engine must do with episodes: one class of tests, inherited once for each engine."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, insert, inspect, text

from hermes_agent.memory import episodes as making
from hermes_agent.memory.memory import Memory
from hermes_agent.ops import doctor
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import NewMessage, NewSession, State
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Episode
from hermes_agent.records.turn import FinishedTurn
from hermes_agent.store import (
    entities,
    episode_pages,
    episodes,
    jobs,
    messages,
    removing,
    sessions,
    sketches,
    tables,
)
from hermes_agent.store.store import Store
from tests.counts import record
from tests.store.named import names, of_item

SAID = st.tuples(
    st.sampled_from(["user", "assistant", "tool", "system"]),
    st.sampled_from(["live", "live", "live", "compacted", "rewound"]),
    st.booleans(),
)


def turn(memory: Memory, session_id: str, request: str, answer: str) -> None:
    """Say something and get an answer, as the agent keeps them."""
    memory.append(session_id, NewMessage("user", request))
    answered(memory, session_id, answer)


def answered(memory: Memory, session_id: str, answer: str) -> int:
    entry = NewEntry("turn.answered", session_id, "Answered.", actor="agent")
    return memory.finish_turn(session_id, FinishedTurn(NewMessage("assistant", answer), entry))


def make_all(store: Store) -> None:
    """Make every episode that is missing."""
    reached: int | None = 0
    while reached is not None:
        reached = making.make_next(store, reached, None)


def every(store: Store) -> list[Episode]:
    with store.read() as connection:
        return episodes.latest(connection, 10_000)[::-1]


def drawn_of(connection: Connection, *made: Episode) -> list[sketches.SketchRow]:
    """Return the sketches of the messages of some episodes."""
    owners = sketches.owners(connection, [episode.id for episode in made])
    return sketches.of_messages(connection, [message_id for message_id, _ in owners])


def drawn_in(connection: Connection, session_id: str) -> list[sketches.SketchRow]:
    made = episodes.latest(connection, 10_000)
    return drawn_of(connection, *(episode for episode in made if episode.session_id == session_id))


def extents(store: Store) -> list[tuple[int, int]]:
    return sorted((episode.first_message, episode.last_message) for episode in every(store))


def rows_with(store: Store, word: str) -> dict[str, int]:
    """Count the rows of every table that hold a word anywhere.

    Not looked at is the inside of SQLite's word index: it marks what is deleted, and drops it when it merges.
    """
    found: dict[str, int] = {}
    with store.read() as connection:
        for table in inspect(connection).get_table_names(schema=store.engine.schema):
            if table.endswith("_fts_data"):
                continue
            rows = connection.execute(text(f'SELECT * FROM "{table}"')).all()
            number = sum(word.lower() in str([_shown(value) for value in row]).lower() for row in rows)
            if number:
                found[table] = number
    return found


def _shown(value: object) -> object:
    return value.decode("latin-1") if isinstance(value, bytes) else value


class EpisodeContract:
    """Tests of the episodes of a store; `store` is a new one."""

    def test_a_turn_is_one_episode_from_the_request_to_the_answer(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession(folder="/home/ada/atlas", source="telegram"))
        first, *_ = memory.append(
            session_id,
            NewMessage("user", "How is the deployment?", said_at=5),
            NewMessage("assistant", None, tool_calls=[{"name": "shell"}], said_at=6),
            NewMessage("tool", "all green", tool_name="shell", said_at=7),
        )
        last = answered(memory, session_id, "It runs.")
        (episode,) = every(store)
        assert (episode.first_message, episode.last_message, episode.said_at) == (first, last, 5)
        assert episode.ended_at > 7
        assert (episode.session_id, episode.source, episode.state) == (session_id, "telegram", "raw")
        assert episode.task == "atlas: How is the deployment?"
        with store.read() as connection:
            (said,) = episodes.texts(connection, [episode.id]).values()
            drawn = drawn_of(connection, episode)
        assert [(one.role, one.text) for one in said] == [
            ("user", "How is the deployment?"),
            ("assistant", "It runs."),
        ]
        assert [(row.message_id, row.role, row.words) for row in drawn] == [
            (first, "user", "deployment"),
            (last, "assistant", ""),
        ]

    def test_the_title_says_what_the_task_is_and_a_long_one_is_cut(self, store: Store) -> None:
        memory = Memory(store, "default")
        memory.begin(NewSession(id="titled", title="Plan of May", folder="C:\\work\\Atlas\\"))
        memory.begin(NewSession(id="long"))
        turn(memory, "titled", "go on", "yes")
        turn(memory, "long", "very\nlong " * 200, "yes")
        titled, long = every(store)
        assert titled.task == "Atlas: Plan of May"
        assert long.task is not None and len(long.task) <= 200 and "\n" not in long.task

    def test_the_answer_and_its_episode_are_kept_together_or_not_at_all(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        memory.append(session_id, NewMessage("user", "hello"))
        try:
            with store.write() as connection:
                messages.append(connection, store.engine, session_id, [NewMessage("assistant", "hi")])
                making.record(connection, store.engine, session_id, None)
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            pass
        assert every(store) == []
        with store.read() as connection:
            assert messages.count(connection) == 1

    def test_an_episode_goes_on_with_a_further_answer(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        turn(memory, session_id, "What of Atlas?", "Wait.")
        (before,) = every(store)
        last = answered(memory, session_id, "Here is what Deborah says.")
        (after,) = every(store)
        assert (after.id, after.last_message) == (before.id, last)
        assert after.ended_at > before.ended_at
        with store.read() as connection:
            assert len(drawn_of(connection, after)) == 3
            assert {"atlas", "deborah"} <= {thing.key for thing in of_item(connection, "episode", after.id)}

    def test_of_people_who_talk_each_message_is_an_episode(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        people = ("Ann", "Bob", "Ann")
        ids = memory.append(session_id, *(NewMessage("user", f"{name} speaks", speaker=name) for name in people))
        make_all(store)
        assert extents(store) == [(i, i) for i in ids]
        with store.read() as connection:
            rows = drawn_in(connection, session_id)
        assert [row.speaker for row in rows] == list(people)

    def test_episodes_are_what_the_rule_says(self, store: Store) -> None:
        tried = 0

        @given(st.lists(SAID, max_size=12))
        def agree(said: list[tuple[str, State, bool]]) -> None:
            nonlocal tried
            tried += 1
            with store.write() as connection:
                session_id = sessions.create(connection, NewSession())
                new = [NewMessage(role, "x", state=state, is_summary=flag) for role, state, flag in said]
                ids = messages.append(connection, store.engine, session_id, new)
            make_all(store)
            expected = expected_extents(ids, said)
            with store.read() as connection:
                owners = episodes.owner_ids(connection, ids)
            mine = [episode for episode in every(store) if episode.session_id == session_id]
            assert sorted((e.first_message, e.last_message) for e in mine) == expected
            first = {episode.id: episode.first_message for episode in mine}
            assert {i: first[owner] for i, owner in owners.items()} == expected_owners(ids, said)
            with store.write() as connection:
                removing.remove(connection, store.engine, removing.going(connection, [session_id]))

        agree()
        record("property.episodes.examples", tried)

    def test_a_turn_that_was_cut_off_gets_its_episode_with_the_next(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        (cut_off,) = memory.append(session_id, NewMessage("user", "one"))
        (second,) = memory.append(session_id, NewMessage("user", "two"))
        last = answered(memory, session_id, "yes")
        assert extents(store) == [(cut_off, cut_off), (second, last)]

    def test_a_turn_that_was_cut_off_gets_its_episode_when_the_session_ends(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        ids = memory.append(session_id, NewMessage("user", "one"), NewMessage("assistant", "half an ans"))
        memory.end(session_id, "agent_close")
        assert extents(store) == [(ids[0], ids[1])]

    def test_where_many_are_missing_a_turn_makes_its_own_and_leaves_the_rest_to_the_job(
        self, store: Store
    ) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        memory.append(session_id, *(NewMessage("user", f"old {n}") for n in range(30)))
        turn(memory, session_id, "new", "yes")
        assert [e.task is not None for e in every(store)] == [True]
        with store.read() as connection:
            assert [job.kind for job in jobs.recent(connection, 5)] == ["episodes"]
        make_all(store)
        assert len(every(store)) == 31

    def test_undoing_removes_the_episodes_and_what_was_derived_of_them(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        turn(memory, session_id, "keep Atlas", "fine")
        (kept,) = every(store)
        (second,) = memory.append(session_id, NewMessage("user", "Tell me of Xyzzyland, please, and Atlas."))
        answered(memory, session_id, "Xyzzyland is far away.")
        derive_vectors(store)
        memory.rewind(session_id, second)
        assert every(store) == [kept]
        assert set(rows_with(store, "xyzzyland")) == {"messages"}
        with store.read() as connection:
            assert [row.item for row in connection.execute(tables.vectors.select())] == [kept.id]
            assert len(drawn_in(connection, session_id)) == 2
        assert doctor.check(store).is_well

    def test_undoing_a_part_of_an_exchange_leaves_the_rest_of_it(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        (first,) = memory.append(session_id, NewMessage("user", "one of Atlas"))
        middle = answered(memory, session_id, "first")
        last = answered(memory, session_id, "second of Xyzzyland")
        memory.rewind(session_id, last)
        assert extents(store) == [(first, middle)]
        assert set(rows_with(store, "xyzzyland")) == {"messages"}

    def test_what_is_taken_back_and_given_again_is_an_episode_again(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        ids = memory.append(session_id, NewMessage("user", "one"), NewMessage("assistant", "two"))
        make_all(store)
        with store.write() as connection:
            messages.set_state(connection, store.engine, [ids[1]], "rewound")
        make_all(store)
        assert extents(store) == [(ids[0], ids[0])]
        with store.write() as connection:
            messages.set_state(connection, store.engine, [ids[1]], "live")
        make_all(store)
        assert extents(store) == [(ids[0], ids[1])]

    def test_compacting_the_window_changes_no_episode(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        turn(memory, session_id, "one", "two")
        turn(memory, session_id, "three", "four")
        before = every(store)
        memory.compact(session_id, before[0].last_message, NewMessage("user", "in short"))
        turn(memory, session_id, "five", "six")
        assert every(store)[:2] == before
        assert len(every(store)) == 3

    def test_a_deleted_session_leaves_no_word_in_any_table(self, store: Store) -> None:
        memory = Memory(store, "default")
        for name in ("gone", "stays"):
            memory.begin(NewSession(id=name))
        turn(memory, "stays", "We met Deborah in Berlin.", "I know.")
        turn(
            memory,
            "gone",
            'Xyzzy (Xyzzyland Corp) told Deborah of "Xyzzy One".',
            "Xyzzyland it is, at xyzzy.example.",
        )
        derive_vectors(store)
        assert {"messages", "episodes", "entities", "sketches"} <= set(rows_with(store, "xyzzy"))
        memory.delete(["gone"], cause="test")
        assert rows_with(store, "xyzzy") == {}
        with store.read() as connection:
            (kept,) = every(store)
            assert [row.item for row in connection.execute(tables.vectors.select())] == [kept.id]
            assert "deborah" in entities.resolve(connection, ["deborah"])
        assert doctor.check(store).is_well

    def test_neighbours_and_times_are_found(self, store: Store) -> None:
        memory = Memory(store, "default")
        for name in ("a", "b"):
            memory.begin(NewSession(id=name, source="cli" if name == "a" else "cron"))
            memory.append(name, *(NewMessage("user", str(n), said_at=n * 10) for n in range(1, 6)))
        make_all(store)
        one, two, three, four, five = (episode for episode in by_place(store) if episode.session_id == "a")
        with store.read() as connection:
            assert sorted(episodes.neighbour_ids(connection, [one.id, three.id])) == [two.id, four.id]
            assert episodes.neighbour_ids(connection, []) == []
            assert episodes.lone_ids(connection, [one.id, five.id]) == {one.id, five.id}
            places = episodes.places(connection, [one.id, four.id])
            assert places == {one.id: (0, 5, None), four.id: (3, 5, three.id)}
            latest = episodes.latest(connection, 2, before=50, hidden_sources=["cron"])
            assert latest == [four, three]
            assert {e.session_id for e in episodes.latest(connection, 9, without_session="a")} == {"b"}
            assert [e.said_at for e in episode_pages.page(connection, 3, since=20, until=40)] == [30, 30, 20]
            assert episodes.count_by_state(connection) == {"raw": 10}
            assert episodes.get(connection, five.id) == five
            assert episodes.get(connection, 10**9) is None

    def test_making_episodes_twice_makes_them_once(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        memory.append(session_id, *(NewMessage("user", f"say {n} to Atlas") for n in range(3)))
        make_all(store)
        before = every(store)
        make_all(store)
        with store.write() as connection:
            assert making.keep(connection, making.prepare(episodes.exchanges(connection, [1, 2, 3]), None)) == []
        assert every(store) == before

    def test_strange_text_is_remembered_like_any_other(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession(title="\udcff title", folder="/\udcff"))
        strange = ["NUL \x00 and \udcff", "A" * 100_000, '"' + "Name " * 5_000 + '"', "   ", "", "机器学习 🎉"]
        said = [NewMessage("user", one, speaker="\udcff\x00", said_at=-(10**15)) for one in strange]
        memory.append(session_id, *said, NewMessage("user", None))
        memory.append(session_id, NewMessage("user", "the end of time", said_at=253_402_300_799_000_000))
        make_all(store)
        assert len(every(store)) == len(strange) + 2
        with store.read() as connection:
            rows = drawn_in(connection, session_id)
        assert len(rows) == 5
        assert {row.speaker for row in rows} == {"\udcff\x00", None}

    def test_rebuilding_makes_the_same_sketches_and_links(self, store: Store) -> None:
        memory = Memory(store, "default")
        session_id = memory.begin(NewSession())
        turn(memory, session_id, "Ask Deborah about Atlas.", "I will.")
        (untouched,) = memory.append(session_id, NewMessage("user", "And about Berlin, she knows."))
        before = derived(store, session_id)
        with store.write() as connection:
            connection.execute(tables.sketches.delete())
            connection.execute(tables.entity_links.delete())
            connection.execute(insert(tables.entities), {"key": "stale", "name": "Stale", "kind": "name"})
        finish(doctor.rebuild(store))
        rows, things = derived(store, session_id)
        assert ([row for row in rows if row.message_id != untouched], things - {"berlin"}) == before
        assert len(every(store)) == 2, "what had no episode has one now"
        assert rows_with(store, "stale") == {}


def by_place(store: Store) -> list[Episode]:
    return sorted(every(store), key=lambda episode: episode.first_message)


def derived(store: Store, session_id: str) -> tuple[list[sketches.SketchRow], set[str]]:
    with store.read() as connection:
        return drawn_in(connection, session_id), {one.key for one in names(connection)}


def derive_vectors(store: Store) -> None:
    """Give each episode a vector and each message its passages, as an embedder would."""
    with store.write() as connection:
        values = {"name": "a model", "dimensions": 2, "made_at": 1}
        made = connection.execute(
            insert(tables.fingerprints).returning(tables.fingerprints.c.id), values
        ).scalar_one()
        for episode in episodes.latest(connection, 100):
            values = {"fingerprint_id": made, "kind": "episode", "item": episode.id, "vector": [0.5, 0.5]}
            connection.execute(insert(tables.vectors), values)
            for message in range(episode.first_message, episode.last_message + 1):
                passages = {"fingerprint_id": made, "message_id": message, "vectors": b"\1\2"}
                connection.execute(insert(tables.passages), passages)


def expected_owners(ids: Sequence[int], said: Sequence[tuple[str, State, bool]]) -> dict[int, int]:
    """Tell by the rule which message begins the exchange that each message belongs to."""
    owners: dict[int, int] = {}
    current: int | None = None
    for message, (role, state, is_summary) in zip(ids, said, strict=True):
        if role == "system" or state == "rewound" or is_summary:
            continue
        if role == "user":
            current = message
        if current is not None:
            owners[message] = current
    return owners


def expected_extents(ids: Sequence[int], said: Sequence[tuple[str, State, bool]]) -> list[tuple[int, int]]:
    owners = expected_owners(ids, said)
    firsts = sorted(set(owners.values()))
    return [(first, max(message for message, owner in owners.items() if owner == first)) for first in firsts]
