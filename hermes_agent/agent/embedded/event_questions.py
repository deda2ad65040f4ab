"""Read the questions that the journal answers: what happened at a time, why something was decided or failed."""

from hermes_agent.agent.embedded.asked import About, Happened, Talk, Why
from hermes_agent.agent.embedded.times import TIME
from hermes_agent.learn.patterns import Pattern

_US = r"(?:we|i|you)"
_DID = Pattern(
    rf"what\s+(?:all\s+)?(?:(?:did|have|had|were)\s+)?{_US}\s+(?:been\s+)?(?:do|done|did|doing"
    rf"|get\s+done|work(?:ed|ing)?\s+on|up\s+to)\s+(?P<time>{TIME})"
    rf"|what\s+(?:all\s+)?(?:has\s+)?happened\s+(?P<time2>{TIME})"
    rf"|what\s+(?:was|were)\s+(?:done|going\s+on)\s+(?P<time3>{TIME})"
)
_OF_KIND = Pattern(
    rf"what\s+(?:has\s+)?(?:(?P<failure>failed|went\s+wrong|broke)|(?:did|have)\s+{_US}\s+(?P<decision>decided?"
    rf"|agreed?\s+on))\s+(?P<time>{TIME})"
    rf"|(?:what|which)\s+decisions\s+(?:did|have)\s+{_US}\s+(?:make|made|take|taken)\s+(?P<time2>{TIME})"
)
_WHY = Pattern(
    rf"(?:why|how\s+come|for\s+what\s+reason)\s+(?:exactly\s+)?(?:(?:did|do|have|had)\s+)?{_US}\s+(?P<what>.+)"
    rf"|(?:why|how\s+come)\s+(?:are|were)\s+{_US}\s+(?P<what3>\w+ing\b.+)|why(?:\s+(?:that|so|is\s+that))?"
    rf"|(?:what\s+(?:is|was|were)|what's)\s+the\s+reasons?\s+(?:for|behind|(?:why|that)\s+{_US})\s+(?P<what2>.+)"
)
_WHY_FAILED = Pattern(
    r"(?:why|how\s+come)\s+(?:(?:did|has|was|is)\s+)?(?P<what>(?:the|our|my)\s+.+?)\s+(?:(?:was|is|has)\s+)?"
    r"(?:fail(?:ed)?|break|broken|broke|crash(?:ed)?|go\s+down|went\s+down|down|time(?:d)?\s+out|rolled\s+back)"
    rf"(?:\s+(?P<time>{TIME}))?"
)
_DECIDING = Pattern(
    r"(?:just\s+|then\s+)*(?:decid(?:e|ed)|cho(?:o)?se|chosen|pick(?:ed)?|settled?\s+on|opt(?:ed)?\s+for|go\s+with"
    r"|going\s+with|went\s+with|agreed?)\b\s*(?:(?:to|on|for|against|that|about|in\s+favou?r\s+of)\s+)?"
)
_GENERAL = Pattern(
    r"(?:us(?:e|ed|ing)|tak(?:e|en|ing)|adopt(?:ed|ing)?|switch(?:ed|ing)?|mov(?:e|ed|ing)|do|doing|did|say|said"
    r"|writ(?:e|ten)|change(?:d)?|make|made)\b\s*(?:to\s+)?"
)
_THAT = Pattern(r"(?:do\s+)?(?:that|it|this|so|the\s+decision)?")
_DATED = Pattern(rf"(?P<before>.*?)\s*\b(?P<time>{TIME})\s*$")


def read_event_question(asked: str) -> Happened | Why | None:
    """Return what is asked of the journal; None when it is something else."""
    if match := _DID.fullmatch(asked):
        return Happened(_first(match.group("time", "time2", "time3")))
    if match := _OF_KIND.fullmatch(asked):
        return Happened(_first(match.group("time", "time2")), "failure" if match["failure"] else "decision")
    if match := _WHY_FAILED.fullmatch(asked):
        return Why(match["what"].strip(), match["time"] or "", "failure")
    if match := _WHY.fullmatch(asked):
        return _why(_first(match.group("what", "what2", "what3")))
    return None


def without_journal(question: Happened | Why) -> Talk | About:
    """Ask the archive what would be asked of the journal, where there is no journal."""
    if isinstance(question, Happened):
        return Talk(question.time)
    return About(question.topic, time=question.time, is_open=True)


def _why(what: str) -> Why:
    time = ""
    if dated := _DATED.fullmatch(what):
        what, time = dated["before"], dated["time"]
    for general in (_DECIDING, _GENERAL):
        lead = general.match(what)
        # "why did we move": then moving is the topic.
        if lead is not None and lead.end() and (what[lead.end() :].strip() or general is _DECIDING):
            what = what[lead.end() :]
    what = what.strip()
    return Why("" if _THAT.fullmatch(what) else what, time)


def _first(texts: tuple[str | None, ...]) -> str:
    return next((text for text in texts if text), "")
