"""Conversations about people: names, homes, families, pets, what they like, and what changed."""

from tests.agent.embedded.dialogue import NOT_IN_MEMORY, Dialogue, Line, Session, asked, told

PEOPLE = [
    Dialogue(
        "a name and a preference",
        (
            Session(
                (
                    Line(
                        "My name is Ada and I prefer metric units.",
                        ("Noted: your name is Ada; you prefer metric units.", "USER.md"),
                    ),
                )
            ),
            asked(
                Line("What is my name?", ("Your name is Ada.", "You told me on", "(session ")),
                Line("Which units do I prefer?", ("You prefer metric units.", "You told me on")),
                Line(
                    "What is my phone number?", ("I don't have your phone number in memory.",), ("Ada", "metric")
                ),
            ),
        ),
    ),
    Dialogue(
        "a phone is no phone number",
        (
            told("my phone is a Pixel"),
            asked(
                Line(
                    "What is my phone number?",
                    ("I don't have your phone number in memory.", "The nearest I found", "“my phone is a Pixel”"),
                ),
                Line("what's my phone?", ("Your phone is a Pixel.",)),
            ),
        ),
    ),
    Dialogue(
        "typed in a hurry",
        (
            told("hi im ada", "i live in bristol", "my names ada btw"),
            asked(
                Line("whats my name", ("Your name is Ada.",)),
                Line("where do i live", ("You live in bristol.",)),
            ),
        ),
    ),
    Dialogue(
        "in capitals",
        (told("MY NAME IS ADA"), asked(Line("WHAT IS MY NAME", ("Your name is Ada.",)))),
    ),
    Dialogue(
        "moving house",
        (
            told("I live in Bristol."),
            Session(
                (Line("I moved to Berlin last month.", ("Changed in USER.md: you live in Berlin", "Bristol")),)
            ),
            asked(
                Line("Where do I live?", ("You live in Berlin.", "Before that: Bristol, said ")),
                Line("Where did I live before?", ("“I live in Bristol.”"[1:-2],)),
                Line("Do I live in Bristol?", ("No: you live in Berlin.",)),
            ),
        ),
    ),
    Dialogue(
        "a correction at once",
        (
            Session(
                (
                    Line("I live in Oslo"),
                    Line("no, I meant Bergen", ("Changed in USER.md: you live in Bergen, no longer Oslo.",)),
                    Line(
                        "Where do I live?", ("You live in Bergen.", "in this conversation"), ("You live in Oslo",)
                    ),
                )
            ),
            asked(Line("Where do I live?", ("You live in Bergen.",), ("You live in Oslo",))),
        ),
    ),
    Dialogue(
        "another name after all",
        (
            told("My name is Ada"),
            Session((Line("Actually, my name is Eve", ("your name is Eve", "Ada")),)),
            asked(
                Line("What is my name?", ("Your name is Eve.", "Before that: Ada")),
                Line("Is my name Ada?", ("No: your name is Eve.",)),
            ),
        ),
    ),
    Dialogue(
        "not this name but that",
        (
            told("My name is Ada"),
            Session((Line("my name isn't Ada, it's Eve", ("your name is Eve",)),)),
            asked(Line("Who am I?", ("Your name is Eve.",))),
        ),
    ),
    Dialogue(
        "the same thing twice",
        (
            told("My name is Ada."),
            Session((Line("My name is Ada", ("I know that already: your name is Ada.",), ("Noted",)),)),
        ),
    ),
    Dialogue(
        "a sister far away",
        (
            Session((Line("my sister Mia lives in Oslo", ("your sister Mia lives in Oslo", "USER.md")),)),
            asked(
                Line("Where does my sister live?", ("Your sister Mia lives in Oslo.", "You told me on")),
                Line("Who is Mia?", ("Mia is your sister.", "lives in Oslo")),
                Line("and where does she live?", ("Your sister Mia lives in Oslo.",)),
                Line("How old is my sister?", ("I don't have your sister's age in memory.",), ("Oslo",)),
                Line("Do I have a sister?", ("Yes",)),
                Line("Do I have a brother?", (NOT_IN_MEMORY,), ("Yes", "No:")),
            ),
        ),
    ),
    Dialogue(
        "two people, one pronoun",
        (
            told("my sister Mia lives in Oslo", "my brother Ben works at Google"),
            asked(
                Line("Where does my brother work?", ("Your brother Ben works at Google.",)),
                Line("and my sister?", ("I don't know where your sister works",), ("Google",)),
                Line("where does he live?", ("Whom do you mean by “he”?",), ("Oslo",)),
            ),
        ),
    ),
    Dialogue(
        "two cats",
        (
            told("I have two cats, Tom and Jerry", "my son Tom is 9 years old"),
            asked(
                Line("What are my cats called?", ("Tom", "Jerry")),
                Line("How old is my son?", ("Your son Tom is 9 years old.",)),
            ),
        ),
    ),
    Dialogue(
        "a family",
        (
            told(
                "My wife is Anna. She works at the hospital.", "My daughter Lena is 7.", "We have a dog named Rex"
            ),
            asked(
                Line("Who is my wife?", ("Anna",)),
                Line("Where does Anna work?", ("works at the hospital",)),
                Line("How old is my daughter?", ("7 years old",)),
                Line("what's the name of my dog?", ("Rex",)),
                Line("How old is my dog?", (NOT_IN_MEMORY,), ("7",)),
            ),
        ),
    ),
    Dialogue(
        "work",
        (
            told("I work as a nurse at St Mary's hospital."),
            asked(
                Line("Where do I work?", ("You work at St Mary's hospital.",)),
                Line("What do I do for a living?", ("You work as a nurse.",)),
                Line("How much do I earn?", ("My memory holds no answer",), ("nurse",)),
            ),
        ),
    ),
    Dialogue(
        "likes and dislikes",
        (
            told("I love hiking but I hate running", "I'm vegetarian and I'm allergic to peanuts"),
            asked(
                Line("Do I like hiking?", ("Yes", "“I love hiking”")),
                Line("Do I like running?", ("No", "“I hate running”")),
                Line("Do I like coffee?", ("I don't have that in memory.",), ("Yes", "No:")),
                Line("What am I allergic to?", ("You are allergic to peanuts.",)),
                Line("Am I allergic to milk?", ("I don't have that in memory.",), ("No",)),
                Line("Do I eat meat?", ("I don't have that in memory.",), ("No", "vegetarian")),
            ),
        ),
    ),
    Dialogue(
        "a taste that changed",
        (
            told("I like coffee"),
            told("I hate coffee"),
            asked(
                Line("Do I like coffee?", ("No", "“I hate coffee”"), ("Yes",)),
            ),
        ),
    ),
    Dialogue(
        "what one does not like",
        (
            told("I love sushi", "I hate mushrooms", "I don't eat pork"),
            asked(
                Line("What do I hate?", ("You do not like mushrooms.",), ("sushi",)),
                Line("What don't I eat?", ("You do not eat pork.",), ("mushrooms", "sushi")),
                Line("What do I like?", ("You like sushi.",), ("mushrooms", "pork")),
            ),
        ),
    ),
    Dialogue(
        "text to work on is not said by the user",
        (
            told("Summarise this:\nMy name is Bob and I live in Paris."),
            asked(Line("What is my name?", ("I don't have your name in memory.",), ("is Bob", "Paris"))),
        ),
    ),
    Dialogue(
        "a dog that is gone",
        (
            told("We have a dog named Rex"),
            Session((Line("I don't have a dog anymore", ("Taken out of USER.md: that you have a dog.",)),)),
            asked(Line("Do I have a dog?", ("Not any more",), ("Yes",))),
        ),
    ),
    Dialogue(
        "pets, children and what is eaten, asked for by their kind",
        (
            told(
                "We have two cats, Miso and Nori",
                "My daughter Ada is seven",
                "I drive an old Volvo",
                "I hate coriander",
            ),
            asked(
                Line("Do I have any pets?", ("Yes", "Miso")),
                Line("Which pets do I have?", ("Miso", "Nori"), ("Ada",)),
                Line("Do I have kids?", ("Yes", "Ada"), ("Miso",)),
                Line("Do I have a dog?", (NOT_IN_MEMORY,), ("Yes",)),
                Line("How old is Ada?", ("Your daughter Ada is seven.",)),
                Line("What car do I drive?", ("You drive an old Volvo.",)),
                Line("Which food do I dislike?", ("You do not like coriander.",)),
                Line("What does Ada eat?", ("I don't know what",), ("eats in memory", "coriander")),
            ),
        ),
    ),
]
