"""What a named thing of the user's work is and runs on: "Atlas is our billing service; it uses Postgres".

Read apart from the grammar of clauses, which takes a name it does not know for a person or leaves it.
"""

from collections.abc import Iterator, Sequence

from hermes_agent.learn.attributes import USES
from hermes_agent.learn.lexicon import GIVEN_NAMES, PROJECT_NOUNS, word_set
from hermes_agent.learn.matching import listed
from hermes_agent.learn.moods import QUOTATION
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.sentences import sentences
from hermes_agent.records.statements import Statement, Who
from hermes_agent.text.entity_openers import OPENERS
from hermes_agent.text.words import fold

_NAME = r"(?P<name>(?-i:[A-Z][\w-]*)(?:\s(?-i:[A-Z][\w-]*))?|it)"
KINDS = word_set(
    """api app application backend bot client cluster codebase component crawler daemon dashboard database engine
    firmware framework frontend gateway job library microservice module monolith monorepo package pipeline platform
    plugin portal product project proxy queue repo repository script scraper sdk server service site stack system
    tool warehouse webapp website worker wrapper"""
)
_IS = Pattern(rf"{_NAME}\s+is\s+(?P<value>(?P<whose>our|my|the)\s+[^,.;:!?]{{3,60}})")
_RUNS = Pattern(
    rf"{_NAME}\s+(?:now\s+)?(?:uses|runs\s+on|is\s+(?:written\s+in|built\s+(?:on|with|in)|hosted\s+on|deployed\s+(?:on|to|with)))"
    r"\s+(?P<value>(?:[^.;:!?]|\.(?=\d)){2,80})"
)
_CUE = Pattern(r"\bis\s+(?:our|my|the|written|built|hosted|deployed)\b|\buses\b|\bruns\s+on\b")
_CUT = Pattern(r",?\s+(?:and|but)\s+(?=it\b)|[,;]\s*(?!and\b|but\b)")
_END = Pattern(r"\s+(?:for|with|which|that|because|since|so|but|in|on|at|via|to|now|instead|and\s+it)\b.*")


def read_named_things(plain: str, message: str) -> list[Statement]:
    """Return what a message tells of things by their names, each in the exact words."""
    found: list[Statement] = []
    last = ""
    for sentence in sentences(plain):
        if _CUE.search(sentence.text) is None or QUOTATION in sentence.text or sentence.is_asked:
            continue
        for start, text in _clauses(sentence.text, sentence.start):
            match = _IS.match(text) or _RUNS.match(text)
            if match is None or not (name := _named(match["name"], last)):
                continue
            made = list(_stated(match.groupdict(), name, start, start + match.end(), message))
            found += made
            last = name if made else last
    return found


def _clauses(text: str, at: int) -> Iterator[tuple[int, str]]:
    """Yield the parts of a sentence that may begin with a name or "it", and where they are."""
    yield at, text
    for cut in _CUT.finditer(text):
        yield at + cut.end(), text[cut.end() :]


def _named(name: str, last: str) -> str:
    """Return the thing that is meant; empty if it is a person, or nobody knows."""
    if name.lower() == "it":
        return last
    words = fold(name).split()
    is_thing = words[0] not in GIVEN_NAMES and words[0] not in OPENERS and words[0] not in PROJECT_NOUNS
    return name if is_thing else ""


def _stated(told: dict[str, str], name: str, start: int, end: int, message: str) -> Iterator[Statement]:
    who = Who("thing", name=name)
    value = _END.sub("", told["value"]).strip()
    if not value or value not in message[start:end]:
        return
    if told.get("whose") is None:
        for one in listed(value):
            if (one[:1].isupper() or one[-1:].isdigit()) and " is " not in one:
                yield Statement(who, USES, one, start, end)
    elif fold(value).split()[-1] in KINDS:
        yield Statement(who, "is", value, start, end)


def without_these(others: Sequence[Statement], things: Sequence[Statement]) -> list[Statement]:
    """Leave out what the grammar of clauses made of the same words."""
    return [one for one in others if not any(one.start < two.end and two.start < one.end for two in things)]
