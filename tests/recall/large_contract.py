"""What recall promises of a memory too large to be compared whole: every pass brings what only it can find."""

from datetime import timedelta
from random import Random

import pytest

from hermes_agent.embedders.local import Local
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.passes import WHOLE
from tests.recall.conversations import DAY, FIRST_DAY, talk
from tests.recall.remembering import NOW, people, read, recalled, texts

_ABOUT = ("garden", "kitchen", "budget", "meeting", "report", "train", "printer", "window", "letter", "lamp")
_DONE = ("cleaned", "ordered", "moved", "repaired", "measured", "painted", "counted", "packed", "sold", "sorted")
_LIKE = ("slowly", "twice", "again", "together", "quietly", "early", "badly", "alone", "outside", "somehow")
_SESSIONS, _EXCHANGES = 60, 20
VIOLIN = "Yesterday I restrung my violin."


class LargeContract:
    """The fixture `shared_memory` is an empty memory of the engine, for the whole class."""

    @pytest.fixture(scope="class")
    @classmethod
    def large(cls, shared_memory: Memory) -> Memory:
        """More than a thousand exchanges of the same few words, and some that are like nothing else."""
        chance = Random(7)
        for day in range(_SESSIONS):
            words = ([chance.choice(some) for some in (_DONE, _ABOUT, _LIKE)] for _ in range(2 * _EXCHANGES))
            said = [
                f"I {done} the {about} {like}, as number {n} of {day}."
                for n, (done, about, like) in enumerate(words)
            ]
            talk(shared_memory, f"day {day}", *said, day=day)
        talk(shared_memory, "music", VIOLIN, "Which strings did you take?", day=3)
        talk(shared_memory, "names", "The keys are with Rosalind Hartmann.", "Good.", day=12)
        talk(shared_memory, "sea", "We were by the sea all day.", "Lovely.", day=75)
        question, answer = ("Ann", "Which instrument does your brother play?"), ("Bob", "The bassoon.")
        people(shared_memory, "people", ("Ann", "Hello."), question, answer, ("Ann", "Nice."), day=20)
        read(shared_memory, Local())
        return shared_memory

    @pytest.mark.parametrize(
        ("asked", "found_by", "wanted"),
        [
            ("What did I restring?", "keyword", VIOLIN),
            ("Which stringed musical instrument do I own?", "meaning", VIOLIN),
            ("Where is Rosalind Hartmann?", "entity", "The keys are with Rosalind Hartmann."),
            ("What did we do on 17 March 2026?", "time", "We were by the sea all day."),
            ("What does Bob's brother play?", "neighbour", "Nice."),
        ],
    )
    def test_each_pass_brings_what_it_is_for(self, large: Memory, asked: str, found_by: str, wanted: str) -> None:
        hits = {hit.text: hit for hit in recalled(large, asked, Local()).hits}
        assert found_by in hits[wanted].passes
        assert "whole" not in hits[wanted].passes

    def test_only_some_are_compared(self, large: Memory) -> None:
        common = recalled(large, "Who repaired the printer, counted the letters and sold the lamp?", Local())
        assert 0 < common.compared < WHOLE

    def test_a_short_time_is_looked_through_whole(self, large: Memory) -> None:
        since = FIRST_DAY + 75 * DAY
        assert texts(recalled(large, "xyzzy", since=since, until=since + DAY)) == [
            "We were by the sea all day.",
            "Lovely.",
        ]

    def test_what_was_said_last_is_always_compared(self, large: Memory) -> None:
        hits = recalled(large, "Who repaired the printer and counted the letters?", Local(), limit=WHOLE).hits
        assert "We were by the sea all day." in {hit.text for hit in hits if "recency" in hit.passes}

    def test_hidden_candidates_make_room_for_others(self, large: Memory) -> None:
        assert not [
            text for text in texts(recalled(large, "printer", hidden_sources=("cli",))) if "printer" in text
        ]
        early = recalled(large, "printer", as_of=FIRST_DAY + 2 * DAY)
        assert early.hits and all("printer" in hit.text for hit in early.hits[:5])

    def test_who_asks_for_a_day_gets_what_was_said_then(self, large: Memory) -> None:
        for embedder in (Local(), None):
            found = recalled(large, "What did we do on 17 March 2026?", embedder, now=NOW + timedelta(days=30))
            assert texts(found)[:2] == ["We were by the sea all day.", "Lovely."]
