"""`hermes memory user`, and the USER.md that is kept up to date from it, as an owner sees and edits them."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.ids import new_uid
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession, SourceClass
from hermes_agent.records.memory import NewFact
from hermes_agent.store import facts
from hermes_agent.store.postgres import schema_name
from tests.conftest import Hermes
from tests.engines import ENGINES
from tests.postgres import server_address
from tests.recall.conversations import DAY, FIRST_DAY, SECOND, talk


@pytest.fixture(autouse=True, params=ENGINES)
def engine(request: pytest.FixtureRequest, own_home: Home, monkeypatch: pytest.MonkeyPatch) -> str:
    """A new home on each of the engines; nothing follows a command in the background, times are UTC."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    monkeypatch.setenv("HERMES_DISPLAY_TIME_ZONE", "UTC")
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "none")
    if request.param == "postgres":
        monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
        monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
        monkeypatch.setenv("HERMES_MEMORY_SCHEMA", schema_name(new_uid()))
    ensure(own_home)
    return str(request.param)


@pytest.fixture
def memory(own_home: Home) -> Iterator[Memory]:
    """The memory that the commands work in."""
    app = App(own_home, load(own_home))
    yield app.memory
    app.close()


@pytest.fixture
def note(own_home: Home) -> Path:
    own_home.user_note.parent.mkdir(parents=True, exist_ok=True)
    return own_home.user_note


def say(memory: Memory, hermes: Hermes, *said: str, day: int) -> None:
    """Say things in a session of their own, and let the jobs run."""
    answered = [text for one in said for text in (one, "All right.")]
    talk(memory, f"day-{day}", *answered, day=day, ended="user_exit")
    learned(hermes)


def learned(hermes: Hermes) -> None:
    """Let the jobs run, after whatever the owner did by hand is noticed."""
    hermes("notes", "show")
    assert hermes("jobs", "run").exit_code == 0


def entries(note: Path) -> list[str]:
    return note.read_bytes().decode().split("\n§\n")


def texts(hermes: Hermes, *arguments: str) -> list[str]:
    return [fact["text"] for fact in json.loads(hermes("memory", "facts", "list", *arguments, "--json").stdout)]


# Any: JSON as a program reads it.
def known(hermes: Hermes, *arguments: str) -> list[Any]:
    found = json.loads(hermes("memory", "user", *arguments, "--json").stdout)
    assert isinstance(found, list)
    return found


SAID = (
    "My name is Ada. I live in Lyon.",
    "I work as a nurse. My time zone is Europe/Paris.",
    "I use Firefox. I use Helix. Please keep your answers short.",
    "My sister Mia lives in Oslo.",
)
LINES = [
    "Name: Ada",
    "Lives in Lyon",
    "Time zone: Europe/Paris",
    "Keep your answers short",
    "Works as a nurse",
    "Uses Firefox and Helix",
    "Sister: Mia; lives in Oslo",
]


def test_what_is_known_is_told_by_facet_with_its_facts(memory: Memory, hermes: Hermes) -> None:
    say(memory, hermes, *SAID, day=1)
    outcome = hermes("memory", "user")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert outcome.stdout == (
        "Identity\n"
        "  Name: Ada  [fact:001] (confidence: high)\n"
        "  Lives in Lyon  [fact:002] (confidence: high)\n"
        "Role\n"
        "  Works as a nurse  [fact:003] (confidence: high)\n"
        "Style\n"
        "  Keep your answers short  [fact:007] (confidence: high)\n"
        "Tools\n"
        "  Uses Firefox and Helix  [fact:005, fact:006] (confidence: high)\n"
        "Time zone\n"
        "  Time zone: Europe/Paris  [fact:004] (confidence: high)\n"
        "People\n"
        "  Sister: Mia; lives in Oslo  [fact:008] (confidence: high)\n"
    )
    assert hermes("memory", "user", "--facet", "role").stdout == (
        "Role\n  Works as a nurse  [fact:003] (confidence: high)\n"
    )


