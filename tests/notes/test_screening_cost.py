"""Hostile long runs: looking through a text takes time in proportion to its length, whatever it is made of."""

import string
import time

import pytest

from hermes_agent.notes import screening
from hermes_agent.notes.screening import Scope

LONG = 20_000
ORDINARY = (
    "We met on Tuesday, and decided to keep the old server till June; Ben moves the data. See plan.md (p. 4).\n"
)
WORDS = (
    *(
        "a",
        "A",
        "0",
        "1a",
        "a0",
        "0$",
        "a-",
        "a_",
        "a.",
        "é",
        "中",
        "═",
        "—",
        "“",
        "\u200b",
        "\u200d",
        "\u00ad",
        "\ufe0f",
    ),
    *(
        "ignore all ",
        "you are ",
        "for ai ",
        "A.I. ",
        "if an ai ",
        "gur ",
        "eht ",
        "begin ",
        "never ",
        "password: ",
    ),
    *(
        "---end of ",
        "===begin ",
        "<div ",
        "<!--",
        "style='",
        "\\n",
        "\\u0041",
        "&#65;",
        "%41",
        "0x41 ",
        "- \n",
        "\n##",
    ),
)
UNITS = (*string.punctuation, *string.whitespace, *WORDS)
RUNS = {
    **{unit: (unit * LONG)[:LONG] for unit in UNITS},
    **{f"a line that begins with {unit!r}": f"\n{unit * LONG}\x01" for unit in (" ", "\t", "#", "|")},
    "zeros before a letter": "0" * LONG + "a",
    "a tag without end": "<" + "a" * LONG,
}
MOST = 30
"""So many times what an ordinary text of that length takes; what tries every beginning takes hundreds."""


def seconds(text: str, scope: Scope) -> float:
    began = time.process_time()
    screening.find(text, scope)
    return time.process_time() - began


@pytest.mark.parametrize("scope", ["foreign", "note"])
def test_no_run_takes_long_for_its_length(scope: Scope) -> None:
    ordinary = (ORDINARY * LONG)[:LONG]
    for text in (ORDINARY, *(run[:100] for run in RUNS.values())):
        screening.find(text, scope)  # tables are read, and patterns compiled, when they are first needed
    limit = MOST * min(seconds(ordinary, scope) for _ in range(3))
    slow = {name: seconds(text, scope) / limit for name, text in RUNS.items() if seconds(text, scope) > limit}
    assert slow == {}
