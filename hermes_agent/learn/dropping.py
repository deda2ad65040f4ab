"""What ends a plan: "I dropped the marathon idea", "we're not buying the house after all", "the trip is off".

A plan is named by its words, in whatever session it was told: what is read here is only what was given up, and
`matching.is_dropped_plan` tells which plan that is. Where none was told, nothing has ended.
"""

from collections.abc import Iterator

from hermes_agent.learn import sentences
from hermes_agent.learn.attributes import ENDED
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.statements import WE, Statement

_LONGEST = 240
_OPENING = r"(?:^|[,;:–—]\s*|\b(?:and|but|so|because|then|that)\s+)"
_WE = r"(?:i|we|my\s+\w+\s+and\s+i)"
_ADVERBS = (
    r"(?:(?:just|finally|now|also|already|sadly|unfortunately|actually|eventually|definitely|ultimately)\s+)*"
)
_HAVE = rf"{_WE}(?:'ve|\s+have)?\s+{_ADVERBS}"
_ARE_NOT = (
    r"(?:(?:'m|'re|\s+am|\s+are|\s+will)\s+(?:not|no\s+longer|definitely\s+not)|\s+aren't|\s+won't|\s+will\s+not)"
)
_MEANING = r"(?:(?:be|going\s+to|gonna|planning\s+(?:to|on)|intending\s+to|thinking\s+of)\s+)*"
_OVER = r"(?:after\s+all(?!\s+(?:the|these|those|that|this)\b)|any\s?more|any\s+longer)"
_WHAT = r"(?P<what>(?!(?:it|that|this|them|those|him|her|you|so)\b(?!\s+\w+\s+(?:idea|plan)))\S.*?)"
_GIVEN_UP = (
    r"(?:dropped|drop|cancel(?:l)?ed|abandoned|scrapped|shelved|binned|axed|ditched|called\s+off"
    r"|g[ai]ven?\s+up(?:\s+on)?|backed\s+out\s+of|pulled\s+out\s+of|bailed\s+on|withdr(?:ew|awn)\s+from)"
)
_ENDINGS = (
    Pattern(
        rf"{_OPENING}{_HAVE}{_GIVEN_UP}\s+(?:on\s+)?(?:the\s+idea\s+of\s+|(?:my|our)\s+plans?\s+(?:to|of)\s+)?{_WHAT}$"
    ),
    Pattern(rf"{_OPENING}{_HAVE}(?:decided|voted)\s+(?:against|not\s+to)\s+{_WHAT}$"),
    Pattern(rf"{_OPENING}{_HAVE}changed\s+(?:my|our)\s+minds?\s+(?:about|on)\s+{_WHAT}$"),
    Pattern(rf"{_OPENING}{_WE}{_ARE_NOT}\s+{_MEANING}{_WHAT},?\s+{_OVER}\b.*$"),
    Pattern(
        rf"{_OPENING}{_WE}(?:'m|'re|\s+am|\s+are)\s+no\s+longer\s+(?:going\s+to|gonna|planning\s+(?:to|on))\s+{_WHAT}$"
    ),
    Pattern(rf"{_OPENING}{_WE}\s+no\s+longer\s+(?:want|plan|intend|hope|wish)\s+to\s+{_WHAT}$"),
    Pattern(rf"{_OPENING}{_WE}\s+(?:don't|do\s+not)\s+(?:want|plan|intend)\s+to\s+{_WHAT}\s+{_OVER}\b.*$"),
    Pattern(rf"^(?:so\s+)?not\s+{_MEANING}{_WHAT},?\s+{_OVER}\b.*$"),
    Pattern(rf"{_OPENING}no\s+{_WHAT}\s+for\s+(?:me|us)(?:\s+(?:this|next)\s+\w+|\s+{_OVER})?$"),
    Pattern(
        rf"{_OPENING}(?:the|our|my)\s+{_WHAT}(?:\s+(?:is|are|was|were|got|has\s+been|have\s+been)|'s)\s+{_ADVERBS}(?:off"
        r"|dropped|cancel(?:l)?ed|abandoned|scrapped|shelved|called\s+off|off\s+the\s+table|not\s+happening)\b.*$"
    ),
    Pattern(rf"{_OPENING}(?:the|our|my)\s+{_WHAT}\s+(?:fell\s+through|won't\s+happen|will\s+not\s+happen)\b.*$"),
)
_CUE = Pattern(
    r"drop|cancel|abandon|scrap|shelv|binn|axed|ditch|\boff\b|\bup\b|out\s+of|bailed|withdr|against|mind|not\b|n't|no\s|fell"
)
# Why, and when: neither is part of what was planned.
_REST = Pattern(
    r"\s*(?:[,;:(–—]|\b(?:because|since|but|so|due\s+to|as\s+(?:i|my|we|our|the|it)|for\s+(?:now|good)|after\s+all"
    r"|any\s?more|any\s+longer|instead|until|when|too|then|again)\b"
    r"|\b(?:this|next|in|for|on)\s+(?:the\s+)?(?:year|spring|summer|autumn|fall|winter|month|week|weekend"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|\d{4})\b).*$"
)
_LEAD = Pattern(r"(?:the\s+idea\s+of|(?:the|my|our)\s+plans?\s+(?:to|of|for)|plans\s+to)\s+")
_ELSEWHERE = Pattern(r".*\b(?:off|by|at|in|into)$")
_POINTING = word_set("it that this them those him her me you the doing") | {"doing it", "doing that"}


def read_dropped(message: str) -> Iterator[Statement]:
    """Yield what a message says is planned no more."""
    if _CUE.search(message) is None:
        return
    plain = message.replace("’", "'").replace("‘", "'")
    if sentences.is_joked(plain) or sentences.is_material(plain):
        return
    for one in sentences.sentences(plain):
        is_told = not (one.is_asked or sentences.is_supposed(one.text) or sentences.is_reported(one.text))
        span = _dropped_in(one.text) if is_told and len(one.text) <= _LONGEST else None
        if span is not None:
            value = message[one.start + span[0] : one.start + span[1]]
            yield Statement(WE, ENDED, value, one.start, one.end, polarity="no longer")


def _dropped_in(text: str) -> tuple[int, int] | None:
    """Return where a sentence names what was given up."""
    for pattern in _ENDINGS:
        match = pattern.search(text)
        if match is None:
            continue
        start, what = match.start("what"), match["what"]
        what = _REST.sub("", what).rstrip(" .!")
        if lead := _LEAD.match(what):
            start, what = start + lead.end(), what[lead.end() :]
        if what and what.lower() not in _POINTING and not _ELSEWHERE.fullmatch(what):
            return start, start + len(what)
    return None
