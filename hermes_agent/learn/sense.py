"""Whether a value can be one of its attribute: nobody comes from "20% German", or lives in "end of January"."""

from hermes_agent.learn import kinds
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.statements import Statement
from hermes_agent.text.calendar_days import names_no_day

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
# No animal has them: a cat that "has taken up yodelling" has no hobby.
_OF_PEOPLE = ("hobby", "work", "role", "employer", "studies", "learns", "skill", "speaks", "uses", "owns", "field")
# These may be told with their subject: "Every year I carve pumpkins".
_TOLD_WHOLE = ("note", "instruction", "schedule", "plan", "decision", "rule", "meaning")
_TOLD_IN_CLAUSE = Pattern(r"(?:i|we|he|she|they|you)\s+\w|\w+\s+has\s+to\s+be\b")
# "My favourite bit is when he sells the farm".
_CLAUSE = Pattern(r"(?:when|how|where|that|if|because)\b")
_NO_VALUE: dict[str, Pattern] = {
    "studies": Pattern(rf"(?:{_MONTHS})(?: \d+)?$|\d{{4}}$"),
    "home": Pattern(r"[\d\W]+$|.*\b(?:community|household|environment|bubble|neighbou?rhood)$"),
    "location": Pattern(
        r"(?:utc|gmt)[+-]|[\d\W]+$|(?:context|table|section|chapter|row|group|phase|stage|step|figure|appendix|page|q\d)\b"
    ),
    "decision": Pattern(r".*\b(?:it|this|that|them)$"),
    "goal": Pattern(r"[\d:]+\s?(?:am|pm)?$"),
    "allergy": Pattern(
        r"(?:bad|worse|better|terrible|awful|back|gone|mild|severe)\b"
        r"|(?:work|housework|exercise|effort|mondays?|mornings?|nonsense|commitment|people|small talk|stupidity"
        r"|drama|bullshit|bs|fun|responsibility|queues|meetings|surprises)$"
    ),
    "status": Pattern(r"on leave$|abroad$"),
    "ended": Pattern(
        r"(?:the|our|that|this)\s+(?:project|plan|plans|idea|meeting|trip|event|party|feature|thing)$|(?:seat|place|spot|turn)$"
    ),
    "family": Pattern(r"(?:\w+\s+)?family\b"),
    "origin": Pattern(r"(?:\w+\s+)?family\b|\d|.*\b(?:learner|speaker|student)\b"),
    "birthplace": Pattern(rf"(?:{_MONTHS})\b|\d"),
    "uses": Pattern(r"(?-i:[a-z]+ing)$|(?-i:[a-z])$"),
    "version": Pattern(rf".*\b(?:{_MONTHS})\b"),
    "schedule": Pattern(r".*\b(?:lately|mood|these days)\b|lasts?\b"),
    "name": Pattern(r".*\d"),
    "likes": Pattern(r".$"),
    "owns": Pattern(r".$"),
}


def makes_sense(statement: Statement) -> bool:
    """Tell whether a statement's value is one that its attribute can have."""
    if statement.attribute == "age" and statement.polarity == "is not":
        return False  # "I'm not 12" tells no age
    if names_no_day(statement.value):
        return False
    if statement.attribute in _TIMELESS and _TIME.match(statement.value):
        return False
    if statement.attribute.startswith("favourite") and _CLAUSE.match(statement.value):
        return False
    if statement.attribute in _OF_PEOPLE and kinds.had(statement.who.relation) == "pet":
        return False
    if statement.attribute not in _TOLD_WHOLE and _TOLD_IN_CLAUSE.match(statement.value):
        return False
    wrong = _NO_VALUE.get(statement.attribute)
    return wrong is None or wrong.match(statement.value) is None
