"""The tables of the reader are well formed: sorted, without repetition, and every word of them is known."""

from importlib.resources import files

import pytest

from hermes_agent.learn.attributes import LEARNED, TABLE
from hermes_agent.text.verbs import lemma, listed

FLAGS = {"change", "ends", "food", "going", "denied", "now", "one", "rest", "whole", "kind", "was"}


def lines(name: str) -> list[str]:
    text = files("hermes_agent.learn").joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("name", ["forms.txt", "idioms.txt", "meanings.txt", "shorthand.txt"])
def test_a_table_is_sorted_and_says_nothing_twice(name: str) -> None:
    assert lines(name) == sorted(set(lines(name)))


def test_every_meaning_is_of_a_verb_and_has_a_known_attribute() -> None:
    for line in lines("meanings.txt"):
        phrase, _, told = line.partition(" = ")
        verb = phrase.split()[phrase.startswith(("can't ", "not "))]
        attribute = " ".join(word for word in told.split() if word not in FLAGS) or "kind"
        assert verb in listed(), line
        assert attribute in TABLE or attribute in LEARNED or attribute == "kind", line


@pytest.mark.parametrize(
    ("word", "form", "verb"),
    [
        ("studying", "ing", "study"),
        ("moving", "ing", "move"),
        ("running", "ing", "run"),
        ("tying", "ing", "tie"),
        ("moved", "past", "move"),
        ("planned", "done", "plan"),
        ("swum", "done", "swim"),
        ("watches", "third", "watch"),
        ("studies", "third", "study"),
        ("kitchen", "past", ""),
    ],
)
def test_a_form_leads_to_its_verb(word: str, form: str, verb: str) -> None:
    assert lemma(word, form) == verb
