"""Second thoughts in one breath: "I work at Siemens... no wait, at Bosch" tells of Bosch alone.

Pure. The value that follows takes the place of the one it corrects, in a statement whose words reach over both.
What follows must be a value as well: a few words that begin as the first value did, and no clause of their own.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes_agent.learn.matching import same_value
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.statements import Statement

_WORDS = (
    r"(?:(?:oh\s+)?no,?\s+wait(?:,?\s+no)?|wait,?\s+(?:no|sorry)|(?:no,?\s+)?(?:sorry,?\s+)?(?:no,?\s+)?i\s+mean(?:t)?"
    r"|no,?\s+sorry|sorry,?\s+no|or\s+rather|scratch\s+that|make\s+that|correction)\s*[,:]?\s+"
    # Without the comma "er" is a German pronoun.
    r"|(?:no|er+m?|uh+m?),\s+"
)
_THOUGHT = Pattern(
    rf"[….,;!—–\s-]{{0,8}}\s(?:{_WORDS})(?:(?:it's|it\s+is|at|in|to|on|with|for|by)\s+)?"
    r"(?P<value>[^\W_][^.,;!?\n]{0,80}?(?:[.:]\d[^.,;!?\s]{0,20}){0,4})\s{0,8}(?=[.,;!?\n]|$)"
)
_CLAUSE = Pattern(
    r"\b(?:i|i'm|we|you|he|she|it|it's|they|that|that's|this|there|is|are|was|were|am|do|does|did|have|has|not"
    r"|wrong|really|because|what|who|where|when|how|never|wait|mind|forget)\b"
)
_MOST_WORDS = 5


def mended(text: str, told: Sequence[Statement]) -> list[Statement]:
    """Return what a message tells after its second thoughts."""
    statements = list(told)
    for thought in _THOUGHT.finditer(text) if statements else ():
        value = thought["value"].strip()
        first = next((one for one in reversed(statements) if _is_before(one, thought.start(), text)), None)
        if first is None or not _is_value(value, first.value):
            continue
        end = max(first.end, thought.end("value"))
        rest = [one for one in statements if not _lies_in(one, first.end, end, first)]
        new = first if same_value(first.value, value) else replace(first, value=value)
        statements = [replace(new, end=end) if one is first else one for one in rest]
    return statements


def reaches_over(told: Sequence[Statement], start: int, end: int) -> bool:
    """Tell whether some words are only the second thought of a statement before them."""
    return any(one.start < start and end <= one.end for one in told)


def _is_before(statement: Statement, place: int, text: str) -> bool:
    """Tell whether a statement goes on up to a place: nothing but marks lies between."""
    between = text[statement.end : place]
    return statement.start < place and bool(statement.value) and not any(letter.isalnum() for letter in between)


def _is_value(value: str, first: str) -> bool:
    if len(value.split()) > _MOST_WORDS or _CLAUSE.search(value) is not None:
        return False
    return _begins(value) == _begins(first)


def _begins(value: str) -> str:
    """Say how a value begins: what is corrected is of the same sort."""
    letter = value[:1]
    return "digit" if letter.isdigit() else "capital" if letter.isupper() else "small"


def _lies_in(statement: Statement, start: int, end: int, first: Statement) -> bool:
    return statement is not first and start <= statement.start < end
