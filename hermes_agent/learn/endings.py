"""Read what has come to an end: a hobby given up, a friend who died, a love that is over.

Such words name no slot: whatever was known with that value, or of that person, has ended.
"""

from collections.abc import Iterator

from hermes_agent.learn import attributes
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.subjects import relation_at
from hermes_agent.learn.values import is_vague, name_in, trimmed
from hermes_agent.records.statements import USER, Statement, Who

PARTNERS = ("partner", "girlfriend", "boyfriend", "wife", "husband", "fiancé")
_PERSON = r"(?P<person>(?:my|our)\s+[\w'-]+(?:\s+[\w'-]+){0,2}?|(?-i:[A-Z])[\w'-]+)"
_WHEN = r"(?:[\s,]+(?:last|this|yesterday|today|on|in|at|two|three|\d+|a|from|of|after|recently|some)\b.*)?$"
# Less may follow here: people break up in laughter, too.
_SINCE = r"(?:[\s,]+(?:(?:last|this|two|three|\d+|a)\s+\w+(?:\s+ago)?|yesterday|today|recently|in\s+\d{4}))?$"
_DIED = Pattern(
    _PERSON
    + r"\s+(?:(?:has|just|sadly|unfortunately)\s+)*(?:died|passed\s+away|is\s+dead|was\s+put\s+down)"
    + _WHEN
)
_OVER = r"(?:broke\s+up|split\s+up|separated|got\s+divorced|are\s+divorced|are\s+no\s+longer\s+together)"
_PARTED = (
    Pattern(_PERSON + rf"\s+and\s+(?:i|me)\s+(?:have\s+|just\s+)?{_OVER}" + _SINCE),
    Pattern(r"i\s+(?:just\s+)?(?:broke|split)\s+up\s+with\s+" + _PERSON + _SINCE),
    Pattern(rf"(?P<we>we)\s+(?:have\s+|just\s+)?{_OVER}" + _SINCE),
)
_GAVE_UP = Pattern(
    r"i(?:\s+have|'ve)?(?:\s+(?:just|finally|recently))?\s+(?:gave\s+up(?:\s+on)?|given\s+up(?:\s+on)?|quit|stopped"
    r"|dropped)\s+(?!by\b|at\b|in\b|for\b|to\b|and\b|when\b|because\b|off\b|out\b|the\s+(?:ball|call|car)\b)(?P<value>.+)"
)
LIFTED = Pattern(r"(?:ok(?:ay)?,?\s+)?you\s+(?:can|may|are\s+allowed\s+to)\s+(?P<value>.+?)\s+again$")


def read_ending(clause: str) -> Iterator[Statement]:
    """Yield what a clause says has ended."""
    if lifted := LIFTED.fullmatch(clause):
        yield _ended(USER, attributes.INSTRUCTION, lifted["value"], clause)
        return
    for pattern in (_DIED, *_PARTED):
        if match := pattern.match(clause):
            who = _who(match.groupdict().get("person"))
            if who is not None:
                yield _ended(who, attributes.ENDED, who.name or who.relation, clause)
            return
    if gave := _GAVE_UP.match(clause):
        value = trimmed(gave["value"])
        if value and not is_vague(value):
            yield _ended(USER, attributes.ENDED, value, clause)


def _who(person: str | None) -> Who | None:
    if person is None:
        return Who("person", PARTNERS[0])
    for owner in ("my ", "our "):
        if person.lower().startswith(owner):
            found = relation_at(person, len(owner))
            return found[0] if found is not None and found[1] == len(person) else None
    name = name_in(person, is_sure=False)
    return Who("person", name=name) if name else None


def _ended(who: Who, attribute: str, value: str, clause: str) -> Statement:
    return Statement(who, attribute, value, 0, len(clause), "no longer")
