"""`hermes chat` without a language model: it keeps, quotes, and admits what it does not know."""

import json

from tests.conftest import Hermes


def test_what_was_said_is_quoted_in_a_later_session(hermes: Hermes) -> None:
    first = hermes("chat", input="My name is Ada and I prefer metric units.\n")
    assert first.stdout == "Kept. Ask me about it whenever you like.\n"
    second = hermes("chat", input="What is my name?\nWhat is my phone number?\n").stdout.splitlines()
    assert second[0].endswith("you said: My name is Ada and I prefer metric units.")
    assert second[1] == "My memory holds nothing about that."


def test_one_question_is_answered_from_the_command_line(hermes: Hermes) -> None:
    hermes("chat", "-q", "I live in Graz.")
    assert hermes("chat", "-q", "where do I live?").stdout.endswith("you said: I live in Graz.\n")


def test_a_question_asked_before_is_no_answer(hermes: Hermes) -> None:
    hermes("chat", "-q", "What is my dog called?")
    assert hermes("chat", "-q", "What is my dog called?").stdout == "My memory holds nothing about that.\n"


def test_every_line_is_kept_with_its_answer(hermes: Hermes) -> None:
    hermes(input="one\n\n   \ntwo\n/help\n")
    (session,) = json.loads(hermes("sessions", "list", "--json").stdout)
    shown = json.loads(hermes("sessions", "show", session["id"], "--json").stdout)
    assert [message["content"] for message in shown["messages"] if message["role"] == "user"] == ["one", "two"]
    assert shown["end_reason"] == "agent_close"


def test_slash_commands_search_and_quit(hermes: Hermes) -> None:
    hermes("chat", "-q", "The deploy runs on docker.")
    outcome = hermes("chat", input="/search docker\n/quit\nxyzzy\n")
    assert ">>>docker<<<" in outcome.stdout
    assert hermes("sessions", "search", "xyzzy").exit_code == 1


def test_an_empty_input_starts_no_session(hermes: Hermes) -> None:
    assert hermes("chat", input="").exit_code == 0
    assert hermes("sessions", "list", "--json").stdout == "[]\n"
