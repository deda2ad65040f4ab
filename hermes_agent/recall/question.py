"""Read a question or task: what it is about, without the frame around it, and what kind of answer it wants.

"Can you remind me what we discussed about the Atlas release?" is about the Atlas release; the rest says
that something said before is wanted, and by whom. No model is asked; the rules are cues people use.
"""

import re
from dataclasses import dataclass
from enum import Flag, auto
from functools import cache

from hermes_agent.text.kinds import asked_things
from hermes_agent.text.stems import content_words, stem_numbers

LONGEST_QUESTION = 4_000
"""Of a longer task the beginning and the end are read: a pasted file is no question."""

FRAME_WEIGHT = 0.3
"""What a word of the frame counts beside a word of the topic."""


class Cue(Flag):
    """What a question says about the answer it wants."""

    FROM_ASSISTANT = auto()
    """What the assistant said: "you told me", "your suggestion"."""
    SUMMARY = auto()
    ORDER = auto()
    REQUEST = auto()
    """Advice for now, for which preferences matter."""
    COUNT = auto()
    YES_NO = auto()
    HOW_MANY = auto()
    WHEN = auto()
    WHERE = auto()
    TITLE = auto()


@dataclass(frozen=True, slots=True)
class Question:
    """A question as recall reads it."""

    text: str
    topic: str
    """The text without its frame; the whole text if nothing else is left."""
    words: tuple[str, ...]
    """Its words that are no stop words, each once."""
    weights: dict[int, float]
    """The number of each stem, and what it counts: words of the frame count little."""
    parts: tuple[frozenset[int], ...]
    """The stems of each thing it asks about, if it names more than one."""
    cues: Cue
    things: frozenset[str]
    """What is of the kind it asks for: "which instruments" asks for guitars and pianos."""


_FRAME_WORDS = """remind remember recall mention mentioned said told tell talked discuss discussed conversation
    conversations chat chats previous previously earlier brought bring throughout across summary summarize overview
    recap list order walk through item items only aspect aspects different please help suggest suggestion
    suggestions recommend recommendation recommendations advice tips wondering know think going back give provide
    also many much total number times time currently recently ever have get got make want need follow up"""

_EMPTY_WORDS = """happen happened happening anything something everything nothing thing things stuff event events
    news work works working worked busy day days week month"""
"""Words that ask for whatever there was."""

_TALK = r"(conversation|chat|discussion|session)s?"
_FRAME = [
    r"^(hi|hey|hello)[,! ]+",
    r"\b(i'?m|i am|i was) (just )?(going|looking|checking|thinking) (back )?(at|through|over|about) (our|my)"
    rf" previous {_TALK}\b( and| about)?",
    r"\b(i was|i'm|i am) (just )?(wondering|curious|trying to remember)\b,?( if| whether| about)?",
    r"\b(can|could|would|will) you (please )?(help me )?(list|walk me through|remind me( of| about| what)?"
    r"|tell me( about)?|give me( a| an| some)?|show me|explain( to me)?|provide( me)?( with)?|summarize|recall"
    r"|suggest|recommend)\b",
    r"\bdo you (remember|recall|know|have|think)\b",
    r"\bplease\b",
    r"\bremind me (of|about|what)?\b",
    r"\b(clear|complete|comprehensive|detailed|brief|full|thorough) (summary|overview|picture|account)( of)?\b",
    r"\b(summary|overview|recap) of\b",
    r"\b(the )?(order|sequence) (in which )?(of )?",
    r"\bi (brought up|mentioned|discussed|talked about|told you)( the)?( different)?( aspects of)?\b",
    r"\b(throughout|across|during|over|in|from|through) (all )?(our|my|the)"
    rf" ((previous|earlier|past|last) )?{_TALK}"
    r"( about| on| regarding)?\b",
    r"\bin order\b",
    r"\bfrom (the )?(earliest|first) to (the )?(latest|last)\b",
    r"\bstarting (from|with) the (earliest|first)\b",
    r"\byou (mentioned|suggested|recommended|told me|said|gave me|provided|listed)"
    r"( earlier| previously| before| last time)?\b",
    r"\bwe (discussed|talked about|spoke about)( earlier| previously| before| last time)?\b",
]
_PARTS = (
    r"[,;:?!.]\s+|\s+(?:and|or|but|versus|vs\.?|than|between|before|after|compared to|when|while|then|with)\s+"
    r"|\s*\(|\)\s*"
)
_CUES = {
    Cue.FROM_ASSISTANT: (
        r"\byou (told|said|suggest|recommend|mention|gave|provid|list|explain|wrote|help|describ|shared|created)"
        r"|\bdid you (tell|say|give|write)\b"
        r"|\b(your|our) (previous|earlier|last|suggest|recommend|response|answer|list|conversation|chat)"
        r"|\bremind me\b|\bwe (discussed|talked)|previous (conversation|chat|discussion)|last time"
    ),
    Cue.SUMMARY: r"\b(summar|overview|recap|comprehensive|complete (picture|account))",
    Cue.ORDER: r"\b(order|sequence)\b.*\b(i|my|from|of)\b|\bchronolog|brought up",
    Cue.REQUEST: (
        r"\b(can|could|would|will) you (please )?(suggest|recommend|help|show|explain|give|walk me|provide"
        r"|tell me how|guide)|\b(suggest|recommend)\b|\b(any|some) (tips|advice|ideas|suggestions)\b"
        r"|\bhow (do|can|should|would|might) (i|we|you)\b|\bwhat (should|could|can|would) (i|you)\b"
        r"|\bwhat('s| is| are) (the best|a good|some)\b|^i('m| am) (planning|looking|trying|thinking)|\bshould i\b"
    ),
    Cue.COUNT: (
        r"\bhow (many|much)\b|\btotal\b|\bnumber of\b|\ball (the|of)\b|\baverage\b|\border of\b|\bmost\b"
        r"|\bwhich .* (first|last)\b"
    ),
    Cue.YES_NO: r"^(have|has|did|do|am|was|were|is|are|had) (i|we|my)\b",
    Cue.HOW_MANY: r"\bhow (many|much|old|often)\b|\bwhat (is|was) the (price|cost|amount|number)",
    Cue.WHEN: r"\b(when|what (date|day|month|year|time)|how long|how many (days|weeks|months|years))\b",
    Cue.WHERE: r"\bwhere\b|\b(which|what) (city|cities|country|countries|place|places|state|town|locations?)\b",
    Cue.TITLE: (
        r"\b(books?|movies?|films?|songs?|shows?|series|bands?|artists?|games?|author|album|podcast|named?|called"
        r"|titles?|brand)\b"
    ),
}


