"""Conversations about work and tools: the stack, appointments, instructions, things to remember, decisions."""

from tests.agent.embedded.dialogue import Dialogue, Line, Session, asked, told

WORK = [
    Dialogue(
        "an editor given up",
        (
            told("I use vim"),
            Session((Line("I no longer use vim", ("Taken out of USER.md",)),)),
            asked(
                Line("Do I use vim?", ("Not any more", "“I no longer use vim”")),
                Line("What editor do I use?", ("I don't know which editor you use",), ("You use vim",)),
            ),
        ),
    ),
    Dialogue(
        "the stack",
        (
            told("we use PostgreSQL 16", "our staging server is at 10.0.0.5", "the deploy day is Friday"),
            asked(
                Line("What database do we use?", ("You use PostgreSQL 16.",)),
                Line("Where is our staging server?", ("The staging server is at 10.0.0.5.",)),
                Line("When is the deploy day?", ("The deploy day is Friday.",)),
                Line(
                    "What is the production server?",
                    ("I don't have the production server in memory.",),
                    ("10.0.0.5.",),
                ),
                Line("Do we use MySQL?", ("I don't have that in memory.",), ("Yes",)),
            ),
        ),
    ),
    Dialogue(
        "a new database",
        (
            told("We use MySQL"),
            Session((Line("we switched from MySQL to PostgreSQL", ("you use PostgreSQL, no longer MySQL",)),)),
            asked(
                Line("What database do we use?", ("You use PostgreSQL.",), ("You use MySQL.",)),
                Line("Do we use MySQL?", ("Not any more",)),
            ),
        ),
    ),
    Dialogue(
        "what was done, and why",
        (
            told("We decided to use Kafka because Redis lost messages."),
            asked(
                Line(
                    "Why did we decide to use Kafka?", ("“We decided to use Kafka because Redis lost messages”",)
                ),
                Line("Why do we use Postgres?", ("The journal holds no decision about Postgres",)),
                Line("What did you do today?", ("From the journal", "Redis lost messages” was answered")),
                Line("What happened on 3 March 2020?", ("The journal holds nothing from 3 March 2020.",)),
            ),
        ),
    ),
    Dialogue(
        "an appointment",
        (
            told("My dentist appointment is on 3 December at 14:00."),
            asked(
                Line("When is my appointment?", ("on 3 December at 14:00",)),
                Line("When is my dentist appointment?", ("on 3 December at 14:00",)),
                Line("When is my doctor's appointment?", ("I don't have your doctor's appointment in memory.",)),
                Line("My bank appointment is on 5 January at 9:00", ("your bank appointment",)),
                Line("When is my appointment?", ("on 3 December at 14:00", "on 5 January at 9:00")),
            ),
        ),
    ),
    Dialogue(
        "a standing instruction",
        (
            Session(
                (
                    Line(
                        "always answer in German",
                        ("“always answer in German”", "USER.md", "A language model follows the instruction"),
                    ),
                    Line("My name is Ada", ("your name is Ada",), ("language model",)),
                    Line("What is my name?", ("Your name is Ada.",)),
                )
            ),
            asked(Line("How should you answer me?", ("always answer in German",))),
        ),
    ),
    Dialogue(
        "words with a meaning of their own",
        (
            told("when I say ship it, I mean deploy to production"),
            asked(Line("What does ship it mean?", ("“when I say ship it, I mean deploy to production”",))),
        ),
    ),
    Dialogue(
        "how to be called",
        (
            told("My name is Adelaide but call me Addy"),
            asked(
                Line("hello", ("Hello, Addy.",)),
                Line("What should you call me?", ("Addy",)),
                Line("What is my name?", ("Your name is Adelaide.",)),
            ),
        ),
    ),
    Dialogue(
        "remember that",
        (
            Session(
                (
                    Line("Remember that I parked on level 3", ("“I parked on level 3”",)),
                    Line("remember that the gate code is 4711", ("the gate code is 4711", "MEMORY.md")),
                )
            ),
            asked(
                Line("Where did I park?", ("level 3",)),
                Line("What is the gate code?", ("The gate code is 4711.",)),
            ),
        ),
    ),
    Dialogue(
        "a decision and its reason",
        (
            told("We decided to use Rust for the parser"),
            asked(
                Line("What did we decide about the parser?", ("You decided to use Rust for the parser.",)),
                Line(
                    "What did we decide about the database?",
                    ("I don't have a decision about the database in memory.",),
                    ("You decided",),
                ),
            ),
        ),
    ),
]
