"""Any text: entities come out bounded, each once, in time that grows with the text."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.entities import CANDIDATE_CAP, ENTITY_CAP, candidate_keys, entities
from hermes_agent.text.entity_aliases import aliases_in
from hermes_agent.text.entity_keys import KEY_CAP, entity_key

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=300)
PIECES = """
    Anna Schmidt of the van New York project Projekt Herr Das ist in @ada #x https:// . ! ( ) " “ ” ' ` ``` /
    a.b C:\\ ABC-1 v1.2 Python 3.12 aka call me I'm L'é İ ﬁ \u0308 𝔄 Ⅷ"""
MIXED = st.lists(st.sampled_from([*PIECES.split(), "\n", "\x00", "\ud800"]), max_size=40).map(" ".join)


@given(st.one_of(ANY_TEXT, MIXED))
def test_any_text_gives_entities_each_once(text: str) -> None:
    found = entities(text)
    keys = [entity_key(each.name) for each in found]
    assert len(keys) == len(set(keys)) <= ENTITY_CAP
    assert all(each.name for each in found)


@given(st.one_of(ANY_TEXT, MIXED))
def test_any_text_gives_candidates_and_aliases(text: str) -> None:
    keys = candidate_keys(text)
    assert len(keys) == len(set(keys)) <= CANDIDATE_CAP
    for alias, full in aliases_in(text):
        assert entity_key(alias) != entity_key(full)


@given(ANY_TEXT)
def test_a_key_is_its_own_key(name: str) -> None:
    key = entity_key(name)
    assert len(key) <= KEY_CAP
    assert entity_key(f"{name}’s") == key or name.rstrip() != name or not name[-1:].isalnum()


@pytest.mark.alone
@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "A",
        "A ",
        "Anna ",
        "a.",
        "a/",
        "a@",
        "@a",
        '"',
        "'",
        "“",
        "`",
        "```\n",
        "Ab (",
        "1.",
        "v1.",
        "-",
        "A-",
        " ",
    ]
    + ["https://", "A. ", "of ", "Anna of ", "Anna, our ", "call me ", "\n", "ä", "東", "a-b.", "~/", "Herr "],
)
def test_time_grows_with_the_text_and_not_faster(piece: str) -> None:
    times = [min(_seconds((piece * size)[:size]) for _ in range(3)) for size in (20_000, 80_000)]
    # Four times the text: a square would take sixteen times as long.
    assert times[1] < max(0.5, 10 * times[0])


def _seconds(text: str) -> float:
    started = process_time()
    entities(text)
    aliases_in(text)
    candidate_keys(text)
    return process_time() - started
