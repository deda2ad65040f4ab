"""Make the sketch of a message: its stems, its passages, what kind of thing it says, the days it speaks of.

The marks are cues that carry over many conversations; `recall/weights.py` weighs them.
"""

import re
from array import array
from datetime import date

from hermes_agent.text.marks import ADDRESSED, CAPITALS_AT, NAMES_AT, Mark, Sketch
from hermes_agent.text.passages import LONGEST_TEXT, passages
from hermes_agent.text.stems import content_words, stem_numbers
from hermes_agent.text.time_phrases import told_spans

_LONGEST_INSTRUCTION = 600
_MOST_CAPITALS, _MOST_NAMES = 3, 4
_MOST_WORDS = 2_000

_NUMBER = re.compile(
    r"\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|dozen|once|twice|couple)\b", re.IGNORECASE
)
_FIRST_PERSON = re.compile(r"\b(I|I['’](m|ve|d|ll)|my|me|we|our)\b")
_TIME = re.compile(
    r"\b(yesterday|today|tomorrow|tonight|last|next|ago|week|weekend|month|year|\w+day|january|february|march"
    r"|april|may|june|july|august|september|october|november|december|\d{4}|morning|recently|just)\b",
    re.IGNORECASE,
)
_QUOTE = re.compile(r"[\"“”]|'[A-Z]")
_CAPITAL = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-zA-Z]+")
# Somebody is addressed: "Thanks, Deb!", "hey Mel,".
_ADDRESSED = re.compile(
    r"(?:\b(?:hey|hi|hello|thanks|thank you|thx|wow|congrats|congratulations|morning|night|bye|welcome|yeah|yes"
    r"|sure|absolutely|true|agreed|sorry|oh|cool|awesome|great|nice|yup|yep|totally|right|exactly|definitely)"
    r"(?: so much| a lot)?,?\s+|,\s*)(?-i:([A-Z][a-z]{1,11}))(?=\s*(?:[,.!?;:)]|$|\s-))",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\bi('d| would)?( \w+)? prefer\b|\bmy (favou?rite|preference|preferred)\b", re.IGNORECASE
)
_DENIAL = re.compile(
    r"\b(never|haven't|have not|didn't|did not|not yet|don't have|no experience)\b", re.IGNORECASE
)
_NEWS = re.compile(
    r"\b(by the way|btw|speaking of|also,|actually|oh,|i just|i recently|i finally|i've been|i've had|i used to"
    r"|i got|i bought|i went|i visited|i attended|i started|i finished|i completed|my new)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(i|we)('ve| have| had|'d)? (\w+ly |just |also |already |even |finally )?(\w+ed|got|went|bought|saw|took"
    r"|made|met|spent|did|had|was|were|been|started|found|gave|read|ran|won|sold|paid|left|began|came|wrote"
    r"|built|led|set)\b",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(
    r"^\W*(please )?(always|never|from now on|whenever|don't ever|do not ever)\b|\bwhen(ever)? i ask\b"
    r"|\bfrom now on\b",
    re.IGNORECASE,
)
_EVERYONE = (
    (Mark.NUMBER, _NUMBER),
    (Mark.FIRST_PERSON, _FIRST_PERSON),
    (Mark.TIME, _TIME),
    (Mark.QUOTE, _QUOTE),
)
_PEOPLE = ((Mark.PREFERENCE, _PREFERENCE), (Mark.DENIAL, _DENIAL), (Mark.NEWS, _NEWS), (Mark.PAST, _PAST))


def sketch(text: str, role: str, said: date) -> Sketch:
    """Make the sketch of a message said on a day, in the zone of who said it."""
    text = text[:LONGEST_TEXT].replace("’", "'")
    is_answer = role == "assistant"
    stems, cuts = array("I"), array("H")
    surface: list[str] = []
    for passage in passages(text, role):
        found = content_words(passage)[: _MOST_WORDS - len(stems)]
        stems.extend(stem_numbers(found))
        cuts.append(len(stems))
        if not is_answer:
            surface += found
    addressed = [] if is_answer else [ADDRESSED + name.lower() for name in _ADDRESSED.findall(text)]
    days = array("i", (day.toordinal() for span in told_spans(text, said) for day in span))
    return Sketch(
        marks=_marks(text, is_answer=is_answer),
        stems=stems.tobytes(),
        cuts=cuts.tobytes(),
        words=" ".join([*surface, *addressed]),
        days=days.tobytes(),
    )


def _marks(text: str, *, is_answer: bool) -> int:
    marks = Mark(0)
    for mark, cue in _EVERYONE if is_answer else (*_EVERYONE, *_PEOPLE):
        if cue.search(text):
            marks |= mark
    if "?" in text:
        marks |= Mark.ASKS
    if text.rstrip().endswith("?"):
        marks |= Mark.IS_QUESTION
    if not is_answer and len(text) < _LONGEST_INSTRUCTION and _INSTRUCTION.search(text):
        marks |= Mark.INSTRUCTION
    capitals = min(_MOST_CAPITALS, len(_CAPITAL.findall(text)))
    names = 0 if is_answer else min(_MOST_NAMES, len(set(_NAME.findall(text))))
    return int(marks) | capitals << CAPITALS_AT | names << NAMES_AT
