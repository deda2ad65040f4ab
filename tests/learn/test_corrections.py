"""What an owner means by editing a line, by tables: the line's facts, what became of it, what is corrected."""

from collections.abc import Sequence

import pytest

from hermes_agent.learn.corrections import Correction, Restate, Retract, deleted, edited, successors
from hermes_agent.learn.traits import told, traits
from hermes_agent.records.memory import Fact
from tests.learn.known import known_fact


def fact(number: int, subject: str, attribute: str, value: str) -> Fact:
    text, at = f"{subject} {attribute} {value}", number
    return known_fact(number, text, subject=subject, attribute=attribute, value=value, said_at=at, learned_at=at)


def written(corrections: Sequence[Correction]) -> list[str]:
    """Write corrections shortly: `-1` a fact is retracted, `1: …` it is restated, `+ …` something is said."""
    found = []
    for one in corrections:
        if isinstance(one, Retract):
            found.append(f"-{one.fact.id}")
        else:
            found.append(f"{one.fact.id}: {one.sentence}" if isinstance(one, Restate) else f"+ {one.sentence}")
    return found


HOME = [fact(1, "user", "home", "Lyon")]
TOOLS = [fact(1, "user", "uses", "Git"), fact(2, "user", "uses", "Vim"), fact(3, "user", "uses", "fish")]
MIA = [fact(1, "sister Mia", "home", "Oslo"), fact(2, "sister Mia", "role", "a nurse")]
WISH = [fact(1, "user", "instruction", "never deploy on Fridays")]

EDITED = [
    (HOME, "Lives in Nice", ["1: User lives in Nice"]),
    (HOME, "lives in Nice.", ["1: User lives in Nice"]),
    (HOME, "Lives in Lyon", []),
    (HOME, "Moving about", ["1: Moving about"]),
    (TOOLS, "Uses Git and fish", ["-2"]),
    (TOOLS, "Uses fish, Git, Vim", []),
    (TOOLS, "Uses Git, Emacs and fish", ["2: User uses Emacs"]),
    (TOOLS, "Uses Git, Vim, fish and Nix", ["+ User uses Nix"]),
    (TOOLS, "Prefers Git and Vim to all else", ["3: Prefers Git and Vim to all else"]),
    (MIA, "Sister: Mia; lives in Bergen; works as a nurse", ["1: User's sister Mia lives in Bergen"]),
    (MIA, "Sister: Mia; works as a nurse", ["-1"]),
    (MIA, "Sister: Mia; lives in Oslo; works as a nurse; plays chess", ["+ User's sister Mia plays chess"]),
    (WISH, "Never deploy on Mondays", ["1: Never deploy on Mondays"]),
    ([], "Writes at noon", ["+ Writes at noon"]),
]


@pytest.mark.parametrize(("facts", "now", "corrected"), EDITED)
def test_an_edited_line_says_what_is_so_instead(facts: list[Fact], now: str, corrected: list[str]) -> None:
    assert written(list(edited(told(facts), now))) == corrected


DELETED = [
    (HOME, [], ["-1"]),
    (HOME, ["I like Lyon"], ["-1"]),
    (HOME, ["# Me\n- Lives in Lyon\n- Likes tea"], []),
    (TOOLS, ["I use Git every day"], ["-2", "-3"]),
]


@pytest.mark.parametrize(("facts", "entries", "corrected"), DELETED)
def test_a_deleted_line_takes_back_what_nothing_else_says(
    facts: list[Fact], entries: list[str], corrected: list[str]
) -> None:
    assert written(list(deleted(told(facts), entries))) == corrected


SUCCESSORS = [
    # before, after, what became of "bob bob bob"
    (["a", "bob bob bob", "c"], ["a", "c"], None),
    (["a", "bob bob bob", "c"], ["a", "x", "c"], None),
    (["a", "bob bob bob", "c"], ["a", "xylo bob", "c"], "xylo bob"),
    (["a", "bob bob bob", "c"], ["a", "c", "bob bob cat"], None),
    (["a", "bob bob bob", "c"], ["a", "bob bob dan", "y", "c"], "bob bob dan"),
    (["a", "bob bob bob", "zoo zoo zoo"], ["a", "zoo zoo yak", "bob bob cat"], "bob bob cat"),
]


@pytest.mark.parametrize(("before", "after", "became"), SUCCESSORS)
def test_a_line_is_edited_where_it_stood(before: list[str], after: list[str], became: str | None) -> None:
    assert successors(before, after, ["bob bob bob"]) == {"bob bob bob": became}


def test_the_same_facts_in_any_number_give_the_same_lines() -> None:
    many = [fact(number, "user", "likes", f"thing{number}") for number in range(1, 15)]
    lines = [trait.text for trait in traits(told(many))]
    assert lines == [trait.text for trait in traits(told(many))]
    assert [line.count("thing") for line in lines] == [6, 6, 2]
