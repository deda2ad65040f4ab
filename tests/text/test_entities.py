"""What a text names: real sentences, and what comes out of them."""

import pytest

from hermes_agent.text.entities import CANDIDATE_CAP, ENTITY_CAP, Entity, candidate_keys, entities


def shown(text: str) -> list[str]:
    """Write a name as it is, anything else as `kind:name`."""
    return [each.name if each.kind == "name" else f"{each.kind}:{each.name}" for each in entities(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did we decide about Atlas?", ["Atlas"]),
        ("What did Caroline tell Melanie about Sweden?", ["Caroline", "Melanie", "Sweden"]),
        ("Anna Schmidt lives in New York.", ["Anna Schmidt", "New York"]),
        ("New York is great. Los Angeles too.", ["New York", "Los Angeles"]),
        ("I met Bob and Alice at the Bank of America.", ["Bob", "Alice", "Bank of America"]),
        ("We moved from MySQL to PostgreSQL on GitHub.", ["MySQL", "PostgreSQL", "GitHub"]),
        ("GitHub is down again", ["GitHub"]),
        ("IBM and NASA use SQL.", ["IBM", "NASA", "SQL"]),
        ("FTS5 ranks by BM25", ["FTS5", "BM25"]),
        ("my iPhone runs macOS somehow", ["iPhone", "macOS"]),
        ("Anna's dog Rex ate Bob’s homework.", ["Anna", "Rex", "Bob"]),
        ("Dr. Weber and Mrs. Smith met Prof. O'Brien.", ["Weber", "Smith", "O'Brien"]),
        ("Ludwig van Beethoven wrote nine symphonies.", ["Ludwig van Beethoven"]),
        ("the CEO of Google called", ["CEO", "Google"]),
        ("We watched the Lord of the Rings.", ["Lord of the Rings"]),
        ("I am going on Monday in May with Emily.", ["Emily"]),
        ("Emily said so. Emily was right.", ["Emily"]),
        ("On Tuesday, Microsoft announced Windows 11.", ["Microsoft", "Windows"]),
        ("My sister Mia likes Harry Potter", ["Mia", "Harry Potter"]),
        ("Jean-Luc works at AT&T with Node.js", ["Jean-Luc", "AT&T", "Node.js"]),
        ("We write C++ and C# here", ["C++", "C#"]),
        ("open Word, then Notes", ["Word", "Notes"]),
        ("he said (Deborah was there) nothing", ["Deborah"]),
        ("ask Zoë about Æther", ["Zoë", "Æther"]),
        ("Мы встретили Анну в Москве", ["Анну", "Москве"]),
    ],
)
def test_names_are_found_by_their_capitals(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "\n",
            "did anna call about the atlas thing",
            "lol ok brb",
            "I",
            "I'm here. We're late. Don't go.",
        ),
        *(
            "Please call me.",
            "The server is down. Yesterday it rained.",
            "Thanks! Could you check?",
            "Hello, Please help.",
        ),
        *(
            "Running tests failed. Configuration missing.",
            "OK. TODO. FYI.",
            "On Monday in March",
            "We swim on Tuesdays and Fridays. Sundays are for rest.",
            "What's up? Let's go.",
        ),
        *(
            "WHY IS THIS NOT WORKING AGAIN I AM SO ANGRY",
            "HELP ME NOW PLEASE",
            "THE BUILD IS BROKEN. FIX IT NOW!!!",
        ),
        *("Getting Started With The New Memory Engine", "# How To Build A Memory Engine That Lasts"),
        *("1, 2, 3. 4/5", "and/or, he/she, 24/7", "color #ff00aa or #fff", "#include <x>", "issue #12"),
        *("昨日東京に行った。", "what a 'second thought it is to think about all of these things' here"),
        *('she said "I will come to your party tomorrow evening maybe." and left', 'the "the" and "and"'),
        *("due on 31.12.24 or 7.5.2023", "Chapter 3.12 and EUR 3.50", "a... b!!! c???"),
    ],
)
def test_ordinary_text_names_nothing(text: str) -> None:
    assert shown(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Project Atlas is late.", ["project:Atlas"]),
        ("the Atlas project needs help", ["project:Atlas"]),
        ("our project Blue Moon and the Atlas project", ["project:Blue Moon", "project:Atlas"]),
        ("Project Atlas is late; the Atlas project too, and Atlas's team", ["project:Atlas"]),
        ("ping @ada in #general", ["handle:@ada", "handle:#general"]),
        ("@ada.lovelace hi", ["handle:@ada.lovelace"]),
        ("see https://www.example.com/a/b?x=1.", ["domain:example.com"]),
        ("http://localhost:8080/x and example.org", ["domain:localhost", "domain:example.org"]),
        ("visit github.com or docs.python.org today", ["domain:github.com", "domain:docs.python.org"]),
        ("mail ada.l+x@example.co.uk", ["email:ada.l+x@example.co.uk"]),
        ("JOHN@EXAMPLE.COM wrote", ["email:JOHN@EXAMPLE.COM"]),
        ("We use Python 3.12 now", ["version:Python 3.12", "Python"]),
        ("update to v2.1.0 and v3", ["version:v2.1.0", "version:v3"]),
        (
            "React 18.30.1 broke Django 4.2.15",
            ["version:React 18.30.1", "React", "version:Django 4.2.15", "Django"],
        ),
        ("release 18.30.1", ["version:18.30.1"]),
        ("fix ABC-123 and CVE-2024-12345", ["ticket:ABC-123", "ticket:CVE-2024-12345"]),
        ("GPT-4 reads UTF-8", ["GPT-4", "UTF-8"]),
        ("edit src/app.py and README.md", ["path:src/app.py", "path:README.md"]),
        ("in ~/notes/todo.txt, ./run and /etc/hosts.", ["path:~/notes/todo.txt", "path:./run", "path:/etc/hosts"]),
        ("open C:\\temp\\x.log now", ["path:C:\\temp\\x.log"]),
        ('the term "vector store" matters', ["quoted:vector store"]),
        ("the “cold start” and «démarrage à froid»", ["quoted:cold start", "quoted:démarrage à froid"]),
        ("das „kalte Ende“ und »heißer Start«", ["quoted:kalte Ende", "quoted:heißer Start"]),
        ("we call it 'Atlas' here, don't we", ["quoted:Atlas"]),
        ("run `make test` on `src/app.py`", ["quoted:make test", "path:src/app.py"]),
        ("昨日「鬼滅の刃」と『三体』を見た", ["quoted:鬼滅の刃", "quoted:三体"]),
        ('a 5" pipe and a 6" pipe', []),
    ],
)
def test_what_has_a_form_of_its_own_is_found(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Der Server von Anna Schmidt steht in Berlin, die Rechnung liegt bei Siemens.",
            ["Anna Schmidt", "Berlin", "Siemens"],
        ),
        ("Ich heiße Jonas und wohne in München.", ["Jonas", "München"]),
        ("Die Rechnung und der Vertrag liegen im Büro auf dem Tisch.", []),
        ("Gestern hat Maria gesagt, dass die Lieferung in Ordnung ist.", ["Maria"]),
        ("Maria ist heute nicht im Büro.", ["Maria"]),
        ("Herr Müller arbeitet bei der Firma Bosch.", ["Müller", "Bosch"]),
        ("Mein Bruder heißt Tim und hat Hunger.", ["Tim"]),
        ("Das Projekt Atlas läuft, das Atlas-Projekt auch.", ["project:Atlas"]),
        ("Wir nutzen PostgreSQL und die Datenbank Neptun.", ["PostgreSQL", "Neptun"]),
        ("Ich habe keine Zeit und kein Geld für den Urlaub.", []),
        ("Wir haben die Besprechung nach Bedarf verschoben.", []),
        ("J'ai vu Marie à Paris avec L'Oréal.", ["Marie", "Paris", "L'Oréal"]),
        ("Le projet Atlas avance. Nous avons le temps.", ["project:Atlas"]),
        ("Mi hermana Lucía vive en Madrid.", ["Lucía", "Madrid"]),
        ("El proyecto Atlas sigue. Los datos están aquí.", ["project:Atlas"]),
        ("Mio fratello Marco abita a Roma.", ["Marco", "Roma"]),
        ("Minha irmã Inês mora em Lisboa.", ["Inês", "Lisboa"]),
        ("Mijn broer Daan woont in Utrecht.", ["Daan", "Utrecht"]),
    ],
)
def test_names_of_other_languages_are_found(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```python\nclass FooBar: pass\n```\nFooBaz is used", ["FooBaz"]),
        ("**Anna Schmidt**: buys milk\n- Bob: buys eggs", ["Anna Schmidt", "Bob"]),
        ("| Anna | Berlin |\n|---|---|\n| Bob | Rome |", ["Anna", "Berlin", "Bob", "Rome"]),
        ("[the docs](https://docs.example.com/x) of Atlas", ["domain:docs.example.com", "Atlas"]),
        ("> Anna wrote this\n\nI agree with Anna.", ["Anna"]),
        ("omg Anna is sooo late lol, ask Bob", ["Anna", "Bob"]),
        ("thx @bob, pls look at ABC-9 👍", ["handle:@bob", "ticket:ABC-9"]),
    ],
)
def test_markdown_code_and_chat_are_read(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


def test_a_thing_is_named_once_as_it_was_written_first() -> None:
    text = "the Atlas-DB, atlas_db? No: Atlas DB! And `atlas.db` and Anna's, Anna"
    assert entities(text) == [Entity("Atlas-DB", "name"), Entity("Anna", "name")]


def test_a_shouting_text_gives_no_flood() -> None:
    text = "THIS IS A VERY LOUD TEXT ABOUT NOTHING IN PARTICULAR! " * 20
    assert entities(text) == []


def test_a_text_full_of_names_is_cut_at_the_cap() -> None:
    text = " and ".join(f"we met Person{number}" for number in range(1_000))
    assert len(entities(text)) == ENTITY_CAP


def test_candidates_are_entities_words_and_pairs() -> None:
    assert candidate_keys("what did anna schmidt say about the Atlas project?") == [
        *("atlas", "anna", "anna schmidt", "schmidt", "atlas project", "project"),
    ]
    assert candidate_keys("Is it in New York?") == ["new york", "new", "york"]
    assert candidate_keys("") == candidate_keys("what did I do?") == []


def test_candidates_are_bounded() -> None:
    assert len(candidate_keys(" ".join(f"word{number}" for number in range(5_000)))) == CANDIDATE_CAP
