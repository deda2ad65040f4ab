"""What a turn in life tells by the kind of thing: into a school one is taken, into jazz one falls in love."""

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import GIVEN_NAMES, word_set
from hermes_agent.learn.meanings import Meaning
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.schooling import is_school, is_subject
from hermes_agent.learn.trades import trait_of
from hermes_agent.learn.worth import WORKPLACES, has_model, is_doing
from hermes_agent.text.words import fold

CLUBS = word_set(
    """group groups club clubs community choir team league society band association gym union orchestra
    congregation"""
)
_FOUNDING = word_set("open launch found set start")
_VENTURES = WORKPLACES | word_set(
    "truck van stall stand business company agency school gym label podcast blog firm"
)
_TRADES = word_set("academia banking consulting finance hospitality politics retail tech showbiz")


def turned(told: Told, line: Meaning, noun: str, span: Span) -> str | None:
    """Return the attribute that a turn makes of a thing, empty for none; None if the verb tells of no turn.

    `noun` is what the words of `span` are about.
    """
    verb = told.verb.verb
    is_name = fold(told.words.words[span[0]]) in GIVEN_NAMES
    if (verb == "leave" and is_name) or (verb == "marry" and told.clause.subject is None and not is_name):
        return ""  # "left Tom a message", "married couple needs advice"
    if verb == "get" and line.behind == ("into",):
        return _got_into(told, noun, span)
    if verb == "come" and line.attribute == "health":
        return "health" if kinds.is_regimen(noun) else ""
    is_food = kinds.is_food([noun]) and noun != "brand"
    if is_food and line.attribute in ("uses", "home") and line.behind[-1:] == ("to",):
        return _eaten(noun)
    if verb in ("quit", "leave", "retire") and told.words.words[span[0] - 1] not in glue.DETERMINERS:
        return _left(verb, noun, told, span)
    if line.attribute == "uses" and "ends" in line.flags and noun in CLUBS:
        return "member of"
    if verb == "start" and line.behind == ("with",):
        return "employer" if told.has("date") and told.verb.tense not in ("past", "perfect") else ""
    if verb == "do" and noun == "course" and told.verb.is_progressive:
        return "studies"
    if verb == "pick" and noun in ("puppy", "kitten") and line.behind == ("up",):
        return "pet"
    if verb == "pick" and (kinds.had(noun) == "owns" or has_model(told.words, span)):
        return "owns" if told.words.words[span[0] - 1] in ("a", "an", "my") else ""
    if verb in _FOUNDING and line.attribute in ("owns", "hobby"):
        return _founded(told, noun, span)
    return None


def _got_into(told: Told, noun: str, span: Span) -> str:
    if is_school(told.words, span):
        return "studies"
    return "hobby" if kinds.is_pastime(noun) else "likes" if kinds.is_food([noun]) or noun == "music" else ""


def _eaten(noun: str) -> str:
    return "drinks" if kinds.is_drink(noun) else "eats"


def _left(verb: str, noun: str, told: Told, span: Span) -> str | None:
    """Return what is left without an article: nursing, uni, sugar; None if it may be a firm."""
    if verb == "quit" and kinds.is_food([noun]):
        return _eaten(noun)
    is_trade = is_subject(noun) or noun in _TRADES
    if is_trade and span[1] - span[0] == 1:
        return "field"
    return "" if is_doing(noun) and not told.words.is_capital(span[0]) else None


def _founded(told: Told, noun: str, span: Span) -> str | None:
    """Return what is begun: a business, a treatment, an apprenticeship; None if it may be a pastime."""
    is_own = told.words.words[span[0] - 1] in (glue.DETERMINERS - {"the", "this", "that"}) | {"own"}
    if noun in _VENTURES:
        return "owns" if is_own else ""
    if told.verb.verb != "start":
        return ""
    return "health" if kinds.is_medicine(noun) else "studies" if kinds.had(noun) == "studies" else None


def is_long_so(told: Told) -> bool:
    """Tell whether a word without subject and verb says what the user has been for long: "married since 2012"."""
    is_alone = told.clause.subject is None and told.verb.begin + 1 == told.verb.end
    return is_alone and told.has("lasting") and bool(trait_of(told.words.words[told.verb.place]))
