"""Read from a message what came of something: it failed, it was done, a plan was dropped.

Only plain statements count: no question, no supposition, nothing that is still to come, nobody else's words. What
is read is an event, kept in the words it was told in; what is true from then on is for `statements.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hermes_agent.learn import sentences
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.reasons import with_reason

OutcomeKind = Literal["result", "failure", "decision"]

_LONGEST = 240
_CUE = Pattern(
    r"\b(?:fail|broke|crash|time[sd]?\s+out|down\b|roll|work(?:s|ed)?\b|fix|resolv|solv|ship|releas|deploy|launch"
    r"|finish|complet|merg|done\b|live\b|went\b|pass|succeed|drop|cancel|abandon|scrap|shelve|binn|axe|call(?:ed)?\s+off"
    r"|off\s+the|against)"
)
_SINCE = (
    r"(?:(?:has|have|had|just|finally|now|again|already|also|all|both|has\s+now|was|were|is|are|got|been)\s+)*"
)
_US = r"(?:we|i)(?:'ve|\s+have)?\s+(?:just\s+|finally\s+|now\s+|also\s+|already\s+)*"
_THING = r"(?P<what>(?!(?:i|we|you|it|he|she|they|which|what|who|there)\b)\S+(?:\s+\S+){0,7}?)\s+"
_FAILED = (
    Pattern(
        _THING + _SINCE + r"(?:failed|crashed|timed\s+out|broke(?!\s+(?:up|even|the|our))|broken|down(?=$|\s*[,(]"
        r"|\s+(?:again|since|because|for|after))|went\s+down|fell\s+over|rolled\s+back"
        r"|(?:did\s+not|didn't|does\s+not|doesn't)\s+work)\b"
    ),
    Pattern(_US + r"(?:had\s+to\s+roll\s+back|rolled\s+back|broke)\s+(?!up\b|even\b|in\b)\S"),
)
_DONE = (
    Pattern(
        _THING + _SINCE + r"(?:fixed|resolved|solved|finished|completed|shipped|deployed|merged"
        r"|went\s+(?:through|live|out|well|fine|smoothly)|succeeded|passed|back\s+up"
        r"|(?<=\bis\s)(?:done|live)|(?<=\bare\s)(?:done|live)|(?<=\bnow\s)(?:done|live)"
        r"|(?:works?|pass(?:es)?)\s+(?:now|again)|worked)\b"
    ),
    Pattern(
        _US + r"(?:fixed|resolved|solved|finished|completed|shipped|released|deployed|merged|launched)\s+"
        r"(?!to\b|up\b)\S"
    ),
)
# A flight that was cancelled is nobody's decision here; a plan that was is.
_PLAN = (
    r"(?P<what>(?:the|our|my|that|this)\s+(?:\S+\s+){0,4}?(?:plans?|idea|project|migration|move|rewrite|feature|proposal"
    r"|rollout|launch|release|experiment|switch)(?:\s+\S+){0,6}?)\s+"
)
_DROPPED = (
    Pattern(_US + r"(?:decided|voted)\s+against\s+(?P<what>\S.*)"),
    Pattern(
        _US + r"(?:dropped|cancelled|canceled|abandoned|scrapped|shelved|binned|axed|called\s+off)\s+"
        r"(?P<what>(?:the|our|my|that|this|plans)\b.*)"
    ),
    Pattern(
        _PLAN + r"(?:is|are|was|were|got|has\s+been|have\s+been)\s+(?:now\s+)?(?:dropped|cancelled|canceled"
        r"|abandoned|scrapped|shelved|called\s+off|off\s+the\s+table)\b"
    ),
)
_KINDS: tuple[tuple[OutcomeKind, tuple[Pattern, ...]], ...] = (
    ("decision", _DROPPED),
    ("failure", _FAILED),
    ("result", _DONE),
)
_JOINT = Pattern(r",?\s+(?:and|but)\s+")
_WELL = Pattern(r"\bwithout\s+(?:a|any|further)\s+(?:problems?|issues?|hitch(?:es)?|trouble|errors?)\b")
# What is still to come, is denied, or happens now and then, is nothing that came of anything.
_NOT_SO = Pattern(
    r"\b(?:will|won't|shall|going\s+to|(?:i|we|they)\s+(?:are\s+|am\s+)?plan(?:ned|ning)?\s+to|want(?:s|ed)?\s+to|needs?\s+to|has\s+to|have\s+to"
    r"|must|try|trying|once|until|before|unless|whenever|(?<!.)when|while|every\s+time|sometimes|usually|often|always"
    r"|never|not|isn't|wasn't|hasn't|haven't|aren't|can't|cannot|nothing|nobody|without|yet|how|please|let's"
    r"|make\s+sure|used\s+to|in\s+case|instead\s+of)\b"
)
_DENIED_SUCCESS = Pattern(r"\b(?:did\s+not|didn't|does\s+not|doesn't)\s+work\b")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of something, in the words of a message; `reason` is empty when it gives none.

    `dropped` is the plan that was given up. `start` and `end` are the place of the sentence.
    """

    kind: OutcomeKind
    text: str
    reason: str
    start: int
    end: int
    dropped: str = ""


def read_outcomes(message: str) -> list[Outcome]:
    """Return what a message tells of outcomes, one for each sentence that does."""
    if _CUE.search(message) is None:
        return []
    plain = message.replace("’", "'").replace("‘", "'")
    if sentences.is_joked(plain) or sentences.is_material(plain):
        return []
    return list(_outcomes(message, plain))


def _outcomes(message: str, plain: str) -> Iterator[Outcome]:
    found = sentences.sentences(plain)
    for sentence in found:
        if len(sentence.text) > _LONGEST or sentence.is_asked or sentences.is_supposed(sentence.text):
            continue
        text, reason = with_reason(message, sentence.start, sentence.end, found)
        found_kind = _kind_of(text.replace("’", "'"))
        if found_kind is not None:
            kind, dropped = found_kind
            yield Outcome(kind, text.strip(), reason, sentence.start, sentence.end, dropped)


def _kind_of(text: str) -> tuple[OutcomeKind, str] | None:
    """Return what a sentence tells, and what was dropped."""
    if sentences.is_reported(text) or _NOT_SO.search(_WELL.sub("", _DENIED_SUCCESS.sub("failed", text))):
        return None
    parts = [text, *_JOINT.split(text)]
    for kind, patterns in _KINDS:
        told = next((match for pattern in patterns for part in parts if (match := pattern.match(part))), None)
        if told is not None:
            return kind, told["what"].strip(" .!") if kind == "decision" else ""
    return None
