"""Illnesses, medicines and what does harm, told by the way: "because of my epilepsy", "wool gives me a rash"."""

from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.attributes import ENDED
from hermes_agent.learn.facts_told import Told, made
from hermes_agent.learn.lexicon import RELATIONS, word_set
from hermes_agent.learn.objects import end_of_object
from hermes_agent.learn.parsing import noun_phrase
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import verb_group
from hermes_agent.records.statements import USER, Statement

_PILLS = word_set(
    """tablets pills thinners statins antidepressants insulin steroids beta-blockers medication inhaler"""
)
_HARM = word_set(
    """rash hives migraine migraines headache headaches heartburn itch sneeze swell sick ill wheeze ache"""
)
_NOT_SUFFERED = word_set(
    """vaccine vaccines vaccination jab shot booster test tests screening research paper thesis essay charity
    patient patients nurse"""
)
ALLERGIES = word_set("allergy allergies intolerance")
_TRIGGERS = ALLERGIES | word_set("agree owing due my put no give gives make makes bring brings")
_DEGREES = word_set("severe bad serious mild terrible slight nasty food known")
_CONDITIONS = word_set("condition disorder injury impairment disability complaint")
_DONE = word_set("out removed replaced taken amputated")
_PAINKILLERS = word_set("ibuprofen paracetamol aspirin painkillers painkiller antibiotics tylenol advil")
_NOT_GIVEN_UP = word_set("questions time luck homework excuses thanks news mr nice ideas options")
_HARMING = word_set("give gives make makes bring brings")


def read_ailments(words: Words) -> Iterator[Statement]:
    """Yield what the user suffers from, takes and cannot bear."""
    if _TRIGGERS.isdisjoint(words.words):
        return
    for place, word in enumerate(words.words):
        if word == "my":
            yield from _mine(words, place)
        elif word in ("owing", "due") and words.words[place + 1 : place + 3] in (["to", "a"], ["to", "an"]):
            yield from _reason(words, place)
        elif word == "put" and words.words[place + 1 : place + 3] == ["me", "on"]:
            yield from _medicine(words, place + 3)
        elif word == "no" and "for" in words.words[place + 2 : place + 5]:
            yield from _kept_off(words, place)
        elif word in _HARMING and words.at(place + 1) in ("me", "my"):
            yield from _harm(words, place)
        elif word == "agree" and words.words[place - 1] in glue.NOT:
            yield from _disagreeing(words, place)
        elif word in ALLERGIES and (span := allergen(words, place)) and _is_mine(words, span[0]):
            yield _made(words, "allergy", span, (max(span[0] - 1, 0), place + 1))


def allergen(words: Words, place: int) -> tuple[int, int] | None:
    """Return what an allergy is to, said in front of it: "a severe peanut allergy"."""
    begin = place
    while begin > 0 and words.words[begin - 1] not in glue.CLOSED | _DEGREES and place - begin < 2:
        begin -= 1
    return (begin, place) if begin < place else None


def _is_mine(words: Words, begin: int) -> bool:
    """Tell whether an allergy is the user's: "my nut allergy", "Nut allergy here"."""
    before = begin - 1
    while before >= 0 and words.words[before] in _DEGREES:
        before -= 1
    return before < 0 or words.words[before] == "my"


def _mine(words: Words, place: int) -> Iterator[Statement]:
    """Read "my epilepsy": one word, or two, that is an illness for life."""
    for end in (place + 2, place + 3):
        if end > len(words.words) or words.words[end - 1] in glue.CLOSED:
            return
        illness = words.words[end - 1]
        following = words.at(end)
        if following in RELATIONS or following in _NOT_SUFFERED:
            return  # "my coeliac son", "my rabies vaccine"
        if kinds.is_lasting_illness(illness):
            yield _made(words, "health", (place + 1, end), (place, end))
            return
        if kinds.is_drug(illness) and illness not in _PAINKILLERS:
            yield _made(words, "health", (place + 1, end), (place, end))
            return
        if kinds.is_body_part(illness) and (after := _operated(words, end)):
            yield _made(words, "health", (place + 1, after), (place, after))
            return


def _reason(words: Words, place: int) -> Iterator[Statement]:
    """Read "owing to a heart condition, I …": what holds the user off for long."""
    end = noun_phrase(words, place + 3, len(words.words))
    noun = words.words[end - 1]
    is_long = kinds.is_lasting_illness(noun) or (noun in _CONDITIONS and end - place > len(["to", "a"]) + 2)
    if is_long and words.at(end) == "," and words.at(end + 1) in glue.I_OR_WE:
        yield _made(words, "health", (place + 3, end), (place, end))


