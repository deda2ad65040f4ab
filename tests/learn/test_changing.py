"""Which taste or tool takes the place of another, and which stands beside it."""

import pytest

from hermes_agent.learn.reconcile import reconcile
from tests.learn.test_hearing import learned
from tests.learn.test_reconcile import LATER, candidate, known

INSTEAD = [
    ("I prefer dark mode in every editor", "I prefer light mode now"),
    ("I prefer dark mode", "I prefer light mode"),
    ("I prefer light themes", "I prefer dark mode these days"),
    ("I like dark mode", "I prefer light mode now"),
    ("I prefer tabs over spaces", "These days I prefer spaces"),
    ("I prefer tabs", "I prefer spaces over tabs"),
    ("I prefer tea over coffee", "I prefer coffee"),
    ("I prefer tea over coffee", "I prefer coffee over tea"),
    ("I prefer metric units", "From now on I prefer imperial units"),
    ("I prefer short answers", "I prefer long answers now"),
    ("I prefer the window seat", "I prefer the aisle seat now"),
    ("I prefer tea", "I prefer coffee now"),
    ("I prefer Firefox", "I prefer Chrome these days"),
    ("I use vim", "I've switched to VS Code"),
    ("I use Firefox", "I switched to Chrome"),
    ("I drink my coffee black, no sugar", "I've switched to oat milk in my coffee, black got too harsh"),
]
BESIDE = [
    ("I prefer tea", "I prefer dark mode now"),
    ("I prefer dark mode", "I prefer light mode in the morning"),
    ("I prefer tea over coffee", "I prefer coffee in the morning"),
    ("I prefer tea over coffee", "I prefer water"),
    ("I like tea", "I like coffee now"),
    ("I like tea", "I prefer coffee now"),
    ("I prefer tea", "I prefer coffee"),
    ("I prefer short answers", "I prefer long walks"),
    ("I use vim", "I use VS Code"),
    ("I use Python", "I've switched to VS Code"),
    ("I use Docker", "I've switched to VS Code"),
    ("I drink tea", "I drink coffee"),
]


@pytest.mark.parametrize(("before", "said"), INSTEAD)
def test_what_is_so_now_takes_the_place_of_what_was(before: str, said: str) -> None:
    outcome = reconcile(candidate(said, LATER), known(before))
    assert type(outcome).__name__ == "Instead"


@pytest.mark.parametrize(("before", "said"), BESIDE)
def test_two_tastes_stand_beside_each_other(before: str, said: str) -> None:
    outcome = reconcile(candidate(said, LATER), known(before))
    assert type(outcome).__name__ == "New"


LIMITED = {
    "My colleague Jonas is nice, but he hates meetings before 10": (
        "User's colleague Jonas does not like meetings before 10"
    ),
    "My boss dislikes calls after 6pm": "User's boss does not like calls after 6pm",
    "I hate meetings on Fridays": "User does not like meetings on Fridays",
    "I love running in the morning": "User likes running in the morning",
    "Tom hates meetings before noon": "Tom does not like meetings before noon",
    "I prefer tea in the evening": "User prefers tea in the evening",
    "I hate e-mails without a subject": "User does not like e-mails without a subject",
    "I like pizza with pineapple": "User likes pizza with pineapple",
    "I drink my coffee with oat milk": "User drinks coffee with oat milk",
    "I drink coffee without sugar": "User drinks coffee without sugar",
    "I drink tea with my mother": "User drinks tea",
    "I take my tea with lemon": "User drinks their tea with lemon",
    "I love walks with my dog": "User likes walks with their dog",
}


@pytest.mark.parametrize(("said", "text"), LIMITED.items())
def test_a_taste_keeps_what_it_is_limited_to(said: str, text: str) -> None:
    assert [one.text for one in learned(said)] == [text]
