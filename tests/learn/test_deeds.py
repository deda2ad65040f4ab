"""How what somebody does, plans or wants reads in the third person: by a table."""

import pytest

from hermes_agent.learn.deeds import predicate


@pytest.mark.parametrize(
    ("attribute", "value", "wanted"),
    [
        ("work", "build sensor networks for harbours", "builds sensor networks for harbours"),
        ("work", "reviews our pull requests", "reviews our pull requests"),
        ("work", "carry letters", "carries letters"),
        ("schedule", "goes to swimming every Tuesday", "goes to swimming every Tuesday"),
        ("schedule", "at 9:45", "is at 9:45"),
        ("plan", "fly on Sunday", "plans to fly on Sunday"),
        ("plan", "plan a trip to Norway in June", "plans a trip to Norway in June"),
        ("plan", "expecting a baby in June", "is expecting a baby in June"),
        ("goal", "to pass the exam", "wants to pass the exam"),
        # No deed: it is worded as any other value.
        ("plan", "Trieste in August", ""),
        ("work", "nights", ""),
        ("role", "teaches chemistry", ""),
    ],
)
def test_a_deed_reads_as_a_sentence(attribute: str, value: str, wanted: str) -> None:
    assert predicate(attribute, value) == wanted


@pytest.mark.parametrize(
    ("attribute", "value", "wanted"),
    [
        ("work", "takes calls before ten", "does not take calls before ten"),
        ("schedule", "on Fridays", "is not on Fridays"),
        ("plan", "move in April", "does not plan to move in April"),
        ("plan", "moving in April", "is not moving in April"),
    ],
)
def test_what_is_denied_reads_so(attribute: str, value: str, wanted: str) -> None:
    assert predicate(attribute, value, is_not=True) == wanted
