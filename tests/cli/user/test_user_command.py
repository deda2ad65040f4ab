"""`hermes memory user`: what is known of the owner, facet by facet."""

import pytest

from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession
from tests.cli.user.talking import SAID, known, learned, say
from tests.conftest import Hermes
from tests.recall.conversations import DAY, FIRST_DAY, SECOND


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
