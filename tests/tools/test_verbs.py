"""Making the list of verbs from WordNet's file of meanings."""

from tools import verbs

SENSES = """\
dog%1:05:00:: 02084071 1 42
dog%2:38:00:: 02001858 1 2
live%2:42:08:: 02649830 1 129
live%3:00:02:: 01422556 1 6
work%1:04:00:: 00575741 1 40
work%2:41:02:: 02413480 1 60
"""


def test_a_verb_is_of_the_class_it_was_met_in_most() -> None:
    found = verbs.classes(SENSES.splitlines())
    assert found["stative"] == ["live"]
    assert "work" in found["social or noun"]
    assert "dog" not in {word for words in found.values() for word in words}


def test_what_is_written_begins_with_the_licence() -> None:
    text = verbs.written({"motion": ["go", "run"]}, "Free.")
    assert text.splitlines()[2:] == ["# Free.", "motion", " go run"]
