"""Lines of USER.md that the agent wrote by itself: they follow the facts as well."""

from pathlib import Path

import pytest

from tests.cli.user.talking import entries, learned, texts
from tests.conftest import Hermes


def test_what_the_agent_wrote_by_itself_is_taken_over_and_corrected_as_well(hermes: Hermes, note: Path) -> None:
    for said in ("My daughter is called Ida.", "I use fish.", "I live in Lyon."):
        hermes("chat", "-q", said)
    assert entries(note) == ["Daughter: Ida", "Uses fish", "Lives in Lyon"]
    hermes("chat", "-q", "My daughter Ida goes to swimming every Tuesday.")
    hermes("sessions", "end", "--all")
    learned(hermes)
    assert entries(note) == ["Daughter: Ida; goes to swimming every Tuesday", "Uses fish", "Lives in Lyon"]
    note.write_text("\n§\n".join(entries(note)[:2]))
    learned(hermes)
    assert "User lives in Lyon" not in texts(hermes)
    learned(hermes)
    assert entries(note) == ["Daughter: Ida; goes to swimming every Tuesday", "Uses fish"]


def test_somebody_has_one_line_whoever_wrote_it_and_it_loses_nothing(hermes: Hermes, note: Path) -> None:
    hermes("chat", "-q", "My daughter Ida is six. She goes to swimming every Tuesday.")
    hermes("chat", "-q", "My husband Jonas works at the university hospital in Bergen.")
    assert entries(note)[1] == "Husband: Jonas; works at the university hospital in Bergen"
    learned(hermes)
    husband = entries(note)[1]
    assert entries(note) == ["Daughter: Ida; is six; goes to swimming every Tuesday", husband]
    assert husband == "Husband: Jonas; works at the university hospital in Bergen"
    hermes("chat", "-q", "Actually, Ida is seven.")
    learned(hermes)
    assert entries(note) == ["Daughter: Ida; goes to swimming every Tuesday; is seven", husband]


def test_a_line_of_the_agent_that_is_deleted_before_it_is_learned_does_not_come_back(
    hermes: Hermes, note: Path
) -> None:
    for said in ("I use Vim.", "I like sailing."):
        hermes("chat", "-q", said)
    note.write_text("Likes sailing")
    learned(hermes)
    learned(hermes)
    assert (entries(note), texts(hermes)) == (["Likes sailing"], ["User likes sailing"])


def test_what_is_forgotten_on_a_word_does_not_come_back(hermes: Hermes, note: Path) -> None:
    for said in ("I live in Oslo.", "My email is dana@example.com"):
        hermes("chat", "-q", said)
    learned(hermes)
    hermes("chat", "-q", "Forget my email address.")
    learned(hermes)
    assert (entries(note), texts(hermes)) == (["Lives in Oslo"], ["User lives in Oslo"])
    hermes("chat", "-q", "My email is dana@example.org")
    learned(hermes)
    assert entries(note) == ["Lives in Oslo", "Email: dana@example.org"]


def test_a_line_of_the_agent_goes_with_its_fact(hermes: Hermes, note: Path) -> None:
    for said in ("I live in Oslo.", "I prefer tea over coffee.", "I use Vim."):
        hermes("chat", "-q", said)
    learned(hermes)
    hermes("memory", "fact", "delete", "1")
    hermes("memory", "fact", "edit", "2", "User prefers coffee")
    learned(hermes)
    assert sorted(entries(note)) == ["Prefers coffee", "Uses Vim"]


def test_an_unrelated_line_in_the_place_of_another_is_no_edit_of_it(hermes: Hermes, note: Path) -> None:
    for said in ("I live in Oslo.", "I use Vim.", "I like sailing."):
        hermes("chat", "-q", said)
    learned(hermes)
    note.write_text("\n§\n".join(["Likes chess", "Has two cats", "Likes sailing"]))
    learned(hermes)
    learned(hermes)
    assert entries(note) == ["Likes chess", "Has two cats", "Likes sailing"]
    assert sorted(texts(hermes)) == ["User likes chess", "User likes sailing"]


TWO = ["Prefers short answers and metric units"]
CORRECTED = {
    "edited": ("memory", "fact", "edit", "2", "User prefers imperial units"),
    "said": ("chat", "-q", "Actually I prefer imperial units."),
}


@pytest.mark.parametrize("correction", CORRECTED.values(), ids=CORRECTED)
def test_of_two_things_in_one_line_the_wrong_one_goes(
    hermes: Hermes, note: Path, correction: tuple[str, ...]
) -> None:
    hermes("chat", "-q", "I prefer short answers and metric units.")
    learned(hermes)
    assert entries(note) == TWO
    hermes(*correction)
    learned(hermes)
    assert entries(note) == ["Prefers short answers", "Prefers imperial units"]
    answer = hermes("chat", "-q", "Which units do I prefer?").stdout
    assert "imperial units" in answer and "metric" not in answer


def test_a_line_of_which_a_part_went_is_whole_again_when_that_is_undone(hermes: Hermes, note: Path) -> None:
    hermes("chat", "-q", "I prefer short answers and metric units.")
    hermes("chat", "-q", "My sister Mia lives in Oslo and works at Acme.")
    learned(hermes)
    whole = entries(note)
    assert whole == [*TWO, "Sister: Mia; lives in Oslo; works at Acme"]
    for number, left in ((2, ["Prefers short answers", whole[1]]), (4, [whole[0], "Sister: Mia; lives in Oslo"])):
        hermes("memory", "fact", "delete", str(number))
        learned(hermes)
        assert entries(note) == left
        hermes("memory", "undo")
        learned(hermes)
        assert entries(note) == whole
    hermes("memory", "fact", "edit", "2", "User prefers imperial units")
    learned(hermes)
    hermes("memory", "undo")
    learned(hermes)
    assert entries(note) == whole


def test_what_the_owner_wrote_by_hand_keeps_both_halves(hermes: Hermes, note: Path) -> None:
    hermes("chat", "-q", "I prefer short answers.")
    hermes("chat", "-q", "I like metric units.")
    own = "I prefer short answers and metric units, always"
    note.write_text(own)
    learned(hermes)
    hermes("memory", "fact", "delete", "1")
    learned(hermes)
    assert entries(note)[0] == own


def test_all_of_what_is_liked_is_a_fact_and_one_may_go(hermes: Hermes, note: Path) -> None:
    hermes("chat", "-q", "I like coffee and jazz.")
    learned(hermes)
    assert (entries(note), texts(hermes)) == (["Likes coffee and jazz"], ["User likes coffee", "User likes jazz"])
    hermes("memory", "fact", "delete", "1")
    learned(hermes)
    assert entries(note) == ["Likes jazz"]
