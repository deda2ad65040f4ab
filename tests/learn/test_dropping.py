"""What ends a plan, and which plan it is that was given up."""

import pytest

from hermes_agent.learn.candidates import candidates
from hermes_agent.learn.dropping import read_dropped
from hermes_agent.learn.matching import is_dropped_plan
from hermes_agent.records.learning import Heard

GIVEN_UP = {
    "I dropped the marathon idea, my knee is bad": "the marathon idea",
    "I dropped the idea of running a marathon": "running a marathon",
    "I gave up on the marathon": "the marathon",
    "I've given up on running the marathon because of my knee": "running the marathon",
    "I cancelled the marathon": "the marathon",
    "We scrapped the marathon plan": "the marathon plan",
    "I'm not doing the marathon after all": "doing the marathon",
    "Sorry, I'm not running the marathon after all, my knee is bad": "running the marathon",
    "Not doing the marathon after all": "doing the marathon",
    "I've changed my mind about the marathon": "the marathon",
    "I’m no longer going to run the marathon": "run the marathon",
    "I am no longer planning to run the marathon": "run the marathon",
    "I no longer want to run the marathon": "run the marathon",
    "I decided against the marathon": "the marathon",
    "I decided not to run the marathon this year": "run the marathon",
    "I don't want to run the marathon anymore": "run the marathon",
    "I pulled out of the marathon": "the marathon",
    "The marathon is off": "marathon",
    "No marathon for me this year": "marathon",
    "We are not buying the house after all": "buying the house",
    "We won't buy the house after all": "buy the house",
    "Our trip to Japan is cancelled": "trip to Japan",
    "The house purchase fell through": "house purchase",
}
KEPT = [
    "I dropped the kids off.",
    "I dropped it.",
    "I haven't dropped the marathon idea.",
    "I'm not giving up on the marathon.",
    "I never gave up on the marathon.",
    "Have I dropped the marathon idea?",
    "If I dropped the marathon idea, I'd be sad.",
    "My brother dropped the marathon idea.",
    "Ana said we dropped the marathon idea.",
    "I'm not doing it after all these years.",
]


@pytest.mark.parametrize(("said", "what"), GIVEN_UP.items())
def test_what_is_given_up_is_read_without_why_and_when(said: str, what: str) -> None:
    assert [one.value for one in read_dropped(said)] == [what]


@pytest.mark.parametrize("said", KEPT)
def test_what_is_not_given_up_by_the_user_ends_nothing(said: str) -> None:
    assert list(read_dropped(said)) == []


MARATHON, HOUSE = "I'm planning to run the Berlin marathon in September", "I plan to buy a house in spring"


@pytest.mark.parametrize(
    ("planned", "said", "is_over"),
    [
        *((MARATHON, said, "marathon" in said) for said in GIVEN_UP if "marathon" in said or "house" in said),
        (HOUSE, "We are not buying the house after all", True),
        (HOUSE, "We're not getting the house after all", True),
        (HOUSE, "We're not painting the house after all", False),
        (HOUSE, "I dropped the idea of a dog", False),
        ("We're going to move to Lisbon in May", "We're not moving after all", True),
        ("I want to learn Spanish this year", "I've given up on learning Spanish", True),
        ("I want to learn Spanish this year", "I've given up on learning Greek", False),
        ("We decided to get a dog", "We decided against the dog", True),
        ("We decided against the dog", "We decided against the dog", False),
    ],
)
def test_a_plan_is_found_by_its_words(planned: str, said: str, is_over: bool) -> None:
    (plan,) = [one.statement for one in candidates([Heard("1", planned, 1)])]
    assert [is_dropped_plan(plan, one) for one in read_dropped(said)] == [is_over]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("We are not buying the house after all", "User's family decided against buying the house"),
        ("We're not having a second child.", "User's family decided against having a second child"),
        ("I'm not going to the reunion after all.", "User decided against going to the reunion"),
        ("We've decided against Kafka.", "User's team decided against Kafka"),
        ("We chose Kafka.", "User's team chose Kafka"),
        ("I turned the job down.", "User turned the job down"),
        ("I accepted the offer from Siemens.", "User accepted the offer from Siemens"),
    ],
)
def test_a_decision_reads_as_a_sentence(said: str, text: str) -> None:
    assert [one.text for one in candidates([Heard("1", said, 1)])] == [text]
