"""Where something is or is done, as a fact tells it: in a place, or in the words that say where."""

import pytest

from hermes_agent.learn.fact_text import fact_text
from hermes_agent.records.statements import Polarity, Statement, Who


@pytest.mark.parametrize(
    ("value", "polarity", "told"),
    [
        ("Oslo", "is", "The spare key is in Oslo"),
        ("under the blue pot", "is", "The spare key is under the blue pot"),
        ("in the shed", "is not", "The spare key is not in the shed"),
        ("Inverness", "is", "The spare key is in Inverness"),
        ("In-N-Out", "is not", "The spare key is not in In-N-Out"),
        ("Over Wallop", "is", "The spare key is in Over Wallop"),
        ("at Ana's", "was", "The spare key is at Ana's (formerly)"),
    ],
)
def test_a_place_that_says_where_needs_no_in(value: str, polarity: Polarity, told: str) -> None:
    stated = Statement(Who("thing", name="spare key"), "location", value, 0, 1, polarity=polarity)
    assert fact_text(stated) == told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("cook in Paris", "User works as a cook in Paris"),
        ("engineer at Siemens", "User works as an engineer at Siemens"),
        ("cook in the offices", "User works as a cook in the offices"),
        ("nurses in Oslo", "User works as nurses in Oslo"),
    ],
)
def test_a_job_has_its_article_whatever_its_town_is_called(value: str, told: str) -> None:
    assert fact_text(Statement(Who("user"), "role", value, 0, 1)) == told
