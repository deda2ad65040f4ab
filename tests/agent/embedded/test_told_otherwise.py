"""The embedded model answers on the owner's word, whatever a program told before it or since."""

import pytest

from hermes_agent import clock
from hermes_agent.memory import facts, told_by_program
from hermes_agent.memory.told_by_program import Beside, Program
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.notes import Operation
from tests.agent.embedded.house import DAY, House
from tests.learning import learn

WEEK, YESTERDAY = 7, 1
TODAY = f"on {clock.to_datetime(clock.now(), None):%-d %B %Y}"


@pytest.fixture
def program(house: House) -> Program:
    return Program("mcp:editor", lambda: house.app.memory.begin(NewSession(source="mcp", id="mcp-editor")))


def owner_says(house: House, days_ago: int, *said: str) -> None:
    learn(house.app.store, house.said_before(days_ago, *said), zone=house.app.zone)


def remembered(house: House, days_ago: int, *sentences: str) -> None:
    """Keep what a program told some days ago."""
    at = clock.now() - days_ago * DAY
    for one in sentences:
        facts.add_imported(house.app.store, one, at, "mcp:editor", is_own=False, actor="mcp:editor")


def imported(house: House, *said: str) -> None:
    """Keep a conversation of somebody that was imported, and learn from it."""
    session_id = house.app.memory.begin(NewSession("import"))
    for words in said:
        house.app.memory.append(session_id, NewMessage("user", words, source_class="import"))
    learn(house.app.store, session_id, zone=house.app.zone)


def test_a_correction_by_a_program_is_not_what_the_owner_is_called(house: House, program: Program) -> None:
    owner_says(house, WEEK, "My name is Ada and I live in Oslo.")
    name = next(one for one in facts.recent(house.app.store, 9) if "Ada" in one.text)
    outcome = told_by_program.correct(house.app.memory, name.name, "User's name is Zoe", program)
    assert isinstance(outcome, Beside)
    told_by_program.remember(house.app.memory, "User lives in Rome", program)
    name_answer, home_answer = house.talk("What is my name?", "Where do I live?")
    assert name_answer.startswith("Your name is Ada. You told me on ")
    assert home_answer.startswith("You live in Oslo. You told me on ")
    assert f"“User's name is Zoe” ({outcome.fact.name}, from import" in name_answer
    assert "“User lives in Rome” (fact:" in home_answer and ", from import, said" in home_answer
    assert "efore" not in name_answer + home_answer


def test_what_the_owner_noted_and_said_leads_in_the_conversation_that_tells_it(
    house: House, program: Program
) -> None:
    house.talk("My name is Ada and I live in Oslo.")
    told_by_program.remember(house.app.memory, "User's name is Zoe", program)
    told_by_program.remember(house.app.memory, "User lives in Rome", program)
    for answer, own in zip(house.talk("What is my name?", "Where do I live?"), ("Ada", "Oslo"), strict=True):
        assert own in answer.partition(".")[0]
        assert "efore" not in answer


@pytest.mark.parametrize(("owner", "other"), [(WEEK, YESTERDAY), (YESTERDAY, WEEK), (WEEK, WEEK)])
@pytest.mark.parametrize(
    ("own", "rival", "asked", "answer", "lacks"),
    [
        ("I live in Oslo.", "User lives in Rome", "Where do I live?", "You live in Oslo.", "efore"),
        ("I live in Oslo.", "User lives in Rome", "Do I live in Oslo?", "Yes: “", "Rome"),
        ("I live in Oslo.", "User lives in Rome", "Do I live in Rome?", "No: you live in Oslo.", "Rome"),
        ("I live in Oslo.", "User lives in Rome", "Did I ever live in Rome?", "No: you live in Oslo.", "Rome"),
        ("I live in Oslo.", "User lives in Rome", "Where did I live before?", "I know nothing", "Rome"),
        ("My boss is called Karen.", "User's boss is called Tom", "Who is my boss?", "Your boss", "efore"),
        ("My sister Mia lives in Bergen.", "User's sister Mia lives in Rome", "Who is Mia?", "", "Rome"),
        ("I live in Oslo.", "User lives in Rome", f"Where did I live {TODAY}?", "“User lives in Oslo”", "Rome"),
        ("I'm Ada.", "User's name is Zoe", "What is my name?", "Your name is Ada.", "efore"),
        ("I work at Nordlicht.", "User works at Nordlicht in Bergen", "Where do I work?", "You work at", "Bergen"),
        ("My sister Mia lives in Bergen.", "User has no sister", "Do I have a sister?", "Yes: ", "has no"),
        ("I use vim.", "User does not use vim", "Do I use vim?", "Yes: “", "not"),
    ],
)
def test_the_owners_word_leads_whoever_spoke_last(
    house: House, owner: int, other: int, own: str, rival: str, asked: str, answer: str, lacks: str
) -> None:
    owner_says(house, owner, own)
    remembered(house, other, rival)
    (told,) = house.talk(asked)
    value = own.removesuffix(".").split()[-1]
    assert told.startswith(answer) and value in told and lacks not in told


