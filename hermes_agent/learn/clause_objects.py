"""What somebody cannot bear to happen, prefers to do, and cannot do for their health: the object is a clause.

"I hate it when people are late", "my wife can't fly because of her ears": kept as it was said.
"""

from collections.abc import Iterator

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import end_of_object, trimmed, values
from hermes_agent.learn.people import is_known_person
from hermes_agent.records.statements import Statement
from hermes_agent.text.verbs import lemma

_HATING = word_set("hate dislike detest loathe")
_BEARING = word_set("stand bear abide like enjoy")
_POINTING = word_set("you your this that it these those")
_ENDS = word_set("so but because and , ; : ( ) - – —")
_BODILY = word_set(
    """bend carry climb cycle dance drink drive eat fly garden hear hike jog jump kneel lift read ride run see ski
    squat stand swim travel type walk"""
)
_REACHING = word_set("text call write email phone drive walk cycle")
_HAD_RATHER = word_set("have get use read eat drink receive") | _REACHING
_REASONS = (("because", "of"), ("due", "to"), ("owing", "to"), ("on", "account", "of"))
_CONDITIONS = word_set(
    """back heart stroke hearing eyesight sight vision spine accident disability surgery operation condition
    pregnancy balance replacement allergy allergies medication vertigo"""
)
_PASSING = word_set("tooth teeth throat nose tongue stomach lip lips")
_LONGEST_REASON = 5


def read_hated_clause(told: Told) -> Iterator[Statement]:
    """Read "hates it when the telly is on"; of what is loved so, little is meant."""
    words, verb = told.words, told.verb
    begin = verb.end + (words.at(verb.end) == "it")
    is_hated = verb.verb in _HATING and not verb.is_denied
    is_hated = is_hated or (verb.verb in _BEARING and verb.is_denied and verb.modal in ("", "can"))
    if not is_hated or verb.tense != "present" or words.at(begin) != "when":
        return
    end = begin + 1
    while end < len(words.words) and words.words[end] not in _ENDS:
        end += 1
    if end > begin + 2 and _POINTING.isdisjoint(words.words[begin:end]):
        yield told.made("likes", (begin, end), "is not")


def read_preferred(told: Told) -> Iterator[Statement]:
    """Read "prefers to be addressed formally"; "I would prefer to be called" is as good."""
    words, verb = told.words, told.verb
    is_wished = verb.modal == "" or words.at(verb.end + 1) == "be"
    is_base = words.at(verb.end + 1) == "be" or bool(lemma(words.at(verb.end + 1), "base"))
    if verb.verb != "prefer" or words.at(verb.end) != "to" or not is_base:
        return
    end = end_of_object(words, verb.end + 1, told.clause.end, rest=True)
    end = told.clause.end if words.words[end - 1] in glue.POSSESSIVES else end  # "to spend my weekends in bed"
    if (
        words.at(verb.end + 2) in ("called", "addressed")
        and words.at(verb.end + 3) in ("as", "")
        or end <= verb.end + 1
    ):
        return  # how somebody wants to be called has a line of its own
    if (
        verb.tense == "present"
        and is_wished
        and (_POINTING | {"here", "called"}).isdisjoint(words.words[verb.end : end])
    ):
        yield told.made("prefers", (verb.end, end), told.polarity())


def read_rather(told: Told) -> Iterator[Statement]:
    """Read "he'd much rather have a memo than slides"."""
    words, verb = told.words, told.verb
    is_rather = "rather" in words.words[verb.begin : verb.place] and verb.modal in ("would", "'d")
    if not is_rather or verb.is_denied or verb.verb not in _HAD_RATHER or verb.end >= told.clause.end:
        return
    if words.words[verb.end] == "than" and verb.verb in _REACHING:
        yield told.made("prefers", (verb.place, verb.end), "is")
        return
    span = trimmed(words, verb.end, end_of_object(words, verb.end, told.clause.end, rest=True))
    is_whole = span is not None and words.at(span[1]) not in glue.RELATIVES
    if span is not None and is_whole and _POINTING.isdisjoint(words.words[span[0] : span[1]]):
        yield told.made("prefers", span, "is")


def read_unable(told: Told) -> Iterator[Statement]:
    """Read "am unable to travel by sea": what has no day is so for good."""
    listed = told.rest()
    verb = told.verb
    denied = [at for at in range(verb.begin, verb.end) if told.words.words[at] in ("not", "no")]
    is_unable = listed[:2] == ["unable", "to"] or (bool(denied) and listed[:2] == ["able", "to"])
    is_known = told.subject.who.kind in ("user", "we") or is_known_person(told.subject.who)
    is_bodily = len(listed) > 2 and listed[2] in _BODILY - {"see", "read", "hear", "eat", "drink"}
    if is_unable and is_known and is_bodily and not told.times and verb.tense in ("present", "perfect"):
        yield told.made("health", (denied[0] if denied else verb.end, told.clause.end), "is")


def read_forbidden(told: Told) -> Iterator[Statement]:
    """Read "I'm not allowed to lift anything", "he isn't allowed to eat salt": what a body must not do."""
    verb, rest = told.verb, told.rest()
    is_forbidden = verb.verb == "allow" and verb.is_passive and verb.is_denied and verb.tense == "present"
    is_known = told.subject.who.kind in ("user", "we") or is_known_person(told.subject.who)
    if not is_forbidden or not is_known or len(rest) < 2 or rest[0] != "to" or told.has("fleeting"):
        return
    if rest[1] in ("eat", "drink", "have"):
        spans = values(told.words, verb.end + 2, told.clause.end)
        foods = [one for one in spans if kinds.is_food(told.words.words[slice(*one)])]
        yield from (told.made("drinks" if rest[1] == "drink" else "eats", one, "is not") for one in foods)
    elif rest[1] in _BODILY - {"see", "read", "hear", "travel"} | {"bend", "exercise", "fly"}:
        denied = next(at for at in range(verb.begin, verb.end) if told.words.words[at] in glue.NOT)
        yield told.made("health", (denied, told.clause.end), "is")


def read_inability(told: Told) -> Iterator[Statement]:
    """Read "can't climb stairs because of his hip"."""
    verb, listed = told.verb, told.rest()
    is_denied = verb.is_denied or verb.phase == "no longer"
    if verb.modal != "can" or not is_denied or verb.tense != "present" or verb.verb not in _BODILY:
        return
    is_known = told.subject.who.kind in ("user", "we") or is_known_person(told.subject.who)
    if is_known and any(_is_reason(listed, place) for place in range(len(listed))):
        yield told.made("health", (verb.begin, told.clause.end), "is")


def _is_reason(listed: list[str], place: int) -> bool:
    """Tell whether a bad body is named as the reason: "because of her ears"."""
    size = next((len(one) for one in _REASONS if tuple(listed[place : place + len(one)]) == one), 0)
    named = listed[place + size : place + size + _LONGEST_REASON] if size else []
    if named and named[0] not in glue.POSSESSIVES | {"a", "an", "the"}:
        return any(kinds.is_lasting_illness(word) for word in named)
    return _PASSING.isdisjoint(named) and any(
        word in _CONDITIONS or "muscle" in kinds.kinds_of(word) or kinds.is_lasting_illness(word) for word in named
    )
