"""Whom a value is about, read from the words that name them."""

import pytest

from hermes_agent.learn.trained.whom import Whom, whom
from hermes_agent.learn.trained.words import Word, pieces


def words(text: str) -> list[Word]:
    return [word for piece in pieces(text) for word in piece.words]


@pytest.mark.parametrize(
    ("text", "naming", "expected"),
    [
        ("my sister Ana is a nurse", "sister", Whom("person", "Ana", "sister")),
        ("my sister Ana is a nurse", "Ana", Whom("person", "Ana", "sister")),
        ("my mum's on warfarin", "mum's", Whom("person", None, "mum")),
        ("Tom hates olives", "Tom", Whom("person", "Tom")),
        ("the staging server is in Oslo", "staging server", Whom("thing", "staging server")),
    ],
)
def test_somebody_is_a_person_by_relation_or_name_or_a_thing(text: str, naming: str, expected: Whom) -> None:
    said = words(text)
    wanted = naming.split()
    first = next(
        place for place in range(len(said)) if [word.text for word in said[place:]][: len(wanted)] == wanted
    )
    last = first + len(wanted)
    before = said[first - 1] if first else None
    assert whom("other", said[first:last], before, said[last : last + 3]) == expected


def test_the_user_and_the_team_need_no_name() -> None:
    assert whom("user", (), None, ()) == Whom("user")
    assert whom("we", (), None, ()) == Whom("team")