def test_what_nobody_told_but_a_program_is_answered_with_its_source(house: House) -> None:
    remembered(house, WEEK, "User lives in Rome")
    (answer,) = house.talk("Where do I live?")
    assert answer == "You live in Rome. It is in fact:001, from import."


def test_the_owners_note_leads_over_what_a_program_told(house: House) -> None:
    house.app.notebook.change("user", [Operation("add", "Lives in Oslo")], actor="owner")
    remembered(house, 0, "User lives in Rome")
    where, in_rome, in_oslo = house.talk("Where do I live?", "Do I live in Rome?", "Do I live in Oslo?")
    assert where.startswith("USER.md says: “Lives in Oslo”. “User lives in Rome” (fact:001, from import")
    assert in_rome.startswith("USER.md says “Lives in Oslo”.")
    assert in_oslo.startswith("Yes: USER.md says “Lives in Oslo”")


def test_the_owners_note_stands_against_what_a_program_denies(house: House) -> None:
    house.app.notebook.change("user", [Operation("add", "Lives in Oslo")], actor="owner")
    remembered(house, 0, "User does not live in Oslo")
    where, in_oslo = house.talk("Where do I live?", "Do I live in Oslo?")
    assert where == "You live in Oslo. It is in USER.md."
    assert in_oslo == "Yes: USER.md says “Lives in Oslo”."


def test_what_others_say_is_told_in_the_language_of_the_question(house: House) -> None:
    owner_says(house, WEEK, "I live in Oslo.")
    remembered(house, YESTERDAY, "User lives in Rome")
    _, answer = house.talk("Where do I live?", "Wo wohne ich?")
    assert answer.startswith("Du wohnst in Oslo.")
    assert "Jemand anderes sagt etwas anderes: “User lives in Rome” (fact:002, from import" in answer


def test_the_owners_own_import_counts_as_their_word(house: House) -> None:
    owner_says(house, WEEK, "I live in Oslo.")
    facts.add_imported(house.app.store, "User lives in Rome", clock.now(), "mem0", is_own=True)
    (answer,) = house.talk("Where do I live?")
    assert answer.startswith("You live in Rome.") and "Before that: Oslo" in answer


def test_an_imported_conversation_is_no_word_of_the_owner(house: House) -> None:
    owner_says(house, WEEK, "I live in Oslo.")
    imported(house, "I live in Rome.", "Forget where I live.")
    (answer,) = house.talk("Where do I live?")
    assert answer.startswith("You live in Oslo. You told me on ") and "efore" not in answer


def test_an_imported_conversation_gives_up_no_plan_of_the_owner(house: House) -> None:
    owner_says(house, WEEK, "I plan to buy a house in Oslo.")
    imported(house, "I gave up the plan to buy a house in Oslo.")
    (answer,) = house.talk("Do I plan to buy a house?")
    assert "you said “I plan to buy a house in Oslo” (session" in answer and "(fact:001, said" in answer
    (theirs,) = (line for line in answer.splitlines() if "gave up" in line)
    assert theirs.endswith(", from import).")


def test_what_was_imported_is_not_told_as_the_owners_word(house: House) -> None:
    imported(house, "My dentist is in Bergen.", "I live in Rome.")
    for answer in house.talk("Where do I live?", "What did I say about my dentist?"):
        assert "You told me" not in answer and "from import" in answer


def test_a_word_of_the_owner_that_is_over_gives_way(house: House) -> None:
    owner_says(house, WEEK, "I live in Oslo.", "I don't live in Oslo any more.")
    remembered(house, 0, "User lives in Rome")
    (answer,) = house.talk("Where do I live?")
    assert answer.startswith("You live in Rome. It is in fact:")
