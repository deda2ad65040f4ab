"""The sketch of a message: its stems by passage, its marks, the names it calls, the days it speaks of."""

from array import array
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.marks import CAPITALS_AT, NAMES_AT, Mark, Sketch
from hermes_agent.text.passages import passages
from hermes_agent.text.sketch import sketch
from hermes_agent.text.stems import stem_numbers

DAY = date(2026, 3, 1)
"""A Sunday."""


def read(text: str, role: str = "user") -> Sketch:
    return sketch(text, role, DAY)


def stems(made: Sketch) -> list[int]:
    return list(array("I", made.stems))


def cuts(made: Sketch) -> list[int]:
    return list(array("H", made.cuts))


def days(made: Sketch) -> list[date]:
    return [date.fromordinal(number) for number in array("i", made.days)]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("The port is 6432.", Mark.NUMBER),
        ("A couple of friends came.", Mark.NUMBER),
        ("It's my kiln.", Mark.FIRST_PERSON),
        ("I’ve sold the kiln.", Mark.FIRST_PERSON),
        ("Is the kiln hot?", Mark.IS_QUESTION),
        ("Is the kiln hot? Tell me.", Mark.ASKS),
        ("We fired it last week.", Mark.TIME),
        ("She read “Emma”.", Mark.QUOTE),
        ("I'd prefer clay pots.", Mark.PREFERENCE),
        ("My favourite colour is blue.", Mark.PREFERENCE),
        ("I haven't been to Rome.", Mark.DENIAL),
        ("By the way, the kiln broke.", Mark.NEWS),
        ("I visited Rome.", Mark.PAST),
        ("We just sold the kiln.", Mark.PAST),
        ("Always answer with metric units.", Mark.INSTRUCTION),
        ("From now on, write short mails.", Mark.INSTRUCTION),
        ("Use tabs whenever I ask for code.", Mark.INSTRUCTION),
    ],
)
def test_cues_are_marked(text: str, mark: Mark) -> None:
    assert read(text).marks & mark
    assert not read("The kiln stands outside.").marks & mark


def test_what_an_assistant_says_is_no_preference_news_or_instruction() -> None:
    said = "By the way, I'd prefer clay. Always water it. I visited Rome and never came back."
    people = Mark.PREFERENCE | Mark.NEWS | Mark.INSTRUCTION | Mark.PAST | Mark.DENIAL
    assert read(said).marks & people
    assert not read(said, "assistant").marks & people


def test_a_question_inside_does_not_end_the_message() -> None:
    marks = read("Is it hot? Tell me.").marks
    assert marks & Mark.ASKS and not marks & Mark.IS_QUESTION


def test_a_long_text_is_no_instruction() -> None:
    assert not read("Always water it. " + "The kiln stands outside. " * 40).marks & Mark.INSTRUCTION


def test_names_are_counted_up_to_a_limit() -> None:
    def counted(text: str) -> tuple[int, int]:
        marks = read(text).marks
        return (marks >> CAPITALS_AT) & 3, (marks >> NAMES_AT) & 7

    assert counted("Rome is old.") == (0, 0), "the first word has a capital anyway"
    assert counted("we saw Rome and saw Rome") == (2, 1)
    assert counted("we saw Rome, Oslo, Bonn, Kyiv, Lima, Cusco, Turin") == (3, 4)


def test_stems_stand_in_order_and_are_cut_by_passage() -> None:
    text = "The kiln in the yard broke on a cold day, so nobody mended it. I bought a new one for the workshop."
    made = read(text)
    pieces = passages(text, "user")
    assert len(pieces) == len(cuts(made)) == 2
    assert stems(made) == stem_numbers(made.words.split())
    assert made.words.startswith("kiln yard broke cold day")
    first, whole = cuts(made)
    assert whole == len(stems(made))
    assert made.words.split()[first] == "bought"


def test_the_words_of_an_answer_are_kept_as_stems_only() -> None:
    made = read("Thanks, Deb! The kiln broke.", "assistant")
    assert made.words == "" and stems(made)


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("Thanks, Deb! The kiln broke.", "@deb"),
        ("hey Mel, how are you?", "@mel"),
        ("I know that, Gina.", "@gina"),
        ("Deb broke the kiln.", None),
        ("I met Gina yesterday", None),
    ],
)
def test_who_is_addressed_stands_after_the_words(text: str, called: str | None) -> None:
    assert [word for word in read(text).words.split() if word.startswith("@")] == ([called] if called else [])


def test_the_days_it_speaks_of_come_in_pairs() -> None:
    assert days(read("My kiln broke yesterday.")) == [date(2026, 2, 28)] * 2
    assert days(read("The kiln broke.")) == []


@pytest.mark.parametrize("text", ["", "the of and", "🙂", "\ud800", "\x00", "***", "a" * 100_000, "i " * 50_000])
def test_strange_texts_have_a_sketch(text: str) -> None:
    made = read(text)
    assert len(stems(made)) <= 2_000
    assert not cuts(made) or cuts(made)[-1] == len(stems(made))


ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=400)


@given(ANY_TEXT, st.sampled_from(["user", "assistant", "tool", ""]), st.dates(date(2, 1, 1), date(9997, 12, 31)))
def test_any_text_has_a_sketch_that_holds_together(text: str, role: str, said: date) -> None:
    made = sketch(text, role, said)
    assert cuts(made) == sorted(cuts(made))
    assert (cuts(made)[-1] if cuts(made) else 0) == len(stems(made))
    assert len(made.days) % 8 == 0 and 0 <= made.marks < 1 << 16
