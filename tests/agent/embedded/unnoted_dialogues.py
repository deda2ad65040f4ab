"""Conversations about what is in no note: remarks, suppositions, the world, and what only the archive holds."""

from tests.agent.embedded.dialogue import Dialogue, Line, Session, asked, before, told

UNNOTED = [
    Dialogue(
        "a remark is no note",
        (
            Session(
                (
                    Line("I'm tired", ("I did not add it to the notes", "remember that"), ("Noted",)),
                    Line("it's raining", ("not in the notes",), ("Noted",)),
                )
            ),
            asked(Line("What do you know about me?", ("USER.md is empty",), ("tired", "raining"))),
        ),
    ),
    Dialogue(
        "supposed, reported, joked",
        (
            told(
                "if my name were Bob I'd laugh",
                "she said my name is nice",
                "my name is Shrek lol",
                "my name is not Bob",
            ),
            asked(
                Line("What is my name?", ("I don't have your name in memory.",), ("Shrek", "is Bob", "nice")),
                Line("Is my name Bob?", ("No", "“my name is not Bob”")),
            ),
        ),
    ),
    Dialogue(
        "the world",
        (
            asked(
                Line("What is the capital of France?", ("in memory", "hermes model set"), ("Paris",)),
                Line("Why is the sky blue?", ("no language model", "hermes model set"), ("scatter",)),
                Line("What is 2 + 2?", ("memory",), ("4",)),
            ),
        ),
    ),
    Dialogue(
        "last week",
        (
            # Seven days back is in the week before on every day of the week.
            before(7, "The demo for the museum went well."),
            before(3, "I fixed the printer in the library."),
            asked(
                Line("What did I say about the printer?", ("“I fixed the printer in the library”", "(session ")),
                Line(
                    "What did we talk about last week?",
                    ("We talked last week:", "The demo for the museum went well."),
                ),
                Line("What did we talk about 3 days ago?", ("I fixed the printer in the library.",), ("museum",)),
                Line(
                    "What did we talk about yesterday?",
                    ("no other conversation from yesterday",),
                    ("museum", "printer in"),
                ),
            ),
        ),
    ),
    Dialogue(
        "said long ago, changed since",
        (
            before(200, "I live in Bristol."),
            before(20, "I moved to Berlin."),
            asked(
                Line("Where do I live?", ("You live in Berlin.", "Before that: Bristol, said ")),
                Line(
                    "Have I told you where I work?",
                    ("I found nothing you said about where you work.",),
                    ("Berlin",),
                ),
            ),
        ),
    ),
    Dialogue(
        "asked before, never told",
        (
            before(5, "What is my dog called?", "do you know what my dog is called"),
            asked(Line("What is my dog called?", ("I don't have your dog's name in memory.",), ("you said",))),
        ),
    ),
]
