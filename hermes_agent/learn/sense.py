"""Whether a value can be one of its attribute: nobody comes from "20% German", or lives in "end of January"."""

from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.statements import Statement

_MONTHS = r"january|february|march|april|may|june|july|august|september|october|november|december"
_TIME = Pattern(
    r"(?:the\s+)?(?:(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a|few|last|next|this|end\s+of|early|late)\s+)+"
    rf"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|\w+day|{_MONTHS})\b"
)
_TIMELESS = (
    "home",
    "location",
    "origin",
    "employer",
    "birthplace",
    "owns",
    "collects",
    "uses",
    "likes",
    "role",
    "plays",
)
# "My favourite bit is when he sells the farm".
_CLAUSE = Pattern(r"(?:when|how|where|that|if|because)\b")
_NO_VALUE: dict[str, Pattern] = {
    "origin": Pattern(r"\d|.*\b(?:learner|speaker|student)\b"),
    "location": Pattern(r"(?:utc|gmt)[+-]"),
    "studies": Pattern(rf"(?:{_MONTHS})(?: \d+)?$|\d{{4}}$"),
    "birthplace": Pattern(rf"(?:{_MONTHS})\b|\d"),
    "uses": Pattern(r"(?-i:[a-z]+ing)$"),
    "version": Pattern(rf".*\b(?:{_MONTHS})\b"),
    "schedule": Pattern(r".*\b(?:lately|mood|these days)\b|lasts?\b"),
    "name": Pattern(r".*\d"),
    "likes": Pattern(r".$"),
    "allergy": Pattern(r"(?:bad|worse|better|terrible|awful|back|gone|mild|severe)\b"),
}


def makes_sense(statement: Statement) -> bool:
    """Tell whether a statement's value is one that its attribute can have."""
    if statement.attribute == "age" and statement.polarity == "is not":
        return False  # "I'm not 12" tells no age
    if statement.attribute in _TIMELESS and _TIME.match(statement.value):
        return False
    if statement.attribute.startswith("favourite") and _CLAUSE.match(statement.value):
        return False
    wrong = _NO_VALUE.get(statement.attribute)
    return wrong is None or wrong.match(statement.value) is None