def read(said: str) -> Question:
    """Read what was asked."""
    text = _ends(said).replace("’", "'")
    topic = topic_of(text)
    kept = set(stem_numbers(content_words(topic))) - _frame_stems()
    found = list(dict.fromkeys(content_words(text)))
    weights: dict[int, float] = {}
    for number in stem_numbers(found):
        weights[number] = 1.0 if number in kept else FRAME_WEIGHT
    return Question(text, topic, tuple(found), weights, _parts_of(topic), _cues_of(text), asked_things(text))


def topic_of(text: str) -> str:
    """Take the frame off a question."""
    topic = text
    for frame in _patterns(tuple(_FRAME)):
        topic = frame.sub(" ", topic)
    topic = re.sub(r"\s+", " ", topic).strip(" ,.?!")
    return topic if content_words(topic) else text


def _parts_of(topic: str) -> tuple[frozenset[int], ...]:
    (split,) = _patterns((_PARTS,))
    stems = [frozenset(stem_numbers(content_words(part))) for part in split.split(topic)]
    about = tuple(part for part in stems if part - _frame_stems())
    return about if len(about) > 1 else ()


def _cues_of(text: str) -> Cue:
    cues = Cue(0)
    for cue, pattern in zip(_CUES, _patterns(tuple(_CUES.values())), strict=True):
        if pattern.search(text):
            cues |= cue
    return cues


def is_topic(number: int) -> bool:
    """Tell whether a stem says what a question is about, beside the days it asks for."""
    return number not in _frame_stems() and number not in _empty_stems()


def is_frame(number: int) -> bool:
    """Tell whether a stem belongs to the frame of questions rather than to a topic."""
    return number in _frame_stems()


@cache
def _frame_stems() -> frozenset[int]:
    return frozenset(stem_numbers(_FRAME_WORDS.split()))


@cache
def _empty_stems() -> frozenset[int]:
    return frozenset(stem_numbers(_EMPTY_WORDS.split()))


@cache
def _patterns(sources: tuple[str, ...]) -> list[re.Pattern[str]]:
    return [re.compile(source, re.IGNORECASE) for source in sources]


def _ends(text: str) -> str:
    text = " ".join(text.split())
    half = LONGEST_QUESTION // 2
    return text if len(text) <= LONGEST_QUESTION else f"{text[:half]} {text[-half:]}"
