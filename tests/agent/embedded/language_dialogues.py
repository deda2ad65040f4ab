"""Conversations in other languages than English."""

from tests.agent.embedded.dialogue import Dialogue, Line, Session, asked, told

LANGUAGES = [
    Dialogue(
        "German",
        (
            Session((Line("Ich heiße Ada und wohne in Graz.", ("Notiert: du heißt Ada; du wohnst in Graz.",)),)),
            asked(
                Line("Wie heiße ich?", ("Du heißt Ada.", "Das hast du am")),
                Line("Wo wohne ich?", ("Du wohnst in Graz.",)),
                Line("Wie alt bin ich?", ("Das steht nicht in meinem Gedächtnis.",)),
                Line("What is my name?", ("Your name is Ada.",)),
            ),
        ),
    ),
    Dialogue(
        "French",
        (
            Session((Line("Je m'appelle Ada et j'habite à Lyon", ("Noté : tu t'appelles Ada",)),)),
            asked(
                Line("Comment je m'appelle ?", ("Tu t'appelles Ada.",)),
                Line("Où est-ce que j'habite ?", ("Lyon",)),
            ),
        ),
    ),
    Dialogue(
        "Spanish",
        (
            Session((Line("Me llamo Ada y no me gusta el café", ("Anotado: te llamas Ada",)),)),
            asked(
                Line("¿Cómo me llamo?", ("Te llamas Ada.",)),
                Line("Do I like café?", ("No",), ("Yes",)),
                Line("¿Dónde vivo?", ("No tengo eso en la memoria.",)),
            ),
        ),
    ),
    Dialogue(
        "Italian",
        (
            told("Mi chiamo Ada e abito a Roma"),
            asked(Line("Come mi chiamo?", ("Ti chiami Ada.",)), Line("Dove abito?", ("Roma",))),
        ),
    ),
    Dialogue(
        "Portuguese",
        (
            told("Meu nome é Ada e moro em Lisboa"),
            asked(Line("Qual é meu nome?", ("Chamas-te Ada.",)), Line("Onde eu moro?", ("Lisboa",))),
        ),
    ),
    Dialogue(
        "Dutch",
        (
            told("Ik heet Ada en woon in Utrecht"),
            asked(Line("Hoe heet ik?", ("Je heet Ada.",)), Line("Waar woon ik?", ("Je woont in Utrecht.",))),
        ),
    ),
    Dialogue(
        "a script without spaces",
        (
            told("我叫李明，住在上海"),
            asked(Line("我叫什么名字？", ("“我叫李明，住在上海”",))),
        ),
    ),
]
