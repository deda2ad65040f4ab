"""Write docs/guides/embedded.md: conversations with the embedded default, as they really went.

`python -m tools.dialogues` holds every dialogue of the tests in a home of its own and writes what was said. Dates
and session ids are those of the run, so no test compares the page.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from hermes_agent.config import paths
from tests.agent.embedded.dialogues import DIALOGUES, Dialogue, Session
from tests.agent.embedded.house import House

PAGE = Path(__file__).resolve().parent.parent / "docs" / "guides" / "embedded.md"

_HEAD = """\
# Talk without a language model

When no model is set up, hermes answers by itself: the **embedded default**. It is not a language model and
does not pretend to be one. It understands statements about you and your world, keeps what is worth keeping
in your [notes](notes.md), finds what you said before, and answers with your own words, their date and their
session. What memory does not hold, it says so.

- **Tell it things**: “My sister Mia lives in Oslo.” It says what it understood and where it keeps it.
- **Correct it**: “I moved to Berlin.” The old entry is replaced; the history stays.
- **Ask**: “Where does my sister live?”, “What did I say about the deploy?”, “What did we talk about last
  week?”
- **Ask the [journal](events.md)**: “What did you do last Tuesday?”, “Why did we decide to use Postgres?”
- **Order**: “remember that …”, “forget …”, “search docker”, “list skills”, “what do you know about me?”
- `hermes model set PROVIDER:NAME` adds a language model; everything that was kept stays. →
  [Models](models.md)

It understands English best, and names, places and preferences in German, French, Spanish, Italian,
Portuguese and Dutch. Other languages are kept, found and quoted.

## How it goes

Every conversation below was held by `python -m tools.dialogues` in a fresh home, one session after the
other; nothing is edited. A line that begins with `>` was typed. The tests hold the same conversations and
check each answer.
"""


def main() -> int:
    """Write the page."""
    PAGE.write_text("\n".join([_HEAD, *(_written(dialogue) for dialogue in DIALOGUES)]), encoding="utf-8")
    return 0


def _written(dialogue: Dialogue) -> str:
    with TemporaryDirectory(prefix="hermes-dialogue-") as folder:
        house = House(paths.home_at(folder), Path(folder))
        parts = [_session(house, session, number) for number, session in enumerate(dialogue.sessions, 1)]
        house.close()
    return "\n".join([f"### {dialogue.name[0].upper()}{dialogue.name[1:]}\n", *parts])


def _session(house: House, session: Session, number: int) -> str:
    said = [line.said for line in session.lines]
    if session.days_ago:
        house.said_before(session.days_ago, *said)
        lines: Iterator[str] = (f"> {words}" for words in said)
        title = f"{session.days_ago} days before"
    else:
        lines = (f"> {words}\n{answer}" for words, answer in zip(said, house.talk(*said), strict=True))
        title = f"Session {number}"
    return f"{title}:\n\n```text\n" + "\n\n".join(lines) + "\n```\n"


if __name__ == "__main__":
    sys.exit(main())
