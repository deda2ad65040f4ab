"""English as data, the part that takes back: a statement said to be wrong, and what it should have been."""

from hermes_agent.learn.patterns import Pattern

# "I said my birthday is May 3rd but that's wrong, it's May 13th"; "that email is wrong, should be …".
_IS_WRONG = r"(?:wrong|not\s+right|incorrect|not\s+true|a\s+mistake|outdated|out\s+of\s+date)"
TAKEN_BACK = Pattern(
    r"(?:i\s+(?:said|told\s+you|wrote)\s+(?:that\s+)?)?(?P<clause>(?:my|our|i|we)\b.+?)[,;]?\s+but\s+"
    rf"(?:that|it|this)(?:'s|\s+is|\s+was)\s+{_IS_WRONG}[,;:]?\s+(?:and\s+)?"
    r"(?:it(?:'s|\s+is|\s+should\s+be)|i\s+meant|should\s+be)\s+(?P<value>.+)"
)
WRONG_THING = Pattern(
    r"(?:that|the|my|our|this)\s+(?P<noun>[\w'-]+(?:\s+[\w'-]+){0,2}?)(?:\s+is|\s+was|'s)\s+"
    rf"{_IS_WRONG}[,;:]?\s+(?:(?:and|but)\s+)?(?:it\s+)?(?:should\s+be|it's|it\s+is|is\s+actually|is\s+now"
    r"|the\s+(?:right|correct)\s+one\s+is)\s+(?P<value>.+)"
)
NOT_THAT = Pattern(
    r"(?P<value>.+?)\s*,\s*(?:and\s+)?(?:not|no\s+longer)\s+(?:in\s+|at\s+|on\s+|for\s+)?(?P<former>[^,]+?)"
    r"(?:\s+any\s?more)?"
)
