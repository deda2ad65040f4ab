"""What every engine must do with facts: one class of tests, inherited once for each engine."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.errors import NotFound, UsageError
from hermes_agent.memory import facts as verbs
from hermes_agent.memory import numbers
from hermes_agent.memory.facts import Added, KnownAlready
from hermes_agent.ops import doctor
from hermes_agent.ops.steps import finish
from hermes_agent.records.memory import Fact, Named, NamedThings, NewFact
from hermes_agent.store import entities, facts, jobs, journal, messages
from hermes_agent.store.store import Store
from hermes_agent.text.query import parse
from tests.store.named import of_item
from tests.store.talk import found as found_messages
from tests.store.talk import say


def added(store: Store, text: str) -> Fact:
    outcome = verbs.add(store, text)
    assert isinstance(outcome, Added)
    return outcome.fact


def found(store: Store, query: str) -> list[int]:
    with store.read() as connection:
        return [match.id for match in store.engine.text.match(connection, "facts", parse(query), 100, "best").best]


def learned(text: str, at: int) -> NewFact:
    return NewFact(text, "user", 0.9, "said once", said_at=1, learned_at=at)


class FactContract:
    """Tests of the facts of a store; `store` is a new one."""

    def test_what_the_owner_adds_is_certain_and_journalled(self, store: Store) -> None:
        fact = added(store, "  Atlas is built\n with Python 3.12  ")
        assert (fact.name, fact.text, fact.state) == ("fact:001", "Atlas is built with Python 3.12", "current")
        assert (fact.source_class, fact.confidence, fact.confidence_reason) == ("user", 1.0, "said by the owner")
        assert (fact.source_message, fact.span_start, fact.span_end, fact.ended_at) == (None, None, None, None)
        assert fact.said_at == fact.learned_at
        with store.read() as connection:
            (entry,) = journal.recent(connection, 5)
            assert [job.key for job in jobs.recent(connection, 5)] == ["embed"]
            assert "atlas" in {thing.key for thing in of_item(connection, "fact", fact.id)}
        assert (entry.uid, entry.kind, entry.subject) == (fact.source_entry, "fact.added", "fact:001")
        assert found(store, "python atlas") == [fact.id]

    def test_said_twice_it_is_one_fact_said_twice(self, store: Store) -> None:
        fact = added(store, "Café Müller opens at 9")
        again = verbs.add(store, "cafe  muller OPENS at 9")
        assert isinstance(again, KnownAlready)
        assert (again.fact.id, again.fact.corroborations) == (fact.id, 1)
        assert added(store, "Café Müller opens at 9 on Sundays").id != fact.id
        assert added(store, "Uses C++").id != added(store, "Uses C#").id
        assert isinstance(verbs.add(store, "uses c++"), KnownAlready)
        assert added(store, "?!") and isinstance(verbs.add(store, "?!"), KnownAlready)

    def test_two_who_add_it_at_once_add_one_fact(self, store: Store) -> None:
        with store.read():
            pass
        outcomes: list[Added | KnownAlready] = []

        def work() -> None:
            outcomes.append(verbs.add(store, "Atlas ships on Friday"))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Added", *["KnownAlready"] * 3]
        assert verbs.get(store, "1").corroborations == 3

    def test_a_deleted_fact_ends_and_is_not_known_any_more(self, store: Store) -> None:
        first, second = added(store, "one is true"), added(store, "two is true")
        gone = verbs.delete(store, "fact:001")
        assert (gone.id, gone.state, gone.text) == (first.id, "retracted", "one is true")
        assert [fact.id for fact in verbs.recent(store, 10)] == [second.id]
        assert [fact.id for fact in verbs.recent(store, 10, with_ended=True)] == [second.id, first.id]
        with store.read() as connection:
            entry = journal.recent(connection, 1)[0]
        was, now = {"state": "current", "ended_at": None}, {"state": "retracted", "ended_at": gone.ended_at}
        before, after = ({"text": "one is true", "records": {"fact:001": side}} for side in (was, now))
        assert (entry.kind, entry.before, entry.after) == ("fact.deleted", before, after), "only what changed"
        with pytest.raises(UsageError, match="not held to be true"):
            verbs.delete(store, "1")
        assert added(store, "one is true").id not in (first.id, second.id), "a number is never used again"

    def test_what_was_believed_at_a_moment_is_known(self, store: Store) -> None:
        with store.write() as connection:
            one = facts.add(connection, store.engine, learned("one", 10))
            two = facts.add(connection, store.engine, learned("two", 20))
            facts.end(connection, one.id, "superseded", 30)
            ada = NamedThings((Named("ada", "Ada", "person"),))
            entities.link(connection, "fact", {one.id: ada, two.id: ada})
            (named,) = entities.resolve(connection, ["ada"]).values()
            believed = {moment: facts.naming(connection, named, moment) for moment in (9, 10, 25, 30, None)}
        assert believed == {9: [], 10: [one.id], 25: [two.id, one.id], 30: [two.id], None: [two.id]}

    def test_facts_and_messages_of_the_same_number_are_apart_in_the_index(self, store: Store) -> None:
        fact = added(store, "wombats live in Atlas")
        (message,) = say(store, "wombats dig getUserById")
        assert fact.id == message == 1
        assert (found(store, "wombats"), found_messages(store, "wombats")) == ([1], [1])
        assert doctor.check(store).is_well
        with store.write() as connection:
            messages.set_state(connection, store.engine, [message], "rewound")
        assert (found(store, "wombats"), found_messages(store, "wombats")) == ([1], [])
        with store.write() as connection:
            store.engine.text.remove(connection, [fact.id], "facts")
        assert found(store, "wombats") == []
        assert doctor.check(store).problems == ("1 texts are missing from the text index",)
        finish(doctor.rebuild(store))
        assert doctor.check(store).is_well
        assert found(store, "wombats") == [fact.id]

    def test_facts_can_be_ordered_by_when_they_were_said(self, store: Store) -> None:
        with store.write() as connection:
            for moment in (30, 10, 20):
                facts.add(connection, store.engine, NewFact("plan", "user", 1.0, "so", said_at=moment))
            match = store.engine.text.match
            newest = [m.id for m in match(connection, "facts", parse("plan"), 9, "newest").best]
            oldest = [m.id for m in match(connection, "facts", parse("plan OR x"), 9, "oldest").best]
        assert (newest, oldest) == ([1, 3, 2], [2, 3, 1])

    def test_any_text_is_added_or_refused_in_words(self, store: Store) -> None:
        @given(st.text(st.characters(codec=None, exclude_categories=()), max_size=60))
        def try_it(text: str) -> None:
            try:
                outcome = verbs.add(store, text)
            except UsageError:
                return
            assert isinstance(verbs.add(store, text), KnownAlready)
            assert "\n" not in outcome.fact.text
            assert verbs.get(store, outcome.fact.name).text == outcome.fact.text

        try_it()

    @pytest.mark.parametrize("text", ["", " \n\t", "\x1b[2J", "x" * 2_001])
    def test_nothing_and_too_much_are_refused(self, store: Store, text: str) -> None:
        with pytest.raises(UsageError):
            verbs.add(store, text)
        assert verbs.recent(store, 10, with_ended=True) == []

    def test_a_text_of_one_word_over_and_over_is_found_again(self, store: Store) -> None:
        text = "ab " * 666
        added(store, text)
        assert isinstance(verbs.add(store, text), KnownAlready)

    def test_a_secret_is_taken_out_before_it_is_kept(self, store: Store) -> None:
        outcome = verbs.add(store, "The API key is sk-ant-api03-" + "Ab3dEf6hIj9k" * 7 + "-AAAAAAAA")
        assert isinstance(outcome, Added)
        assert outcome.redacted and "Ab3dEf6hIj9k" not in outcome.fact.text

    @pytest.mark.parametrize("typed", ["fact:007", "007", "7", "#7", "[fact:007]", " FACT:7 "])
    def test_a_number_is_read_as_people_write_it(self, store: Store, typed: str) -> None:
        assert numbers.read(typed, "fact") == 7

    @pytest.mark.parametrize(
        "typed", ["", "fact:", "x", "7x", "-7", "1.5", "٧", "9" * 40, "fact:7; DROP TABLE facts"]
    )
    def test_what_is_no_number_is_refused(self, store: Store, typed: str) -> None:
        with pytest.raises(UsageError, match="not the number of a fact"):
            verbs.get(store, typed)

    def test_a_fact_that_is_not_there_is_named(self, store: Store) -> None:
        with pytest.raises(NotFound, match="no fact:042"):
            verbs.delete(store, "42")
