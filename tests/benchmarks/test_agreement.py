"""What counts as found when learned facts are compared with labels: right facts, and above all wrong ones."""

from dataclasses import replace

import pytest

from benchmarks.agreement import Label, agrees, paired, states
from hermes_agent.records.learning import Candidate, Heard
from hermes_agent.records.statements import USER, Polarity, Statement, Who

TEXT = "my nan gets seasick in a bathtub. i moved from lagos to leeds on 14 october, i crochet and i hate cilantro"
WHOLE = (0, len(TEXT))


def learned(subject: str, attribute: str, value: str, polarity: str = "is") -> Candidate:
    who = USER if subject == "user" else Who("person", subject)
    polarities: dict[str, Polarity] = {"is": "is", "is not": "is not", "no longer": "no longer", "was": "was"}
    stated = Statement(who, attribute, value, *WHOLE, polarity=polarities[polarity])
    return Candidate(stated, subject, value, Heard("1", TEXT, 0), 0.9, "", None)


def label(subject: str, attribute: str, value: str, polarity: str = "is") -> Label:
    return Label(subject, attribute, value, TEXT, polarity)


# Ours, the label, whether it is stated, whether it agrees strictly.
TABLE = [
    (("user", "hobby", "crochet"), ("user", "hobby", "crochet"), True, True),
    (("user", "hobby", "crochet"), ("user", "skill", "crochet"), True, False),
    (("grandmother", "note", "gets seasick in a bathtub"), ("nan", "health", "seasick"), True, False),
    (("user", "note", "gets seasick in a bathtub"), ("nan", "health", "seasick"), False, False),
    (("user", "likes", "cilantro", "is not"), ("user", "dislikes", "cilantro"), True, True),
    (("user", "likes", "cilantro"), ("user", "dislikes", "cilantro"), False, False),
    (("user", "prefers", "cilantro"), ("user", "dislikes", "cilantro"), False, False),
    (("user", "home", "lagos"), ("user", "origin", "lagos"), False, True),
    (("user", "location", "leeds"), ("user", "home", "leeds"), True, True),
    (("user", "name", "leeds"), ("user", "home", "leeds"), False, False),
    (("user", "role", "nan"), ("user", "name", "nan"), False, False),
    (("user", "home", "lagos", "no longer"), ("user", "home", "lagos", "was"), True, False),
    (("user", "home", "lagos"), ("user", "home", "lagos", "was"), False, True),
    (("user", "home", "lagos"), ("user", "home", "lagos", "no longer"), False, False),
    (("user", "date", "4 october"), ("user", "plan", "14 october"), False, True),
    (("user", "plan", "moved to leeds on 14 october"), ("user", "date", "14 october"), True, True),
    (("user", "note", "in the house on the hill"), ("user", "note", "in the dark on the way"), False, True),
    (("user", "goal", "crochet"), ("user", "skill", "crochet"), False, False),
    (("user", "eats", "cilantro"), ("user", "allergy", "cilantro"), False, False),
    (("user", "eats", "cilantro", "is not"), ("user", "allergy", "cilantro"), True, False),
    (("user", "eats", "cilantro", "is not"), ("user", "likes", "cilantro"), False, False),
    (("dentist", "name", "lagos"), ("lagos", "role", "dentist"), True, False),
    (("dentist", "name", "lagos"), ("leeds", "role", "dentist"), False, False),
    (("user", "note", TEXT), ("user", "home", "leeds"), False, False),
]


@pytest.mark.parametrize(("ours", "theirs", "is_stated", "is_strict"), TABLE)
def test_wrong_facts_stay_wrong_whatever_their_attribute_is_called(
    ours: tuple[str, ...], theirs: tuple[str, ...], is_stated: bool, is_strict: bool
) -> None:
    assert states(learned(*ours), label(*theirs), TEXT) is is_stated
    assert agrees(learned(*ours), label(*theirs), TEXT) is is_strict


def test_a_fact_from_other_words_of_the_message_is_not_what_the_label_quotes() -> None:
    quoted = Label("user", "hobby", "crochet", "i crochet")
    one = learned("user", "hobby", "crochet")
    elsewhere = replace(one, statement=replace(one.statement, end=20))
    assert states(one, quoted, TEXT)
    assert not states(elsewhere, quoted, TEXT)


def test_one_long_fact_finds_one_label_only() -> None:
    one = learned("user", "note", "crochet, cilantro")
    labels = [label("user", "likes", "crochet"), label("user", "eats", "cilantro")]
    assert paired([one], labels, TEXT) == labels[:1]
