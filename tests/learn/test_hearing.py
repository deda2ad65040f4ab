"""What is learned of a message: many things at once, of people and things, and nothing of what is not meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.learn.candidates import candidates
from hermes_agent.learn.hearing import hear
from hermes_agent.records.learning import Candidate, Heard
from tests.learn.chats import CHATS
from tests.learn.heard import HEARD, UNHEARD
from tests.learn.innocents import INNOCENT
from tests.learn.letters import LETTERS
from tests.learn.office import OFFICE
from tests.learn.plain import PLAIN
from tests.learn.tales import TALES
from tests.learn.test_statements import ANY_STRING, WORDS


def learned(said: str) -> list[Candidate]:
    return list(candidates([Heard("1", said, 1)]))


def written(one: Candidate) -> str:
    polarity = "" if one.statement.polarity == "is" else f"{one.statement.polarity.removeprefix('is ')} "
    return f"{polarity}{one.subject}.{one.statement.attribute}={one.statement.value}"


PARTS = (HEARD, PLAIN, LETTERS, CHATS, OFFICE, TALES)
TABLES = {said: facts for part in PARTS for said, facts in part.items()}


def test_no_sentence_stands_in_two_tables() -> None:
    assert len(TABLES) == sum(map(len, PARTS))


@pytest.mark.parametrize(("said", "facts"), TABLES.items(), ids=list(TABLES))
def test_a_message_tells_several_things(said: str, facts: list[str]) -> None:
    assert [written(one) for one in learned(said)] == facts


@pytest.mark.parametrize("said", [*UNHEARD, *INNOCENT])
def test_what_is_not_meant_tells_nothing(said: str) -> None:
    assert [written(one) for one in learned(said)] == []


@given(st.data())
def test_a_sentence_that_is_cut_off_is_heard_without_a_crash(data: st.DataObject) -> None:
    said = data.draw(st.sampled_from([*TABLES, *UNHEARD, *INNOCENT]))
    place = data.draw(st.integers(0, len(said)))
    for part in (said[:place], said[place:]):
        assert all(0 <= one.start < one.end <= len(part) for one in hear(part))


@given(st.one_of(ANY_STRING, WORDS))
def test_every_fact_of_any_string_stands_in_it(said: str) -> None:
    plain = said.replace("’", "'").replace("‘", "'").casefold()
    for one in hear(said):
        assert 0 <= one.start < one.end <= len(said)
        assert one.value.strip()
        assert one.value.replace("’", "'").replace("‘", "'").casefold() in plain
