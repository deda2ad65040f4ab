"""What came of something, and the reasons people give: by tables of sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.learn.outcomes import read_outcomes
from hermes_agent.learn.reasons import with_reason
from hermes_agent.learn.sentences import sentences
from hermes_agent.learn.statements import read_statements

TOLD = {
    "The deploy failed because the migration timed out.": (
        "failure",
        "The deploy failed",
        "because the migration timed out",
    ),
    "Yesterday the deploy to staging failed": ("failure", "Yesterday the deploy to staging failed", ""),
    "The new API didn’t work.": ("failure", "The new API didn’t work", ""),
    "We had to roll back the release, since the login was broken.": (
        "failure",
        "We had to roll back the release",
        "since the login was broken",
    ),
    "The server crashed. Reason: out of memory.": ("failure", "The server crashed", "reason: out of memory"),
    "The deploy failed when I ran it.": ("failure", "The deploy failed when I ran it", ""),
    "We fixed the deploy by raising the timeout.": ("result", "We fixed the deploy by raising the timeout", ""),
    "The deploy went through this time.": ("result", "The deploy went through this time", ""),
    "Good news: the search feature is done!": ("result", "Good news: the search feature is done", ""),
    "All tests pass now.": ("result", "All tests pass now", ""),
    "We deployed Atlas 2.4 and the deploy failed, because a table was locked.": (
        "failure",
        "We deployed Atlas 2.4 and the deploy failed",
        "because a table was locked",
    ),
    "The second deploy went through without a problem.": (
        "result",
        "The second deploy went through without a problem",
        "",
    ),
    "I finished the report.": ("result", "I finished the report", ""),
    "We dropped the plan to move to Kubernetes because nobody has time.": (
        "decision",
        "We dropped the plan to move to Kubernetes",
        "because nobody has time",
    ),
    "We decided against Kafka because of the cost.": (
        "decision",
        "We decided against Kafka",
        "because of the cost",
    ),
    "The Kafka migration was cancelled.": ("decision", "The Kafka migration was cancelled", ""),
    "The plan to rewrite it in Rust is off the table.": (
        "decision",
        "The plan to rewrite it in Rust is off the table",
        "",
    ),
}
NOTHING = (
    "Did the deploy fail?",
    "The deploy will be done tomorrow.",
    "The deploy has not failed.",
    "The report is not done yet.",
    "If the build failed, call me.",
    "The deploy might have failed.",
    "Ada said the deploy failed.",
    "The film was released last week.",
    "I worked at Google.",
    "My flight got cancelled.",
    "I broke up with Anna.",
    "I live down the road.",
    "The deploy failed lol",
    "Summarise this:\nThe deploy failed.",
    "Make sure the deploy is fixed.",
    "The backup fails sometimes.",
)
REASONS = {
    "We decided to use Postgres because SQLite locked up.": (
        "We decided to use Postgres",
        "because SQLite locked up",
    ),
    "We’re going with Hetzner so that the data stays here.": (
        "We’re going with Hetzner",
        "so that the data stays here",
    ),
    "Because SQLite locked up, we decided to use Postgres.": (
        "we decided to use Postgres",
        "because SQLite locked up",
    ),
    "Since the rent went up, we decided to move to Porto.": (
        "we decided to move to Porto",
        "since the rent went up",
    ),
    "We chose React. That's because Ada knows it.": ("We chose React", "because Ada knows it"),
    "We chose weekly releases. The reason is that Friday deploys failed.": (
        "We chose weekly releases",
        "because Friday deploys failed",
    ),
    "We decided to use Postgres. What about you?": ("We decided to use Postgres", ""),
    "We decided to use Postgres since Monday.": ("We decided to use Postgres since Monday", ""),
}


@pytest.mark.parametrize(("said", "told"), TOLD.items(), ids=list(TOLD))
def test_what_came_of_something_is_read_with_its_reason(said: str, told: tuple[str, str, str]) -> None:
    assert [(one.kind, one.text, one.reason) for one in read_outcomes(said)] == [told]


@pytest.mark.parametrize("said", NOTHING)
def test_what_is_not_plainly_told_came_of_nothing(said: str) -> None:
    assert read_outcomes(said) == []


@pytest.mark.parametrize(("said", "expected"), REASONS.items(), ids=list(REASONS))
def test_a_decision_has_the_reason_its_words_give(said: str, expected: tuple[str, str]) -> None:
    statement = next(one for one in read_statements(said) if one.attribute == "decision")
    text, reason = with_reason(said, statement.start, statement.end, sentences(said))
    assert (text.strip(" ,."), reason) == expected


@given(st.text(max_size=300))
def test_any_text_is_read(said: str) -> None:
    for told in read_outcomes(f"{said} failed because {said}"):
        assert told.text and told.text in f"{said} failed because {said}"
