"""What is learned of sentences with many parts: joined clauses, appositions, brackets, events."""

import time

import pytest

from hermes_agent.learn.hearing import hear
from tests.learn.structured import STRUCTURED, UNSTRUCTURED
from tests.learn.test_hearing import learned, written


@pytest.mark.parametrize(("said", "facts"), STRUCTURED.items(), ids=list(STRUCTURED))
def test_every_part_of_a_sentence_tells_something(said: str, facts: list[str]) -> None:
    assert [written(one) for one in learned(said)] == facts


@pytest.mark.parametrize("said", UNSTRUCTURED)
def test_parts_that_tell_nothing(said: str) -> None:
    assert [written(one) for one in learned(said)] == []


@pytest.mark.parametrize(
    "part", ["my aunt (", "my son, whose ", "I hate it when ", "on 5 May at the ", "and to go "]
)
def test_a_long_message_is_read_at_once(part: str) -> None:
    began = time.perf_counter()
    hear(part * (100_000 // len(part)))
    hear((part * 200)[:1_400])
    assert time.perf_counter() - began < 2
