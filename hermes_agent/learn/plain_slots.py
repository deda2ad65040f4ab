"""Plain slots of a message, with the noun as it was said: "my address is …", "the deadline for the report is …".

`statements` reads them for the chat, with whatever noun there is; what may be learned for months is only what has
such a value all the time: an address, a budget, a meeting with its hour; no weather, and no server that is down.
Decisions and what is to be remembered are read there too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes_agent.learn import attributes
from hermes_agent.learn.glue import NUMBERS
from hermes_agent.learn.lexicon import NUMBERED_NOUNS, word_set
from hermes_agent.learn.matching import holds_value
from hermes_agent.learn.moods import QUOTATION
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.sentences import sentences
from hermes_agent.learn.statements import read_statements
from hermes_agent.records.statements import Statement
from hermes_agent.text.words import words

_AS_SAID = (attributes.DECISION, attributes.MEANING)
# Whatever is said of them is their value.
_ANY_VALUE = word_set(
    """address code codename nickname pronouns username handle motto surname goal ringtone mascot rule convention
    policy"""
)
_NOUNS = _ANY_VALUE | NUMBERED_NOUNS
_SAYING = word_set("decided agreed chose went settled voted favourite favorite means mean stands")
_CUES = _NOUNS | _SAYING
_COPULAS = word_set("is are was were be s expires starts ends changed moved lives runs costs")
_BEFORE, _BEHIND = 4, 9
_NAMES = Pattern(
    r"\d|(?-i:\b[A-Z])|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:noon|midnight|january|february|march"
    r"|april|may|june|july|august|september|october|november|december)\b"
)
_TRIFLE = Pattern(
    r"to (?:disagree|differ|blame|split|share|wait|talk|meet|skip|try|see|ignore|forget|laugh|order|eat|watch"
    r"|sleep|pretend|sit|walk|swap|call it)\b"
)
_CALLED = Pattern(r"^(?:called|named)\s+(?=\S)")
_SPELT = Pattern(r"(?:spelt|spelled|written|misspelt|misspelled)\b")
_POINTING = Pattern(r"(?:these|this|that|those|it)\b")
_TO_YOU = Pattern(r"\byou(?:r|rself)?\b")
_FAVOURITE = Pattern(r"favou?rite\b")
_PURPOSE = Pattern(r"\s(?:for|of|at|in|on|to|with)\s")
_LONGEST = 120


def with_slots(heard: Sequence[Statement], plain: str, message: str) -> list[Statement]:
    """Add the plain slots to what was heard of a message, unless their words were understood already.

    A slot with a purpose says more: "the deadline for the report". `plain` is the message without the words of
    others, letter for letter in the same places.
    """
    slots = [
        slot
        for slot in _slots(plain, message)
        if _PURPOSE.search(slot.attribute) or not any(_is_same(one, slot) for one in heard)
    ]
    others = [one for one in heard if not any(_is_same(one, slot) or _is_former(one, slot) for slot in slots)]
    return sorted([*others, *slots], key=lambda one: one.start)


def _slots(plain: str, message: str) -> Iterator[Statement]:
    if _CUES.isdisjoint(words(plain)):
        return
    for sentence in sentences(plain):
        if not _has_cue(sentence.text) or sentence.is_asked:
            continue
        for one in read_statements(sentence.text):
            start, end = sentence.start + one.start, sentence.start + one.end
            is_said = one.value in message[start:end] and QUOTATION not in plain[start:end]
            is_kept = one.is_lasting or words(one.value)[:1] and words(one.value)[0] in NUMBERS
            if is_said and is_kept and not one.is_weak and len(one.value) <= _LONGEST and _is_lasting(one):
                # "My project is called Atlas".
                yield replace(one, start=start, end=end, value=_CALLED.sub("", one.value), is_lasting=True)


def _has_cue(sentence: str) -> bool:
    """Tell whether a sentence may fill a slot: one of the nouns with "is" near it, or a word of saying."""
    said = words(sentence)
    if not _SAYING.isdisjoint(said) or ":" in sentence or "=" in sentence:
        return not _CUES.isdisjoint(said)
    return any(
        word in _NOUNS and not _COPULAS.isdisjoint(said[max(place - _BEFORE, 0) : place + _BEHIND])
        for place, word in enumerate(said)
    )


def _is_lasting(one: Statement) -> bool:
    if one.attribute in _AS_SAID:
        # What somebody decides alone is mostly for today.
        if one.attribute == attributes.DECISION and _TRIFLE.match(one.value) and not _NAMES.search(one.value):
            return False
        return one.attribute != attributes.DECISION or one.who.kind == "we"
    if one.attribute.startswith("to ") or _TO_YOU.search(one.value) or _SPELT.match(one.value):
        return False
    if " who " in one.attribute:
        return False  # "the man who sold me the car"
    if one.who.kind not in ("user", "we") or attributes.is_personal(one.attribute) and one.attribute != "goal":
        return False
    if _FAVOURITE.match(one.attribute):
        return "so far" not in one.attribute and not _POINTING.match(one.value)
    head = (_PURPOSE.split(one.attribute)[0].lower().split() or [""])[-1]
    return head in _ANY_VALUE or (head in NUMBERED_NOUNS and _NAMES.search(one.value) is not None)


def _is_former(one: Statement, slot: Statement) -> bool:
    """Tell whether a slot was put right in the same breath: "555 1234, scratch that, 555 9876"."""
    is_slot = (one.who, one.attribute, one.is_single) == (slot.who, slot.attribute, True)
    return is_slot and one.start < slot.end and slot.start < one.end


def _is_same(one: Statement, slot: Statement) -> bool:
    """Tell whether two statements were read of the same words."""
    overlaps = one.start < slot.end and slot.start < one.end
    return overlaps and (holds_value(slot.value, one.value) or one.value in slot.value or slot.value in one.value)
