"""Which language a message is in: by its small words, which names and loan words do not change."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.nouns_abroad import relation_of
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.tongue import CODES, tongue
from hermes_agent.text.verbs import lemma

_ENGLISH = word_set(
    """a about am an and anymore are as at be been but by can cant d do does don dont for from get got
    had has have he her his how i if im in is it ive just like live ll m me my n new no not of off on one
    only or our out part re s she so t that the their there they this til to u up ur ve was we were what when
    where which who will with work would you your"""
)
_OWN = ("i", "my")
_VERBAL = ("have1", "be1", "want1", "stay1", "work")
_MARKS = Pattern(r"[^\w]+")
_READ = 2_000
_SHORT = 12
_SHARE = 6


@cache
def _hinted() -> Mapping[str, tuple[str, ...]]:
    """Return for each small word the languages that have it."""
    every = {word for code in CODES for word in tongue(code).words["hints"]}
    return {word: tuple(code for code in CODES if word in tongue(code).words["hints"]) for word in every}


@cache
def _telling() -> frozenset[str]:
    """Return every word that speaks for another language, one of English or not."""
    verbs = {form for code in CODES for form in tongue(code).forms}
    said = {word for code in CODES for kind in _VERBAL for word in tongue(code).words[kind]}
    return frozenset((_hinted().keys() | verbs | said) - _ENGLISH)


def languages_of(text: str) -> tuple[str, ...]:
    """Return the codes of the languages a message is rather in than English; none for English and all others."""
    typed = [word for word in _MARKS.split(text[:_READ]) if word]
    telling = _telling()
    if 2 * _SHARE * sum(word.lower() in telling for word in typed) < len(typed):
        return ()
    # A small word with a capital letter is part of a name: "El Camino".
    said = [
        word.lower()
        if place == 0 or not word[0].isupper() or (word.isupper() and (len(word) > 1 or word == "I"))
        else word
        for place, word in enumerate(typed)
    ]
    if len(said) < 2:
        return ()
    hinted = _hinted()
    counts: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    english = 0
    for word in said:
        codes = hinted.get(word, ())
        # What both languages have speaks for neither.
        is_english = word in _ENGLISH
        english += is_english + (word in _OWN)
        for code in codes:
            if is_english:
                shared[code] += 1 + (word in _OWN)
            else:
                counts[code] += 1 + (len(codes) == 1 and tongue(code).does(word, "i", "mine"))
    if len(said) <= _SHORT:
        for code in CODES:
            counts[code] = _count_short(said, counts[code], code, is_pure=english == shared[code])
    fitting = [
        code
        for code in CODES
        if counts[code] >= (1 if len(said) <= _SHORT and english == shared[code] else 2)
        and counts[code] > english - shared[code]
        and counts[code] * _SHARE >= len(said)
    ]
    most = max((counts[code] for code in fitting), default=0)
    return tuple(code for code in fitting if counts[code] == most)


def _count_short(said: Sequence[str], count: int, code: str, *, is_pure: bool) -> int:
    """Count the verbs of a language too; a small word in front alone may be a name, "Mia lives in Oslo"."""
    known = tongue(code)
    hints = {word for word in said if known.does(word, "hints") and word not in _ENGLISH}
    verbs = [word for word in said if _is_verb(word, code)]
    is_kin = known.does(said[0], "mine") and bool(relation_of(said[1]))
    if hints <= {said[0]} and not verbs and not known.does(said[0], "i") and not is_kin:
        return 0
    return count + sum(word not in hints for word in verbs) * is_pure


def _is_verb(word: str, code: str) -> bool:
    """Tell whether a word is a verb of a language, and none of English."""
    known = tongue(code)
    is_verb = word in known.forms or known.does(word, *_VERBAL)
    return is_verb and word not in _ENGLISH and not lemma(word, "base") and not lemma(word, "past")
