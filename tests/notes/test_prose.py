"""Changes of a free text by its parts."""

from hermes_agent.notes import prose
from hermes_agent.records.notes import Refused

SOUL = "# Soul\n\nBe formal.\nBe brief.\n"


def test_a_paragraph_is_added_at_the_end() -> None:
    assert prose.add(SOUL, " Be kind. ") == "# Soul\n\nBe formal.\nBe brief.\n\nBe kind.\n"
    assert prose.add("", "Be kind.") == "Be kind.\n"


def test_only_the_part_that_is_meant_is_replaced() -> None:
    assert prose.replace(SOUL, "formal", "friendly", "SOUL.md") == SOUL.replace("formal", "friendly")


def test_a_part_that_stands_there_twice_names_neither() -> None:
    refused = prose.replace(SOUL, "Be", "Stay", "SOUL.md")
    assert isinstance(refused, Refused) and "2 times" in refused.error


def test_a_part_that_is_not_there_is_said_so() -> None:
    refused = prose.remove(SOUL, "loud", "SOUL.md")
    assert isinstance(refused, Refused) and refused.error == "SOUL.md does not hold 'loud'."


def test_a_line_goes_when_nothing_is_left_on_it() -> None:
    assert prose.remove(SOUL, "Be formal.", "SOUL.md") == "# Soul\n\nBe brief.\n"
    assert prose.remove(SOUL, " formal", "SOUL.md") == "# Soul\n\nBe.\nBe brief.\n"


def test_nothing_is_no_part() -> None:
    for refused in (prose.add(SOUL, "  "), prose.replace(SOUL, " ", "x", "SOUL.md")):
        assert isinstance(refused, Refused) and refused.reason == "missing"
