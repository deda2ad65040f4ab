"""A skill that could not be read without what was forgotten goes whole; others lose lines."""

from hermes_agent.config.paths import Home
from tests.conftest import Hermes

WORD = "Wibbelstetz"


def write(home: Home, name: str, description: str, body: str) -> None:
    file = home.skills / name / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(f"---\nname: {name}\ndescription: {description}\n---\n\n{body}\n")


def test_a_skill_that_would_lose_its_description_goes_whole(hermes: Hermes, own_home: Home) -> None:
    write(own_home, "call-them", f"How to call {WORD} when asked.", "1. Dial.\n2. Talk.")
    write(own_home, "make-tea", "How to make tea when asked.", f"1. Boil.\n2. Ask {WORD}.\n3. Pour.")
    assert "call-them" in hermes("skills", "list").stdout
    shown = hermes("memory", "forget", "--about", WORD, "--dry-run")
    assert "1  skill that goes whole" in shown.stdout
    done = hermes("memory", "forget", "--about", WORD, "--yes")
    assert done.exit_code == 0, done.stdout + done.stderr
    assert not (own_home.skills / "call-them").exists()
    assert (own_home.skills / "make-tea" / "SKILL.md").read_text().endswith("1. Boil.\n3. Pour.\n")
    listed = hermes("skills", "list").stdout
    assert "make-tea" in listed and "call-them" not in listed
    assert hermes("memory", "verify-deletion", "receipt:1").exit_code == 0
    write(own_home, "call-them", "How to call them.", "1. Dial.")
    assert "call-them" in hermes("skills", "list").stdout, "the name is free again"


def test_an_edit_by_hand_is_taken_in_first_and_copies_that_lie_aside_are_cleaned(
    hermes: Hermes, own_home: Home
) -> None:
    write(own_home, "make-tea", "How to make tea when asked.", f"1. Boil.\n2. Ask {WORD}.\n3. Pour.")
    hermes("skills", "list")
    (own_home.skills / "make-tea" / "notes.md").write_text("Mine: use the blue cup.\n")
    aside = own_home.skills / ".archive" / "old-tea.conflict-1" / "SKILL.md"
    aside.parent.mkdir(parents=True)
    aside.write_text(f"1. Ask {WORD}.\n2. Pour.\n")
    done = hermes("memory", "forget", "--about", WORD, "--yes")
    assert done.exit_code == 0, done.stdout + done.stderr
    assert [one.name for one in (own_home.skills / ".archive").iterdir()] == ["old-tea.conflict-1"]
    assert aside.read_text() == "2. Pour.\n"
    assert (own_home.skills / "make-tea" / "notes.md").read_text() == "Mine: use the blue cup.\n"
    assert (own_home.skills / "make-tea" / "SKILL.md").read_text().endswith("1. Boil.\n3. Pour.\n")
