"""When things are, and whose deadline it is, as the sentence of a fact."""

import pytest

from tests.learn.test_hearing import learned

WORDED: dict[str, list[str]] = {
    "The rehearsals are on Thursdays in the town hall": ["The rehearsals are on Thursdays in the town hall"],
    "Our lessons are on Mondays": ["The lessons are on Mondays"],
    "My bus is at 7:10": ["The bus is at 7:10"],
    "My pronouns are they/them": ["User's pronouns are they/them"],
    "My flight TP1234 is at 7:40": ["The flight TP1234 is at 7:40"],
    "My train ICE 597 leaves at 8:15": ["The train ICE 597 is at 8:15"],
    "The grant deadline is 31 July": ["The grant's deadline: 31 July"],
    "The project is going well. The deadline is 31 July": ["The project's deadline: 31 July"],
    "We're applying for the Horizon grant, the deadline is 31 July": ["Horizon grant's deadline: 31 July"],
    "The deadline for the grant is 31 July": ["The deadline for the grant is 31 July"],
    "My deadline is 31 July": ["User's deadline: 31 July"],
    "Our deadline is 31 July": ["User's team's deadline: 31 July"],
    "The deadline is 31 July": [],
    "My boss called. The deadline is 31 July": [],
}


@pytest.mark.parametrize(("said", "texts"), WORDED.items())
def test_a_time_is_told_of_the_thing_it_is_of(said: str, texts: list[str]) -> None:
    assert [one.text for one in learned(said)] == texts
