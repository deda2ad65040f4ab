"""Tell what asks from what states."""

from hermes_agent.text.query import parse
from hermes_agent.text.stopwords import QUESTION_WORDS

_MARKS = ("?", "？", "؟")


def asks(said: str) -> bool:
    """Tell whether something asks rather than states."""
    text = said.strip()
    if text.endswith(_MARKS):
        return True
    terms = parse(text).terms
    return bool(terms) and terms[0].words[0] in QUESTION_WORDS and len(terms) > 2
