"""Habits and hours: when somebody works, is off, or can be reached, and when a thing is from now on."""

import pytest

from tests.learn.test_hearing import learned, written

SCHEDULES: dict[str, list[str]] = {
    "I work Monday to Wednesday only, 8 to 4.": ["user.schedule=work Monday to Wednesday only, 8 to 4"],
    "I'm on earlies now, six till two, so don't call before three.": [
        "user.schedule=on earlies now, six till two",
        "user.instruction=don't call before three",
    ],
    "I work 9 to 5.": ["user.schedule=work 9 to 5"],
    "I start at six and finish at two.": ["user.schedule=start at six", "user.schedule=finish at two"],
    "I'm at my desk from 7 to 3.": ["user.schedule=at my desk from 7 to 3"],
    "I don't work on Fridays.": ["not user.schedule=work on Fridays"],
    "Fridays I'm off.": ["user.schedule=Fridays I'm off"],
    "I'm off on Wednesdays.": ["user.schedule=off on Wednesdays"],
    "I'm best reached after six.": ["user.schedule=best reached after six"],
    "I meditate daily.": ["user.schedule=meditate daily"],
    "I run 10k every other day.": ["user.schedule=run 10k every other day"],
    "I read to my son every night.": ["user.schedule=read to my son every night"],
    "I volunteer at the food bank on Saturdays.": [
        "user.employer=food bank",
        "user.schedule=volunteer at the food bank on Saturdays",
    ],
    "I can only do calls between ten and noon.": ["user.schedule=can only do calls between ten and noon"],
    "I don't do meetings after three.": ["user.schedule=don't do meetings after three"],
    "We deploy on Wednesdays.": ["user.schedule=deploy on Wednesdays"],
    "Tom can't do meetings before ten.": ["Tom.schedule=can't do meetings before ten"],
    "Office hours are 9 to 11 on Mondays.": ["office hours.schedule=9 to 11 on Mondays"],
    "Book club is the first Wednesday of the month.": ["book club.schedule=the first Wednesday of the month"],
    "Visiting is two till six.": ["visiting.schedule=two till six"],
    # moved
    "Standup has slid to 9:45.": ["standup.schedule=9:45"],
    "my pottery class got bumped to thurs 7pm": ["pottery class.schedule=thurs 7pm"],
    "The retro moved from Tuesday to Thursday.": ["retro.date=Thursday"],
    # where the day is another
    "I'm on Pacific time.": ["user.time zone=Pacific time"],
    "I sit in Singapore, UTC+8.": ["user.location=Singapore", "user.time zone=UTC+8"],
    "I work in the Halifax time zone.": ["user.time zone=Halifax"],
}

NO_SCHEDULES = [
    "Prices went from 5 to 10.",
    "We need 8 to 10 people.",
    "I start at the top and work down.",
    "The meeting is at 15:00 CET?",
    "I read it last night.",
    "I cut my finger on Monday.",
    "He moved to Leeds to be near them.",
    "I was in the office from 7 to 3 yesterday.",
    "On time, as ever.",
]

TOOLS: dict[str, list[str]] = {
    "I review everything in vim.": ["user.uses=vim"],
    "I keep my notes in Obsidian and my tasks in Todoist.": ["user.uses=Obsidian", "user.uses=Todoist"],
    "We track bugs in Linear.": ["we.uses=Linear"],
    "Everything lives in Linear as of this week.": ["we.uses=Linear"],
    "Our stack is Django, Postgres and Redis.": ["we.uses=Django", "we.uses=Postgres", "we.uses=Redis"],
    "Our monorepo uses Bazel.": ["monorepo.uses=Bazel"],
    "I run Fedora 40 with Sway.": ["user.uses=Fedora 40", "user.uses=Sway"],
    "I write Kotlin at work.": ["user.uses=Kotlin"],
    "I'm on Windows 11.": ["user.uses=Windows 11"],
    "Prod is in eu-central-1.": ["prod.location=eu-central-1"],
    # skills
    "I know C++ and Fortran well.": ["user.skill=C++", "user.skill=Fortran"],
    "I'm comfortable with SQL.": ["user.skill=SQL"],
    "I'm new to Kubernetes.": ["user.status=new to Kubernetes"],
    "I can read music.": ["user.skill=read music"],
    "Lena owns billing.": ["Lena.work=owns billing"],
}

NO_TOOLS = [
    "I keep my notes in English.",
    "I keep the documents in Oslo.",
    "I do everything in March.",
    "I'm comfortable with longer distances.",
    "I'm familiar with the process.",
    "I'm new to this.",
    "I can read it tomorrow.",
    "I know him well.",
    "Everything happens in Paris.",
]


@pytest.mark.parametrize(("said", "facts"), (SCHEDULES | TOOLS).items(), ids=list(SCHEDULES | TOOLS))
def test_hours_and_tools_are_learned(said: str, facts: list[str]) -> None:
    assert [written(one) for one in learned(said)] == facts


@pytest.mark.parametrize("said", [*NO_SCHEDULES, *NO_TOOLS])
def test_what_is_neither_tells_nothing(said: str) -> None:
    assert [written(one) for one in learned(said)] == []
