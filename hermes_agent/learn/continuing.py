"""Whose a verb without a subject is: that of the clause before ("I live in Oslo and teach maths"), or of "who"."""

from itertools import pairwise

from hermes_agent.learn.glue import CLOSED, DETERMINERS, PREPOSITIONS
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import VerbGroup
from hermes_agent.text.verbs import is_sure, lemma

LIKE_WE = word_set("i we you they these those")
_FINITE = word_set("is was are were has sounds seems looks makes helps feels would can will could")
_OF_SELF = word_set("dislike hate detest loathe adore prefer suffer reside")
_LIKING = word_set("like love enjoy adore prefer hate dislike detest loathe")
_BEHIND_LISTS = word_set("and or") | frozenset(",.;:!?()")
_BEHIND_VERBS = PREPOSITIONS | word_set("a an the my our")
# Behind these a bare verb is what somebody else does: "I saw him dance and sing".
_DOING = word_set("help let make see hear watch feel")
# "I'm not in London any more, moved back to Cork".
_TURNS = word_set("move quit leave get buy sell switch join start swap adopt retire")
BESIDE = word_set("learn study train retrain work live drive share save volunteer")


def goes_on(words: Words, subject: str, before: VerbGroup, verb: VerbGroup, joint: tuple[str, ...]) -> bool:
    """Tell whether a verb has the subject of the one before it; `subject` is the first word of that."""
    if verb.place > verb.begin and verb.tense != "bare":  # it brings its own auxiliary
        return True
    if verb.tense == "past":
        is_turn = subject in ("i", "we") and verb.verb in _TURNS and "," in joint
        return before.tense in ("past", "perfect") or is_turn
    if words.words[verb.begin] == "having":
        return False
    if verb.tense == "bare" and verb.is_progressive:
        between = words.words[before.end : verb.begin]
        if any(word in PREPOSITIONS and doing.endswith("ing") for word, doing in pairwise(between)):
            return False  # "advice on cleaning and maintaining my bike"
        is_joined = before.verb == "be" and "and" in joint
        is_new = words.is_lower and "," in joint and verb.verb in BESIDE
        is_beside = is_new or (before.tense == "present" and (is_joined or verb.verb in BESIDE))
        return before.is_progressive or is_beside
    if verb.tense == "bare":
        if _is_listed(words, before, verb, joint):
            return False
        is_now = "now" in (*joint, *words.words[verb.begin : verb.end + 3])
        is_present = before.tense == "present" or is_now or (before.tense == "perfect" and before.verb == "be")
        is_present = is_present or (subject in LIKE_WE and _comes_to_now(words, before, verb, joint))
        is_going = before.is_progressive and before.tense != "perfect"
        is_free = not before.modal and not is_going and not _is_infinitive(words, before, verb)
        return is_present and is_free and not _is_other(words, subject, before, verb)
    # "I grow tomatoes, beans …": of "I" and "we" no verb ends in s.
    is_third = words.words[verb.place].endswith("s") and verb.verb != "be"
    return not is_third or subject not in LIKE_WE


def _is_listed(words: Words, before: VerbGroup, verb: VerbGroup, joint: tuple[str, ...]) -> bool:
    """Tell whether a word that may be a noun is one more thing somebody likes: "I like coffee and jazz"."""
    is_joined = set(joint) <= {"and", ","} and verb.end == verb.begin + 1
    is_last = words.at(verb.end) in _BEHIND_LISTS or verb.end == len(words.words)
    has_things = before.verb in _LIKING and not is_sure(verb.verb) and words.at(before.end) != "to"
    return has_things and is_joined and is_last and before.end < verb.begin - len(joint)


def _is_other(words: Words, subject: str, before: VerbGroup, verb: VerbGroup) -> bool:
    """Tell whether a bare verb cannot be of the one before: "nan's in a home, visit her on Sundays"."""
    is_third = words.words[before.begin] in ("is", "'s", "has", "does") or words.words[before.place].endswith("s")
    return is_third and subject not in LIKE_WE and words.at(verb.end) in ("her", "him", "them")


def _comes_to_now(words: Words, before: VerbGroup, verb: VerbGroup, joint: tuple[str, ...]) -> bool:
    """Tell whether a verb says what is so behind one of what was: "I moved to Cork and work as a nurse"."""
    is_past = (
        before.tense in ("past", "perfect") and not {"and", "but"}.isdisjoint(joint) and "if" not in words.words
    )
    said = words.words[verb.place]
    is_noun = not is_sure(verb.verb) and words.at(verb.end) not in _BEHIND_VERBS
    is_unclear = lemma(said, "past" if before.tense == "past" else "done")
    return is_past and not is_noun and not is_unclear


def _is_infinitive(words: Words, before: VerbGroup, verb: VerbGroup) -> bool:
    """Tell whether a bare verb goes on with an infinitive: "I try to save and grow", "it helps me rest and …"."""
    if before.verb in _DOING:
        return True
    if verb.verb in _OF_SELF:
        return False
    places = pairwise(range(before.end, verb.begin))
    return any(
        words.words[to] == "to" and lemma(words.words[after], "base") and not words.is_capital(after)
        for to, after in places
    )


def antecedent(words: Words, begin: int, first: int) -> tuple[int, int] | None:
    """Return the noun phrase in front of "who"; it begins at the first place or behind it."""
    at = begin - (begin > 0 and words.words[begin - 1] == ",")
    start = at
    while start > first and words.words[start - 1] not in CLOSED:
        start -= 1
    if start > first and words.words[start - 1] in DETERMINERS:
        start -= 1
    return (start, at) if start < at else None


def has_finite(words: Words, begin: int, end: int) -> bool:
    """Tell whether a verb follows whose subject is a doing: "learning to code is fun"."""
    listed = words.words[begin:end]
    if not _FINITE.isdisjoint(listed):
        return True
    return any(is_sure(lemma(word, "third")) for word in listed[1:])
