"""What tidying proposes: tables of facts, reflections and spellings that are one, and of those that are not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.learn.same_things import joins
from hermes_agent.learn.saying_same import same
from hermes_agent.learn.tidying import fact_merges, is_same_reflection, reflection_merges
from hermes_agent.records.memory import Fact, Thing
from hermes_agent.records.reflections import Reflection
from hermes_agent.text.entity_keys import entity_key

DAY = 86_400_000_000


def fact(number: int, text: str, slot: tuple[str, str, str] | None = None, said_at: int = 0) -> Fact:
    subject, attribute, value = slot or (None, None, None)
    return Fact(
        id=number,
        uid=f"uid-{number}",
        text=text,
        subject=subject,
        attribute=attribute,
        value=value,
        polarity="is",
        confidence=0.9,
        confidence_reason="said",
        source_class="user",
        source_message=None,
        span_start=None,
        span_end=None,
        source_entry=None,
        said_at=said_at or number * DAY,
        learned_at=number * DAY,
        valid_from=None,
        valid_to=None,
        superseded_by=None,
        corroborations=0,
        state="current",
        ended_at=None,
        is_pinned=False,
    )


def reflection(number: int, task: str, lesson: str = "`npm test` failed; `npx jest` worked.") -> Reflection:
    return Reflection(
        id=number,
        uid=f"uid-{number}",
        session_id="a",
        message_uid=f"message-{number}",
        task=task,
        task_type="coding",
        outcome="done",
        worked=["It was done with `npx jest`."],
        differently=[lesson],
        source_class="tool",
        began_at=number * DAY,
        ended_at=number * DAY,
        written_by="rules",
        made_at=number * DAY,
        state="current",
        occurrences=1,
    )


def merged(
    *facts: Fact, disputed: tuple[int, ...] = (), refused: tuple[frozenset[str], ...] = ()
) -> list[tuple[int, int]]:
    return [(one.merged.id, one.kept.id) for one in fact_merges(facts, disputed, refused)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User likes tea", "user likes the tea."),
        ("The staging server runs Debian", "Staging server runs debian"),
        ("User doesn't eat meat", "User does not eat meat"),
        ("User's favorite color is green", "User's favourite colour is green"),
        ("User likes long walks", "User likes long walk"),
        ("Reach Ben by e-mail", "Reach Ben by email"),
        ("Go, Rust and Python", "Python, Go, and Rust"),
        ("Zürich", "Zurich"),
    ],
)
def test_these_say_the_same(one: str, other: str) -> None:
    assert same(one, other) and same(other, one)
    assert merged(fact(1, one), fact(2, other)) == [(2, 1)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User likes tea", "User likes coffee"),
        ("User likes tea", "User does not like tea"),
        ("User eats meat", "User doesn't eat meat"),
        ("User has a cat", "User has cats"),
        ("User has one brother", "User has one brothers"),
        ("User's brother lives in Oslo", "User's brothers live in Oslo"),
        ("User prefers cats over dogs", "User prefers dogs over cats"),
        ("User knows C", "User knows C++"),
        ("User knows C", "User knows C#"),
        ("The port is 8080", "The port is 8081"),
        ("Atlas runs on Python 3.11", "Atlas runs on Python 3.1.1"),
        ("The budget is 500 €", "The budget is 500 $"),
        ("Deploys run before the stand-up", "Deploys run after the stand-up"),
        ("User works with Ann", "User works for Ann"),
        ("The office is hiring", "The office is hired"),
        ("Call Ben in the morning", "Call Ben in the mornings before 9"),
        ("Mia, Ben and Ann", "Mia, Ben and Anna"),
        ("", "User likes tea"),
    ],
)
def test_these_do_not(one: str, other: str) -> None:
    assert not same(one, other) and not same(other, one)
    assert merged(fact(1, one), fact(2, other)) == []


LIKES = ("user", "likes", "tea")


@pytest.mark.parametrize(
    "change",
    [
        {"polarity": "is not"},
        {"polarity": "was"},
        {"valid_from": 5 * DAY},
        {"valid_to": 90 * DAY},
        {"is_pinned": True},
        {"source_class": "web"},
        {"state": "superseded"},
        {"state": "merged"},
        {"subject": "Mia"},
        {"attribute": "drinks"},
        {"value": "green tea"},
    ],
)
def test_facts_that_differ_in_more_than_words_stay_two(change: dict[str, object]) -> None:
    one, other = fact(1, "User likes tea", LIKES), fact(2, "User likes tea", LIKES)
    assert merged(one, other) == [(2, 1)]
    # Any: a table of fields and their values.
    assert merged(one, replace(other, **change)) == []  # type: ignore[arg-type]
    assert merged(replace(one, **change), other) == []  # type: ignore[arg-type]


def test_what_contradicts_something_or_was_taken_apart_stays() -> None:
    one, other = fact(1, "User likes tea", LIKES), fact(2, "User likes the tea", LIKES)
    assert merged(one, other, disputed=(2,)) == []
    assert merged(one, other, refused=(frozenset(("fact:001", "fact:002")),)) == []


def test_the_one_said_first_stands_for_the_others_and_one_with_a_slot_before_one_without() -> None:
    late, early = fact(1, "User likes tea", LIKES, 9 * DAY), fact(2, "User likes the tea", LIKES, 2 * DAY)
    assert merged(late, early, fact(3, "User likes tea.", LIKES, 5 * DAY)) == [(1, 2), (3, 2)]
    by_hand = fact(4, "User likes tea", None, 5 * DAY)
    assert merged(by_hand, early) == [(4, 2)]
    assert merged(by_hand, late) == [], "nothing would cover the days between"


def test_merging_what_is_left_proposes_nothing() -> None:
    facts = [fact(number, text) for number, text in enumerate(("Atlas runs", "the Atlas runs", "Atlas runs."), 1)]
    assert merged(*facts) == [(2, 1), (3, 1)]
    assert merged(facts[0], *(replace(one, state="merged") for one in facts[1:])) == []


def lessons(*given: Reflection, refused: tuple[frozenset[str], ...] = ()) -> list[tuple[int, int]]:
    return [(one.merged.id, one.kept.id) for one in reflection_merges(given, refused)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Run the tests of the web app", "Please run the test of the web app again"),
        ("Run the tests of the web app", "run all tests of the web app"),
    ],
)
def test_tasks_that_are_alike_and_taught_the_same_are_one(one: str, other: str) -> None:
    assert lessons(reflection(1, one), reflection(2, other)) == [(1, 2)]
    assert (
        lessons(
            reflection(1, one), reflection(2, other), refused=(frozenset(("reflection:001", "reflection:002")),)
        )
        == []
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Run the tests of the web app", "Deploy the web app"),
        ("Deploy Atlas to the old server of the office", "Deploy Boreas to the old server of the office"),
        ("Resize the 12 pictures of the shop page", "Resize the 13 pictures of the shop page"),
        ("Fix the login bug", "Fix the logout bug"),
    ],
)
def test_other_tasks_stay_two(one: str, other: str) -> None:
    assert lessons(reflection(1, one), reflection(2, other)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": "failed"},
        {"task_type": "data"},
        {"source_class": "assistant"},
        {"differently": ["`npm test` failed; `npx mocha` worked."]},
        {"worked": []},
        {"state": "deleted"},
    ],
)
def test_lessons_that_differ_stay_two(change: dict[str, object]) -> None:
    one, other = reflection(1, "Run the tests"), reflection(2, "Run the tests")
    assert lessons(one, other) == [(1, 2)]
    # Any: a table of fields and their values.
    assert lessons(one, replace(other, **change)) == []  # type: ignore[arg-type]


def thing(name: str, mentions: int, number: int = 0) -> Thing:
    return Thing(number, entity_key(name), name, "name", mentions)


def joined(*named: tuple[str, int], known: tuple[tuple[str, str], ...] = ()) -> list[tuple[str, str]]:
    things = [thing(name, mentions, number) for number, (name, mentions) in enumerate(named)]
    return [(one.other.name, one.thing.name) for one in joins(things, known, ())]


@pytest.mark.parametrize(
    ("named", "join"),
    [
        ((("PostgreSQL", 5), ("Post Greql", 1)), ("Post Greql", "PostgreSQL")),
        ((("PostgreSQL", 5), ("Postgersql", 1)), ("Postgersql", "PostgreSQL")),
        ((("PostgreSQL", 1), ("Postgre SQL", 4)), ("PostgreSQL", "Postgre SQL")),
        ((("GitHub", 2), ("Git Hub", 2)), ("Git Hub", "GitHub")),
        ((("javascript", 3), ("Java Script", 1)), ("Java Script", "javascript")),
    ],
)
def test_spellings_of_a_product_are_one_thing(named: tuple[tuple[str, int], ...], join: tuple[str, str]) -> None:
    assert joined(*named) == [join]
    keys = tuple(entity_key(name) for name in join)
    assert joined(*named, known=((keys[0], keys[1]),)) == []


@pytest.mark.parametrize(
    "named",
    [
        (("Christina", 9), ("Christine", 1)),
        (("Katherine", 9), ("Katharine", 1)),
        (("Mary Ann", 4), ("Maryann", 1)),
        (("McDonald", 5), ("MacDonald", 1)),
        (("GreenLine", 9), ("GreenLane", 1)),
        (("MySQL", 9), ("MSSQL", 1)),
        (("OpenAI", 9), ("OpenAPI", 1)),
        (("PostgreSQL", 2), ("Post Greql", 1)),
        (("PostgreSQL", 9), ("Post Greql", 3)),
        (("Python 3.11", 9), ("Python 3.1.1", 4)),
        (("JavaScript", 9), ("Java", 4)),
        (("TypeScript", 9), ("TypeScripts", 1)),
    ],
)
def test_other_names_are_other_things(named: tuple[tuple[str, int], ...]) -> None:
    assert joined(*named) == []


_TASK = st.lists(
    st.sampled_from(("deploy", "server", "website", "Atlas", "Boreas", "parser", "nightly", "12", "13")),
    min_size=1,
    max_size=7,
).map(" ".join)


@given(st.lists(_TASK, max_size=14))
def test_what_is_looked_up_by_rare_words_is_what_comparing_all_finds(tasks: list[str]) -> None:
    given_ones = [reflection(number, task) for number, task in enumerate(tasks, 1)]
    order = given_ones[::-1]  # the latest stands for the others
    into: dict[int, int] = {}
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            is_free = one.id not in into and other.id not in into and other.id not in into.values()
            if is_free and is_same_reflection(one, other):
                into[other.id] = one.id
    assert lessons(*given_ones) == sorted(into.items())
