"""The program's own words are nobody's secret: a receipt is not alarmed by them."""

import json
from pathlib import Path

from tests.conftest import Hermes


def test_what_our_own_tools_reply_raises_no_alarm_later(hermes: Hermes) -> None:
    hermes("-q", "Remember that my cat is called Minkalotta Zwiebel.")
    done = hermes("memory", "forget", "--about", "Minkalotta", "--yes")
    assert (done.exit_code, done.stderr.splitlines()[0]) == (0, "This goes for good:")
    assert hermes("memory", "verify-deletion", "receipt:1").exit_code == 0
    hermes("-q", "Remember that my bicycle is called Rosalinde Hurtig.")
    found = hermes("memory", "verify-deletion", "receipt:1")
    assert found.exit_code == 0, found.stdout


def test_where_a_tool_found_something_is_no_word_of_what_it_found(hermes: Hermes) -> None:
    hermes("-q", "My cat is called Tom")
    hermes("-q", "My bicycle is called Rosalinde Hurtig")
    hermes("-q", "What is my cat called?")
    (asked,) = json.loads(hermes("sessions", "list", "--limit", "1", "--json").stdout)
    before = hermes("memory", "log").stdout
    found = json.loads(hermes("memory", "forget", "--session", asked["id"], "--dry-run", "--json").stdout)
    quoting = {name for name, count in found["counts"].items() if count}
    assert quoting.isdisjoint(("spending", "entries of the journal that tell it")), found["counts"]
    assert hermes("memory", "forget", "--session", asked["id"], "--yes").exit_code == 0
    assert before in hermes("memory", "log").stdout
    assert hermes("memory", "verify-deletion", "receipt:1").exit_code == 0


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


def forget_first(hermes: Hermes) -> str:
    """Forget the first session; return what is left of the others, with what went to the model beside them."""
    first = json.loads(hermes("sessions", "list", "--json").stdout)[-1]
    done = hermes("memory", "forget", "--session", first["id"], "--yes")
    assert (done.exit_code, "Nothing is left of it" in done.stdout) == (0, True), done
    return hermes("memory", "export", "--output", "-").stdout


def test_what_was_recalled_of_it_goes_though_somebody_says_a_name_of_it_elsewhere(hermes: Hermes) -> None:
    hermes("-q", "I live in Reykjavik.")
    hermes("-q", "What does one do who lives in Reykjavik?")
    left = forget_first(hermes)
    assert "What does one do who lives in Reykjavik?" in left
    assert "User lives in Reykjavik" not in left


def test_notes_and_skills_by_hand_that_have_a_name_in_common_stay(hermes: Hermes, tmp_path: Path) -> None:
    hermes("-q", "The allotment garden in Wippenhausen needs a new fence.")
    hermes("notes", "add", "Allotment in Wippenhausen: the water is turned off from November to March")
    hermes("notes", "add", "-t", "user", "Gardens in Wippenhausen on Saturdays")
    hermes("notes", "add", "-t", "soul", "You help me with my garden in Wippenhausen.")
    skill = tmp_path / "SKILL.md"
    about = "How to open the allotment garden in Wippenhausen in spring."
    skill.write_text(f"---\nname: open-allotment\ndescription: {about}\n---\n\n# Open it\n\n1. Bring the key.\n")
    assert hermes("skills", "create", "open-allotment", "--file", str(skill)).exit_code == 0
    forget_first(hermes)
    notes = hermes("notes", "show").stdout
    for line in ("the water is turned off", "Gardens in Wippenhausen on Saturdays", "You help me with my garden"):
        assert line in notes
    assert about in hermes("skills", "show", "open-allotment").stdout


def test_a_sentence_repeated_in_a_script_without_blanks_goes(hermes: Hermes) -> None:
    hermes("-q", "我的保险箱密码是蓝色大象。")
    hermes("-q", "我说过,我的保险箱密码是蓝色大象。")
    assert "保险箱密码是蓝色大象" not in forget_first(hermes)


def test_a_courtesy_or_a_name_in_common_takes_nothing_along(hermes: Hermes) -> None:
    hermes("-q", "Our plumber is Mr. Thaddeus Quibblewort, he repaired the boiler. Thank you very much.")
    hermes("-q", "Thank you very much. Thaddeus Quibblewort sent an invoice of 230 euros.")
    assert "Thank you very much. Thaddeus Quibblewort sent an invoice of 230 euros." in forget_first(hermes)
