"""Hostile questions and hostile memories: nothing raises, and everything has an end."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.embedders.local import Local
from hermes_agent.memory import facts
from hermes_agent.memory.memory import Memory
from tests.recall import test_sqlite
from tests.recall.conversations import talk
from tests.recall.remembering import fill, people, read, recalled, texts

STRANGE = [
    "",
    " \n\t",
    "?",
    "the of and is it",
    "what did you tell me",
    "\x00",
    "kiln\x00bowl",
    "\ud800 kiln \udfff",
    "🙂🏳️‍🌈 ☃",
    "窯はどこにありますか",
    "أين الفرن؟",
    "где печь?",
    "' OR 1=1; DROP TABLE episodes; --",
    '" OR NEAR( * AND NOT kiln:^ {a b} -"',
    'kiln AND (bowl OR "',
    "%_\\",
    "(a+)+$ " + "a" * 5_000 + "!",
    "order " * 20_000,
    ", " * 50_000,
    "((((" * 50_000,
    "kiln " * 200_000,
    "\u202ekiln\u202c \u200b",
    "9" * 100_000,
    "99999999999 days ago",
    "31 February 0000",
    "What happened on 1 January 0001?",
    "What happened on 31 December 9999?",
]
"""Some are a megabyte."""


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    for memory in test_sqlite.opened(tmp_path_factory.mktemp("weeks")):
        fill(memory)
        facts.add(memory.store, "Rosalind lives in Porto.")
        read(memory, Local())
        yield memory


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A memory of nothing but strange texts, said by strange people."""
    for memory in test_sqlite.opened(tmp_path_factory.mktemp("strange")):
        talk(memory, "chat", *STRANGE)
        names = ["", " ", "(", "\\", "ſam", "\x00", "'s", "I", "a" * 10_000, "窯", "\ud800", ".*", "Ada|Ben"]
        said = [(names[place % len(names)], text[:20_000]) for place, text in enumerate(STRANGE)]
        people(memory, "friends", *said, day=2)
        read(memory, Local())
        yield memory


@pytest.mark.parametrize("said", STRANGE, ids=range(len(STRANGE)))
def test_a_strange_question_is_answered(weeks: Memory, said: str) -> None:
    for embedder in (Local(), None):
        found = recalled(weeks, said, embedder)
        assert (
            sum(hit.kind == "episode" for hit in found.hits) <= 10 and found.compared >= 20 and not found.troubles
        )
        assert all(0 <= hit.relevance <= 1 for hit in found.hits)


@pytest.mark.parametrize(
    "said", [*STRANGE, "What did sam say?", "Did Ada lose her kiln?"], ids=range(len(STRANGE) + 2)
)
def test_a_strange_memory_can_be_asked(strange: Memory, said: str) -> None:
    for embedder in (Local(), None):
        found = recalled(strange, said, embedder)
        assert found.hits and not found.troubles
        assert all(0 <= hit.relevance <= 1 and hit.text for hit in found.hits)


@pytest.mark.parametrize("said", ["", "the of and is it", "🙂"])
def test_a_question_of_no_words_is_not_sure_of_anything(weeks: Memory, said: str) -> None:
    assert all(hit.relevance < 0.65 for hit in recalled(weeks, said, Local()).hits)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("窯は庭にあります。", "窯はどこ？"),
        ("الفرن في الحديقة", "أين الفرن؟"),
        ("Печь стоит во дворе.", "Где печь?"),
        ("Der Ofen steht im Hof.", "Wo steht der Ofen?"),
        ("भट्ठी आँगन में है", "भट्ठी कहाँ है"),
    ],
)
def test_other_scripts_and_languages_are_found_by_their_words(weeks: Memory, text: str, said: str) -> None:
    session = f"session of {text}"
    talk(weeks, session, text, day=50)
    assert texts(recalled(weeks, said))[0] == text
    read(weeks, Local())
    for embedder in (Local(), None):
        assert text in texts(recalled(weeks, said, embedder))[:3]


ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=120)
SYNTAX = st.lists(
    st.sampled_from(["kiln", '"', "OR", "NEAR(", "*", ")", "AND", "NOT", ":", "^", "'", "--", "Deb's"])
)


@given(ANY_TEXT | SYNTAX.map(" ".join))
def test_anything_can_be_asked(weeks: Memory, said: str) -> None:
    found = recalled(weeks, said)
    assert found.compared >= 20 and not found.troubles
