"""What people write of themselves without a verb: "About me: Born in Paramaribo. Nurse.", "vegan here"."""

from collections.abc import Iterator

from hermes_agent.learn import kinds
from hermes_agent.learn.being import read_being
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.parsing import Clause
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.people import TITLES, Subject
from hermes_agent.learn.tails import read_tails
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words, words_of
from hermes_agent.learn.trades import is_job, trait_of
from hermes_agent.learn.verb_groups import VerbGroup
from hermes_agent.records.statements import USER, Statement

_HEADING = Pattern(r"\s*(?:a (?:bit|little) )?(?:about (?:me|myself)|profile|bio|short bio|who i am|me)\s*:\s*")
_PIECE = Pattern(r"[^,;.\n|]+")
_MOST_PIECES = 12
_LONGEST_HERE = 6


def profile_start(plain: str) -> int:
    """Return where the list behind "About me:" begins; 0 if a message is none."""
    found = _HEADING.match(plain)
    return found.end() if found else 0


def read_profile(plain: str, start: int, message: str) -> Iterator[Statement]:
    """Read the pieces of a profile as what the user is."""
    for count, match in enumerate(_PIECE.finditer(plain, start)):
        if count >= _MOST_PIECES:
            return
        words = words_of(plain, match.start(), match.end(), message)
        if words.words and words.words[0] not in ("i", "my", "we"):
            yield from _is(words, 0, len(words.words))


def read_here(words: Words, clause: Clause) -> Iterator[Statement]:
    """Read "type 1 diabetic here": what the user is."""
    listed = words.words[clause.place : clause.end]
    if "here" not in listed[1:_LONGEST_HERE]:
        return
    end = clause.place + listed.index("here")
    if is_job(words.words[end - 1]) or trait_of(words.words[end - 1]):
        yield from _is(words, clause.place, end)


def _is(words: Words, begin: int, end: int) -> Iterator[Statement]:
    """Read words as if "I am" stood before them."""
    verb = VerbGroup(begin, begin, "be", "present", begin)
    clause = Clause("told", begin, begin, end, (), None, verb)
    told = Told(words, clause, Subject(USER), verb, tuple(times(words, begin, end)))
    stop = begin
    while stop < end and words.words[stop] not in ("with", "in", "at", "for"):
        stop += 1
    if stop > begin and kinds.is_job(words.words[stop - 1]):
        found = [told.made("role", (begin, stop), "is")]
    else:
        found = [
            one for one in read_being(told) if one.attribute != "name" or words.words[begin].rstrip(".") in TITLES
        ]
    yield from found
    yield from read_tails(told, found)
