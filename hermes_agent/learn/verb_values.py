"""Where the values of a verb stand: one thing with its commas, a list, or the town behind "a small flat in"."""

from hermes_agent.learn import glue
from hermes_agent.learn.ailments import ALLERGIES, allergen
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.filing import LEFT
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.meanings import Meaning
from hermes_agent.learn.objects import end_of_object, first_part, one_value, values
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tooling import is_tool
from hermes_agent.learn.worth import FIRMS, PLACES

_POSTS = word_set("job position post role")
_AT_WORK = (["at"], ["with"])
_STAFF = word_set("board department faculty group lab staff team")


def spans_of(told: Told, line: Meaning, begin: int, end: int) -> list[Span]:
    """Return the values of a verb, each by its words."""
    listed = told.words.words
    for place in range(begin, min(begin + 5, end)):
        if listed[place] in ALLERGIES and listed[place + 1 : place + 2] == ["to"]:
            return values(told.words, place + 2, end)
        if listed[place] in ALLERGIES and place > begin and (span := allergen(told.words, place)):
            return [span]
    if "one" in line.flags:
        span = one_value(told.words, begin, end)
        if span is not None and listed[span[1] - 1] in _POSTS and listed[span[1] : span[1] + 1] in _AT_WORK:
            span = one_value(told.words, span[1] + 1, end)
        if span is not None and line.attribute in PLACES and listed[span[1] - 1] not in FIRMS:
            is_post = told.verb.verb in LEFT and listed[span[1] - 1] not in _STAFF
            span = span if is_post else _farther_place(told.words, span, end, line.attribute)
        return [] if span is None else [span]
    if line.attribute == "eats" and told.verb.is_denied and listed[begin : begin + 2] == ["anything", "with"]:
        return [(begin, end_of_object(told.words, begin, end, rest=True))]  # "anything with eyes"
    found = values(told.words, begin, end, rest="rest" in line.flags)
    if found and line.attribute == "uses" and listed[found[-1][1] : found[-1][1] + 1] == ["with"]:
        beside = found[-1][1] + 1
        is_pair = beside < end and is_tool(told.words, beside) and is_tool(told.words, found[0][0])
        return [*found, *(values(told.words, beside, end) if is_pair else ())]
    if found and line.attribute == "prefers" and listed[found[-1][1] : found[-1][1] + 1] in (["over"], ["to"]):
        # Preferred over what belongs to it: "tea over coffee".
        return [(found[0][0], end_of_object(told.words, found[-1][1] + 1, end, rest=False))]
    if len(found) > 1 and line.attribute == "prefers" and "with" in told.words.words[found[0][0] : found[0][1]]:
        return [(found[0][0], found[-1][1])]  # "routes with little traffic and nice views"
    return found


def _farther_place(words: Words, span: Span, end: int, attribute: str) -> Span:
    """Return the town of "a small flat in Aarhus" rather than the flat."""
    if words.is_capital(span[0]):
        return span
    is_lower = words.is_lower and words.words[span[0] - 1] in glue.DETERMINERS
    for place in range(span[1], first_part(words, span[1], end) - 1):
        is_place = words.is_capital(place + 1) or words.at(place + 1) == "the"
        is_place = is_place or (is_lower and words.at(place + 1) not in glue.CLOSED)
        if (
            words.words[place] in (("at",) if attribute == "employer" else ("in", "at", "near", "outside"))
            and is_place
            and not times(words, place, min(place + 4, end))
        ):
            return one_value(words, place + 1, end) or span
    return span
