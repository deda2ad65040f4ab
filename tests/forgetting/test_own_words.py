"""The program's own words are nobody's secret: a receipt is not alarmed by them."""

import json

from tests.conftest import Hermes


def test_what_our_own_tools_reply_raises_no_alarm_later(hermes: Hermes) -> None:
    hermes("-q", "Remember that my cat is called Minkalotta Zwiebel.")
    done = hermes("memory", "forget", "--about", "Minkalotta", "--yes")
    assert (done.exit_code, done.stderr.splitlines()[0]) == (0, "This goes for good:")
    assert hermes("memory", "verify-deletion", "receipt:1").exit_code == 0
    hermes("-q", "Remember that my bicycle is called Rosalinde Hurtig.")
    found = hermes("memory", "verify-deletion", "receipt:1")
    assert found.exit_code == 0, found.stdout


def test_a_name_of_three_letters_is_taken_as_a_word_and_a_plain_word_is_refused(hermes: Hermes) -> None:
    hermes("notes", "add", "-t", "memory", "Bob has the key")
    hermes("notes", "add", "-t", "memory", "The bobbin is in the drawer")
    assert hermes("memory", "forget", "--about", "Bob", "--yes").exit_code == 0
    assert "bobbin" in (shown := hermes("notes", "show").stdout)
    assert "Bob has" not in shown
    refused = hermes("memory", "forget", "--about", "the", "--yes")
    assert refused.exit_code == 2
    assert "fact:NNN" in refused.stderr


def test_what_was_told_apart_and_only_has_words_in_common_stays(hermes: Hermes) -> None:
    for place in ("office in Oslo", "shop in Rome"):
        hermes("-q", f"The {place} is open on Mondays only.")
    sessions = json.loads(hermes("sessions", "list", "--json").stdout)
    kept = hermes("sessions", "show", sessions[0]["id"]).stdout
    done = hermes("memory", "forget", "--session", sessions[-1]["id"], "--yes")
    assert (done.exit_code, "Nothing is left of it" in done.stdout) == (0, True), done
    assert hermes("sessions", "show", sessions[0]["id"]).stdout == kept
    notes = hermes("notes", "show").stdout
    assert "The shop in Rome open on Mondays only" in notes and "Oslo" not in notes
    facts = hermes("memory", "facts", "list").stdout
    assert "The shop is on Mondays only" in facts and "office" not in facts


def test_facts_by_hand_that_have_words_in_common_stay(hermes: Hermes) -> None:
    for place in ("office in Oslo", "office in Bergen", "shop in Rome"):
        hermes("memory", "fact", "add", f"The {place} is open on Mondays only")
    done = hermes("memory", "forget", "fact:1", "--yes")
    assert (done.exit_code, "Nothing is left of it" in done.stdout) == (0, True), done
    left = json.loads(hermes("memory", "facts", "list", "--json").stdout)
    assert [one["id"] for one in left] == ["fact:002", "fact:003"]


def test_what_the_agent_noted_of_it_goes_though_somebody_says_a_name_of_it_elsewhere(hermes: Hermes) -> None:
    hermes("-q", "My cat is called Minkalotta Zwiebel.")
    hermes("-q", "Was Minkalotta Zwiebel a good name?")
    assert "Minkalotta" in hermes("notes", "show").stdout
    last = json.loads(hermes("sessions", "list", "--json").stdout)[-1]
    assert hermes("memory", "forget", "--session", last["id"], "--yes").exit_code == 0
    assert "Minkalotta" not in hermes("notes", "show").stdout
    assert "Was Minkalotta Zwiebel a good name?" in hermes("sessions", "export", "--format", "jsonl").stdout


def test_who_repeats_a_whole_sentence_quotes_it(hermes: Hermes) -> None:
    hermes("-q", "My cat is called Minkalotta Zwiebel.")
    hermes("-q", "As I said: my cat is called Minkalotta Zwiebel, remember?")
    last = json.loads(hermes("sessions", "list", "--json").stdout)[-1]
    assert hermes("memory", "forget", "--session", last["id"], "--yes").exit_code == 0
    assert "Minkalotta" not in hermes("sessions", "export", "--format", "jsonl").stdout, "nor in what a tool found"
