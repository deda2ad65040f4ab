"""Finding on both engines, and clear questions put to some weeks of chats and talk."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy
import pytest

from hermes_agent.embedders.embedder import Embedder, Matrix
from hermes_agent.embedders.local import Local
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.asking import Retrieval
from hermes_agent.recall.hit import Hit
from tests.recall import test_postgres, test_sqlite
from tests.recall.conversations import DAY, FIRST_DAY, talk
from tests.recall.finding_contract import FindingContract
from tests.recall.remembering import fill, read, recalled, texts

OFF_TOPIC = "How tall is the Eiffel tower?"
QUESTIONS = [
    ("What did Rosalind give me for the balcony?", "My sister Rosalind gave me tomato seedlings"),
    ("What kind of plants did my sister bring?", "My sister Rosalind gave me tomato seedlings"),
    ("Which pots do I prefer?", "I'd prefer clay pots"),
    ("Which port does the staging server use?", "The staging server runs PostgreSQL on port 6432"),
    ("How much did I pay for the train to Vienna?", "I paid 184 euros"),
    (OFF_TOPIC, "Always answer me with metric units."),
    ("What did I have done last Tuesday?", "I had my wisdom tooth taken out"),
    ("What pool size did you tell me to set?", "Then set the pool size to twenty"),
    ("What motorcycle does Gina own?", "Nice, Deb! I have no patience for clay"),
    ("Which class did Deborah sign up for?", "Hey Gina, I signed up for a pottery class"),
    ("What broke at Deb's place?", "I'm glad. My kiln broke yesterday"),
    ("What pet did Arun adopt?", "I adopted a grey whippet"),
    ("Who mends kilns?", "Sorry, Deb. My cousin mends kilns"),
    ("What did Gina say about Deb's bowl?", "Thanks, Deb! The bowl you made"),
]


class TestSqlite(FindingContract):
    """Finding on SQLite."""

    @pytest.fixture
    def memory(self, tmp_path: Path) -> Iterator[Memory]:
        yield from test_sqlite.opened(tmp_path)


class TestPostgres(FindingContract):
    """Finding on PostgreSQL."""

    @pytest.fixture
    def memory(self) -> Iterator[Memory]:
        yield from test_postgres.opened()


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """Some weeks of chats and talk, read."""
    for memory in test_sqlite.opened(tmp_path_factory.mktemp("weeks")):
        fill(memory)
        read(memory, Local())
        yield memory


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """The same weeks among more episodes than are compared whole."""
    rooms = ("cellar", "attic", "stable", "chapel", "pantry", "laundry", "garage")
    for memory in test_sqlite.opened(tmp_path_factory.mktemp("months")):
        fill(memory)
        for place, room in enumerate(rooms):
            said = [line for n in range(160) for line in (f"Lamp {place}{n} of the {room} flickers.", "Noted.")]
            talk(memory, room, *said, day=1 + place)
        read(memory, Local())
        yield memory


@pytest.mark.parametrize("embedder", [Local(), None], ids=["meaning", "words"])
@pytest.mark.parametrize(("said", "answer"), QUESTIONS)
def test_the_right_message_is_first(weeks: Memory, said: str, answer: str, embedder: Embedder | None) -> None:
    found = recalled(weeks, said, embedder)
    assert found.hits[0].text.startswith(answer), texts(found)


@pytest.mark.parametrize("embedder", [Local(), None], ids=["meaning", "words"])
@pytest.mark.parametrize(("said", "answer"), [(said, answer) for said, answer in QUESTIONS if said != OFF_TOPIC])
def test_among_more_than_is_compared_whole_it_is_still_first(
    months: Memory, said: str, answer: str, embedder: Embedder | None
) -> None:
    found = recalled(months, said, embedder)
    assert found.hits[0].text.startswith(answer), texts(found)
    assert found.compared < 1_200, "not everything was compared"


def test_the_answer_to_a_question_of_the_user_is_among_the_first(weeks: Memory) -> None:
    found = texts(recalled(weeks, "Can you remind me which museum you recommended in Vienna?", Local()))
    assert any(text.startswith("I recommend the Albertina") for text in found[:3])


def test_who_speaks_is_told(weeks: Memory) -> None:
    assert recalled(weeks, "What pet did Arun adopt?", Local()).hits[0].who == "Arun"
    assert recalled(weeks, "What pool size did you tell me to set?", Local()).hits[0].who == "assistant"


@pytest.mark.parametrize("embedder", [Local(), None], ids=["meaning", "words"])
def test_what_memory_does_not_hold_is_not_relevant(weeks: Memory, embedder: Embedder | None) -> None:
    sure = recalled(weeks, "What did Rosalind give me for the balcony?", embedder).hits[0]
    unsure = recalled(weeks, "Who won the chess tournament in Reykjavik?", embedder).hits[0]
    assert unsure.relevance < 0.65 < sure.relevance


@pytest.mark.parametrize("embedder", [Local(), None], ids=["meaning", "words"])
@pytest.mark.parametrize(
    ("said", "session"),
    [
        ("What did I do last Tuesday?", "dentist"),
        ("What happened on 21 January?", "travel"),
        ("Anything on 24 February?", "dentist"),
        ("What did we talk about last week?", "dentist"),
    ],
)
def test_what_was_said_in_the_days_asked_for_is_relevant(
    weeks: Memory, said: str, session: str, embedder: Embedder | None
) -> None:
    best = recalled(weeks, said, embedder).hits[0]
    assert best.session_id == session
    assert best.relevance >= Retrieval().min_relevance


def test_a_thing_of_the_kind_asked_for_is_relevant(tmp_path: Path) -> None:
    for memory in test_sqlite.opened(tmp_path):
        talk(memory, "lessons", "I bought a cello and take lessons on Fridays.", "Nice.", day=2)
        for day in range(3, 9):
            talk(memory, f"day {day}", f"The tax return {day} is due in July.", "Noted.", day=day)
        read(memory, Local())
        best = recalled(memory, "Which instruments do I play?", Local()).hits[0]
        assert best.text.startswith("I bought a cello")
        assert best.relevance >= Retrieval().min_relevance


def test_what_only_asks_stands_behind_what_states(tmp_path: Path) -> None:
    for memory in test_sqlite.opened(tmp_path):
        talk(memory, "told", "I use Helix as my editor.", "Noted.", day=2)
        talk(memory, "asked", "Which editor do I use?", "You use Helix.", day=5)
        read(memory, Local())
        for embedder in (Local(), None):
            found = texts(recalled(memory, "Which editor do I use?", embedder))
            assert found.index("I use Helix as my editor.") < found.index("Which editor do I use?")


def test_loose_messages_are_found_among_many_episodes(months: Memory) -> None:
    talk(months, "fresh", "The zeppelin museum opens at nine.", day=57)
    found = recalled(months, "When does the zeppelin museum open?")
    assert found.hits[0].session_id == "fresh", texts(found)
    before = recalled(months, "When does the zeppelin museum open?", as_of=FIRST_DAY + 50 * DAY)
    assert not any("zeppelin" in text for text in texts(before))


class LiftedEmbedder:
    """Gives any two texts a cosine of 0.7 or more, as some models do; else it is as good as ours."""

    name, fingerprint = "lifted", "lifted/wordllama@1/257/plain"
    dimensions, batch_size, is_local = 257, 64, False

    def __init__(self) -> None:
        self._ours = Local()

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Lay the same long stretch before every vector."""
        rows = self._ours.embed(texts)
        alike = numpy.full((len(texts), 1), 0.7**0.5, numpy.float32)
        return numpy.hstack([alike, rows * numpy.float32(0.3**0.5)])

    def embed_query(self, text: str) -> Matrix:
        """Do the same with what is looked for."""
        row: Matrix = self.embed([text])[0]
        return row


def test_relevance_is_on_one_scale_for_every_embedder(tmp_path: Path) -> None:
    for memory in test_sqlite.opened(tmp_path):
        fill(memory)
        asked = [
            *(question for question, _ in QUESTIONS),
            "When is my flight to Reykjavik?",
            "Who won the election?",
        ]
        ours, other = ([best.relevance for best in answers] for answers in _best(memory, asked))
        assert other == pytest.approx(ours, abs=0.05)


def _best(memory: Memory, asked: Sequence[str]) -> Iterator[list[Hit]]:
    for embedder in (Local(), LiftedEmbedder()):
        read(memory, embedder)
        yield [recalled(memory, question, embedder).hits[0] for question in asked]
