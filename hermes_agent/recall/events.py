"""Days that a question counts from something that happened: "two weeks before the release".

When that was is looked up in memory first: the day the best message about it speaks of, or was said on.
"""

from dataclasses import replace
from datetime import date

from hermes_agent import clock
from hermes_agent.recall.asking import Asking, without_phrase
from hermes_agent.recall.hit import Hit
from hermes_agent.recall.question import read
from hermes_agent.text.time_anchors import Anchored, anchored_phrase, around
from hermes_agent.text.time_phrases import told_spans


def event_of(asking: Asking) -> Anchored | None:
    """Return what the question counts its days from; None if it names days itself, or none."""
    return None if asking.span is not None else anchored_phrase(asking.question.text)


def about(asking: Asking, event: Anchored) -> Asking:
    """Ask for the event alone."""
    return replace(asking, question=read(event.event))


def with_event(asking: Asking, event: Anchored, best: Hit) -> Asking:
    """Ask for the days that are meant, now that a message tells when the event was."""
    said = clock.to_datetime(best.said_at, asking.now.tzinfo).date()
    asked = around(event, _day(best.text, said))
    question = read(without_phrase(asking.question.text, event.phrase))
    return replace(asking, question=question, span=(asked.start, asked.end))


def _day(text: str, said: date) -> date:
    """Return the most exact day a text speaks of, else the day it was said."""
    told = told_spans(text, said)
    return min(told, key=lambda span: span[1] - span[0])[0] if told else said
