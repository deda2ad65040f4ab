"""Standing wishes, told from orders for the task at hand."""

import pytest

from tests.learn.test_hearing import learned, written

WISHES: dict[str, list[str]] = {
    # beside another clause, or one after the other
    "Kindly address me in French from this point on, and use the polite form.": [
        "user.instruction=address me in French from this point on",
        "user.instruction=use the polite form",
    ],
    "Never push to the release branch, open a merge request even for typos.": [
        "user.instruction=Never push to the release branch",
        "user.instruction=open a merge request even for typos",
    ],
    "Lena owns billing, so tag her on anything about refunds.": [
        "Lena.work=owns billing",
        "user.instruction=tag her on anything about refunds",
    ],
    "i hate raisins so leave them out of recipes": [
        "not user.likes=raisins",
        "user.instruction=leave them out of recipes",
    ],
    # for all of a kind
    "keep shellfish out of any dinner ideas": ["user.instruction=keep shellfish out of any dinner ideas"],
    "Start every reply with the answer.": ["user.instruction=Start every reply with the answer"],
    "Put a summary at the top of every report.": ["user.instruction=Put a summary at the top of every report"],
    "Make sure every function has a docstring.": ["user.instruction=Make sure every function has a docstring"],
    "Stick to British spelling.": ["user.instruction=Stick to British spelling"],
    "Please keep all examples in TypeScript.": ["user.instruction=keep all examples in TypeScript"],
    "can we use metric from now on pls": ["user.instruction=use metric"],
    # in the same case again
    "Whenever I paste a log, summarise it in one line first.": [
        "user.instruction=Whenever I paste a log, summarise it in one line first"
    ],
    "When you give me directions, use landmarks.": ["user.instruction=When you give me directions, use landmarks"],
    "For Python, use four spaces.": ["user.instruction=For Python, use four spaces"],
    "For refunds use help@harbour.example.": ["refunds.contact=help@harbour.example"],
    # told as a rule
    "I'm on Debian, so shell answers should be for bash.": [
        "user.uses=Debian",
        "user.instruction=shell answers should be for bash",
    ],
    "any snack ideas gotta be nut-free": ["user.instruction=any snack ideas gotta be nut-free"],
    "Every invoice draft needs a PO number.": ["user.instruction=Every invoice draft needs a PO number"],
    # wished politely, or refused
    "I'd prefer it if you didn't use contractions.": ["user.instruction=didn't use contractions"],
    "I would ask that you address me as Professor Holm in any letter.": ["user.called=Professor Holm"],
    "I beg you never to justify the text.": ["user.instruction=never to justify the text"],
    "I don't want you to use emojis.": ["user.instruction=don't want you to use emojis"],
    "You don't need to greet me every time.": ["user.instruction=don't need to greet me every time"],
    "u can stop asking abt him": ["user.instruction=stop asking abt him"],
    "can u pls stop calling me buddy": ["user.instruction=stop calling me buddy"],
    "I should be obliged if you would refrain from abbreviating.": ["user.instruction=refrain from abbreviating"],
    "Always alias the tables and never use cross joins.": [
        "user.instruction=Always alias the tables",
        "user.instruction=never use cross joins",
    ],
    "I'm lazy, so please type-hint everything.": ["user.instruction=type-hint everything"],
    "Every pull request needs two reviewers.": ["user.instruction=Every pull request needs two reviewers"],
    "Give me everything in stones and pounds.": ["user.instruction=Give me everything in stones and pounds"],
    # in short
    "short answers pls": ["user.instruction=short answers"],
    "Metric units only, please.": ["user.instruction=Metric units only"],
    "British spelling throughout.": ["user.instruction=British spelling throughout"],
    "Tabs, not spaces, in all Go and Makefiles.": ["user.instruction=Tabs, not spaces, in all Go and Makefiles"],
    "No deploys on Fridays, ever.": ["user.instruction=No deploys on Fridays"],
    "Enough with the emojis.": ["user.instruction=Enough with the emojis"],
}

TASKS = [
    "Make it shorter.",
    "Give me the fixed version.",
    "Use a table for this one.",
    "Make each message fewer than 30 characters.",
    "Keep everything else as it is.",
    "Can you provide any examples of this?",
    "Identify the word count for each heading of the outline.",
    "I'd love to know if you have any recommendations.",
    "List all the files that changed.",
    "When you're done, send me the file.",
    "If you find the bug, tell me where it is.",
    "When you write the essay, use two sources.",
    "I'd appreciate it if you could help me with this.",
    "I'd be grateful if you wrote me a poem.",
    "You don't need to reply.",
    "I don't need recommendations for hotels.",
    "For dinner, use the leftover rice.",
    "The report should be ready by Friday.",
    "My answers must be wrong.",
    "Dates are sweet when ripe.",
    "Two tickets please.",
    "Answers to question two?",
    "No idea, honestly.",
    "Never mind, open the window.",
]


@pytest.mark.parametrize(("said", "facts"), WISHES.items(), ids=list(WISHES))
def test_a_standing_wish_is_learned(said: str, facts: list[str]) -> None:
    assert [written(one) for one in learned(said)] == facts


@pytest.mark.parametrize("said", TASKS)
def test_an_order_for_the_task_is_no_standing_wish(said: str) -> None:
    assert [written(one) for one in learned(said)] == []
