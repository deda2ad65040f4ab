"""Whom a value is about, read from the words that name them."""

import pytest

from hermes_agent.learn.trained.whom import Whom, whom
from hermes_agent.learn.trained.words import Word, pieces


def words(text: str) -> list[Word]:
    return [word for piece in pieces(text) for word in piece.words]


def of(text: str, naming: str) -> Whom | None:
    said = words(text)
    wanted = naming.split()
    texts = [word.text for word in said]
    begin = next(place for place in range(len(said)) if texts[place : place + len(wanted)] == wanted)
    return whom("other", said, begin, begin + len(wanted))


@pytest.mark.parametrize(
    ("text", "naming", "expected"),
    [
        ("my sister Ana is a nurse", "sister", Whom("person", "Ana", "sister")),
        ("my sister Ana is a nurse", "Ana", Whom("person", "Ana", "sister")),
        ("my sister Ana is a nurse", "sister Ana", Whom("person", "Ana", "sister")),
        ("my mum's on warfarin", "mum's", Whom("person", None, "mum")),
        ("Mother-in-law is on warfarin", "Mother", Whom("person", None, "mother-in-law")),
        ("my son-in-law Bo cooks", "son", Whom("person", "Bo", "son-in-law")),
        ("saw my sister Monday", "sister", Whom("person", None, "sister")),
        ("Tom hates olives", "Tom", Whom("person", "Tom")),
        ("the kids are 7 and 9", "kids", Whom("thing", "kids")),
        ("the staging server is in Oslo", "staging server", Whom("thing", "staging server")),
    ],
)
def test_somebody_is_a_person_by_relation_or_name_or_a_thing(text: str, naming: str, expected: Whom) -> None:
    assert of(text, naming) == expected


@pytest.mark.parametrize(
    ("text", "naming"),
    [
        ("Tom's sister is a nurse", "sister"),
        ("Tom's sister Ana is a nurse", "Ana"),
        ("her mum has diabetes", "mum"),
        ("She is a nurse", "She"),
    ],
)
def test_nobody_of_ours_is_nobody(text: str, naming: str) -> None:
    assert of(text, naming) is None


def test_the_user_and_the_team_need_no_name() -> None:
    assert whom("user", (), 0, 0) == Whom("user")
    assert whom("we", (), 0, 0) == Whom("team")
