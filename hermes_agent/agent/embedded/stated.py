"""What a saying states: the user's words as they are, a fact in the words of facts."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from hermes_agent import clock
from hermes_agent.agent.embedded.scene import Saying
from hermes_agent.learn import attributes
from hermes_agent.learn.changing import with_changes
from hermes_agent.learn.dropping import read_dropped
from hermes_agent.learn.entries import read_entry
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.second_thoughts import mended
from hermes_agent.learn.since import valid_from
from hermes_agent.learn.statements import read_statements
from hermes_agent.records.learning import Heard
from hermes_agent.records.statements import USER, Statement

_THEIRS = Pattern(r"\btheir\s+")
"""How facts word what the user called their own."""
_FORMERLY = " (formerly)"


def stated(saying: Saying, today: date | None = None) -> Sequence[Statement]:
    """Return what a saying states; a fact that has ended, on a day if one is given, states what was."""
    if saying.source != "fact":
        said = mended(saying.text, read_statements(saying.text))
        return [*with_changes(saying.text, said), *read_dropped(saying.text)]
    text = saying.text.removesuffix(_FORMERLY)
    has_ended = saying.until is not None and (today is None or saying.until < today)
    is_over = text != saying.text or has_ended
    told = [one for one in read_entry(text, "user") if one.attribute != attributes.NOTE]
    told = [replace(one, value=_THEIRS.sub("my ", one.value)) if one.who == USER else one for one in told]
    return [
        # Its place is the whole sentence: the words are ours, not the user's.
        replace(one, start=0, end=len(saying.text), polarity="was" if is_over else one.polarity)
        for one in told
    ]


def first_day(saying: Saying, statement: Statement, now: datetime) -> date | None:
    """Return the day from which something that was said is so, where that is known."""
    if saying.source == "fact":
        return saying.since
    said = now if saying.at is None else saying.at.replace(tzinfo=now.tzinfo)
    heard = Heard("", saying.text, clock.from_datetime(said))
    begins = valid_from(statement, heard, now.tzinfo)
    return None if begins is None else clock.to_datetime(begins, now.tzinfo).date()