def _disagreeing(words: Words, place: int) -> Iterator[Statement]:
    """Read "shellfish do not agree with me"."""
    begin = place - 3
    if begin < 0 or words.words[place + 1 : place + 3] != ["with", "me"] or words.words[place - 2] not in glue.DO:
        return
    if kinds.is_food([words.words[begin]]):
        one = _made(words, "eats", (begin, begin + 1), (begin, place + 3))
        yield replace(one, polarity="is not", is_single=False)


def _operated(words: Words, begin: int) -> int:
    """Return where "was replaced" or "came out" ends behind a part of the body; 0 if nothing was done to it."""
    group = verb_group(words, begin, len(words.words), "noun")
    if group is None or group.tense not in ("past", "perfect") or group.is_denied or group.modal:
        return 0
    if group.is_passive and group.verb in ("replace", "remove", "amputate"):
        return group.end
    is_out = words.at(group.end) == "out" and (group.verb == "come" or (group.is_passive and group.verb == "take"))
    return group.end + 1 if is_out else 0


def _medicine(words: Words, begin: int) -> Iterator[Statement]:
    end = noun_phrase(words, begin, len(words.words))
    if end > begin and words.words[end - 1] == "diet" and words.words[begin] in ("a", "an"):
        yield _made(words, "diet", (begin + 1, end), (max(begin - 5, 0), end))
    elif end > begin and (kinds.had(words.words[end - 1]) == "health" or words.words[end - 1] in _PILLS):
        yield _made(words, "health", (begin, end), (max(begin - 5, 0), end))


def _kept_off(words: Words, place: int) -> Iterator[Statement]:
    """Read "no coffee for me anymore", "no more gluten for me"."""
    begin = place + 1 + (words.words[place + 1] == "more")
    end = words.words.index("for", begin)
    is_tonight = any(one.kind == "fleeting" for one in times(words, end, len(words.words)))
    if words.at(end + 1) != "me" or begin >= end or is_tonight or "thanks" in words.words:
        return
    if kinds.is_food(words.words[begin:end]):
        one = _made(words, "eats", (begin, end), (place, end + 2))
        yield replace(one, polarity="is not", is_single=False)
    elif begin > place + 1 and end - begin < 3 and words.words[end - 1] not in _NOT_GIVEN_UP:
        one = _made(words, ENDED, (begin, end), (place, end + 2))
        yield replace(one, polarity="no longer", is_single=False)


def _harm(words: Words, place: int) -> Iterator[Statement]:
    """Read "wool gives me a rash", "nuts make my throat close up"."""
    behind = words.words[place + 2 : place + 5]
    if _HARM.isdisjoint(behind) and not ("throat" in behind and "close" in words.words[place : place + 6]):
        return
    begin = place
    while begin > 0 and words.words[begin - 1] not in glue.CLOSED and place - begin < 3:
        begin -= 1
    if begin < place:
        yield _made(words, "allergy", (begin, place), (begin, min(place + 5, len(words.words))))


def _made(words: Words, attribute: str, value: tuple[int, int], whole: tuple[int, int]) -> Statement:
    return made(USER, attribute, words.said(*value), words.starts[whole[0]], words.ends[whole[1] - 1])


def read_operation(told: Told) -> Iterator[Statement]:
    """Read "had my gallbladder out", "had her hip replaced", "had a knee replacement"."""
    words, verb, end = told.words, told.verb, told.clause.end
    if verb.verb not in ("have", "get") or verb.tense not in ("past", "perfect") or verb.is_denied:
        return
    if words.at(verb.end) in glue.POSSESSIVES:
        for place in range(verb.end + 1, min(verb.end + 4, end - 1)):
            if kinds.is_body_part(words.words[place]) and (done := words.words[place + 1]) in _DONE:
                after = place + 2 + (done == "taken" and words.at(place + 2) == "out")
                yield told.made("health", (verb.place, after), "is")
                return
    elif words.at(verb.end) in ("a", "an"):
        after = end_of_object(words, verb.end, end, rest=False)
        last = words.words[after - 1]
        is_new_joint = last == "replacement" and kinds.is_body_part(words.words[after - 2])
        if is_new_joint or last.endswith("ectomy") or last in ("transplant", "bypass", "pacemaker"):
            yield told.made("health", (verb.end + 1, after), "is")
