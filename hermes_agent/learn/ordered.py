"""Tell an order from what only begins like one: "Plan a trip" is to be done, "Plan changed" is told. Pure.

The first word of either may be a verb or a noun. It is a noun, and the sentence a statement, where a finite verb
follows it, or the few words that go with it: "Book club meets on Tuesdays", "Coach Lena says intervals".
"""

from collections.abc import Sequence

from hermes_agent.learn.lexicon import word_set
from hermes_agent.text.stopwords import ENGLISH_STOP_WORDS
from hermes_agent.text.verbs import is_sure, lemma
from hermes_agent.text.words import words

_FAR = 4
"""A subject is no longer than so many words."""
_FINITE = word_set(
    """is are was were isn't aren't wasn't weren't has had hasn't hadn't does did doesn't didn't will won't would
    wouldn't can can't cannot could couldn't should shouldn't must might may"""
)
_OBJECTS = word_set("the a an my our your his her their its me us him them")
"""What follows a verb, and hardly ever a noun."""
_HOW = word_set("today yesterday tomorrow tonight late early great fine good bad well badly back")
"""What follows a verb that has no object."""
_JOINED = word_set("and or")
_MARKS = ",;:."


def is_told(order: str) -> bool:
    """Tell whether a sentence that begins with a verb's base form states something."""
    pieces = order.split()[: _FAR + 2]
    said = [next(iter(words(piece)), "") for piece in pieces]
    for place in range(1, min(len(said), _FAR)):
        if not said[place] or pieces[place - 1][-1] in _MARKS:
            return False
        if said[place] in _FINITE or _is_past(pieces, said, place) or _is_third(pieces, said, place):
            return True
        # The verb of an order has its object, or how it is to be done, from here on.
        if said[place] in ENGLISH_STOP_WORDS:
            return False
    return False


def _is_past(pieces: Sequence[str], said: Sequence[str], place: int) -> bool:
    word = said[place]
    if lemma(word, "past") in ("", word):
        return False
    # "Summarize emails Ben sent", "report bugs found today": a part of what is asked for.
    if place > 1 and (is_sure(said[0]) or said[place - 1].endswith("s")) and not _is_name(pieces, 1, place):
        return False
    # "Fix broken links" has a participle before its noun.
    return not lemma(word, "done") or _is_end(said, place)


def _is_third(pieces: Sequence[str], said: Sequence[str], place: int) -> bool:
    verb = lemma(said[place], "third")
    if not verb or said[place - 1] in _JOINED:
        return False
    if place + 1 < len(said) and said[place + 1] in _OBJECTS:
        return True
    # Of the others some are plurals: "Review GitHub issues".
    return is_sure(verb) and (_is_name(pieces, place - 1, place) or not is_sure(said[0]))


def _is_name(pieces: Sequence[str], begin: int, end: int) -> bool:
    """Tell whether all these words, of which the first word is none, are names."""
    return 0 < begin < end and all(piece.istitle() for piece in pieces[begin:end])


def _is_end(said: Sequence[str], place: int) -> bool:
    following = said[place + 1] if place + 1 < len(said) else ""
    return not following or following in ENGLISH_STOP_WORDS or following in _HOW
