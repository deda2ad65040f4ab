"""The two weeks of `labelled/story.json`, what a light model hands in of them, and what is to be known at the end.

The claims of the model are not all right: some quote other people's mails, jokes and what was not to be kept.
"""

import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from hermes_agent import clock
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession
from tests.learn.claimed import Claimed, hand_in
from tests.openai_server import Received, Use

_FOLDER = Path(__file__).parent / "labelled"
_STORY = json.loads((_FOLDER / "story.json").read_text(encoding="utf-8"))["sessions"]
CLAIMS: dict[str, list[Claimed]] = json.loads((_FOLDER / "story_claims.json").read_text(encoding="utf-8"))
SESSIONS = [f"story{number:02}" for number in range(1, len(_STORY) + 1)]
_MINUTE = 60 * clock.MICROSECONDS

# Of each line all words stand in one fact that is held in the end: `story_expected.md`, section 1.
EXPECTED = """
name Niko Harms|senior backend engineer|Tidewell|lives in Porto|Rua do Farol Velho 47, 2.º Esq.|Lisbon time
8:00 to 16:30|wife Sofia clinic|wife start date 16 March|daughter Ida 6|Ida birthday 21st|mother Bremen
brother Jannis|allergic penicillin|fully remote|sensor networks harbours|Heron ingest gateway|Heron Rust
Heron Timescale|Heron RabbitMQ|Heron k8s|tech lead|Oskar product|buffer 6 hours|readings 180 million
Heron version 2.4.1
Heron memory limit 512Mi|lock_timeout 5s|dry run prod-sized clone|250 by end of Q2|batch inserts COPY
Heron 2.5.0 Monday the 16th|review Thursday the 12th|deadline 27 March|Henrik Moos|Marzipan DuckDB|Marzipan Typst
Marzipan 1 April|demo Greta Wednesday the 18th|Greta decimal comma|Marzipan version 0.3.0|metric Celsius 24h
commit messages English imperative customer name|never deploy on a Friday|Marzipan Fridays before 12:00
design debugging full reasoning|k8s networking five|Typst explain properly|explain vacuum|greet Portuguese one line
uses Helix|tea green|suggest coffee breaks|uses GitLab|uses Linear|uses fish shell|skill Postgres|skill Rust
standup 10:00 Hamburg|Priya 300 lines|Priya calls before 10|Priya Wednesdays|Priya bullet points|Priya Emacs
offsite Bremen May|dinner places|assume either|fly up that week|B1 by the end of the year
"""
# Of none of these lines all words stand in a fact that is held in the end: sections 2 and 6.
STALE = """
Hamburg lives|Lerchenkamp|moving to Porto|fly Saturday|fly Sunday|standup 9:30|uses VS Code
three sentences|drinks coffee|1Gi
version 2.3.6|NATS|half marathon|review Tuesday
"""
# And of none of these in any fact, held or not: section 6.
FORBIDDEN = """
Java|Munich|Bluefin|User vegetarian|User dark mode|User peanuts|3.º Esq.|FathomCloud|imperial|12 ft|pilot 30 March
pilot 23 March|4,000|cargo bike|almond|bakery|CrashLoop|lighthouse|Amrum|Dodo|kranich|Oskar leaves|User Emacs
User doesn't work Wednesdays|Ida penicillin
"""


def tell_story(memory: Memory) -> None:
    """Keep the sessions of the story; each is over."""
    for session_id, session in zip(SESSIONS, _STORY, strict=True):
        at = clock.from_datetime(datetime.fromisoformat(session["date"]).replace(tzinfo=UTC))
        memory.begin(NewSession("cli", session_id, started_at=at, title=session["title"]))
        said = [
            NewMessage("user", text, said_at=at + place * _MINUTE) for place, text in enumerate(session["said"])
        ]
        memory.append(session_id, *said)
        memory.end(session_id, "user_exit")


def read_story(request: Received) -> Use:
    """Hand in the claims of the session that is shown, with the numbers that its known facts have."""
    shown = request.json["messages"][-1]["content"]
    known, _, messages = shown.partition("<messages>")
    (number,) = [
        place for place, session in enumerate(_STORY, 1) if session["said"][0].replace("</", "< /") in messages
    ]
    lines = [line.partition(". ") for line in known.splitlines()]
    numbers = {text: int(place) for place, _, text in lines if place.isdecimal()}
    said = _STORY[number - 1]["said"]
    return hand_in(
        *(_numbered(one, numbers, _place(said[one["message"] - 1], messages)) for one in CLAIMS[str(number)])
    )


def _place(said: str, messages: str) -> int:
    """Return the number of a message as it is shown; what was pasted is not shown, and has none."""
    shown = [text for _, text in re.findall(r'<message number="(\d+)"[^>]*>\n(.*?)\n</message>', messages, re.S)]
    return 1 + shown.index(said.replace("</", "< /")) if said.replace("</", "< /") in shown else len(shown) + 1


def _numbered(claimed: Claimed, numbers: dict[str, int], place: int) -> Claimed:
    meant = [
        number
        for begin in claimed.get("replaces", ())
        for text, number in numbers.items()
        if text.startswith(begin)
    ]
    return {**claimed, "message": place, "replaces": meant}


def matching(lines: str, texts: Iterable[str]) -> list[str]:
    """Return those of the lines of which all words stand in one text."""
    held = [text.casefold() for text in texts]
    found = []
    for line in filter(None, lines.replace("\n", "|").split("|")):
        words = line.casefold().split()
        if any(all(word in text for word in words) for text in held):
            found.append(line)
    return found
