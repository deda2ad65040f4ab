"""Skills at the user's word, without a model: drafted from the task before, or from steps told with the wish."""

import json

import pytest
from skills_ref import validate as reference

from hermes_agent.agent.embedded.requests import read_request
from hermes_agent.config.paths import Home
from hermes_agent.learn.drafting import skill_name, steps_told
from tests.conftest import Hermes

TOLD = "To deploy Atlas, run make build, then make ship. Finally check the dashboard."


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("make a skill of this", ""),
        ("Please make a skill out of that.", ""),
        ("Save this as a skill called deploy-atlas", "deploy-atlas"),
        ("can you save what we just did as a skill named “Deploy Atlas”?", "Deploy Atlas"),
        ("turn this into a skill", ""),
        ("Create a skill called ship from this", "ship"),
        ("mach daraus einen Skill namens deploy", "deploy"),
    ],
)
def test_the_wish_is_understood(said: str, name: str) -> None:
    wish = read_request(said)
    assert wish is not None and (wish.kind, wish.what) == ("make skill", name)


@pytest.mark.parametrize(
    "said", ["make a skill for juggling", "Make a website of this", "what skills do you have"]
)
def test_other_wishes_are_others(said: str) -> None:
    wish = read_request(said)
    assert wish is not None and wish.kind != "make skill"


def test_a_procedure_that_was_told_becomes_a_skill(hermes: Hermes, own_home: Home) -> None:
    hermes("-q", TOLD)
    answer = hermes("chat", "-c", "-q", "Save this as a skill called Deploy Atlas")
    assert answer.stdout.startswith("I made the skill deploy-atlas of it.")
    text = hermes("skills", "show", "deploy-atlas").stdout
    assert f"- “{TOLD}”" in text
    assert "1. Run make build\n2. Make ship\n3. Check the dashboard\n" in text
    assert reference(own_home.skills / "deploy-atlas") == []
    (version,) = json.loads(hermes("skills", "history", "deploy-atlas", "--json").stdout)
    assert version["entry"]["actor"] == "agent"
    assert hermes("memory", "undo").stdout == "Undone: The skill deploy-atlas was made.\n"


@pytest.mark.parametrize(
    ("told", "name", "described"),
    [
        (
            "To bake bread, mix flour and water, then knead it. Finally bake it for an hour.",
            "bake-bread",
            "Bake bread. Use when asked to bake bread.",
        ),
        (
            "Could you please read the settings of the web shop, then tell me the port?",
            "read-settings-web-shop",
            "Read the settings of the web shop. Use when asked to read the settings of the web shop.",
        ),
    ],
)
def test_a_skill_without_a_name_is_called_by_its_task(
    hermes: Hermes, told: str, name: str, described: str
) -> None:
    hermes("-q", told)
    assert hermes("chat", "-c", "-q", "Make a skill of this").stdout.startswith(f"I made the skill {name} of it.")
    assert f'description: "{described}"' in hermes("skills", "show", name).stdout


def test_steps_may_come_with_the_wish_and_are_nothing_else(hermes: Hermes) -> None:
    said = "Save this as a skill called ship:\n1. run make build\n2. run make ship"
    assert hermes("-q", said).stdout.startswith("I made the skill ship of it.")
    assert "1. Run make build\n2. Run make ship\n" in hermes("skills", "show", "ship").stdout
    assert json.loads(hermes("memory", "facts", "list", "--json").stdout) == []


@pytest.mark.parametrize(
    "wish", ["Save this as a skill called deploy-atlas", "Make a skill called deploy-atlas of it."]
)
def test_steps_may_come_before_the_wish_in_the_same_message(hermes: Hermes, wish: str) -> None:
    answer = hermes("chat", "-q", f"{TOLD} {wish}")
    assert answer.stdout.startswith("I made the skill deploy-atlas of it.")
    text = hermes("skills", "show", "deploy-atlas").stdout
    assert "1. Run make build\n2. Make ship\n3. Check the dashboard\n" in text and "Save this" not in text


@pytest.mark.parametrize("name", ["../../evil", "技能", "a/b", "-rf", ".hidden", "a\\b", "🚀"])
@pytest.mark.parametrize(
    "told", [f"{TOLD} Save this as a skill called {{}}", "Save this as a skill called {}: " + TOLD]
)
def test_a_name_that_no_folder_can_have_makes_no_skill(hermes: Hermes, name: str, told: str) -> None:
    answer = hermes("chat", "-q", told.format(name)).stdout
    assert answer.startswith("A skill cannot be called") and "letters a to z, digits and hyphens" in answer
    assert json.loads(hermes("skills", "list", "--json").stdout) == []


def test_without_a_name_the_task_gives_it(hermes: Hermes) -> None:
    hermes("-q", "Review the PR of Ben focusing on security")
    hermes("chat", "-c", "-q", "make a skill of this")
    (made,) = json.loads(hermes("skills", "list", "--json").stdout)
    assert made["name"].startswith("review-pr")
    assert "Focusing on security" in hermes("skills", "show", made["name"]).stdout


def test_of_nothing_none_is_made_and_none_a_second_time(hermes: Hermes) -> None:
    assert hermes("-q", "make a skill of this").stdout.startswith("There is nothing in this conversation yet")
    hermes("-q", "Save this as a skill called ship: run make build, then make ship")
    again = hermes("-q", "Save this as a skill called ship: run make build, then make sail")
    assert again.stdout == (
        "I could not make the skill: There is a skill 'ship' already. Change it, or choose another name.\n"
    )


def test_a_conversation_that_is_not_kept_makes_none(hermes: Hermes) -> None:
    said = "Save this as a skill called ship: run make build, then make ship"
    assert "no skill is made of it" in hermes("chat", "--incognito", "-q", said).stdout
    assert json.loads(hermes("skills", "list", "--json").stdout) == []


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (TOLD, ["Run make build", "Make ship", "Check the dashboard"]),
        ("First pull. Then build.", ["Pull", "Build"]),
        ("- pull\n- build", ["Pull", "Build"]),
        ("1) pull 2) build", ["Pull", "Build"]),
        ("Write a letter to Ben", []),
        ("I like tea. I like coffee.", []),
    ],
)
def test_steps_are_read_where_a_text_tells_them_in_order(text: str, steps: list[str]) -> None:
    assert steps_told(text) == steps


@pytest.mark.parametrize(
    ("typed", "name"), [("Deploy Atlas", "deploy-atlas"), ("é__è", "e-e"), ("--", ""), ("x" * 90, "x" * 64)]
)
def test_what_a_skill_is_called_becomes_a_name(typed: str, name: str) -> None:
    assert skill_name(typed) == name
