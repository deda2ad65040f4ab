"""Values that cannot be of their attribute, and those that look odd and can: by a table."""

import pytest

from hermes_agent.learn.sense import makes_sense
from hermes_agent.records.statements import USER, Statement


@pytest.mark.parametrize(
    ("attribute", "value", "wanted"),
    [
        ("home", "end of January", False),
        ("home", "Seven Oaks", True),
        ("owns", "last Tuesday", False),
        ("owns", "two cats", True),
        ("collects", "three months", False),
        ("origin", "20% German", False),
        ("origin", "Germany", True),
        ("birthplace", "April", False),
        ("birthplace", "Dublin", True),
        ("uses", "socializing", False),
        ("uses", "Spring", True),
        ("uses", "Django", True),
        ("version", "December 15th", False),
        ("version", "2.4", True),
        ("name", "A1", False),
        ("date", "last Tuesday", True),
    ],
)
def test_a_value_is_one_of_its_attribute(attribute: str, value: str, wanted: bool) -> None:
    assert makes_sense(Statement(USER, attribute, value, 0, 1)) is wanted
