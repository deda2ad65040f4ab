"""What the rules and the trained reader read together, with the real weights."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hermes_agent.learn.candidates import read_by_rules
from hermes_agent.learn.trained.reading import NAME, read_trained
from hermes_agent.learn.trained.seeing import look
from hermes_agent.records.learning import Candidate, Heard, Part
from tests.counts import count


def part(*texts: str, speaker: str | None = None) -> Part:
    heard = [Heard(f"m{number}", text, 0, speaker=speaker) for number, text in enumerate(texts)]
    return Part(0, len(heard), heard)


def read(*texts: str) -> list[Candidate]:
    return list(read_trained(part(*texts)).candidates)


def told(*texts: str) -> set[tuple[str, str]]:
    return {(one.subject, one.statement.value) for one in read(*texts)}


@pytest.mark.parametrize(
    ("text", "subject", "value"),
    [
        ("vegan btw, any dinner ideas?", "user", "vegan"),
        ("on nights this month, what time should I sleep", "user", "nights"),
        ("I'm more of a tea person", "user", "tea"),
        ("the spare key lives under the blue pot", "key", "under the blue pot"),
        ("We're a four-person shop in Leeds, mostly Django.", "we", "django"),
    ],
)
def test_what_no_rule_has_words_for_is_read(text: str, subject: str, value: str) -> None:
    assert all(value not in one.statement.value for one in read_by_rules(part(text)).candidates)
    assert any(one.subject == subject and value in one.statement.value.lower() for one in read(text))


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of Australia?",
        "If I lived in Oslo I would ski all winter.",
        "Write me a limerick about a sailor who lives in Hull.",
        "ugh the train is late again",
        "> I live in Lyon\nWho wrote that?",
        "My neighbour said he works as a spy.",
    ],
)
def test_what_is_not_stated_is_not_read(text: str) -> None:
    assert read(text) == []


def test_the_rules_are_still_heard() -> None:
    assert {("user", "Oslo"), ("sister Ana", "Siemens")} <= told("I live in Oslo. My sister Ana works at Siemens.")


def test_facts_are_in_the_order_they_were_said_and_say_who_read_them() -> None:
    found = read("vegan btw, any dinner ideas?", "I live in Oslo.")
    assert [one.heard.uid for one in found] == sorted(one.heard.uid for one in found)
    assert any(NAME in one.confidence_reason for one in found)
    assert all(0.5 <= one.confidence <= 0.95 for one in found)


def test_the_same_words_give_the_same_facts_whatever_is_read_beside_them() -> None:
    text = "vegan btw, any dinner ideas?"
    alone = {(one.statement.attribute, one.statement.value, one.confidence) for one in read(text)}
    beside = {
        (one.statement.attribute, one.statement.value, one.confidence)
        for one in read(text, "I live in Oslo.", "word " * 300)
        if one.heard.uid == "m0"
    }
    assert alone == beside


def test_in_talk_between_people_the_rules_read_alone() -> None:
    talk = part("vegan btw, any dinner ideas?", speaker="Bo")
    assert read_trained(talk).candidates == read_by_rules(talk).candidates


def test_nothing_and_much_is_read_without_harm() -> None:
    assert read("", " \n ", "🙂", "…") == []
    assert len(look(["word " * 400_000])[0].words) < 2_000


@settings(max_examples=count(20, 300))
@given(some.lists(some.text(max_size=200), max_size=4))
def test_every_fact_has_its_words_in_its_message(texts: list[str]) -> None:
    for one in read(*texts):
        start, end = one.statement.start, one.statement.end
        assert 0 <= start < end <= len(one.heard.text)
        said = one.heard.text[start:end].replace("’", "'").casefold()
        assert " ".join(one.statement.value.split()).casefold() in " ".join(said.split())
