"""Conversations in which only one answer fits: of the right time and person, and no more than was said."""

from tests.agent.embedded.dialogue import Dialogue, Line, Session, asked, before, told

FITTING = [
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
                    Line("Read config.toml of the web shop", ("needs a language model",)),
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
