"""What a note's entry stands on: the user's own words, or what somebody concluded from them.

An entry is *told* when most of its words are the user's, in one message of the conversation it was saved
in; that message is the evidence, and the share of words the confidence. What the owner writes by hand is
told. Everything else is concluded.
"""

from collections.abc import Sequence

from hermes_agent.records.archive import Message
from hermes_agent.records.notes import Basis, Grounds
from hermes_agent.text.stopwords import STOP_WORDS
from hermes_agent.text.words import words

BY_HAND = Grounds("told", None, 1.0)
_LEAST_SHARE = 0.6
# What an entry adds of its own to the user's words.
_LABELS = frozenset(("name", "lives", "works", "likes", "dislikes", "prefers", "wants", "called", "user", "said"))


def grounds_of(entry: str, window: Sequence[Message]) -> Grounds:
    """Compare an entry with what the user said; the latest message wins among equals."""
    stated = {word for word in words(entry) if word not in STOP_WORDS}
    stated = stated - _LABELS or stated
    best = Grounds("concluded", None, 0.0)
    for message in window:
        if message.role != "user" or not message.content or not stated:
            continue
        share = len(stated & set(words(message.content))) / len(stated)
        if share >= max(best.confidence, 0.01):
            basis: Basis = "told" if share >= _LEAST_SHARE else "concluded"
            best = Grounds(basis, message.uid, round(share, 2))
    return best
