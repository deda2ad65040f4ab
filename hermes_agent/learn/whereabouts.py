"""Where somebody works or studies is said of the work: "I work at Nordlicht in Bergen" puts nobody in Bergen.

The readers find the firm and the town apart, as they do in longer sentences. What is kept of such words is one
fact, as it was said: "works at Nordlicht in Bergen".
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from hermes_agent.learn.attributes import DONE_SOMEWHERE
from hermes_agent.learn.fact_text import fact_text
from hermes_agent.learn.matching import is_fuller
from hermes_agent.records.learning import Candidate
from hermes_agent.records.statements import Statement

_IN = r"\s+(?:in|at|à|en|em|a|te)\s+"
_ARTICLE = r"(?:\b(?:a|an|the)\s+)?"
_STUDYING = re.compile(r"\b(?:study|studies|studying)\s+(?:in|at)\s+$", re.IGNORECASE)


def with_towns(told: Sequence[Candidate]) -> list[Candidate]:
    """Return what was told with the town of a firm, a job or a school in the value that it stands behind."""
    found = list(told)
    for town in told:
        if town.statement.attribute != "location":
            continue
        place = next((at for at, one in enumerate(found) if _stands_behind(town, one)), None)
        if place is not None:
            found[place] = _joined(found[place], town)
            found.remove(town)
        elif any(_ends_with(one, town) for one in found):
            found.remove(town)
        elif where := _studied_in(town):
            found[found.index(town)] = _with(
                town, replace(town.statement, attribute="studies", value=where, is_single=False)
            )
    return found


def _stands_behind(town: Candidate, one: Candidate) -> bool:
    """Tell whether a town was said directly behind what somebody does there."""
    stated, whose = one.statement, town.statement.who
    is_theirs = one.heard.uid == town.heard.uid and stated.who == whose
    is_so = stated.polarity == town.statement.polarity == "is"
    return is_theirs and is_so and stated.attribute in DONE_SOMEWHERE and bool(_together(town, one))


def _ends_with(one: Candidate, town: Candidate) -> bool:
    """Tell whether the town is in the value already: "I teach German in Bergen"."""
    stated, place = one.statement, town.statement
    is_theirs = one.heard.uid == town.heard.uid and stated.who == place.who
    is_same_clause = stated.start < place.end and place.start < stated.end
    is_so = stated.polarity == place.polarity == "is" and stated.attribute in DONE_SOMEWHERE
    return is_theirs and is_same_clause and is_so and is_fuller(stated.value, f"in {place.value}")


def _together(town: Candidate, one: Candidate) -> str:
    first, last = one.statement, town.statement
    article = _ARTICLE if first.attribute == "employer" else ""
    return _said(town.heard.text, first, rf"{article}{_word(first.value)}{_IN}{_word(last.value)}", last)


def _joined(one: Candidate, town: Candidate) -> Candidate:
    start = min(one.statement.start, town.statement.start)
    end = max(one.statement.end, town.statement.end)
    return _with(one, replace(one.statement, value=_together(town, one), start=start, end=end))


def _studied_in(town: Candidate) -> str:
    """Return "in Berlin" where that is said to be the town of studies; empty if the quote lacks the "in"."""
    stated, text = town.statement, town.heard.text
    place = text.find(stated.value, stated.start, stated.end)
    if place < 0 or stated.who.kind not in ("user", "person") or _STUDYING.search(text[:place]) is None:
        return ""
    return _said(text, stated, rf"\b(?:in|at)\s+{_word(stated.value)}")


def _said(text: str, stated: Statement, pattern: str, other: Statement | None = None) -> str:
    """Return the words of a pattern as they stand where one or two statements were said; empty if they do not."""
    last = other or stated
    start, end = min(stated.start, last.start), max(stated.end, last.end)
    found = re.compile(pattern, re.IGNORECASE).search(text, start, end)
    return "" if found is None else found.group()


def _word(value: str) -> str:
    return rf"(?<!\w){re.escape(value)}(?!\w)"


def _with(candidate: Candidate, statement: Statement) -> Candidate:
    return replace(candidate, statement=statement, text=fact_text(statement))
