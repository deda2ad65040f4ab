"""Mistyped words that decide what a sentence is: question words, "name", and the words for people.

Slips of the fingers count: two letters swapped, one missing, one doubled; of question words, which stand where few
other words can, also one wrong letter. Elsewhere that would make one good word of another ("game" is no "name").
"""

from functools import lru_cache

from hermes_agent.learn import lexicon
from hermes_agent.learn.patterns import Pattern
from hermes_agent.text.words import fold

_ASKING = ("what", "where", "when", "which", "who", "how", "why", "whose")
_WORDS = lexicon.word_set(
    """was were went want wait wide while white wheat whine wine win won way war hat hot hate had has have
    here her hers hi hey his him hoe woe wet ha who what where when which how why whose other hose fried fiend
    that chat then than there these those whale whole wheel whip whit witch watch wish with winch"""
)
_FIRST = Pattern(
    r"(?P<word>[a-z]{2,6})(?P<s>'?s)?\s+(?P<next>is|are|was|were|am|do|does|did|my|our|old|many|much|long|often)"
    r"\b(?P<rest>.*)$"
)
_PLAIN_CASE = Pattern(r"(?-i:[a-z]+|[A-Z][a-z]+|[A-Z]+)")
_SHORTEST_RELATION = 5
_INVERTED = Pattern(r"\s*(?:i|we|my|our|the|you|he|she|they)\b")


def mended_question(text: str) -> str | None:
    """Return a sentence that begins with a mistyped question word with the word put right; None for any other."""
    match = _FIRST.match(text)
    if match is None or not _PLAIN_CASE.fullmatch(match["word"]):
        return None
    word, following = fold(match["word"]), fold(match["next"])
    if word in _WORDS or (word in lexicon.GIVEN_NAMES and match["word"][0].isupper()):
        return None
    meant = _question_word(word, following)
    if meant is None or not (match["s"] or following in ("my", "our") or _goes_on(following, match["rest"])):
        return None
    return f"{meant}{match['s'] or ''} {match['next']}{match['rest']}"


def _goes_on(following: str, rest: str) -> bool:
    """Tell whether a question can go on so: "… is my name", "… do I live", "… old am I"."""
    return following in ("old", "many", "much", "long", "often") or _INVERTED.match(rest) is not None


@lru_cache(maxsize=1_024)
def _question_word(word: str, following: str) -> str | None:
    near = [one for one in _ASKING if is_slip(word, one)] or [one for one in _ASKING if _is_near(word, one)]
    if "how" in near and following in ("old", "many", "much", "long", "often"):
        return "how"
    return near[0] if near else None


def is_near_question_word(word: str) -> bool:
    """Tell whether a word is a question word, or not far from one."""
    folded = fold(word)
    if folded in _WORDS:
        return folded in _ASKING
    return any(is_slip(folded, one) or _is_near(folded, one) for one in _ASKING)


def _is_near(word: str, meant: str) -> bool:
    """Tell whether a word has the letters of a longer one in another order, or all but one: "wehre", "wjat"."""
    return (
        len(meant) > 3
        and word[:1] == meant[0]
        and abs(len(word) - len(meant)) <= 1
        and (sorted(word) == sorted(meant) or _lacks_one(word, meant) or _lacks_one(meant, word))
    ) or (len(meant) > 3 and len(word) == len(meant) and sum(map(str.__ne__, word, meant)) == 1)


def is_slip(word: str, meant: str) -> bool:
    """Tell whether a word is another one with two letters swapped, one missing or one doubled."""
    if word == meant or word in _WORDS:
        return False
    if len(word) == len(meant):
        differ = [place for place, letter in enumerate(word) if letter != meant[place]]
        return (
            len(differ) == 2
            and differ[1] == differ[0] + 1
            and word[differ[0]] == meant[differ[1]]
            and word[differ[1]] == meant[differ[0]]
        )
    if len(word) == len(meant) - 1:
        return len(word) > 2 and _lacks_one(word, meant)
    doubled = (meant[:place] + meant[place - 1] + meant[place:] for place in range(1, len(meant) + 1))
    return word in doubled


def _lacks_one(word: str, meant: str) -> bool:
    return any(word == meant[:place] + meant[place + 1 :] for place in range(len(meant)))


@lru_cache(maxsize=1_024)
def relation_meant(word: str) -> str | None:
    """Return the relation a mistyped English word means: "dauhgter" is a daughter."""
    if len(word) < _SHORTEST_RELATION - 1:
        return None
    for meant, relation in lexicon.RELATIONS.items():
        if meant == relation and len(meant) >= _SHORTEST_RELATION and word[0] == meant[0] and is_slip(word, meant):
            return relation
    return None


def is_name_mistyped(noun: str) -> bool:
    """Tell whether a noun is "name", mistyped."""
    return is_slip(fold(noun), "name")