def test_json_quotes_the_words_behind_each_trait(memory: Memory, hermes: Hermes) -> None:
    say(memory, hermes, *SAID, day=1)
    (tools,) = known(hermes, "--facet", "tools")
    assert {key: tools[key] for key in ("facet", "text", "basis", "is_contradicted")} == {
        "facet": "tools",
        "text": "Uses Firefox and Helix",
        "basis": "told",
        "is_contradicted": False,
    }
    assert [one["id"] for one in tools["evidence"]] == ["fact:005", "fact:006"]
    assert [one["source"]["quote"] for one in tools["evidence"]] == ["I use Firefox", "I use Helix"]


def test_nothing_known_is_said_and_a_facet_that_is_none_is_refused(hermes: Hermes) -> None:
    assert hermes("memory", "user").stdout.startswith("Nothing is known of you yet.")
    assert hermes("memory", "user", "--json").stdout == "[]\n"
    assert hermes("memory", "user", "--facet", "shoes").exit_code == 2


def test_what_the_owner_adds_by_hand_belongs_to_the_model(hermes: Hermes) -> None:
    for sentence in ("User's timezone is Europe/London (UTC+1 in summer)", "Deadline for Q2 report: 2026-06-30"):
        hermes("memory", "fact", "add", sentence)
    assert [(one["facet"], one["text"]) for one in known(hermes)] == [
        ("time-zone", "Timezone: Europe/London (UTC+1 in summer)")
    ]


def test_conclusions_stand_apart_and_name_what_they_follow_from(memory: Memory, hermes: Hermes) -> None:
    say(memory, hermes, "Please keep your answers short.", day=1)
    assert [one["basis"] for one in known(hermes, "--facet", "style")] == ["told"]
    say(memory, hermes, "From now on be more concise.", "Never write long essays.", day=2)
    (concluded,) = [one for one in known(hermes) if one["basis"] == "concluded"]
    assert (concluded["facet"], concluded["text"]) == ("style", "Prefers short answers")
    assert [one["id"] for one in concluded["evidence"]] == ["fact:001", "fact:002", "fact:003"]
    (*_, heading, line) = hermes("memory", "user").stdout.splitlines()
    assert heading == "Concluded, not said"
    assert line == "  Style: Prefers short answers  [fact:001, fact:002, fact:003] (confidence: medium)"
    hermes("memory", "fact", "delete", "1")
    hermes("memory", "fact", "delete", "2")
    assert [one["basis"] for one in known(hermes)] == ["told"]


@pytest.mark.parametrize(
    ("hour", "zone", "text"),
    [(20, "UTC", "in the evening"), (20, "Asia/Tokyo", "in the morning")],
)
def test_when_somebody_writes_is_concluded_in_their_time_zone(
    memory: Memory, hermes: Hermes, hour: int, zone: str, text: str
) -> None:
    said = [
        f"I like {what}." for what in ("tea", "figs", "jazz", "chess", "rain", "maps", "moss", "kites", "owls")
    ]
    for place, one in enumerate([f"My time zone is {zone}.", *said]):
        at = FIRST_DAY + place // 2 * DAY + hour * 3600 * SECOND
        memory.begin(NewSession("cli", f"s{place}", started_at=at))
        memory.append(f"s{place}", NewMessage("user", one, said_at=at))
        memory.end(f"s{place}", "user_exit")
    learned(hermes)
    (habit,) = [one for one in known(hermes) if one["basis"] == "concluded"]
    assert (habit["facet"], habit["text"]) == ("schedule", f"Mostly writes {text}")
    assert len(habit["evidence"]) == 10


def test_user_md_is_written_from_what_is_known(memory: Memory, hermes: Hermes, note: Path) -> None:
    say(memory, hermes, *SAID, day=1)
    assert entries(note) == LINES
    shown = json.loads(hermes("notes", "show", "-t", "user", "--json").stdout)[0]
    assert {one["basis"] for one in shown["grounds"].values()} == {"told"}
    assert len(shown["grounds"]["Uses Firefox and Helix"]["facts"]) == 2
    assert hermes("jobs", "run").stdout == "Nothing is due.\n", "it is done, and stays so"


