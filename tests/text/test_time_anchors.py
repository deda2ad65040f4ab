"""Days counted from an event: the event is named for the caller to look up."""

from datetime import date

import pytest

from hermes_agent.text.time_anchors import Anchored, anchored_phrase, around


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "What did we decide two weeks before the release?",
            Anchored(-17, -11, "release", "two weeks before the release"),
        ),
        ("The day after the launch, what broke?", Anchored(1, 1, "launch", "The day after the launch")),
        (
            "Where was I a week after Anna's birthday?",
            Anchored(4, 10, "Anna's birthday", "a week after Anna's birthday"),
        ),
        (
            "Three days after my surgery did I feel better?",
            Anchored(3, 3, "my surgery", "Three days after my surgery"),
        ),
        (
            "the week after the conference in Berlin",
            Anchored(1, 7, "conference in Berlin", "the week after the conference in Berlin"),
        ),
        ("the night before the wedding", Anchored(-1, -1, "wedding", "the night before the wedding")),
        ("a month after moving to Rome", Anchored(20, 40, "moving to Rome", "a month after moving to Rome")),
        ("right after the v2.0 release.", Anchored(1, 7, "v2.0 release", "right after the v2.0 release")),
        ("zwei Wochen vor dem Release", Anchored(-17, -11, "Release", "zwei Wochen vor dem Release")),
        ("deux jours après le lancement", Anchored(2, 2, "lancement", "deux jours après le lancement")),
        (
            "dos semanas antes del lanzamiento",
            Anchored(-17, -11, "lanzamiento", "dos semanas antes del lanzamiento"),
        ),
    ],
)
def test_an_event_and_the_distance_from_it_are_named(text: str, expected: Anchored) -> None:
    assert anchored_phrase(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "two weeks ago",
            "before the release",
            "two weeks after that",
            "the week before last",
            "the day before",
        ),
        *(
            "a week before Christmas",
            "the day after 3 May",
            "the day after tomorrow",
            "After 30 days, it is compressed",
        ),
        *("read the messages just before and after it", "After each task completes", "after a session"),
    ],
)
def test_what_is_a_date_or_no_distance_names_no_event(text: str) -> None:
    assert anchored_phrase(text) is None


def test_the_days_are_counted_from_the_event() -> None:
    anchored = anchored_phrase("what happened two weeks before the release?")
    assert anchored is not None
    span = around(anchored, date(2026, 3, 1))
    assert (span.start, span.end) == (date(2026, 2, 12), date(2026, 2, 18))
    assert span.phrase == "two weeks before the release"
