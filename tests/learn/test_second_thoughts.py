"""What is told after a second thought in the same breath."""

import pytest

from hermes_agent.learn.candidates import candidates
from hermes_agent.records.learning import Heard


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("I work at Siemens... no wait, at Bosch", "Bosch"),
        ("I work at Siemens. Wait, no: at Bosch.", "Bosch"),
        ("I live in Lyon, sorry, I mean Oslo.", "Oslo"),
        ("I live in Lyon - no, Oslo.", "Oslo"),
        ("My phone number is 555 1234, scratch that, 555 9876", "555 9876"),
        ("We use MySQL, I mean PostgreSQL", "PostgreSQL"),
        ("I like tea, no wait, coffee.", "coffee"),
        ("I live in Lyon... er, Oslo", "Oslo"),
        # No other value follows.
        ("Ich wohne in Lyon, er heißt Bruno.", "Lyon"),
        ("I live in Lyon. No, really.", "Lyon"),
        ("I live in Lyon, no kids.", "Lyon"),
        ("I live in Lyon. I mean it.", "Lyon"),
        ("I live in Lyon, no wait that was last year", "Lyon"),
    ],
)
def test_the_second_thought_counts(said: str, value: str) -> None:
    (found,) = candidates([Heard("1", said, 1)])
    assert found.statement.value == value
    assert value in said[found.statement.start : found.statement.end]


def test_many_marks_cost_no_time() -> None:
    assert list(candidates([Heard("1", "I live in Lyon" + " ." * 600 + " no" * 10, 1)])) != []
