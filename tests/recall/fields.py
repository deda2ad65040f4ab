"""Fields made of a few messages, for the tests of what is compared in them."""

from collections.abc import Sequence
from datetime import date

from hermes_agent.recall.field import Field, Passages, Row
from hermes_agent.text.sketch import sketch

DAY = date(2026, 3, 1)


def row(
    message_id: int,
    text: str = "",
    *,
    episode: int | None = None,
    session: str = "one",
    number: int = 0,
    size: int = 1,
    follows: int | None = None,
    role: str = "user",
    speaker: str | None = None,
    day: date = DAY,
) -> Row:
    """Sketch one message."""
    made = sketch(text, role, day)
    return Row(
        message_id,
        message_id if episode is None else episode,
        session,
        number,
        size,
        follows,
        role,
        speaker,
        day.toordinal(),
        made.marks,
        made.stems,
        made.cuts,
        made.words,
        made.days,
        None,
    )


def chat(*said: str) -> Field:
    """Put texts side by side, each a session of its own."""
    return Field([row(number, text, session=str(number)) for number, text in enumerate(said)])


def talk(*said: tuple[str, str], session: str = "one", passages: Passages | None = None) -> Field:
    """Put what people say one after the other into one session."""
    return Field(lines(*said, session=session), passages)


def lines(*said: tuple[str, str], session: str = "one", first: int = 1) -> Sequence[Row]:
    return [
        row(
            first + place,
            text,
            session=session,
            number=place,
            size=len(said),
            follows=first + place - 1,
            speaker=speaker,
        )
        for place, (speaker, text) in enumerate(said)
    ]
