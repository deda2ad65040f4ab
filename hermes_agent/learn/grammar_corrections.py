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
# "My son's name is Max, no sorry, Alex": the sentence is put right before it ends.
REPAIRED = Pattern(
    r"(?P<head>.+?)\s*(?:,|\s[—–-]|\.\.\.|…)\s*(?:(?:oh|er|uh|um|hm+)[,\s]+)?"
    r"(?:no[,\s]+(?:sorry|wait|i\s+meant?|actually)|(?:sorry|wait)[,\s]+(?:no|i\s+meant?|make\s+that)"
    r"|i\s+meant?(?:\s+to\s+say)?|(?:or\s+)?rather(?!\s+than\b)|scratch\s+that|make\s+that"
    r"|(?:no|sorry|wait|correction)\s*(?=[,:]))[\s,:—–-]+(?P<value>.+)"
)
NOT_THAT = Pattern(
    r"(?P<value>.+?)\s*,\s*(?:and\s+)?(?:not|no\s+longer)\s+(?:in\s+|at\s+|on\s+|for\s+)?(?P<former>[^,]+?)"
    r"(?:\s+any\s?more)?"
)
