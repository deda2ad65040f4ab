"""Under which attribute the value of a verb belongs: a spaniel one has is a pet, a firm one left an employer."""

from hermes_agent.learn import glue, kinds, lexicon
from hermes_agent.learn.ailments import ALLERGIES
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.meanings import BY_KIND, Meaning
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.schooling import is_school
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tooling import is_known_tool, is_tool
from hermes_agent.learn.turns import CLUBS, turned
from hermes_agent.learn.worth import has_model, is_employment, is_firm, is_gift, is_of_body, is_own
from hermes_agent.text.verbs import is_sure, lemma

_CHORES = word_set("shopping laundry dishes cleaning chores homework housework ironing")
_NO_ORIGINS = word_set("family background household line generation")
_PARTS = word_set("back bladder bowel ear eye gut heart hip kidney liver lung prostate sinus skin stomach thyroid")
_SERVICES = word_set("army coastguard force navy police")
_COMPLAINTS = word_set("trouble problems problem issues condition complaint troubles")
_SCHOOLS = word_set("school college university uni home")
LEFT = word_set("join leave quit")
"""What one does with a firm or a club."""


def attribute_of(told: Told, line: Meaning, span: Span) -> str:
    """Return the attribute of a value; empty if a thing of its kind tells nothing."""
    noun = head(told.words, span)
    if (attribute := turned(told, line, noun, span)) is not None:
        return attribute
    if "food" in line.flags:
        return line.attribute if kinds.is_food(told.words.words[span[0] : span[1]]) else ""
    if BY_KIND not in line.flags and line.attribute != BY_KIND:
        return _by_verb(told, line, noun, span)
    if _is_allergen(told.words, span):
        return "allergy"
    if told.verb.verb in ("do", "read"):
        return _done(told, noun, span)
    if told.verb.verb in ("start", "pick", "begin") and line.attribute == "hobby":
        return "hobby" if kinds.is_pastime(noun) else ""
    if told.words.words[span[1] - 1] in ("disease", "syndrome", "intolerance"):
        return "health"
    if told.words.words[span[1] - 1] == "diet" or not lexicon.DIETS.isdisjoint(told.words.words[slice(*span)]):
        return "diet"
    if told.verb.verb == "follow":
        return ""
    is_counted = told.words.words[span[0]] in glue.NUMBERS or told.words.words[span[0]].isdecimal()
    is_staff = told.subject.who.kind == "we" and told.verb.verb == "have" and noun.endswith("s")
    if is_counted and is_staff and kinds.is_job(noun.removesuffix("s")) and not kinds.had(noun):
        return "team"
    if noun in _COMPLAINTS and span[1] - span[0] > 1:
        part = told.words.words[span[1] - 2]
        return "health" if part in _PARTS or kinds.is_body_part(part) else ""
    if noun == "hives" and told.verb.verb in ("keep", "own"):
        return "pet"  # no rash
    by_kind = kinds.had(noun)
    if by_kind == "skill" and told.words.words[span[0] - 1] == "the" and span[1] - span[0] == 1:
        return ""  # "got the certificate": nobody knows for what
    is_without = told.verb.is_denied or told.verb.phase == "no longer"
    if told.verb.verb in ("have", "keep") and is_without and kinds.is_household(noun):
        return "owns"
    if (
        told.verb.verb in ("have", "own", "rent", "inherit", "buy", "purchase")
        and kinds.is_ground(noun)
        and not told.verb.is_denied
    ):
        return "owns"
    if told.verb.verb in ("get", "buy", "purchase") and is_gift(told, span):
        return ""
    if told.verb.verb == "get" and lemma(told.words.words[span[1] - 1], "done"):
        return ""  # "got my record signed"
    if by_kind:
        return by_kind
    if told.words.said(*span).endswith("'s"):  # Parkinson's
        return "health"
    if line.attribute == BY_KIND:
        return "owns" if has_model(told.words, span) else ""
    is_lasting = told.verb.verb == "own" or "ends" in line.flags or has_model(told.words, span)
    return line.attribute if is_lasting else ""