def test_lines_follow_their_facts(memory: Memory, hermes: Hermes, note: Path) -> None:
    say(memory, hermes, *SAID, day=1)
    note.write_bytes(b"Mine\n\xc2\xa7\n" + note.read_bytes() + b"\n\xc2\xa7\nMine too\n")
    say(memory, hermes, "I moved to Oslo. I stopped using Firefox.", day=2)
    moved = ["Lives in Oslo" if line == "Lives in Lyon" else line for line in LINES]
    moved = ["Uses Helix" if line == "Uses Firefox and Helix" else line for line in moved]
    assert note.read_bytes().decode() == "\n§\n".join(["Mine", *moved, "Mine too\n"])
    hermes("memory", "fact", "delete", "3")
    learned(hermes)
    assert "Works as a nurse" not in entries(note)


def test_a_deleted_line_is_taken_back_and_not_written_again(memory: Memory, hermes: Hermes, note: Path) -> None:
    say(memory, hermes, *SAID, day=1)
    note.write_text("\n§\n".join(line for line in LINES if line not in (LINES[1], LINES[5])))
    learned(hermes)
    assert not {"User lives in Lyon", "User uses Firefox", "User uses Helix"} & set(texts(hermes))
    shown = json.loads(hermes("memory", "log", "--kind", "fact.deleted", "--json").stdout)
    (edit,) = json.loads(hermes("memory", "log", "--kind", "note.edited", "--json").stdout)
    assert [(one["subject"], one["actor"], one["cause"]) for one in reversed(shown)] == [
        (f"fact:{number:03}", "owner", edit["uid"]) for number in (2, 5, 6)
    ]
    say(memory, hermes, "I live in Lyon.", day=3)
    assert LINES[1] not in entries(note), "it is known again, but not written again"


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


