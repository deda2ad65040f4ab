"""What finding promises on every engine: what is left out, what is found before any job ran, what comes once."""

from datetime import UTC, timedelta

import pytest

from hermes_agent.embedders.local import Local
from hermes_agent.memory import facts
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.asking import Retrieval
from hermes_agent.records.archive import NewMessage
from tests.hashed_embedder import HashedEmbedder
from tests.learning import learn
from tests.recall.conversations import DAY, FIRST_DAY, put, talk
from tests.recall.remembering import NOW, people, read, recalled, texts

KILN = "The kiln in the yard broke."
BOWL = "I painted the bowl blue."


class FindingContract:
    """The fixture `memory` is an empty memory of the engine."""

    def test_an_empty_memory_holds_nothing(self, memory: Memory) -> None:
        for embedder in (None, Local()):
            found = recalled(memory, "Where is the kiln?", embedder)
            assert (found.hits, found.troubles, found.compared) == ([], [], 0)

    def test_a_hit_says_whose_it_is_and_why(self, memory: Memory) -> None:
        ids = talk(memory, "yard", KILN, "Shall I look for a potter?", day=2)
        talk(memory, "bowls", BOWL, day=3)
        read(memory, Local())
        hit = recalled(memory, "What broke in the yard?", Local()).hits[0]
        assert (hit.kind, hit.message_id, hit.session_id, hit.who, hit.text) == (
            "episode",
            ids[0],
            "yard",
            "user",
            KILN,
        )
        assert (hit.source_class, hit.said_at // DAY) == ("user", FIRST_DAY // DAY + 2)
        assert {"keyword", "meaning", "recency", "whole"} <= set(hit.passes)
        assert hit.cosine is not None and 0 < hit.cosine <= 1.001 and 0 < hit.relevance < 1
        assert hit.score == pytest.approx(sum(hit.contributions.values()), abs=1e-3)

    def test_messages_without_an_episode_are_found_by_their_words(self, memory: Memory) -> None:
        talk(memory, "yard", KILN, day=2)
        read(memory)
        talk(memory, "bowls", BOWL, day=3)
        best = recalled(memory, "Which bowl did I paint?").hits[0]
        assert (best.text, best.passes) == (BOWL, ("keyword",))
        assert BOWL not in texts(recalled(memory, "bowl", without_session="bowls"))
        assert BOWL not in texts(recalled(memory, "bowl", as_of=FIRST_DAY + 2 * DAY))

    def test_what_was_taken_back_is_not_found_and_what_was_compacted_is(self, memory: Memory) -> None:
        ids = talk(memory, "yard", KILN, "Oh.", BOWL, "Nice.")
        put(memory, ids[:2], "compacted")
        put(memory, ids[2:], "rewound")
        for _ in range(2):  # before and after the job
            assert KILN in texts(recalled(memory, "What broke in the yard?"))
            assert BOWL not in texts(recalled(memory, "Which bowl did I paint?"))
            read(memory)

    def test_a_summary_is_not_what_somebody_said(self, memory: Memory) -> None:
        talk(memory, "yard", KILN, "Oh.", NewMessage("user", "They spoke of a kiln and a yard.", is_summary=True))
        for _ in range(2):
            assert texts(recalled(memory, "Where is the kiln of the yard?"))[0] == KILN
            assert "They spoke of a kiln and a yard." not in texts(recalled(memory, "kiln yard spoke"))
            read(memory)

    def test_the_present_session_is_left_out(self, memory: Memory) -> None:
        talk(memory, "yard", KILN)
        talk(memory, "here", "Is the kiln in the yard hot?")
        read(memory, Local())
        assert {hit.session_id for hit in recalled(memory, "kiln", Local()).hits} == {"yard", "here"}
        left = recalled(memory, "kiln", Local(), without_session="here").hits
        assert {hit.session_id for hit in left} == {"yard"}

    def test_what_left_the_window_of_the_present_session_is_found(self, memory: Memory) -> None:
        ids = talk(memory, "here", KILN, "Oh.", BOWL, "Nice.")
        put(memory, ids[:2], "compacted")
        for _ in range(2):  # before and after the job
            assert KILN in texts(recalled(memory, "What broke in the yard?", without_session="here"))
            assert BOWL not in texts(recalled(memory, "Which bowl did I paint?", without_session="here"))
            read(memory)

    def test_of_a_long_stretch_of_work_the_ends_are_compared_and_what_its_words_bring(
        self, memory: Memory
    ) -> None:
        steps = [NewMessage("assistant", f"Step {number} is done.") for number in range(60)]
        steps[30] = NewMessage("assistant", "The wombat module needed a lock.")
        talk(memory, "work", NewMessage("user", "Make the parser faster."), *steps)
        read(memory, Local())
        found = recalled(memory, "What did the wombat module need?", Local())
        assert texts(found)[0] == "The wombat module needed a lock."
        assert found.compared == 17

    def test_facts_are_not_crowded_out_by_talk_of_the_same(self, memory: Memory) -> None:
        facts.add(memory.store, "Rosalind is allergic to nuts")
        for day in range(30):
            talk(memory, f"day {day}", f"I baked nut cake number {day} for Rosalind.", "She loves nuts.", day=day)
        read(memory, Local())
        found = recalled(memory, "Can Rosalind eat nuts?", Local(), limit=10)
        assert "Rosalind is allergic to nuts" in texts(found)
        assert sum(hit.kind == "episode" for hit in found.hits) == 10

    def test_facts_that_ended_hide_none_that_holds(self, memory: Memory) -> None:
        for number in range(120):
            ended = facts.add(memory.store, f"Rosalind lives in town {number}")
            facts.delete(memory.store, str(ended.fact.id))
        held = facts.add(memory.store, "Rosalind lives in Porto")
        assert [hit.id for hit in recalled(memory, "Where does Rosalind live?").hits] == [held.fact.id]

    def test_days_counted_from_something_that_happened_are_looked_up(self, memory: Memory) -> None:
        talk(memory, "plan", "The Atlas release is on 20 February 2026.", "Good.", day=3)
        talk(memory, "early", "I bought a hammock.", "Nice.", day=20)
        talk(memory, "before", "I had the boiler mended.", "Good.", day=36)
        talk(memory, "late", "I planted a fig tree.", "Nice.", day=50)
        read(memory, Local())
        found = recalled(memory, "What did I do two weeks before the Atlas release?", Local())
        assert texts(found)[0] == "I had the boiler mended."

    def test_hidden_sources_are_left_out_by_every_pass(self, memory: Memory) -> None:
        talk(memory, "yard", KILN, source="subagent", day=59)
        talk(memory, "bowls", BOWL, day=3)
        for embedder in (None, None, Local()):  # at first without episodes
            shown = recalled(memory, "Which kiln broke on 1 March 2026?", embedder)
            hidden = recalled(memory, "Which kiln broke on 1 March 2026?", embedder, hidden_sources=("subagent",))
            assert KILN in texts(shown) and KILN not in texts(hidden)
            read(memory, Local())

    def test_hidden_episodes_do_not_take_the_place_of_others(self, memory: Memory) -> None:
        violin = "Rosalind restrung her violin."
        talk(memory, "music", violin, "Nice.", day=1)
        said = [line for n in range(110) for line in (f"Rosalind tuned violin {n} and its strings.", "Noted.")]
        talk(memory, "work", *said, source="subagent", day=59)
        read(memory, Local())
        question = "Which violin did Rosalind string on 1 January 2026 or on 2 January 2026?"
        for hidden, found_by in ((("subagent",), {"meaning", "entity"}), ((), set[str]())):
            hits = recalled(memory, question, Local(), limit=300, hidden_sources=hidden).hits
            passes = next(set(hit.passes) for hit in hits if hit.text == violin)
            assert passes & {"meaning", "entity"} == found_by

    def test_of_two_that_fit_alike_the_fresher_is_first(self, memory: Memory) -> None:
        talk(memory, "old", "I keep the spare key at Iris's.", "Noted.", day=0)
        talk(memory, "new", "I keep the spare key at Hugo's.", "Noted.", day=55)
        read(memory, Local())
        for embedder in (None, Local()):
            found = recalled(memory, "Where do I keep the spare key?", embedder)
            assert texts(found)[:2] == ["I keep the spare key at Hugo's.", "I keep the spare key at Iris's."]
            fresh = [hit.contributions["fresh"] for hit in found.hits[:2]]
            assert fresh[0] > fresh[1] > 0

    def test_words_of_an_untrusted_source_are_less_sure(self, memory: Memory) -> None:
        said_at = FIRST_DAY + 40 * DAY
        web = NewMessage("user", "The gate code is 7741 at number nine.", said_at=said_at, source_class="web")
        talk(memory, "page", web, "Noted.", day=40)
        talk(memory, "said", "The gate code is 2283 at number nine.", "Noted.", day=39)
        read(memory, Local())
        for embedder in (None, Local()):
            found = recalled(memory, "What is the gate code at number nine?", embedder)
            assert texts(found)[:2] == [
                "The gate code is 2283 at number nine.",
                "The gate code is 7741 at number nine.",
            ]
            assert found.hits[0].relevance > found.hits[1].relevance

    def test_as_of_a_moment_nothing_later_is_known(self, memory: Memory) -> None:
        talk(memory, "yard", KILN, day=2)
        talk(memory, "mended", "The kiln in the yard is mended.", day=8)
        read(memory, Local())
        then = recalled(memory, "How is the kiln in the yard?", Local(), as_of=FIRST_DAY + 5 * DAY)
        assert texts(then) == [KILN]
        assert len(recalled(memory, "How is the kiln in the yard?", Local()).hits) == 2

    def test_since_and_until_are_the_first_moment_and_the_one_after_the_last(self, memory: Memory) -> None:
        for day in (2, 4, 6):
            talk(memory, f"day {day}", f"The kiln has {day} cracks.", day=day)
        read(memory)
        at = {day: FIRST_DAY + day * DAY + 1_000_000 for day in (2, 4, 6)}
        between = recalled(memory, "cracks in the kiln", since=at[4], until=at[6])
        assert texts(between) == ["The kiln has 4 cracks."]
        assert len(recalled(memory, "cracks in the kiln", since=at[4]).hits) == 2

    def test_the_same_text_is_one_hit(self, memory: Memory) -> None:
        for day in range(3):
            talk(memory, f"day {day}", KILN, "Oh.", day=day)
        read(memory, Local())
        assert texts(recalled(memory, "What broke in the yard?", Local())).count(KILN) == 1

    def test_two_runs_are_equal(self, memory: Memory) -> None:
        for day in range(6):
            talk(memory, f"day {day}", f"The kiln has {day} cracks.", "Oh dear.", day=day)
        people(memory, "friends", ("Ada", KILN), ("Ben", BOWL), day=7)
        read(memory, Local())
        assert recalled(memory, "cracks in the kiln", Local()) == recalled(memory, "cracks in the kiln", Local())

    def test_a_limit_is_kept(self, memory: Memory) -> None:
        talk(memory, "yard", KILN, "Oh.", BOWL, "Nice.")
        read(memory)
        assert [len(recalled(memory, "kiln", limit=limit).hits) for limit in (0, 1, 3)] == [0, 1, 3]

    def test_facts_are_found_by_their_words_their_names_and_their_meaning(self, memory: Memory) -> None:
        facts.add(memory.store, "Rosalind lives in Porto.")
        facts.add(memory.store, "The router password hint is the street of the school.")
        read(memory, Local())
        by_name = recalled(memory, "What is new with Rosalind?", kinds=("fact",)).hits
        assert by_name[0].text == "Rosalind lives in Porto." and "entity" in by_name[0].passes
        by_words = recalled(memory, "router hint", kinds=("fact",)).hits
        assert [hit.who for hit in by_words] == ["fact"] and "keyword" in by_words[0].passes
        near = recalled(memory, "wifi credentials", Local(), kinds=("fact",)).hits
        assert near[0].text.startswith("The router") and near[0].passes == ("meaning",)
        assert "episode" not in {hit.kind for hit in near}

    def test_an_ended_fact_is_found_only_as_of_a_moment_before_its_end(self, memory: Memory) -> None:
        added = facts.add(memory.store, "Rosalind lives in Porto.").fact
        facts.delete(memory.store, added.name)
        question = "Where does Rosalind live?"
        assert recalled(memory, question).hits == []
        assert texts(recalled(memory, question, as_of=added.learned_at)) == [added.text]
        assert recalled(memory, question, as_of=added.learned_at - 1).hits == []

    @pytest.mark.parametrize(
        ("asked", "wanted"),
        [
            ("Where does Rosalind live?", ["Rosalind lives in Porto"]),
            ("Where did Rosalind live before?", ["Rosalind lives in Porto", "Rosalind lives in Bonn"]),
            ("Where did Rosalind live on 10 January?", ["Rosalind lives in Bonn", "Rosalind lives in Porto"]),
            ("Did Rosalind ever live in Bonn?", ["Rosalind lives in Bonn", "Rosalind lives in Porto"]),
            # Wrong is not former.
            ("Where did Rosalind live in February?", ["Rosalind lives in Porto"]),
        ],
    )
    def test_what_was_true_once_is_found_when_the_past_is_asked_for(
        self, memory: Memory, asked: str, wanted: list[str]
    ) -> None:
        wrong = facts.add(memory.store, "Rosalind lives in Rome").fact
        facts.delete(memory.store, wrong.name)
        talk(memory, "first", "Rosalind lives in Bonn.", day=3)
        talk(memory, "second", "Rosalind moved to Porto.", day=20)
        for session in ("first", "second"):
            learn(memory.store, session, zone=UTC)
        hits = recalled(memory, asked, kinds=("fact",)).hits
        assert [hit.text for hit in hits] == wanted
        ended = {hit.text: hit.valid_to for hit in hits}
        assert ended.get("Rosalind lives in Bonn", 0) is not None and ended["Rosalind lives in Porto"] is None

    def test_a_fact_of_the_kind_asked_for_is_relevant(self, memory: Memory) -> None:
        talk(memory, "music", "I play the cello.", day=3)
        learn(memory.store, "music", zone=UTC)
        (hit,) = recalled(memory, "Which instrument do I play?", kinds=("fact",)).hits
        assert hit.relevance >= Retrieval().min_relevance

    def test_a_former_fact_is_found_by_what_took_its_place(self, memory: Memory) -> None:
        talk(memory, "first", "We use MySQL.", day=3)
        talk(memory, "second", "We switched from MySQL to PostgreSQL.", day=20)
        for session in ("first", "second"):
            learn(memory.store, session, zone=UTC)
        former = texts(recalled(memory, "What was there before PostgreSQL?", kinds=("fact",)))
        current = texts(recalled(memory, "PostgreSQL", kinds=("fact",)))
        assert [text.split()[-1] for text in former] == ["PostgreSQL", "MySQL"]
        assert [text.split()[-1] for text in current] == ["PostgreSQL"]

    def test_chats_and_talk_between_people_are_both_found(self, memory: Memory) -> None:
        talk(memory, "yard", KILN, "Oh.")
        people(memory, "friends", ("Ada", "My kiln broke as well."), ("Ben", "Mine too."))
        read(memory, Local())
        found = recalled(memory, "Whose kiln broke?", Local())
        assert {KILN, "My kiln broke as well."} <= set(texts(found))
        assert {hit.who for hit in found.hits} >= {"user", "Ada"}
        assert found.compared == 4

    def test_old_vectors_are_read_until_the_new_are_made(self, memory: Memory) -> None:
        talk(memory, "yard", KILN)
        read(memory, Local())
        found = recalled(memory, "What broke?", HashedEmbedder())
        assert found.fingerprint == Local().fingerprint and texts(found) == [KILN]

    def test_an_embedder_that_is_down_is_told_and_words_still_find(self, memory: Memory) -> None:
        talk(memory, "yard", KILN)
        embedder = HashedEmbedder()
        read(memory, embedder)
        embedder.is_down = True
        found = recalled(memory, "What broke in the yard?", embedder)
        assert texts(found) == [KILN] and "does not answer" in found.troubles[0]

    def test_a_day_is_the_day_of_the_zone_that_asks(self, memory: Memory) -> None:
        talk(memory, "early", "The kiln was cold.", day=58)
        talk(memory, "late", "The kiln was warm.", day=54)
        read(memory)
        asked = "How was the kiln yesterday?"
        assert texts(recalled(memory, asked))[0] == "The kiln was cold."
        assert texts(recalled(memory, asked, now=NOW - timedelta(days=4)))[0] == "The kiln was warm."
