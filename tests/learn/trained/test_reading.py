"""What the rules and the trained reader read together, with the real weights."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hermes_agent.learn.candidates import read_by_rules
from hermes_agent.learn.trained.reading import NAME, read_trained
from hermes_agent.learn.trained.seeing import batches, look
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
    assert all(value not in one.statement.value.lower() for one in read_by_rules(part(text)).candidates)
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
        "Proofread this: vegan btw, and I live in Graz.",
        'Her profile reads "vegan btw, and I work as a vet in Leeds".',
        "my PIN is 4821",
        "the wifi password is bluebadger77",
        "lorem ipsum dolor sit amet " * 60 + "and I'm more of a tea person",
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
    assert all(one.statement.is_weak == (NAME in one.confidence_reason) for one in found)


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


def test_what_the_rules_read_of_other_languages_is_not_doubted() -> None:
    text = "Ich wohne in Leipzig und bin Krankenpfleger."
    assert {one.statement.value for one in read_by_rules(part(text)).candidates} <= {
        value for _, value in told(text)
    }


def test_nothing_and_much_is_read_without_harm() -> None:
    assert read("", " \n ", "🙂", "…") == []
    assert len(look(["word " * 400_000])[0].words) < 2_000


def test_one_long_word_does_not_make_the_short_ones_long() -> None:
    lengths = [*[3] * 2_047, 256]
    made = list(batches(lengths))
    assert sorted(place for batch in made for place in batch) == list(range(2_048))
    assert all(len(batch) * max(lengths[place] for place in batch) <= 2_048 for batch in made)
    assert len(look([*["ok"] * 300, "語" * 254])) == 301


ODD = ("Straße 6, ", "İ ", "\x00", "\x1b[31m", "Zu\u0308rich ", "\ud800", "ﬁ ", "» ", "語 ")


@settings(max_examples=count(20, 300))
@given(some.lists(some.sampled_from(ODD), max_size=4))
def test_every_fact_has_its_words_in_its_message(odd: list[str]) -> None:
    found = read("".join(odd) + ". I live in Oslo. I'm more of a tea person.")
    assert "Oslo" in {one.statement.value for one in found}
    for one in found:
        start, end = one.statement.start, one.statement.end
        assert 0 <= start < end <= len(one.heard.text)
        value, said = (
            " ".join(text.replace("’", "'").split()).casefold()
            for text in (one.statement.value, one.heard.text[start:end])
        )
        assert value in said
