"""What was so once: whether a question asks for it, and which facts were true in the days it asks for.

A fact that was replaced is no answer to "where do I live", and the only one to "where did I live before". What was
wrong was true at no time, and answers neither.
"""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from hermes_agent import clock
from hermes_agent.recall.asking import Asking
from hermes_agent.records.memory import Fact
from hermes_agent.text.compiled import compiled
from hermes_agent.text.stems import stem_numbers
from hermes_agent.text.words import words

_FORMER = (
    r"\b(?:before|previous(?:ly)?|former(?:ly)?|earlier|originally|at first|back then|in the past|no longer"
    r"|any ?more|use[ds]? to|(?:my|our|the|his|her|their|'s) (?:old|last|ex)\b|changed|instead of"
    r"|fr[uü]her|davor|vorher|avant|auparavant|antes|prima|vroeger)\b"
)

_DID = (
    r"\bdid (?:i|we|he|she|they|my [a-z]+|our [a-z]+|[a-z]+) (?:ever|live|work|use|have|own|drive|play|eat"
    r"|drink|study|like|love|hate|prefer|speak)\b|\bha(?:ve|s) (?:i|we|he|she|they|[a-z]+) ever\b"
)
"""What was done once may be over; "what did you say" asks for talk."""


@dataclass(frozen=True, slots=True)
class Past:
    """What is asked of the past: from `start` up to `end`, as moments; without them, of any time."""

    start: int | None = None
    end: int | None = None


def asked_past(asking: Asking) -> Past | None:
    """Return which past a question asks for; None if it asks for what is so now."""
    if asking.span is not None:
        first, last = asking.span
        zone = asking.now.tzinfo
        start = datetime.combine(first, time.min, tzinfo=zone)
        end = datetime.combine(last + timedelta(days=1), time.min, tzinfo=zone)
        return Past(clock.from_datetime(start), clock.from_datetime(end))
    said = asking.question.text.lower()
    return Past() if compiled(_FORMER).search(said) or compiled(_DID).search(said) else None


def former_stems(asking: Asking) -> set[int]:
    """Return the stems of the words that ask for the past."""
    said = [word for match in compiled(_FORMER).finditer(asking.question.text.lower()) for word in words(match[0])]
    return set(stem_numbers(said))


def was_true(fact: Fact, past: Past) -> bool:
    """Tell whether a fact was true at some time of a past; of any time, whether it has ended.

    What is merged is told by the fact that stands for it.
    """
    if fact.was_wrong or fact.state == "merged":
        return False
    if past.start is None or past.end is None:
        return fact.valid_to is not None
    begun = fact.said_at if fact.valid_from is None else fact.valid_from
    return begun < past.end and (fact.valid_to is None or fact.valid_to > past.start)
