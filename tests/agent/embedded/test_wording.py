"""How words of the user are said back and quoted."""

import pytest

from hermes_agent.agent.embedded.evidence import Known
from hermes_agent.agent.embedded.quoting import quoted
from hermes_agent.agent.embedded.scene import Saying
from hermes_agent.agent.embedded.wording import ended, quote, turned
from hermes_agent.learn.statements import read_statements


@pytest.mark.parametrize("said", ["at 7am", "at 10 am", "from 6 a.m. to 9 AM"])
def test_an_hour_is_not_turned(said: str) -> None:
    assert turned(said) == said


def test_the_first_person_is_turned() -> None:
    assert turned("where I am with my 2 cats") == "where you are with your 2 cats"


def test_a_long_quotation_ends_with_an_ellipsis_and_no_full_stop() -> None:
    assert ended(f"You said {quote('word ' * 100)}").endswith("word” …")
    assert ended(f"You said {quote('a word')}") == "You said “a word”."


@pytest.mark.parametrize(
    ("said", "is_cut", "shown"),
    [
        ("I went out with my brother Ben yesterday", False, "“my brother Ben” …"),
        ("I love hiking but I hate running", False, "“I love hiking”."),
        ("My name is Ada. It rains.", False, "“My name is Ada”."),
        ("My favourite film is Alien", True, "“My favourite film is Alien” …"),
    ],
)
def test_a_quotation_cut_inside_a_clause_has_an_ellipsis(said: str, is_cut: bool, shown: str) -> None:
    known = Known(read_statements(said)[0], Saying(said, "now", is_cut=is_cut))
    assert quoted(known, "en") == f"Earlier in this conversation you said {shown}"
