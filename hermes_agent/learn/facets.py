"""Which facet of the user a fact belongs to: whom it is about and its attribute decide, for wishes their words."""

from hermes_agent.learn import attributes
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.statements import Statement
from hermes_agent.records.user_model import Facet

OF_THINGS = frozenset(("budget", "date", "deadline", "status", "version"))
"""What things have and people have not: whatever has one of them is no person."""
_APPOINTED = frozenset(("date", "deadline", "schedule"))

_FACETS: dict[str, Facet] = {
    **dict.fromkeys(("role", "employer", "field", "work", "member of", "status", "job title"), "role"),
    **dict.fromkeys(("goal", "plan", attributes.DECISION), "goals"),
    **dict.fromkeys(("skill", "learns", "speaks", "studies", "research"), "domain-knowledge"),
    **dict.fromkeys(
        (
            "likes",
            "prefers",
            "eats",
            "drinks",
            "plays",
            "collects",
            "grows",
            "breeds",
            "hobby",
            attributes.MEANING,
        ),
        "preferences",
    ),
    **dict.fromkeys(("works on", "codename"), "projects"),
    **dict.fromkeys(("uses", "editor", "shell", "browser", "operating system", "laptop", "phone"), "tools"),
    **dict.fromkeys(("time zone", "timezone", "time-zone"), "time-zone"),
    "family": "people",
    **dict.fromkeys(("schedule", "habit", "date", "deadline"), "schedule"),
}
_FAVOURITE = Pattern(r"(?:favou?rite|preferred)\b")
_APPOINTMENT = Pattern(r"\b(?:appointment|meeting|call|flight|deadline|hours|shift)\b")
_REPORTING = Pattern(
    r"\b(?:report|reports|status|updates?|notify|posted|let me know|tell me (?:when|if|once)|(?:ask|check with) me"
    r"|warn me|confirm|(?:daily|weekly|monthly) (?:summary|summaries|digest)|summary (?:every|each|at))\b"
)
_STYLE = Pattern(
    r"\b(?:answers?|answering|repl(?:y|ies|ying)|respon(?:d|ses?)|explain|explanations?|write|writing|tone|formal"
    r"|informal|short|shorter|brief|concise|long|detail(?:ed|s)?|bullets?|bullet points|lists?|tables?|emojis?"
    r"|headings?|markdown|prose|sentences?|paragraphs?|jargon|apolog(?:y|ies|i[sz]e)|flattery|praise|jokes?"
    r"|summar(?:y|ies|i[sz]e)|greet(?:ing|ings)?|call me|address me|metric|imperial|celsius|fahrenheit|24[- ]?h"
    r"|spelling|in (?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese"
    r"|korean|arabic))\b"
)


def facet_of(statement: Statement, *, is_of_thing: bool) -> Facet:
    """Return the facet a statement belongs to; `is_of_thing` says that its subject is no person."""
    attribute = statement.attribute.casefold()
    if is_of_thing:
        return "schedule" if attribute in _APPOINTED else "projects"
    if statement.who.kind == "person":
        return "people"
    if attribute == attributes.INSTRUCTION:
        return _wished(statement.value)
    if statement.who.kind == "we":
        return "tools" if attribute == attributes.USES else "projects"
    return _FACETS.get(attribute) or _of_noun(attribute)


def _wished(value: str) -> Facet:
    words = value.lower()
    if _REPORTING.search(words):
        return "reporting"
    return "style" if _STYLE.search(words) else "preferences"


def _of_noun(attribute: str) -> Facet:
    if _FAVOURITE.match(attribute):
        return "preferences"
    return "schedule" if _APPOINTMENT.search(attribute) else "identity"
