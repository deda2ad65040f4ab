"""The program's own words are nobody's secret: a receipt is not alarmed by them."""

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
