"""What a question asks for: a slot, a yes or no, a person, a topic, a time."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.agent.embedded.asked import (
    About,
    Check,
    Happened,
    Person,
    Profile,
    Question,
    Rules,
    Same,
    Slot,
    Talk,
    Why,
)
from hermes_agent.agent.embedded.questions import read_question
from hermes_agent.agent.embedded.times import span_of
from hermes_agent.records.statements import Who

NOW = datetime(2026, 11, 15, 12, 0)  # a Sunday

ASKED: dict[str, str] = {
    "What is my name?": "user.name",
    "whats my name": "user.name",
    "Do you remember my name?": "user.name",
    "tell me my name": "user.name",
    "Who am I?": "user.name",
    "what's my name again?": "user.name",
    "Where do I live?": "user.home",
    "do you know where I live": "user.home",
    "where does my sister live?": "sister.home",
    "where does mia live": "Mia.home",
    "How old is my daughter?": "daughter.age",
    "how old am i": "user.age",
    "when is my dentist appointment": "user.dentist appointment",
    "When was I born?": "user.birthday",
    "Where was I born?": "user.birthplace",
    "Where am I from?": "user.origin",
    "where do I work?": "user.employer",
    "who do I work for": "user.employer",
    "What do I do for a living?": "user.role",
    "What does my sister do?": "sister.role",
    "What is my phone number?": "user.phone number",
    "What database do we use?": "we.uses (database)",
    "Which units do I prefer?": "user.prefers (units)",
    "What languages do I speak?": "user.speaks (languages)",
    "What am I allergic to?": "user.allergy",
    "what's my sister's name": "sister.name",
    "what is my dog called": "dog.name",
    "what's the name of my dog?": "dog.name",
    "what are my cats called?": "cat.name",
    "Who is my boss?": "boss.name",
    "What did we decide about Python?": "we.decision (Python)",
    "where is our staging server?": "we.staging server",
    "when do we deploy?": "we.to deploy",
    "when does the plumber come?": "we.plumber",
    "what's my favorite color": "user.favorite color",
    "what should you call me": "user.called",
    "Where did I live before?": "user.home before",
    "Where did I live before Oslo?": "user.home before Oslo",
    "Where did I use to live?": "user.home before",
    "Where did my sister live before?": "sister.home before",
    "What was my phone number before?": "user.phone number before",
    "What is my old phone number?": "user.phone number before",
    "What's my last name?": "user.last name",
    "Where did I live in March?": "user.home @ in March",
    "Where was I living last year?": "user.home @ last year",
    "Who did I work for in 2024?": "user.employer @ in 2024",
    "Which database did we use in January?": "we.uses (database) @ in January",
    "Did I ever live in Lyon?": "check once user.home=Lyon",
    "Have I ever lived in Lyon?": "check once user.home=Lyon",
    "Did I use to work at Siemens?": "check once user.employer=Siemens",
    "and where does she live?": "she.home",
    "What is the capital of France?": "we.capital of France",
    "What do I hate?": "user.not likes",
    "What don't I eat?": "user.not eats",
    "Do I like coffee?": "check user.likes=coffee",
    "Am I allergic to nuts?": "check user.allergy=nuts",
    "Is my name Ada?": "check user.name=Ada",
    "Is Mia my sister?": "check sister Mia.name=Mia",
    "Does Mia live in Oslo?": "check Mia.home=Oslo",
    "Do I have a sister?": "check user.has=a sister",
    "Who is Mia?": "person Mia",
    "What did I say about docker?": "about docker",
    "Did I tell you about my trip?": "about my trip",
    "What did I say about docker last week?": "about docker @ last week",
    "What do you know about me?": "profile",
    "how should you answer me": "rules",
    "What did we talk about yesterday?": "talk yesterday",
    "what did you do last Tuesday": "happened last Tuesday",
    "What happened on 3 March?": "happened on 3 March",
    "what have you been doing today": "happened today",
    "What failed last week?": "failure last week",
    "What did we decide last week?": "decision last week",
    "Why did we decide to use Postgres?": "why decision Postgres",
    "do you remember why we chose Hetzner?": "why decision Hetzner",
    "why are we using Hetzner": "why decision Hetzner",
    "What was the reason for the move to Berlin?": "why decision the move to Berlin",
    "Why did we move?": "why decision move",
    "Why did you decide that three weeks ago?": "why decision three weeks ago",
    "Why did the deploy fail yesterday?": "why failure the deploy yesterday",
    "Why did you do that?": "why decision",
    "why?": "why decision",
    "Why are you so slow?": "open Why are you so slow",
    "what did we discuss on 3 May": "talk on 3 May",
    "and my brother?": "same brother",
    "What about Tom?": "same Tom",
    "Why is the sky blue?": "open Why is the sky blue",
    "Wie heiße ich?": "user.name de",
    "Wo wohnt meine Schwester?": "sister.home de",
    "Mag ich Katzen?": "check user.likes=Katzen",
    "Was weißt du über mich?": "profile",
    "Worüber haben wir gestern gesprochen?": "talk yesterday",
    "Comment je m'appelle ?": "user.name fr",
    "¿Dónde vivo?": "user.home es",
    "Come mi chiamo?": "user.name it",
    "Onde eu moro?": "user.home pt",
    "Hoe heet ik?": "user.name nl",
}


def _who(who: Who) -> str:
    return f"{who.relation} {who.name}".strip() or who.kind


def written(question: Question) -> str:
    match question:
        case Slot():
            kind = f" ({question.kind})" if question.kind else ""
            language = "" if question.language == "en" else f" {question.language}"
            before = f" before {question.then}".rstrip() if question.is_former else ""
            before += f" @ {question.time}" if question.time else ""
            no = "not " if question.is_not else ""
            return f"{_who(question.who)}.{no}{question.attribute}{kind}{before}{language}"
        case Check(statement=claim):
            once = "once " if question.is_past else ""
            return f"check {once}{_who(claim.who)}.{claim.attribute}={claim.value}"
        case Person(name=name):
            return f"person {name}"
        case About():
            time = f" @ {question.time}" if question.time else ""
            return f"{'open' if question.is_open else 'about'} {question.topic}{time}"
        case Talk(time=time):
            return f"talk {time}"
        case Happened(time=time, kind=kind):
            return f"{kind or 'happened'} {time}"
        case Why(topic=topic, time=time, kind=kind):
            return " ".join(part for part in ("why", kind, topic, time) if part)
        case Same(who=who):
            return f"same {_who(who)}"
        case Profile():
            return "profile"
        case Rules():
            return "rules"


@pytest.mark.parametrize(("asked", "expected"), ASKED.items(), ids=list(ASKED))
def test_a_question_asks_for_a_slot(asked: str, expected: str) -> None:
    assert written(read_question(asked)) == expected


@pytest.mark.parametrize(
    ("phrase", "first", "last"),
    [
        ("yesterday", "2026-11-14", "2026-11-15"),
        ("last week", "2026-11-02", "2026-11-09"),
        ("on Tuesday", "2026-11-10", "2026-11-11"),
        ("on 3 May", "2026-05-03", "2026-05-04"),
        ("December 24th", "2025-12-24", "2025-12-25"),
        ("in March", "2026-03-01", "2026-04-01"),
        ("three days ago", "2026-11-12", "2026-11-13"),
        ("in 2025", "2025-01-01", "2026-01-01"),
    ],
)
def test_a_time_in_a_question_is_a_range_of_days(phrase: str, first: str, last: str) -> None:
    span = span_of(phrase, NOW)
    assert span is not None
    assert (f"{span.start:%Y-%m-%d}", f"{span.end:%Y-%m-%d}") == (first, last)


@given(st.text(max_size=120))
def test_any_string_is_a_question_of_some_kind(asked: str) -> None:
    assert written(read_question(asked))
