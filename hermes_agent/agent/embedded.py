"""Answer without a language model: keep what is said, quote what was said before when asked.

It never pretends to understand: an answer is a quotation with its date, or the plain word that
memory holds none.
"""

from collections.abc import Sequence
from datetime import tzinfo

from hermes_agent.recall.payload import when
from hermes_agent.records.archive import Message
from hermes_agent.text.clean import preview
from hermes_agent.text.query import parse
from hermes_agent.text.stopwords import QUESTION_WORDS

INTRODUCTION = (
    "No language model is set up: I keep what you say and quote it when you ask. /help lists what I can do."
)
KEPT = "Kept. Ask me about it whenever you like."
NOTHING = "My memory holds nothing about that."
_QUOTED_CHARACTERS = 300


def is_question(said: str) -> bool:
    """Tell whether something asks rather than states."""
    text = said.strip()
    if text.endswith(("?", "？", "؟")):
        return True
    terms = parse(text).terms
    return bool(terms) and terms[0].words[0] in QUESTION_WORDS and len(terms) > 2


def answer(said: str, remembered: Sequence[Message], zone: tzinfo | None) -> str:
    """Reply to what was said, from the messages that memory brought up for it."""
    if not is_question(said):
        return KEPT
    if not remembered:
        return NOTHING
    quotes = [
        f"On {when(message.said_at, zone)} you said: {preview(message.content or '', _QUOTED_CHARACTERS)}"
        for message in remembered
    ]
    return "\n".join(quotes)