def _by_verb(told: Told, line: Meaning, noun: str, span: Span) -> str:
    """Return the attribute of the table, unless the verb with this value tells another, or nothing."""
    if _is_allergen(told.words, span):
        return "allergy"
    if line.attribute == "health" and told.verb.verb == "take":
        taken = kinds.had(noun)
        is_drunk = kinds.is_food([noun]) and not told.verb.is_progressive
        return taken if taken == "health" else "drinks" if is_drunk else ""
    is_ours = told.subject.who.kind == "we" and told.subject.noun is None
    if told.verb.verb == "support" and is_ours and is_known_tool(told.words.words[span[0]]):
        return "supports"
    if line.attribute == "owns" and "ends" in line.flags and is_ours and is_tool(told.words, span[0]):
        return "uses"  # "we got rid of Redis"
    if line.attribute == "owns" and "ends" in line.flags and not is_own(told, span):
        return ""
    if line.attribute == "origin" and noun in _NO_ORIGINS:
        return ""
    if told.verb.verb == "belong" and told.subject.who.kind not in ("user", "we"):
        return ""  # "the dog belongs to my neighbour"
    if told.verb.verb == "admit" and not is_school(told.words, span):
        return ""
    if line.attribute == "hobby" and kinds.is_mood(told.words.words[span[0]]):
        return ""
    if line.attribute == "health" and told.verb.verb == "recover":
        return "health" if is_of_body(told, span) else ""
    if line.attribute == "employer" and told.verb.verb in LEFT:
        return _joined_or_left(told, line, noun, span)
    return line.attribute


def _joined_or_left(told: Told, line: Meaning, noun: str, span: Span) -> str:
    """Return what joining or leaving something tells: a club, a firm, a town."""
    if noun in CLUBS:
        return "member of"
    if is_employment(told, span):
        return "employer"
    places = kinds.kinds_of(told.words.words[span[0]])
    if told.verb.verb == "leave" and not places.isdisjoint(("country", "city", "state")):
        return "home"
    if told.words.words[span[0]] in _SCHOOLS and told.words.words[span[0] - 1] not in glue.DETERMINERS:
        return ""  # "since I left school"
    is_named = told.words.is_capital(span[0]) or noun in _SERVICES or "ends" in line.flags or told.words.is_lower
    return "employer" if is_firm(told.words, span) and is_named else ""


def _is_allergen(words: Words, span: Span) -> bool:
    is_behind = words.words[span[0] - 1] == "to" and words.words[span[0] - 2] in ALLERGIES
    return is_behind or words.at(span[1]) in ALLERGIES


def _done(told: Told, noun: str, span: Span) -> str:
    """Return what doing or reading something tells: yoga is a hobby, law a subject, a master's a degree."""
    if kinds.had(noun) == "studies" or (kinds.is_subject(noun) and told.verb.is_progressive):
        return "studies"
    if told.verb.is_progressive or told.verb.verb == "read" or noun in _CHORES:
        return ""
    if is_sure(lemma(told.words.words[span[0]], "base")) and span[1] - span[0] > 1:
        return ""  # "I do remember shopping there"
    return "hobby" if kinds.is_activity(noun) else "field" if "subject" in kinds.kinds_of(noun) else ""


def head(words: Words, span: Span) -> str:
    """Return the noun a phrase is about: of "a severe allergy to nuts" the allergy."""
    for place in range(span[0] + 1, span[1]):
        if words.words[place] == "of" and words.words[place - 1].endswith(("mg", "mcg", "ml")):
            continue  # "20mg of propranolol"
        if words.words[place] in glue.PREPOSITIONS or words.words[place] in ("called", "named", ","):
            is_own = words.words[place - 1] == "'s" and place - 2 >= span[0]  # a master's in logistics
            return f"{words.words[place - 2]}'s" if is_own else words.words[place - 1]
    place = span[1] - 1
    while place > span[0] and words.is_capital(place) and not words.is_capital(span[0]):
        place -= 1
    return words.words[place - 1] + "'s" if words.words[place] == "'s" and place > span[0] else words.words[place]
