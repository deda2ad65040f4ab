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
