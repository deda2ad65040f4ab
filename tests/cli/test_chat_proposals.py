"""Proposals for the notes, in a chat and from `hermes memory suggest`: nothing is written without a yes."""

import json

import pytest

from hermes_agent.agent.review import Proposal
from hermes_agent.cli.suggest import choose, is_sentence
from tests.cli.conversations import connect, messages
from tests.conftest import Hermes
from tests.openai_server import Call, Say, Use, serve

pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize(
    "said",
    [
        "What should I add to your memory from today's conversation?",
        "what should i add to your memory from today’s conversation",
        "“What should I add to your memory from today's conversation?”",
        "  What should I add to your memory  from today`s conversation ?! ",
    ],
)
def test_the_question_for_proposals_is_known_in_every_spelling(said: str) -> None:
    assert is_sentence(said)


def test_other_questions_are_none_for_proposals() -> None:
    assert not is_sentence("What should I add to your memory?")
    assert not is_sentence("What should I add to your memory from today's conversation, Ada?")


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [("y", "ab"), ("YES\n", "ab"), ("1", "a"), ("2, 1", "ab"), ("3", ""), ("", ""), ("n", ""), ("y 1", "")],
)
def test_proposals_are_chosen_by_a_yes_or_by_numbers(answer: str, chosen: str) -> None:
    proposals = [Proposal("user", "a"), Proposal("memory", "b")]
    assert "".join(proposal.text for proposal in choose(proposals, answer)) == chosen


PROPOSED = json.dumps(
    {
        "target": "user",
        "operations": [{"action": "add", "content": "Name: Ada"}, {"action": "add", "content": "Metric"}],
    }
)


@pytest.mark.parametrize("asked", ["/remember", "What should I add to your memory from today's conversation?"])
def test_remember_in_a_pipe_proposes_and_writes_nothing(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    with serve(Say("Hello Ada."), Use(Call("memory", PROPOSED)), Say("Nothing more.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", input=f"I am Ada.\n{asked}\n")
    assert "1. USER.md: Name: Ada\n2. USER.md: Metric\n" in outcome.stdout
    assert "hermes memory suggest --yes" in outcome.stdout
    assert "Ada" not in hermes("notes", "show").stdout
    assert [message["role"] for message in messages(hermes)] == ["user", "assistant"]


def test_memory_suggest_writes_after_a_yes(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (Use(Call("memory", PROPOSED)), Say("Nothing more."))
    with serve(Say("Hello Ada."), *steps, *steps, *steps) as server:
        connect(monkeypatch, server)
        hermes("chat", "-q", "I am Ada.")
        proposed = json.loads(hermes("memory", "suggest", "--json").stdout)
        assert [row["file"] for row in proposed["proposals"]] == ["USER.md", "USER.md"]
        assert "hermes memory suggest --yes" in hermes("memory", "suggest").stdout
        assert "Ada" not in hermes("notes", "show").stdout
        assert "2 entries added to USER.md" in hermes("memory", "suggest", "--yes").stdout
    assert "Name: Ada" in hermes("notes", "show").stdout
    assert "'owner'" in str(json.loads(hermes("memory", "log", "--kind", "note.changed", "--json").stdout))


def test_what_is_noted_already_is_not_proposed(hermes: Hermes) -> None:
    hermes("chat", "-q", "My name is Ada.")
    assert "I found nothing in this conversation that I would add" in hermes("memory", "suggest").stdout
