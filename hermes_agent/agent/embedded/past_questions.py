"""Questions about what was: the words that ask for the past are taken off, what is left is an ordinary question.

"Where did I live before Oslo" is "where did I live", of what was before Oslo.
"""

from collections.abc import Callable
from dataclasses import replace

from hermes_agent.agent.embedded.asked import Check, Question, Slot
from hermes_agent.agent.embedded.times import TIME
from hermes_agent.learn.patterns import Pattern

_ASKS = r"(?:where|what|which|whom?|how)\b"
_PAST = rf"{_ASKS}.*?(?:\s|'s)(?:did|was|were|had)\s.+?"
_USED_TO = Pattern(r"\b(?P<did>did\s+(?:\S+\s+){1,3}?)used?\s+to\s+")
_OLD = Pattern(r"\b(?P<whose>my|our|the|\w+'s)\s+(?:old|previous|former)\s+")
_BEFORE = Pattern(
    rf"(?P<rest>{_PAST})\s+(?:before(?:hand)?(?:\s+(?P<then>.+))?|previously|formerly|earlier|back\s+then|at\s+first)"
)
_DATED = Pattern(rf"(?P<rest>{_PAST})\s+(?P<time>{TIME})")
_DATE = Pattern(TIME)
_NO_TIME = ("week", "month", "year")
_EVER = Pattern(r"(?:did|have|has|was|were|had)\b")
_HAVE_EVER = Pattern(r"(?:have|has)\s+(?P<who>.+?)\s+ever\s+")


def read_past(asked: str, read: Callable[[str], Question | None]) -> Slot | None:
    """Return which value of the past is asked for; `read` reads what is left of the question."""
    if used := _USED_TO.search(asked):
        return _slot(read(asked[: used.start()] + used["did"] + asked[used.end() :]))
    if before := _BEFORE.fullmatch(asked):
        then = before["then"] or ""
        # "Before March" asks for whatever was before; which value that was, the days tell.
        return _slot(read(before["rest"]), "" if _DATE.fullmatch(then) else then)
    if (dated := _DATED.fullmatch(asked)) and dated["time"].lower() not in _NO_TIME:
        found = read(dated["rest"])
        return replace(found, time=dated["time"]) if isinstance(found, Slot) else None
    if old := _OLD.search(asked):
        return _slot(read(f"{asked[: old.start()]}{old['whose']} {asked[old.end() :]}"))
    return None


def read_ever(asked: str, read: Callable[[str], Question | None]) -> Check | None:
    """Return what is asked to have been so once: "did I ever live in Lyon"."""
    if not _EVER.match(asked):
        return None
    plain = _HAVE_EVER.sub(r"did \g<who> ", asked)
    plain = _USED_TO.sub(r"\g<did>", plain.replace(" ever ", " "))
    found = read(plain)
    if not isinstance(found, Check):
        return None
    # "Did I live" states nothing of the past by itself: what is asked is whether it was so.
    is_claimed = found.statement.polarity == "was"
    statement = replace(found.statement, polarity="is") if is_claimed else found.statement
    return replace(found, statement=statement, is_past=True)


def _slot(found: Question | None, then: str = "") -> Slot | None:
    return replace(found, is_former=True, then=then) if isinstance(found, Slot) else None
