"""Lines of USER.md that the agent wrote by itself: they follow the facts as well."""

from pathlib import Path

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