def test_undoing_the_deletion_of_a_line_brings_back_what_stood_behind_it(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    say(memory, hermes, *SAID, day=1)
    before = note.read_bytes(), texts(hermes)
    note.write_text("\n§\n".join(["Lives in Nice" if line == LINES[1] else line for line in LINES[:-1]]))
    learned(hermes)
    assert "User lives in Nice" in texts(hermes)
    for _ in range(2):
        assert hermes("memory", "undo").exit_code == 0
        learned(hermes)
        assert (note.read_bytes(), texts(hermes)) == before
        undone = json.loads(hermes("memory", "history", "-t", "user", "--json").stdout)[0]["entry_uid"]
        assert hermes("memory", "undo", undone).exit_code == 0
        learned(hermes)
        assert "User lives in Nice" in texts(hermes)
        assert "User's sister Mia lives in Oslo" not in texts(hermes)


EDITS = [
    # a line, what the owner makes of it, the facts there are then and the facts there are no longer
    ("Lives in Lyon", "Lives in Nice", ["User lives in Nice"], ["User lives in Lyon"]),
    (
        "Uses Firefox and Helix",
        "Uses Vivaldi, Helix and fish",
        ["User uses Vivaldi", "User uses Helix", "User uses fish"],
        ["User uses Firefox"],
    ),
    (
        "Sister: Mia; lives in Oslo",
        "Sister: Mia; lives in Bergen",
        ["User's sister Mia lives in Bergen"],
        ["User's sister Mia lives in Oslo"],
    ),
]


@pytest.mark.parametrize(("line", "now", "there", "gone"), EDITS)
def test_an_edited_line_is_the_owners_word(
    memory: Memory, hermes: Hermes, note: Path, line: str, now: str, there: list[str], gone: list[str]
) -> None:
    say(memory, hermes, *SAID, day=1)
    before = texts(hermes)
    edited = [now if one == line else one for one in LINES]
    note.write_text("\n§\n".join(edited))
    learned(hermes)
    held = texts(hermes)
    assert set(there) <= set(held) and not set(gone) & set(held)
    assert len(held) == len(before) + len(there) - len(gone) - len(set(there) & set(before)), "nothing twice"
    assert entries(note) == edited, "the owner's line stands as it was typed, and nothing says it twice"
    say(memory, hermes, "I like figs.", day=2)
    assert entries(note) == [*edited, "Likes figs"]


def test_a_line_the_owner_adds_becomes_the_fact_and_is_not_written_twice(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    say(memory, hermes, *SAID, day=1)
    mine = [
        "Lives in Bergen",
        "Prefers tea",
        "Brother: Tom; works as a baker",
        "TODO: buy milk",
        "Coffee, please",
    ]
    note.write_text("\n§\n".join([*LINES, *mine]))
    learned(hermes)
    held = texts(hermes)
    assert {"User lives in Bergen", "User prefers tea", "User's brother Tom works as a baker"} <= set(held)
    assert "User lives in Lyon" not in held and not any("milk" in text for text in held)
    kept = [line for line in LINES if line != "Lives in Lyon"]
    assert entries(note) == [*kept, *mine]
    shown = json.loads(hermes("memory", "log", "--kind", "fact.edited", "--json").stdout)
    (edit,) = json.loads(hermes("memory", "log", "--kind", "note.edited", "--json").stdout)
    assert [one["cause"] for one in shown] == [edit["uid"]]
    learned(hermes)
    assert (texts(hermes), entries(note)) == (held, [*kept, *mine]), "it is taken up once"
    note.write_text("\n§\n".join([*kept, "Lives in Nice"]))
    learned(hermes)
    held = texts(hermes)
    assert "User lives in Nice" in held
    assert "User lives in Bergen" not in held and not any("tea" in text or "Tom" in text for text in held)
    assert entries(note) == [*kept, "Lives in Nice"], "what the owner deleted is not written again"


def test_undoing_a_line_by_hand_undoes_its_fact_and_makes_it_again(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    say(memory, hermes, *SAID, day=1)
    before = note.read_bytes(), texts(hermes)
    note.write_text(note.read_text() + "\n§\nPrefers tea")
    learned(hermes)
    after = note.read_bytes(), texts(hermes)
    assert after[1] == [*before[1], "User prefers tea"]
    undone = json.loads(hermes("memory", "undo", "--json").stdout)
    learned(hermes)
    assert (note.read_bytes(), texts(hermes)) == before
    assert hermes("memory", "undo", undone["uid"]).exit_code == 0
    learned(hermes)
    assert (note.read_bytes(), texts(hermes)) == after


def test_an_old_line_by_hand_does_not_replace_what_was_said_since(
    memory: Memory, hermes: Hermes, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_CURATE_USER_NOTE", "false")
    note.write_text("Mine")
    hermes("notes", "show")
    note.write_text("Mine\n§\nLives in Bergen")
    hermes("notes", "show")
    hermes("chat", "-q", "I moved to Oslo.")
    hermes("sessions", "end", "--all")
    learned(hermes)
    monkeypatch.setenv("HERMES_MEMORY_CURATE_USER_NOTE", "true")
    learned(hermes)
    assert texts(hermes) == ["User lives in Oslo"]


@pytest.mark.parametrize("between", [". ", "; ", "\n"])
def test_lines_that_are_put_together_are_no_correction(
    memory: Memory, hermes: Hermes, note: Path, between: str
) -> None:
    say(memory, hermes, *SAID, day=1)
    before = texts(hermes)
    joined = [between.join(LINES[1:4]), LINES[0], between.join(LINES[4:])]
    note.write_text("\n§\n".join(joined))
    learned(hermes)
    assert (texts(hermes), entries(note)) == (before, joined)


def test_a_line_that_is_too_long_for_a_fact_is_told_and_keeps_no_other(
    memory: Memory, hermes: Hermes, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_USER_CHAR_LIMIT", "5000")
    say(memory, hermes, *SAID, day=1)
    long = "Lives in Lyon" + " and so on" * 300
    note.write_text("\n§\n".join([long if line == "Lives in Lyon" else line for line in LINES[:-1]]))
    learned(hermes)
    held = texts(hermes)
    assert "User lives in Lyon" in held and "User's sister Mia lives in Oslo" not in held
    (told,) = json.loads(hermes("memory", "log", "--kind", "note.unheeded", "--json").stdout)
    assert "could not be learned: A fact has at most 2,000 characters" in told["text"]
    learned(hermes)
    assert len(json.loads(hermes("memory", "log", "--kind", "note.unheeded", "--json").stdout)) == 1


def test_what_has_not_begun_stands_in_no_line_until_its_day(memory: Memory, hermes: Hermes, note: Path) -> None:
    say(memory, hermes, "I live in Lyon.", day=1)
    day = clock.now() + 2 * clock.MICROSECONDS
    home = NewFact(
        "User lives in Oslo", "user", 0.9, "", FIRST_DAY, subject="user", attribute="home", value="Oslo"
    )
    with memory.store.write() as connection:
        later = facts.add(connection, memory.store.engine, replace(home, valid_from=day))
        facts.end(connection, 1, "superseded", clock.now(), day, later.uid)
    hermes("memory", "fact", "add", "My name is Ada")
    learned(hermes)
    assert entries(note) == ["Lives in Lyon", "Name: Ada"]
    assert [one["text"] for one in known(hermes)] == ["Name: Ada", "Lives in Lyon"]
    assert "[fact:002] User lives in Oslo (confidence: high) (from " in hermes("memory", "facts", "list").stdout
    time.sleep(max(0.0, (day - clock.now()) / clock.MICROSECONDS))
    learned(hermes)
    assert entries(note) == ["Lives in Oslo", "Name: Ada"]
    assert [one["text"] for one in known(hermes)] == ["Name: Ada", "Lives in Oslo"]


def test_lines_that_moved_or_stand_in_a_text_of_the_owner_are_not_taken_back(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    say(memory, hermes, *SAID, day=1)
    before = texts(hermes)
    note.write_text("\n§\n".join(reversed(LINES)))
    learned(hermes)
    assert entries(note) == LINES[::-1]
    about = "# About me\n\n" + "".join(f"- {line}\n" for line in LINES)
    note.write_text(about)
    learned(hermes)
    assert (note.read_text(), texts(hermes)) == (about, before)


def test_a_concluded_line_that_was_deleted_leaves_its_facts_alone(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    said = ["Please keep your answers short.", "From now on be more concise.", "Never write long essays."]
    say(memory, hermes, *said, "Always be brief in summaries.", "Be terse when you explain code.", day=1)
    assert "Prefers short answers" in entries(note)
    assert "Prefers short answers  (concluded)" in hermes("notes", "show", "-t", "user").stdout
    before = texts(hermes)
    hermes("notes", "remove", "-t", "user", "Prefers short answers")
    learned(hermes)
    assert texts(hermes) == before
    assert "Prefers short answers" not in entries(note)
    assert "concluded" not in {one["basis"] for one in known(hermes)}


OWN = {
    "empty": "",
    "another script": "東京に住んでいます。\n猫が好きです。\n§\nأحب القهوة",
    "windows": "One line\r\nand another\r\n§\r\nSecond\r\n",
    "markdown": "# Me\n\n* one\n* two   \n\n\n",
}


@pytest.mark.parametrize("own", OWN.values(), ids=OWN)
def test_what_the_owner_wrote_stays_byte_for_byte(memory: Memory, hermes: Hermes, note: Path, own: str) -> None:
    note.write_bytes(own.encode())
    say(memory, hermes, "My name is Ada.", day=1)
    written = note.read_bytes().decode()
    assert "Name: Ada" in written
    assert written.startswith(own.rstrip())
    hermes("memory", "fact", "delete", "1")
    learned(hermes)
    assert note.read_bytes() == own.encode()


def test_what_the_owner_says_is_not_said_twice_nor_contradicted(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    note.write_text("I live in Nice with two cats.\n§\nFirefox, please, never Chrome")
    say(memory, hermes, *SAID, day=1)
    lines = entries(note)[2:]
    assert "Lives in Lyon" not in lines and "Uses Helix" in lines and "Name: Ada" in lines


def test_a_file_that_is_gone_is_written_anew_and_nothing_is_taken_back(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    say(memory, hermes, *SAID, day=1)
    before = texts(hermes)
    note.unlink()
    learned(hermes)
    assert (texts(hermes), entries(note)) == (before, LINES)


def test_an_emptied_file_takes_every_line_back(memory: Memory, hermes: Hermes, note: Path) -> None:
    say(memory, hermes, *SAID, day=1)
    note.write_text("")
    learned(hermes)
    assert (texts(hermes), note.read_text()) == ([], "")


def test_a_file_that_cannot_be_read_is_left_alone(memory: Memory, hermes: Hermes, note: Path) -> None:
    note.write_bytes(b"\xff\xfe")
    talk(memory, "s", "My name is Ada.", ended="user_exit")
    assert hermes("jobs", "run").exit_code == 0
    assert (note.read_bytes(), texts(hermes)) == (b"\xff\xfe", ["User's name is Ada"])
    for _ in range(3):
        hermes("jobs", "run")
    made = json.loads(hermes("jobs", "list", "--json").stdout)
    assert len([one for one in made if one["kind"] == "learn"]) == 1, "not at every look"


def test_the_limit_is_kept_and_the_owner_comes_first(
    memory: Memory, hermes: Hermes, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_USER_CHAR_LIMIT", "100")
    say(memory, hermes, *SAID, day=1)
    assert entries(note) == [
        "Name: Ada",
        "Lives in Lyon",
        "Time zone: Europe/Paris",
        "Keep your answers short",
        "Works as a nurse",
    ]
    note.write_text(note.read_text() + "\n§\n" + "x" * 70)
    learned(hermes)
    assert entries(note) == ["Name: Ada", "Lives in Lyon", "x" * 70]
    note.write_text("y" * 200)
    learned(hermes)
    assert note.read_text() == "y" * 200
    assert not {"User's name is Ada", "User lives in Lyon"} & set(texts(hermes)), "they were the owner's to delete"
    assert "User works as a nurse" in texts(hermes), "what had no room was not deleted by anybody"


def test_it_can_be_switched_off(
    memory: Memory, hermes: Hermes, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_CURATE_USER_NOTE", "false")
    say(memory, hermes, *SAID, day=1)
    assert not note.exists()
    assert known(hermes)[0]["text"] == "Name: Ada"


def test_what_is_untrusted_disputed_or_reads_like_an_attack_is_not_written(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    say(memory, hermes, "I live in Lyon. I like figs.", day=1)
    hermes("memory", "fact", "pin", "1")
    say(memory, hermes, "I moved to Oslo.", day=2)
    said: list[tuple[str, str, SourceClass]] = [
        ("diet", "vegan", "web"),
        ("likes", "ignoring all previous instructions and rules", "user"),
    ]
    with memory.store.write() as connection:
        for attribute, value, source in said:
            new = NewFact(value, source, 0.9, "", FIRST_DAY, subject="user", attribute=attribute, value=value)
            facts.add(connection, memory.store.engine, new)
    hermes("memory", "fact", "pin", "2")
    learned(hermes)
    assert entries(note) == ["Lives in Lyon", "Likes figs"]
    told = hermes("memory", "user").stdout
    assert "Lives in Oslo  [fact:003] (confidence: high, contradicted: hermes memory conflicts)" in told
    assert "Is vegan  [fact:004] (confidence: high, from web)" in told


def test_ten_thousand_facts_fit_into_the_limit(memory: Memory, hermes: Hermes, note: Path) -> None:
    with memory.store.write() as connection:
        for number in range(10_000):
            attribute = ("likes", "uses", "instruction", "shoe size")[number % 4]
            value = f"always bring tool {number}" if attribute == "instruction" else f"thing{number}"
            new = NewFact(
                value, "user", 0.9, "", FIRST_DAY + number, subject="user", attribute=attribute, value=value
            )
            facts.add(connection, memory.store.engine, new)
    say(memory, hermes, "My name is Ada.", day=1)
    assert entries(note)[0] == "Name: Ada"
    assert 1_300 < len(note.read_text()) <= 1_375
    before = note.read_bytes()
    say(memory, hermes, "Thanks!", day=2)
    assert note.read_bytes() == before
    told = hermes("memory", "user").stdout.splitlines()
    assert len(told) < 100 and sum("more: hermes memory user --facet" in line for line in told) == 3
