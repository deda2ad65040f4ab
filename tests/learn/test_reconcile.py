"""What becomes of what is said beside what is known, as tables: known, said, outcome."""

import pytest

from hermes_agent.learn.candidates import candidates
from hermes_agent.learn.reconcile import reconcile
from hermes_agent.records.archive import SourceClass
from hermes_agent.records.learning import Candidate, Heard, Outcome
from hermes_agent.records.memory import Fact
from tests.learn.known import known_fact

LATER, EARLIER = 200, 50


def candidate(said: str, at: int = LATER, source: SourceClass = "user") -> Candidate:
    """Return the first thing that is stated."""
    found = list(candidates([Heard("new", said, at, source)]))
    assert found, f"nothing is stated: {said}"
    return found[0]


def known(said: str, *, at: int = 100, is_pinned: bool = False) -> list[Fact]:
    """Return what would be known after something was said."""
    return [
        known_fact(
            number,
            one.text,
            subject=one.subject,
            attribute=one.statement.attribute,
            value=one.statement.value,
            polarity=one.statement.polarity,
            said_at=at,
            learned_at=at,
            is_pinned=is_pinned,
        )
        for number, one in enumerate(candidates([Heard("old", said, at)]), 1)
    ]


def outcome_of(before: str, said: str, at: int = LATER) -> str:
    return _name(reconcile(candidate(said, at), known(before) if before else []))


def _name(outcome: Outcome) -> str:
    return type(outcome).__name__.lower()


@pytest.mark.parametrize(
    ("before", "said", "wanted"),
    [
        # repeats and rephrasings
        ("I live in Lyon.", "I live in Lyon.", "again"),
        ("I live in Lyon.", "I'm living in Lyon.", "again"),
        ("I like tea.", "I love tea.", "again"),
        ("My name is Ada.", "I'm called Ada.", "again"),
        ("I prefer dark mode.", "I prefer the dark mode.", "again"),
        ("Tomas Berg lives in Oslo.", "Tomas Holm lives in Lyon.", "new"),
        ("Tomas Berg lives in Oslo.", "Tomas lives in Lyon.", "instead"),
        ("I prefer tea.", "I do not like tea any more.", "over"),
        ("My name is Jonas.", "Actually it's Sabrina, not Sabine.", "passed"),
        ("My name is Sabine.", "it's Sabrina, not Sabine", "instead"),
        # one value at a time
        ("I live in Lyon.", "I moved to Oslo.", "instead"),
        ("I live in Lyon.", "Actually I live in Oslo.", "instead"),
        ("I work at Siemens.", "I work at Bosch now.", "instead"),
        ("My phone number is 555 1234.", "My phone number is 555 9876.", "instead"),
        ("My name is Ada.", "Sorry, my name is Eda.", "instead"),
        ("Staging runs on Ubuntu 22.04.", "Staging runs on Ubuntu 24.04.", "instead"),
        ("The demo is on 3 June.", "The demo has moved to 5 June.", "instead"),
        ("My email is ada@x.example.", "New email is eda@x.example.", "instead"),
        ("Our budget is 4,000 euros.", "The budget got cut to 3,000 euros.", "instead"),
        # many values
        ("I like tea.", "I like coffee.", "new"),
        ("I speak German.", "I speak French.", "new"),
        ("We use Python.", "We use PostgreSQL.", "new"),
        # replaced by name
        ("We use MySQL.", "We switched from MySQL to PostgreSQL.", "instead"),
        # turned round
        ("I like olives.", "I don't like olives.", "instead"),
        ("I don't like olives.", "I like olives.", "instead"),
        # over
        ("I use vim.", "I no longer use vim.", "over"),
        ("I use emacs.", "I no longer use vim.", "passed"),
        ("Never use bullet points.", "You can use bullet points again.", "over"),
        ("I play the violin.", "I gave up the violin.", "over"),
        # others
        ("I live in Lyon.", "My sister Ana lives in Oslo.", "new"),
        ("My sister Ana lives in Oslo.", "My sister lives in Bergen.", "instead"),
        ("My brother Tom lives in Oslo.", "My sister Ana lives in Bergen.", "new"),
        ("Tom likes tea.", "Tom likes tea.", "again"),
        # nothing known
        ("", "I live in Lyon.", "new"),
        ("", "Always answer in German.", "new"),
        ("", "We decided to use FastAPI.", "new"),
    ],
)
def test_what_is_said_meets_what_is_known(before: str, said: str, wanted: str) -> None:
    assert outcome_of(before, said) == wanted


def test_what_was_said_earlier_does_not_replace_what_was_said_later() -> None:
    assert outcome_of("I live in Lyon.", "I live in Oslo.", EARLIER) == "earlier"
    assert outcome_of("I use vim.", "I no longer use vim.", EARLIER) == "passed"


def test_what_the_owner_pinned_is_disputed_and_stays() -> None:
    pinned = known("I live in Lyon.", is_pinned=True)
    assert _name(reconcile(candidate("I moved to Oslo."), pinned)) == "disputed"
    assert _name(reconcile(candidate("I live in Lyon."), pinned)) == "again"


def test_an_untrusted_source_replaces_nothing_the_user_said() -> None:
    home = known("I live in Lyon.")
    assert _name(reconcile(candidate("I live in Oslo.", source="import"), home)) == "disputed"


def test_a_correction_without_its_slot_means_the_last_one() -> None:
    said = ["I live in Lyon.", "I like tea.", "No, I meant Oslo."]
    found = list(candidates([Heard(str(number), text, number) for number, text in enumerate(said)]))
    last = found[-1].statement
    assert (last.attribute, last.value, last.former) == ("home", "Oslo", "Lyon")


def test_in_talk_between_people_i_is_whoever_speaks() -> None:
    (found,) = candidates([Heard("1", "I live in Lyon.", 1, "user", "Gina")])
    assert (found.subject, found.text) == ("Gina", "Gina lives in Lyon")


@pytest.mark.parametrize(
    "said",
    [
        "If I lived in Rome I would eat better.",
        "Do I live in Lyon?",
        "Tom says he lives in Oslo, but who knows.",
        '"I live in Paris", sang the old man.',
        "I'm tired.",
        "lol I live in the office",
        "",
        "🙂",
    ],
)
def test_nothing_is_learned_of_what_states_nothing(said: str) -> None:
    assert list(candidates([Heard("1", said, 1)])) == []
