"""Spellings of one thing share a key, different things do not; and what a text says is another name."""

import pytest

from hermes_agent.text.entity_aliases import SPEAKER, aliases_in
from hermes_agent.text.entity_keys import KEY_CAP, entity_key


@pytest.mark.parametrize(
    ("key", "spellings"),
    [
        (
            "atlas",
            [
                "Atlas",
                "ATLAS",
                "atlas's",
                "Atlas’s",
                "Project Atlas",
                "the Atlas project",
                "Projekt Atlas",
                " Atlas ",
            ],
        ),
        ("anna schmidt", ["Anna Schmidt", "anna-schmidt", "anna_schmidt", "Anna  Schmidt's"]),
        ("zoe", ["Zoë", "ZOË", "zoe", "Zoe\u0308"]),
        ("ada", ["@ada", "Ada"]),
        ("general", ["#general", "General"]),
        ("example com", ["example.com", "https://www.example.com/a?b", "http://user@EXAMPLE.com:80"]),
        ("c++", ["C++", "c++"]),
        ("c#", ["C#"]),
        ("james", ["James'", "James"]),
        ("project", ["project", "the project", "Project"]),
        ("東京", ["東京"]),
    ],
)
def test_spellings_of_one_thing_share_a_key(key: str, spellings: list[str]) -> None:
    assert {entity_key(spelling) for spelling in spellings} == {key}


def test_different_things_have_different_keys() -> None:
    names = ["C", "C++", "C#", "Ann", "Anna", "Atlas 2", "Atlas", "Python 3.12", "Python 3.11", "?", "!"]
    assert len({entity_key(name) for name in names}) == len(names)


def test_a_huge_name_has_a_short_key() -> None:
    assert len(entity_key("a" * 1_000_000)) == KEY_CAP


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deb (Deborah) called", [("Deb", "Deborah")]),
        ("I met Deborah (Deb).", [("Deb", "Deborah")]),
        ("Deborah, aka Deb, came", [("Deb", "Deborah")]),
        ("Deborah a.k.a. Deb came", [("Deb", "Deborah")]),
        ("Kubernetes, also known as K8s", [("K8s", "Kubernetes")]),
        ("Atlas, our billing service, also called BX", [("BX", "Atlas")]),
        ("IBM (International Business Machines)", [("IBM", "International Business Machines")]),
        ("We met International Business Machines (IBM).", [("IBM", "International Business Machines")]),
        ("The Department of Energy (DOE) said", [("DOE", "Department of Energy")]),
        ("NATO stands for North Atlantic Treaty Organization", [("NATO", "North Atlantic Treaty Organization")]),
        ("Ed is short for Edward", [("Ed", "Edward")]),
        ("Samantha, or Sam for short", [("Sam", "Samantha")]),
        ("call me Ada", [("Ada", SPEAKER)]),
        ("My name is Adelheid Braun, but call me Ada", [("Ada", "Adelheid Braun")]),
        ("Ich heiße Alexander, nenn mich Alex", [("Alex", "Alexander")]),
        ("Deb (Deborah) and again Deb (Deborah)", [("Deb", "Deborah")]),
    ],
)
def test_another_name_is_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert aliases_in(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "Anna (Berlin)",
            "Bob (Robert)",
            "call me later",
            "call me maybe",
            "Call me Monday",
            "Anna (see below)",
        ),
        *(
            "Anna, my sister, lives in Rome",
            "she is known as The Boss",
            "Atlas (Atlas)",
            "IBM (Intel Business Group)",
        ),
        *("Paris (France)", "call me when Anna is here", "the API (REST)", "I know Anna and Deb"),
    ],
)
def test_two_names_side_by_side_are_two_things(text: str) -> None:
    assert aliases_in(text) == []
