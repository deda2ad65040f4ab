"""Make questions of what somebody stated: take a name, date, number or title out, and ask for it.

"My sister Anna lives in Porto" becomes "Where does my sister live?" with the value Porto. Where no rule knows
other words, the question is what is left of the sentence's words, a third of them dropped, so that it is no copy.
Pure, without a model, and the same for the same words. The value never stands in its question.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from hermes_agent.recall.asking import without_phrase
from hermes_agent.text.compiled import compiled
from hermes_agent.text.entities import entities
from hermes_agent.text.entity_forms import without_code
from hermes_agent.text.questions import asks
from hermes_agent.text.stems import stem_numbers
from hermes_agent.text.stopwords import ENGLISH_STOP_WORDS, STOP_WORDS
from hermes_agent.text.time_phrases import asked_span
from hermes_agent.text.words import has_unspaced, query_words, words

LONGEST_STATEMENT = 1_000
"""Longer messages are pasted more often than said."""

_FEWEST_WORDS, _MOST_WORDS = 3, 40
_MOST_ASKED_WORDS = 12
_FEWEST_CHARACTERS = 4
_REDACTED = "[redacted"
_SENTENCE_END = r"(?<=[.!?…])[\"'”’)\]]*\s+|\n+|(?<=[。！？])"
# Between ASCII letters a digit belongs to a name; in scripts without spaces it stands beside other letters.
_NUMBER = r"(?<![A-Za-z0-9_.,-])[€$£]?\d(?:[\d.,:]*\d)?%?(?![A-Za-z0-9_-]|[.,:]\d)"
_UNIT = r"\s?([^\W\d_]{2,20})"

_VALUE = r"(?P<value>[^,.;:!?]{2,60}?)"
_REST = r"(?:\s+(?:now|since|with|because|and|but|for|in|on|at|last|this|when|where|together)\b.*)?[.!]*$"
_WHO = r"(?P<owner>my|our)\s+(?P<who>[^\W\d_]+(?:[ -][^\W\d_]+){0,2}?)"
_NAMED = r"(?:,?\s+[A-Z][\w'-]+,?)?"
_NOW = r"(?:\s+(?:now|currently|still|just))?"
_RULES = (
    (rf"(?i:{_WHO})(?:{_NAMED})(?i:{_NOW}\s+lives\s+in\s+){_VALUE}(?i:{_REST})", "Where does {owner} {who} live?"),
    (rf"(?i:{_WHO}){_NAMED}(?i:{_NOW}\s+works\s+(?:at|for)\s+){_VALUE}(?i:{_REST})",
     "Where does {owner} {who} work?"),
    (rf"(?i:(?P<owner>i|we){_NOW}\s+live\s+in\s+){_VALUE}(?i:{_REST})", "Where do {owner} live?"),
    (rf"(?i:(?P<owner>i|we){_NOW}\s+work\s+(?:at|for)\s+){_VALUE}(?i:{_REST})", "Where do {owner} work?"),
    (rf"(?i:(?P<owner>i|we){_NOW}\s+moved\s+to\s+){_VALUE}(?i:{_REST})", "Where did {owner} move?"),
    (rf"(?i:i\s+was\s+born\s+in\s+){_VALUE}(?i:{_REST})", "Where was I born?"),
    (rf"(?i:{_WHO}(?:'s|’s)\s+name\s+is\s+){_VALUE}(?i:{_REST})", "What is {owner} {who} called?"),
    (rf"(?i:{_WHO}\s+is\s+(?:called|named)\s+){_VALUE}(?i:{_REST})", "What is the name of {owner} {who}?"),
    (rf"(?i:{_WHO}\s+is\s+on\s+){_VALUE}(?i:{_REST})", "When is {owner} {who}?"),
    (rf"(?i:{_WHO}\s+is\s+(?:at\s+)?){_VALUE}(?i:{_REST})", "What is {owner} {who}?"),
)  # fmt: skip
_LEADS = r"(?i:(?:and|so|well|ok|okay|also|by the way|btw|fyi|remember(?: that)?|note that|actually)[\s,:]+)+"


@dataclass(frozen=True, slots=True)
class Masked:
    """A question, and the value it asks for, as it was written."""

    question: str
    value: str


@dataclass(frozen=True, slots=True)
class _Value:
    """Something to ask for: `masked` is what must leave the sentence; in "3 cats" that is the number alone."""

    text: str
    masked: str
    lead: str


def mask(said: str, when: datetime) -> Masked | None:
    """Make a question of a message that was said then; None if it states nothing that could be asked for."""
    if len(said) > LONGEST_STATEMENT or _REDACTED in said:
        return None
    for sentence in _stated(said):
        found = _by_rule(sentence) or _by_words(sentence, when)
        if found is not None:
            return found
    return None


def answers(text: str, asked: Masked) -> bool:
    """Tell whether a text answers: it holds the value, and half of the words it was asked with.

    Without those a name that stands everywhere would answer every question about it.
    """
    if not holds(text, asked.value):
        return False
    wanted = set(stem_numbers(word for word in words(asked.question) if word not in STOP_WORDS))
    return 2 * len(wanted & set(stem_numbers(words(text)))) >= len(wanted)


def holds(text: str, value: str) -> bool:
    """Tell whether a value stands in a text, whatever its case and accents."""
    wanted = query_words(value)
    return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(words(text))} "


def _stated(said: str) -> Iterator[str]:
    """Yield the sentences that state something, without what leads up to it."""
    for part in compiled(_SENTENCE_END).split(without_code(said)):
        sentence = re.sub(rf"^{_LEADS}", "", (part or "").strip())
        if _FEWEST_WORDS <= len(words(sentence)) <= _MOST_WORDS and not asks(sentence):
            yield sentence


def _by_rule(sentence: str) -> Masked | None:
    for pattern, question in _RULES:
        found = compiled(pattern).match(sentence)
        if found is None:
            continue
        given = found.groupdict()
        owner = given.get("owner", "").lower()
        asked = question.format(owner="I" if owner == "i" else owner, who=given.get("who", ""))
        if _is_value(given["value"]) and not _shares(asked, given["value"]):
            return Masked(asked, given["value"])
    return None


def _is_value(text: str) -> bool:
    """Tell a name, a date or a number from "busy today": it has a capital letter or a digit."""
    has_mark = any(letter.isdigit() or letter.isupper() for letter in text)
    return has_mark and any(word not in STOP_WORDS for word in words(text))


def _by_words(sentence: str, when: datetime) -> Masked | None:
    is_english = sum(word in ENGLISH_STOP_WORDS for word in words(sentence)) > 1
    for value in _values(sentence, when):
        left = _without_days(sentence.replace(value.masked, " "), when)
        asked = _cut(left) if has_unspaced(left) else _some_words(left, value)
        if asked is None or holds(asked, value.text):
            continue
        return Masked(f"{value.lead} {asked}?" if is_english else f"{asked}?", value.text)
    return None


def _values(sentence: str, when: datetime) -> Iterator[_Value]:
    """Yield what could be asked for, the most telling first: titles and codes, dates, numbers, names."""
    named = entities(sentence)
    for entity in named:
        if entity.kind != "name" and entity.name in sentence:
            yield _Value(entity.name, entity.name, "Which")
    span = asked_span(sentence, when)
    if span is not None and any(letter.isdigit() for letter in span.phrase) and span.phrase in sentence:
        yield _Value(span.phrase, span.phrase, "When")
    for number in compiled(_NUMBER).finditer(sentence):
        unit = compiled(_UNIT).match(sentence, number.end())
        if unit is not None and not has_unspaced(unit[0]):
            yield _Value(number[0] + unit[0], number[0], "How many")
        elif sum(letter.isdigit() for letter in number[0]) > 2:
            yield _Value(number[0], number[0], "Which number")
    for entity in sorted(named, key=lambda each: -len(each.name.split())):
        if entity.kind == "name" and entity.name in sentence:
            yield _Value(entity.name, entity.name, "Which name")


def _without_days(text: str, when: datetime) -> str:
    """Take out "yesterday" and its like: asked another day it means another day."""
    span = asked_span(text, when)
    return without_phrase(text, span.phrase) if span is not None and span.phrase else text


def _some_words(left: str, value: _Value) -> str | None:
    """Return the words that are left, every third dropped; None when they are too few to find anything."""
    masked = set(words(value.masked))
    told = [word for word in words(left) if word not in STOP_WORDS and word not in masked]
    dropped = set(range(1, len(told), 3)[: len(told) // 3])
    kept = [word for place, word in enumerate(told) if place not in dropped][:_MOST_ASKED_WORDS]
    return " ".join(kept) if len(kept) > 1 else None


def _cut(left: str) -> str | None:
    """Return two thirds of a text in a script without spaces, where words cannot be told apart."""
    told = " ".join(left.strip(" 。！？.!").split())
    kept = told[: len(told) - len(told) // 3]
    return kept if len(kept) >= _FEWEST_CHARACTERS else None


def _shares(question: str, value: str) -> bool:
    return bool(set(words(question)) & {word for word in words(value) if word not in STOP_WORDS})
