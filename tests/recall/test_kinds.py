"""Questions that name the kind, and messages that name the thing."""

from collections.abc import Iterator

import pytest

from hermes_agent.embedders.embedder import Embedder
from hermes_agent.embedders.local import Local
from hermes_agent.memory.memory import Memory
from hermes_agent.recall import kinds
from hermes_agent.recall.asking import Retrieval
from hermes_agent.recall.field import Field
from hermes_agent.text.kinds import asked_things
from tests.recall import test_sqlite
from tests.recall.fields import chat, row, talk
from tests.recall.remembering import fill, people, read, recalled, texts
from tests.recall.test_chats import signals as signals_of_chats
from tests.recall.test_people import signals as signals_of_people

INSTRUMENTS = asked_things("which instruments")


def test_a_message_that_names_a_thing_counts() -> None:
    field = chat("I tuned the cello.", "I mended the roof.", "Two violins came.", "")
    found = kinds.named(field, INSTRUMENTS)
    assert (found > 0).tolist() == [True, False, True, False]


def test_a_thing_named_everywhere_says_little() -> None:
    field = chat(*["the cello again"] * 9, "a new oboe")
    everywhere, once = kinds.named(field, INSTRUMENTS)[[0, 9]]
    assert 0 < everywhere < once <= 1


def test_without_a_kind_nothing_counts() -> None:
    assert not kinds.named(chat("I tuned the cello."), frozenset()).any()
    assert kinds.named(chat(), INSTRUMENTS).tolist() == []


def test_the_things_of_whom_is_asked_count() -> None:
    field = talk(("Ada", "I tuned the cello."), ("Ben", "I sold my oboe."))
    ada, ben = signals_of_people(field, "Which instruments does Ada play?")["kind"]
    assert ada > ben == 0
    assert signals_of_people(field, "Which instruments are played?")["kind"].all()
    assert signals_of_people(field, "Which instruments do Ada and Ben play?")["kind"].all()


def test_what_a_user_has_counts_and_what_an_assistant_lists_does_not() -> None:
    field = Field([row(1, "I bought a harp.", episode=1), row(2, "Or a lute?", episode=1, role="assistant")])
    user, assistant = signals_of_chats(field, "Which instruments do I own?")["kind"]
    assert user > assistant == 0


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """Some weeks of talk in which things are named, and never the kind they are of."""
    for opened in test_sqlite.opened(tmp_path_factory.mktemp("kinds")):
        fill(opened)
        people(
            opened,
            "shop",
            ("Arun", "Morning! The cello is back from the shop."),
            ("Gina", "Good. Mine never comes back that fast."),
            ("Arun", "I stayed up far too late again."),
            day=20,
        )
        people(
            opened,
            "week",
            ("Gina", "How was your week?"),
            ("Arun", "Quiet. I sold the oboe to a neighbour."),
            ("Gina", "I sold my trumpet as well."),
            day=22,
        )
        people(opened, "kitchen", ("Arun", "We had lasagna twice this week."), ("Gina", "Lucky you."), day=24)
        people(opened, "gecko", ("Gina", "Any news?"), ("Arun", "A gecko moved in with the whippet."), day=26)
        read(opened, Local())
        yield opened


INSTRUMENTS_OF_ARUN = {"Morning! The cello is back from the shop.", "Quiet. I sold the oboe to a neighbour."}


@pytest.mark.parametrize(
    ("said", "embedder", "answers"),
    [
        ("Which instruments does Arun have?", Local(), INSTRUMENTS_OF_ARUN),
        ("Which instruments does Arun have?", None, INSTRUMENTS_OF_ARUN),
        ("What food does Arun like?", None, {"We had lasagna twice this week."}),
        ("What did Arun eat?", None, {"We had lasagna twice this week."}),
        (
            "How many pets does Arun have?",
            None,
            {"I adopted a grey whippet called Juno from the shelter.", "A gecko moved in with the whippet."},
        ),
    ],
)
def test_all_things_of_the_kind_are_found_first(
    memory: Memory, said: str, embedder: Embedder | None, answers: set[str]
) -> None:
    found = texts(recalled(memory, said, embedder))
    assert set(found[: len(answers)]) == answers, found


@pytest.mark.parametrize("embedder", [Local(), None])
def test_of_somebody_unknown_nothing_is_relevant_by_its_kind_or_day(
    memory: Memory, embedder: Embedder | None
) -> None:
    least = Retrieval().min_relevance
    of_arun = recalled(memory, "Which instruments does Arun have?", embedder).hits[0]
    assert of_arun.relevance >= least
    for said in ("Which instruments does Zelda have?", "What did Zelda do on 22 April 2026?"):
        assert max(hit.relevance for hit in recalled(memory, said, embedder).hits) < least, said
