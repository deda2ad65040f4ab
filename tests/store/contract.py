"""What every engine must do: one class of tests, inherited once for SQLite and once for PostgreSQL.

What it must do with sessions is in `session_contract`.
"""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent import clock
from hermes_agent.errors import StoreError
from hermes_agent.ops import doctor
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import Message, NewMessage, NewSession
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import jobs, journal, messages, sessions
from hermes_agent.store.store import Store
from hermes_agent.store.text_index import Candidates, Order
from hermes_agent.text.query import Term
from tests.counts import count, record
from tests.store.talk import Open, found, say

ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)


class StoreContract:
    """Tests of a store; `store` is a new one, `open_store(profile)` opens another in the same place."""

    def test_a_message_comes_back_as_it_was_given(self, store: Store) -> None:
        new = NewMessage(
            "assistant",
            "line one\nline two \x00 \udcff 机器",
            said_at=1_700_000_000_123_456,
            tool_calls=[{"name": "shell", "arguments": {"b": 1, "a": [None, 1.5, "ü"]}}],
            tool_call_id="c1",
            tool_name="shell",
            token_count=12,
            finish_reason="stop",
            reasoning="because",
            model="m",
            sent="as sent",
            attachments=[{"path": "a.png"}],
            metadata={"k": {"n": 2**70}},
        )
        with store.write() as connection:
            session_id = sessions.create(connection, NewSession())
            (message_id,) = messages.append(connection, store.engine, session_id, [new])
        with store.read() as connection:
            kept = messages.get(connection, message_id)
        assert isinstance(kept, Message)
        for name in ("role", "content", "said_at", "tool_calls", "tool_call_id", "tool_name", "token_count"):
            assert getattr(kept, name) == getattr(new, name)
        assert (kept.reasoning, kept.model, kept.sent, kept.finish_reason) == ("because", "m", "as sent", "stop")
        assert kept.attachments == [{"path": "a.png"}]
        assert kept.metadata == {"k": {"n": 2**70}}
        assert kept.source_class == "assistant"

    def test_any_string_round_trips_as_a_message(self, store: Store) -> None:
        tried = 0

        @given(ANY_STRING)
        def round_trip(content: str) -> None:
            nonlocal tried
            tried += 1
            (message_id,) = say(store, content, session="s")
            with store.read() as connection:
                kept = messages.get(connection, message_id)
            assert kept is not None and kept.content == content

        round_trip()
        record("property.message.examples", tried)

    def test_any_string_is_a_legal_query(self, store: Store) -> None:
        say(store, "hello world", "机器学习", "chat-send getUserById")
        tried = 0

        @given(ANY_STRING, st.sampled_from(["best", "newest", "oldest"]))
        def query(typed: str, order: Order) -> None:
            nonlocal tried
            tried += 1
            found(store, typed, order)

        query()
        record("property.query.examples", tried)

    def test_appending_raises_the_counts(self, store: Store) -> None:
        with store.write() as connection:
            session_id = sessions.create(connection, NewSession(started_at=1))
            messages.append(
                connection,
                store.engine,
                session_id,
                [
                    NewMessage("user", "q", said_at=5),
                    NewMessage("assistant", None, said_at=6, tool_calls=[{"id": 1}, {"id": 2}]),
                    NewMessage("tool", "out", said_at=7, tool_name="shell", tool_calls=[{"id": 9}]),
                ],
            )
            session = sessions.require(connection, session_id)
        assert (session.message_count, session.tool_call_count, session.last_active_at) == (3, 2, 7)

    def test_a_batch_is_kept_whole_or_not_at_all(self, store: Store) -> None:
        (first,) = say(store, "kept", session="s")
        with store.read() as connection:
            kept = messages.get(connection, first)
        assert kept is not None
        with pytest.raises(StoreError), store.write() as connection:
            doubled = [NewMessage("user", "new"), NewMessage("user", "again", uid=kept.uid)]
            messages.append(connection, store.engine, "s", doubled)
        assert found(store, "new") == []
        with store.read() as connection:
            assert sessions.require(connection, "s").message_count == 1

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("docker", [1, 2, 4]),
            ("docker deployment", [1, 4]),
            ('"docker deployment"', [1]),
            ("docker OR kubernetes", [1, 2, 3, 4]),
            ("docker NOT deployment", [2]),
            ("dep*", [1, 4]),
            ("DOCKER", [1, 2, 4]),
            ("docker AND OR kubernetes", [1, 2, 3, 4]),
            ("chat-send", [5]),
            ("P2.2", [5]),
            ("it's", [6]),
            ("cafe", [6]),
            ("café", [6]),
            ("机器", [7]),
            ("学习", [7]),
            ("习", [7]),
            ("Agent通信", [7]),
            ("agent", [7]),
            ("🎉", [6]),
            ("국어", [8]),
            ("missing", []),
            ("docker NOT missing", [1, 2, 4]),
            ("deployment docker NOT staging", [4]),
        ],
    )
    def test_queries_match_the_same_messages_on_every_engine(
        self, store: Store, query: str, expected: list[int]
    ) -> None:
        texts = (
            "the docker deployment to staging",
            "docker works",
            "kubernetes instead",
            "a deployment without docker compose",
            "run chat-send for P2.2 please",
            "it's the Café 🎉 party",
            "机器学习 Agent通信",
            "한국어로 말하다",
        )
        ids = say(store, *texts)
        assert sorted(found(store, query)) == [ids[n - 1] for n in expected]

    def test_the_better_match_comes_first(self, store: Store) -> None:
        ids = say(store, "apple " + "filler " * 80, "apple apple pie", "apple banana", "cherry " * 3)
        assert found(store, "apple OR banana")[0] == ids[2]
        assert found(store, "apple")[0] == ids[1]
        assert found(store, "apple")[-1] == ids[0]

    def test_candidates_are_those_of_the_rarest_words_and_what_holds_them_with_a_common_one(
        self, store: Store
    ) -> None:
        said = (
            [f"kiln {n}" for n in range(6)] + [f"yard {n}" for n in range(9)] + ["harbour kiln yard", "sea"] * 12
        )
        ids = say(store, *said)
        kiln, yard, nothing = Term(("kiln",)), Term(("yard",)), Term(("xyzzy",))

        def ask(*terms: Term, limit: int = 4) -> Candidates:
            return store.engine.text.candidates(connection, "talk", terms, limit, postings=8)

        with store.read() as connection:
            found = ask(Term(("sea",)), kiln, yard, nothing)
            assert list(found.frequencies) == [12, 18, 21, 0]
            assert found.total == max(ids)
            assert found.best and {match.id for match in found.best} <= {
                ids[n] for n, text in enumerate(said) if "sea" in text
            }
            assert all(said[ids.index(match.id)] == "harbour kiln yard" for match in ask(yard, kiln).best[:2])
            assert ask(kiln, limit=100).best
            assert ask().best == ask(nothing).best == ()
            assert store.engine.text.candidates(connection, "facts", [kiln], 4).total == 0

    def test_matches_can_be_ordered_by_when_they_were_said(self, store: Store) -> None:
        with store.write() as connection:
            session_id = sessions.create(connection, NewSession())
            said = [NewMessage("user", "plan", said_at=moment) for moment in (30, 10, 20)]
            ids = messages.append(connection, store.engine, session_id, said)
        assert found(store, "plan", "newest") == [ids[0], ids[2], ids[1]]
        assert found(store, "plan", "oldest") == [ids[1], ids[2], ids[0]]
        assert found(store, "plan OR nothing", "newest", limit=1) == [ids[0]]

    def test_a_rewound_message_leaves_the_index_and_a_compacted_one_stays(self, store: Store) -> None:
        ids = say(store, "alpha one", "alpha two", "alpha three")
        with store.write() as connection:
            messages.set_state(connection, store.engine, [ids[0]], "rewound")
            messages.set_state(connection, store.engine, [ids[1]], "compacted")
        assert sorted(found(store, "alpha")) == ids[1:]
        with store.write() as connection:
            messages.set_state(connection, store.engine, [ids[0]], "live")
        assert sorted(found(store, "alpha")) == ids
        assert doctor.check(store).is_well

    def test_part_of_an_identifier_is_found_by_its_trigrams(self, store: Store) -> None:
        ids = say(store, "call getUserById(42)", "see simulate.p2.test.ts", "ordinary words only")
        with store.read() as connection:
            match = store.engine.text.match_fragment
            assert match(connection, "UserBy", 10) == [ids[0]]
            assert match(connection, "p2.test", 10) == [ids[1]]
            assert match(connection, "nary", 10) == []

    def test_a_very_long_text_is_kept_whole_and_marked_as_cut(self, store: Store) -> None:
        text = "word " * 20_000 + "tail"
        (message_id,) = say(store, text)
        with store.read() as connection:
            kept = messages.get(connection, message_id)
        assert kept is not None and kept.content == text and kept.is_cut
        assert found(store, "word") == [message_id]
        assert found(store, "tail") == []

    def test_jobs_are_claimed_once_and_retried_with_backoff(self, store: Store) -> None:
        with store.write() as connection:
            first = jobs.add(connection, "work", "key", {"n": 1})
            assert jobs.add(connection, "work", "key") == first
            job = jobs.claim(connection, "a", 60)
            assert job is not None and (job.id, job.attempts, dict(job.payload)) == (first, 1, {"n": 1})
            assert jobs.claim(connection, "b", 60) is None
            again = jobs.add(connection, "work", "key")
            assert again != first
            assert jobs.claim(connection, "b", 60) is None, "two with one key never run at a time"
            jobs.finish(connection, job, "done")
            second = jobs.claim(connection, "b", 60)
            assert second is not None and second.id == again
            jobs.postpone(connection, second, "boom")
            waiting = jobs.get(connection, again)
        assert waiting is not None and waiting.reason == "boom"
        assert waiting.state == "waiting" and waiting.due_at > clock.now()

    def test_a_job_whose_worker_died_is_taken_over(self, store: Store) -> None:
        with store.write() as connection:
            job_id = jobs.add(connection, "work", "key", max_attempts=2)
            assert jobs.claim(connection, "a", -1) is not None
            taken = jobs.claim(connection, "b", -1)
            assert taken is not None and (taken.id, taken.attempts) == (job_id, 2)
            assert taken.reason == "The worker stopped before it was done."
            assert jobs.claim(connection, "c", 60) is None
            dead = jobs.get(connection, job_id)
        assert dead is not None and dead.state == "failed"

    def test_many_workers_take_each_job_once(self, store: Store) -> None:
        number = count(20, 200)
        with store.write() as connection:
            for i in range(number):
                jobs.add(connection, "work", f"key {i}")
        taken: list[int] = []

        def work(name: str) -> None:
            while True:
                with store.write() as connection:
                    job = jobs.claim(connection, name, 60)
                if job is None:
                    return
                taken.append(job.id)

        threads = [threading.Thread(target=work, args=(f"w{i}",)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(taken) == len(set(taken)) == number

    def test_the_journal_keeps_before_and_after(self, store: Store) -> None:
        with store.write() as connection:
            journal.write(connection, NewEntry("session.renamed", "s", "text", before="a", after={"b": 1}))
            journal.write(connection, NewEntry("job.failed", "job:1", "text"))
            (entry,) = journal.recent(connection, 10, kind="session")
            assert (entry.before, entry.after, entry.actor) == ("a", {"b": 1}, "owner")
            assert [e.kind for e in journal.recent(connection, 10)] == ["job.failed", "session.renamed"]

    def test_a_missing_or_stale_index_entry_is_found_and_mended(self, store: Store) -> None:
        ids = say(store, "one two", "two three")
        with store.write() as connection:
            store.engine.text.remove(connection, [ids[0]])
        checked = doctor.check(store)
        assert checked.problems == ("1 texts are missing from the text index",)
        finish(doctor.rebuild(store))
        assert doctor.check(store).is_well
        assert sorted(found(store, "two")) == ids

    def test_an_index_entry_without_a_message_is_found(self, store: Store) -> None:
        (message_id,) = say(store, "call getUserById")
        with store.write() as connection:
            connection.exec_driver_sql(f"DELETE FROM messages WHERE id = {message_id}")
        assert doctor.check(store).problems == ("2 entries of the text index have no text",)
        finish(doctor.rebuild(store))
        assert doctor.check(store).is_well

    def test_two_profiles_never_see_each_others_rows(self, open_store: Open) -> None:
        one, two = open_store("one"), open_store("two")
        tried = 0

        @given(st.lists(st.sampled_from(["alpha", "beta", "gamma", "机器"]), min_size=1, max_size=6))
        def separate(words: list[str]) -> None:
            nonlocal tried
            tried += 1
            say(one, " ".join(words), session="s")
            assert found(two, " OR ".join(words)) == []

        separate()
        with two.read() as connection:
            assert messages.count(connection) == 0
            assert sessions.every_id(connection) == []
        record("property.profiles.examples", tried)

    def test_vacuum_keeps_everything(self, store: Store) -> None:
        ids = say(store, "keep this", "and this")
        doctor.vacuum(store)
        assert sorted(found(store, "this")) == ids
