"""Conversations with slips and second thoughts: mistyped, forgotten, taken back, put right, ended."""

from tests.agent.embedded.dialogue import Dialogue, Line, Session, asked, before, told

GUSTAVO = ("Your name is Gustavo.",)

SECOND_THOUGHTS = [
    Dialogue(
        "mistyped questions are questions",
        (
            Session(
                (
                    Line("My name is Gustavo", ("Noted: your name is Gustavo.",)),
                    Line("waht is my name", GUSTAVO),
                    Line("wht is my name", GUSTAVO),
                    Line("Wat is my name", GUSTAVO),
                    Line("whta is my name", GUSTAVO),
                    Line("wjat is my name", GUSTAVO),
                    Line("Which is my name", GUSTAVO),
                    Line("waht's my name", GUSTAVO),
                    Line("what's my name, idiot", GUSTAVO),
                    Line("my name is Gustavo, isn't it?", ("Yes:", "Gustavo")),
                    Line("Tell me is my name", (), ("Changed", "your name is")),
                    Line("Nice is my name", (), ("Changed", "your name is Nice")),
                    Line("waht is my favourite colour", ("I don't have your favourite colour in memory.",)),
                    Line("waht is my phone number", ("I don't have your phone number in memory.",)),
                )
            ),
            asked(Line("What is my name?", GUSTAVO)),
        ),
    ),
    Dialogue(
        "mistyped words for people",
        (
            told("my nmae is Ada", "my dauhgter anna is 3"),
            asked(
                Line("wehre do I live", ("I don't know where you live",)),
                Line("What is my name?", ("Your name is Ada.",)),
                Line("How old is my daughter?", ("Your daughter Anna is 3 years old.",)),
            ),
        ),
    ),
    Dialogue(
        "a saying replaces no name",
        (
            told("My name is Lin"),
            Session((Line("I am Groot", ("USER.md says your name is Lin", "I left it so")),)),
            asked(Line("What is my name?", ("Your name is Lin.",), ("Groot",))),
            Session((Line("Actually, I'm Eve", ("your name is Eve, no longer Lin",)),)),
        ),
    ),
    Dialogue(
        "what is forgotten is not said again",
        (
            Session(
                (
                    Line("My name is Lin"),
                    Line("forget my name", ("Forgotten: “Name: Lin”",)),
                    Line("what's my name?", ("You asked me to forget that in this conversation.",), ("Lin",)),
                    Line("hello", ("Hello.",), ("Lin",)),
                )
            ),
            asked(
                Line("hello", ("Hello.",), ("Lin",)),
                Line(
                    "what's my name?",
                    ("You asked me to forget that on ", "still holds it: `hermes sessions delete "),
                    ("Lin",),
                ),
                Line("Is my name Lin?", ("You asked me to forget that",), ("Yes",)),
                Line("What did I say about my name?", (), ("Lin",)),
            ),
            Session((Line("My name is Lin"), Line("what's my name?", ("Your name is Lin.",)))),
        ),
    ),
    Dialogue(
        "forgetting what only the archive holds",
        (
            before(3, "my phone number is 555 123"),
            told("forget my phone number"),
            asked(Line("what is my phone number?", ("You asked me to forget that on ",), ("555 123",))),
        ),
    ),
    Dialogue(
        "other words for forgetting",
        (
            Session(
                (
                    Line("my email is a@example.com"),
                    Line("don't remember my email anymore", ("Forgotten: “Email: a@example.com”",)),
                    Line("do not store my phone number", ("The notes hold nothing about your phone number.",)),
                    Line("I live in Rome"),
                    Line("forget where I live", ("Forgotten: “Lives in Rome”",)),
                    Line("Mein Name ist Lin"),
                    Line("Vergiss meinen Namen", ("Forgotten: “Name: Lin”",)),
                    Line("Je m'appelle Lin"),
                    Line("oublie mon nom", ("Forgotten: “Name: Lin”",)),
                    Line("Me llamo Lin"),
                    Line("olvida mi nombre", ("Forgotten: “Name: Lin”",)),
                )
            ),
        ),
    ),
    Dialogue(
        "forgetting a part",
        (
            Session(
                (
                    Line("my sister Mia lives in Rome"),
                    Line("forget where my sister lives", ("USER.md now says “Sister: Mia”",)),
                    Line("where does my sister live?", ("You asked me to forget that",), ("Rome",)),
                    Line("My name is Lin and I live in Oslo"),
                    Line("forget my name", ("Forgotten: “Name: Lin”",)),
                    Line("where do I live?", ("You live in Oslo.",)),
                    Line("remember that I parked on level 3"),
                    Line("where did I park?", ("I parked on level 3”",), ("USER.md",)),
                )
            ),
        ),
    ),
    Dialogue(
        "taking back the last note",
        (
            Session(
                (
                    Line("undo that", ("no note to take back",)),
                    Line("I live in Rome"),
                    Line("my dog is called Rex"),
                    Line("I take that back", ("“Dog: Rex” is out of USER.md",)),
                    Line("forget", ("no note to take back",)),
                    Line("what is my dog called?", (), ("Rex",)),
                    Line("where do I live?", ("You live in Rome.",)),
                    Line("undo", ("“Dog: Rex” is in USER.md again",)),
                )
            ),
        ),
    ),
    Dialogue(
        "corrections take the right value",
        (
            Session(
                (
                    Line("My birthday is May 3rd"),
                    Line(
                        "I said my birthday is May 3rd but that's wrong, it's May 13th",
                        ("your birthday is May 13th, no longer May 3rd",),
                    ),
                    Line("My favorite food is ramen"),
                    Line(
                        "scratch that, my favorite food is pho, not ramen",
                        ("your favorite food is pho, no longer ramen",),
                    ),
                    Line("My email is foo@example.com"),
                    Line(
                        "that email is wrong, should be bar@example.com",
                        ("your email is bar@example.com, no longer foo@example.com",),
                    ),
                    Line("I live in Oslo"),
                    Line("I live in a small flat", (), ("Changed",)),
                    Line("where do I live?", ("You live in Oslo.",)),
                    Line("so I work at Ikea right", (), ("Noted", "Got it", "Understood")),
                )
            ),
        ),
    ),
    Dialogue(
        "corrections in German",
        (
            told("Ich wohne jetzt in Berlin, nicht mehr in Bonn", "Ich arbeite bei Siemens als Ingenieur"),
            asked(Line("Wo wohne ich?", ("Du wohnst in Berlin.",)), Line("Wo arbeite ich?", ("bei Siemens.",))),
        ),
    ),
    Dialogue(
        "what has ended",
        (
            told("I play the violin", "My dog is called Rex", "I work at Ikea", "never use bullet points"),
            Session(
                (
                    Line("I gave up on the violin", ("Taken out of USER.md: “Plays the violin”.",)),
                    Line("Rex died last week", ("Taken out of USER.md: “Dog: Rex”.",)),
                    Line("I quit my job", ("Taken out of USER.md: “Works at Ikea”.",)),
                    Line("you can use bullet points again", ("Taken out of USER.md: “Never use bullet points”.",)),
                )
            ),
            asked(
                Line("do I play the violin?", ("Not any more:", "“I gave up on the violin”")),
                Line("what do I play?", ("“I gave up on the violin”",), ("You play",)),
                Line("where do I work?", ("“I quit my job”",), ("You work",)),
                Line("what is my dog called?", ("“Rex died last week”",), ("Your dog's name is",)),
                Line("what are my rules for you?", ("no standing instructions",)),
            ),
        ),
    ),
    Dialogue(
        "a nickname no longer wanted, a love that is over",
        (
            Session(
                (
                    Line("Call me captain"),
                    Line("stop calling me captain", ("Taken out of USER.md",)),
                    Line("what should you call me?", (), ("You want to be called",)),
                    Line("My girlfriend is Anna"),
                    Line("we broke up", ("Taken out of USER.md: “Girlfriend: Anna”.",)),
                    Line("who is my girlfriend?", ("“we broke up”",), ("name is Anna",)),
                )
            ),
        ),
    ),
    Dialogue(
        "liked, then not any more",
        (
            Session(
                (
                    Line("I like coffee"),
                    Line("I like tea"),
                    Line("I hate coffee", ("you do not like coffee any more",)),
                    Line("what do I like?", ("You like tea.",), ("coffee",)),
                    Line("what do I hate?", ("You do not like coffee.",), ("tea",)),
                )
            ),
        ),
    ),
    Dialogue(
        "somebody's name put right is the only one that is told",
        (
            told("My boss is Henrik Sandberg.", "My cat is called Milo.", "My sister is called Mia."),
            told("My sister is called Eva."),
            Session(
                (
                    Line(
                        "Actually, my boss is Henrik Sandström, not Sandberg.",
                        ("Changed in USER.md", "Henrik Sandström, no longer Henrik Sandberg."),
                    ),
                    Line("Actually, my cat is called Miso.", ("Miso, no longer Milo.",)),
                )
            ),
            asked(
                Line("Who is my boss?", ("Your boss's name is Henrik Sandström.",), ("name is Henrik Sandberg",)),
                Line("What is my cat called?", ("Your cat's name is Miso.",), ("name is Milo",)),
                Line("Is my cat called Milo?", (), ("Yes",)),
                Line("Who is my sister?", ("name is Mia", "name is Eva")),
            ),
        ),
    ),
    Dialogue(
        "of whom one has one the newest is told",
        (
            told("My dentist is Dr. Weber.", "My boss is Henrik Sandberg."),
            told("My dentist is Dr. Braun.", "My boss is Eva Lind."),
            asked(
                Line("Who is my dentist?", ("Your dentist's name is Dr. Braun.",), ("name is Dr. Weber",)),
                Line("Who is my boss?", ("Your boss's name is Eva Lind.",), ("name is Henrik",)),
            ),
        ),
    ),
]
