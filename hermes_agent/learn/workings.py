"""How things are done at work: what they are kept in and made with, within which bounds, after which pattern.

"Docs are written in AsciiDoc and published with Antora", "response time must stay under 200 ms", "PR titles start
with the ticket number". Only what holds for all of a kind is a rule: a thing without "this" or "her".
"""

from collections.abc import Iterator

from hermes_agent.learn import glue
from hermes_agent.learn.attributes import USES
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.kinds import kinds_of
from hermes_agent.learn.lexicon import GIVEN_NAMES, word_set
from hermes_agent.learn.objects import one_value
from hermes_agent.learn.tooling import is_tool
from hermes_agent.records.statements import Statement, Who
from hermes_agent.text.words import fold

RULE = "rule"
_MADE = word_set(
    """stored kept written managed built published deployed hosted generated rendered compiled tracked tested
    provisioned monitored logged cached indexed served packaged formatted linted scheduled bundled versioned"""
)
_WITH = word_set("in on with by via through using")
_BOUNDS = word_set("above below under over within exceed")
_AT_BOUNDS = (["at", "least"], ["at", "most"], ["more", "than"], ["less", "than"], ["fewer", "than"])
_STAYING = word_set("stay be remain keep last take exceed have contain pass reach fit finish return load respond")
# What a team makes many of, all in one way.
_PATTERNED = word_set(
    """names titles messages branches commits tags ids keys timestamps dates amounts prices tables columns
    migrations endpoints variables constants tests files folders modules packages releases versions tickets labels
    logs prs reviews routes slugs urls invoices reports tokens images environments identifiers descriptions"""
)
_OF_WORK = word_set(
    """api branch build bug class column commit config container customer database docker endpoint env error event
    feature file function git image invoice issue job key log merge migration module package pr pull release repo
    request schema service sql table tag task test ticket unit user variable version"""
)
_WANTING = word_set("board boss client committee council customer department landlord legal management sponsor")
_EVERYTHING = word_set("everything all every only no nothing")
_DIRECTED = word_set(
    "alerts applications bugs complaints incidents invoices orders questions receipts reports requests tickets"
)
_FOLLOWING = word_set("follow start begin end use carry need")
_ANYBODYS = word_set("his her their your this these those that its")


def read_working(told: Told) -> Iterator[Statement]:
    """Yield how a thing of work is done."""
    verb, words, noun = told.verb, told.words, told.subject.noun
    if noun is None or verb.is_denied or verb.tense != "present" or verb.is_progressive:
        return
    if verb.modal:
        yield from _bound(told) if verb.modal == "must" else ()
    elif verb.verb == "go":
        yield from _directed(told)
    elif verb.is_passive:
        yield from _made(told)
    elif verb.verb in _FOLLOWING and _is_patterned(told, noun) and words.at(verb.end) not in ("in", "up", "out"):
        yield told.made(RULE, (verb.place, told.clause.end), "is", who=told.thing())


def read_language(told: Told, begin: int) -> Iterator[Statement]:
    """Yield in which language a team writes what it makes many of: "commit messages are in English"."""
    words, noun = told.words, told.subject.noun
    is_language = words.at(begin) == "in" and "language" in kinds_of(words.at(begin + 1))
    if (
        noun is not None
        and is_language
        and told.verb.tense == "present"
        and (_is_patterned(told, noun) or _is_all(told, noun))
    ):
        yield told.made(RULE, (begin, told.clause.end), "is", who=told.thing())


def read_wanted(told: Told) -> Iterator[Statement]:
    """Yield how those want things for whom one works: "the client wants everything in Dutch"."""
    rest, noun = told.rest(), told.subject.noun
    if noun is None or told.words.words[noun[1] - 1] not in _WANTING or told.verb.tense != "present":
        return
    is_general = rest[:1] and rest[0] in _EVERYTHING and len(rest) > 2
    if is_general and not told.verb.is_denied and not told.has("date") and not told.has("fleeting"):
        yield told.made("prefers", (told.verb.end, told.clause.end), "is", who=told.thing())


def _directed(told: Told) -> Iterator[Statement]:
    """Read where or to whom things go: "questions about payroll go to Simone", "tickets go in Linear"."""
    words, subject, at = told.words, told.clause.subject, told.verb.end
    if subject is None or words.words[subject[1] - 1] not in _DIRECTED or words.at(at) not in ("to", "in", "into"):
        return
    span = one_value(words, at + 1, told.clause.end) if at + 1 < told.clause.end else None
    if span is None or not words.is_capital(span[0]) or words.time_letters[span[0]] != ".":
        return
    is_person = fold(words.words[span[0]]) in GIVEN_NAMES
    thing = Who("thing", name=words.said(subject[0], told.verb.begin).lower())
    yield told.made("contact" if is_person else USES, span, "is", who=thing)


def _made(told: Told) -> Iterator[Statement]:
    words = told.words
    for place in range(told.verb.place, told.clause.end - 2):
        if words.words[place] not in _MADE or words.words[place + 1] not in _WITH:
            continue
        if is_tool(words, place + 2) and fold(words.words[place + 2]) not in GIVEN_NAMES:
            span = one_value(words, place + 2, told.clause.end)
            yield from () if span is None else (told.made(USES, span, "is", who=told.thing()),)


def _bound(told: Told) -> Iterator[Statement]:
    words, verb, end = told.words, told.verb, told.clause.end
    if verb.verb not in _STAYING:
        return
    for place in range(verb.place, end - 1):
        is_pair = words.words[place : place + 2] in _AT_BOUNDS
        number = words.at(place + 1 + is_pair)
        is_number = number[:1].isdigit() or number in glue.NUMBERS
        if (is_pair or words.words[place] in _BOUNDS) and is_number and words.time_letters[place] != "D":
            yield told.made(RULE, (verb.place, end), "is", who=told.thing())
            return


def _is_patterned(told: Told, noun: tuple[int, int]) -> bool:
    """Tell whether a subject is what the team makes many of: "branch names", "our tickets", not "movie titles"."""
    words = told.words
    before = words.words[noun[0] - 1] if noun[0] else ""
    if words.words[noun[1] - 1] not in _PATTERNED or before in _ANYBODYS:
        return False
    listed = words.words[noun[0] : noun[1]]
    return before == "our" or not _OF_WORK.isdisjoint(listed[:-1])


def _is_all(told: Told, noun: tuple[int, int]) -> bool:
    """Tell whether a sentence begins with all of what the team makes: "Invoices are in German"."""
    return noun == (0, 1) and told.words.words[0] in _PATTERNED
