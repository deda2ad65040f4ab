"""Conversations that went wrong when a new user first tried it: slips, second thoughts, endings, times.

Beside `dialogues`, in the same form; these are not printed in the guide.
"""

from tests.agent.embedded.dialogues import Dialogue, Line, Session, asked, before, told

GUSTAVO = ("Your name is Gustavo.",)

MORE = [
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
            asked(Line("what is my phone number?", ("You asked me to forget that on ",), ("555",))),
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
        "a time and a topic",
        (
            before(400, "I planted roses by the wall"),
            before(2, "I planted garlic in the garden"),
            asked(
                Line("what did I plant since last week?", ("“I planted garlic in the garden”",), ("roses",)),
                Line("what did I plant today?", ("I found nothing",), ("garlic", "roses")),
                Line("where did I plant?", ("On ", "“I planted garlic in the garden”")),
                Line("When did we first talk?", ("I planted roses by the wall",)),
                Line("how many times have we talked?", ("2 other conversations",)),
                Line("what did I just say?", ("“how many times have we talked?”",)),
            ),
        ),
    ),
    Dialogue(
        "a day seen from another day",
        (
            before(9, "my birthday is tomorrow"),
            asked(
                Line("when is my birthday?", ("On ", "you said “my birthday is tomorrow”"), ("Your birthday is",))
            ),
        ),
    ),
    Dialogue(
        "no double answers",
        (
            Session(
                (
                    Line("our two kids, Leo (4) and Nina (6), are at school"),
                    Line("How many children have I got?", ("“our two kids",), ("USER.md",)),
                    Line("my wife and I live in Graz", ("you live in Graz",)),
                    Line("delete the old Graz pictures"),
                    Line("where do I live?", ("You live in Graz.",)),
                )
            ),
        ),
    ),
    Dialogue(
        "the right subject",
        (
            Session(
                (
                    Line("my name is Lin"),
                    Line("where am I?", ("I don't know where you are",), ("Lin",)),
                    Line("remember that the deploy token is in the github secrets"),
                    Line("Which CI do we use?", ("I don't know which CI you use",), ("secrets",)),
                    Line("we use GitLab"),
                    Line("our CI is Jenkins"),
                    Line("Which CI do we use?", ("The CI is Jenkins.",), ("GitLab",)),
                )
            ),
            told("I live in Oslo", "I moved to Bergen", "I moved to Oslo", "I moved to Rome"),
            asked(Line("Where do I live?", ("You live in Rome.", "Before that: Oslo"), ("Bergen",))),
        ),
    ),
    Dialogue(
        "plain statements",
        (
            told(
                "I'm thirty-four",
                "my bday is 12/04/1988",
                "my height is 5'11\"",
                "I was born in Lima",
                "my name is Margaret but my friends say Peggy",
                "My dad's name is Paddy and my mum's is Siobhan",
                "our two kids, Leo (4) and Nina (6), are at school",
                "keep in mind that I'm colour blind",
                "I've got a Golden Retriever called Sunny",
            ),
            asked(
                Line("how old am I?", ("You are thirty-four.",)),
                Line("when is my birthday?", ("12/04/1988",)),
                Line("how tall am I?", ("5'11\"",)),
                Line("where was I born?", ("You were born in Lima.",)),
                Line("what's my name?", ("Your name is Margaret.",)),
                Line("what is my mum's name?", ("Your mother's name is Siobhan.",)),
                Line("names of my kids?", ("Leo", "Nina")),
                Line("How many children have I got?", ("our two kids",)),
                Line("am I colour blind?", ("Yes:",)),
                Line("what is my dog called?", ("Your dog's name is Sunny.",)),
            ),
        ),
    ),
    Dialogue(
        "many rules",
        (
            told(
                "always answer briefly",
                "never use emojis",
                "whenever I say ship it, run the tests",
                "When I say brb, wait for me",
                "Bitte duze mich",
                "from now on use metric units",
            ),
            asked(
                Line(
                    "which instructions did I give you?",
                    ("briefly", "emojis", "ship it", "brb", "duze", "metric units"),
                ),
                Line("what did I tell you not to do?", ("emojis",)),
            ),
        ),
    ),
    Dialogue(
        "small words in other languages, and what it cannot do",
        (
            Session(
                (
                    Line("Danke", ("Gern geschehen",)),
                    Line("merci", ("De rien",)),
                    Line("Hilfe", ("Sag mir etwas",)),
                    Line("remind me tomorrow", ("needs a language model",)),
                    Line("list files", ("needs a language model",)),
                    Line("are you stupid?", ("only the memory",)),
                    Line("what are your limits?", ("I do not think",)),
                    Line("Do you remember me?", ("Your name is not in the notes.",)),
                    Line("私の名前は何ですか", ("My memory holds no answer to that",)),
                )
            ),
        ),
    ),
    Dialogue(
        "a pronoun that may mean somebody else",
        (
            told(
                "My husband Raj and I are getting divorced",
                "I've got twins, Asha and Dev, they turned 5 last week",
            ),
            Session(
                (
                    Line("My brother Ben is a teacher"),
                    Line("The new colleague is nice, he lives in Dublin", ("Kept in this conversation",)),
                    Line("My sister Jo is a doctor. Her cats are Milo and Otis, they are 3 years old", ("Milo",)),
                    Line("My boss is Karen"),
                    Line("She lives in Rome", ("Kept in this conversation",)),
                )
            ),
            asked(
                Line("How old is Raj?", (), ("5",)),
                Line("Where does my brother live?", ("that is not in memory",), ("lives in Dublin",)),
                Line("How old is my sister?", ("I don't have your sister's age in memory.",)),
                Line("Where does my boss live?", ("that is not in memory",)),
            ),
        ),
    ),
    Dialogue(
        "a pronoun that can only mean one",
        (
            told("My sister Mia is a nurse", "she lives in Oslo and she is 30"),
            asked(
                Line("Where does my sister live?", ("It is in USER.md.", "Oslo")),
                Line("How old is my sister?", ("30 years old",)),
            ),
        ),
    ),
    Dialogue(
        "hours stay hours",
        (
            Session(
                (
                    Line("My standup is at 7am", ("your standup is at 7am",)),
                    Line("my gym opens at 10 am", ("your gym opens at 10 am",)),
                    Line("my flight is at 6 a.m. on Friday", ("at 6 a.m. on Friday",)),
                )
            ),
            asked(Line("When is my standup?", ("Your standup is at 7am.",))),
        ),
    ),
    Dialogue(
        "another boss",
        (
            told("My boss is called Karen"),
            Session((Line("Correction: my boss is called Sharon, not Karen", ("Changed in USER.md", "Sharon")),)),
            asked(Line("What is my boss called?", ("Your boss's name is Sharon.", "Before that: Karen"))),
        ),
    ),
    Dialogue(
        "noted in part",
        (
            Session(
                (
                    Line(
                        "My name is Ada and the weather was awful today",
                        ("The rest is kept in this conversation.",),
                    ),
                    Line("I live in Graz. It rained all day.", ("The rest is kept in this conversation.",)),
                    Line(
                        "my mum's birthday is 4 March and my dad died in 2019",
                        ("The rest is kept",),
                        ("and your",),
                    ),
                    Line("I work at Siemens and I like tea", ("you like tea",), ("The rest",)),
                    Line("I went to the pub with my brother Ben yesterday", ("The rest is kept",)),
                    Line("don't tell me jokes and my shoe size is 42", ("jokes", "42"), ("The rest",)),
                )
            ),
            asked(
                Line("How should you answer me?", ("tell me jokes",)),
                Line("Do I have a brother?", ("“my brother Ben” … (session ",)),
            ),
        ),
    ),
    Dialogue(
        "near, but no answer",
        (
            told("My car is a red Golf", "我叫李明，住在上海"),
            asked(
                Line(
                    "what colour is my car",
                    ("I have no exact answer; on ", "“My car is a red Golf”"),
                    ("no answer to",),
                ),
                Line("我叫什么名字", ("I have no exact answer; on ", "“我叫李明，住在上海”")),
            ),
        ),
    ),
]
