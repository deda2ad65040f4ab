"""Whose deadline it is: of "the grant deadline" the grant's, of "the deadline" that of what was just spoken of.

A day that is due for nobody knows what is no fact: where neither the sentence nor the one before names an
undertaking, it is left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes_agent.learn import glue
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import USER, WE, Statement, Who

_DEADLINE = "deadline"
_DATED = (_DEADLINE, "date", "schedule")
_UNDERTAKINGS = word_set(
    """app application article assignment audit bid book campaign chapter competition contract course draft essay
    exam film grant launch manuscript migration order paper pitch presentation project proposal rebrand redesign
    release renovation report return review scholarship site submission survey talk tender thesis translation visa
    website"""
)


def of_what(found: Sequence[Statement], words: Words, before: Words | None) -> Iterator[Statement]:
    """Yield statements, the deadlines among them as those of what they are due for."""
    for one in found:
        name = one.who.name.split() if one.who.kind == "thing" else []
        if one.attribute not in _DATED or name[-1:] != [_DEADLINE]:
            yield one
            continue
        who = (
            Who("thing", name=" ".join(name[:-1]))
            if name[1:]
            else _owner(words, one.start) or _last(words, before)
        )
        if who is not None:
            yield replace(one, who=who, attribute=_DEADLINE)


def _owner(words: Words, start: int) -> Who | None:
    """Return the user for "my deadline", the team for "our deadline"."""
    said = [word for word, at in zip(words.words, words.starts, strict=True) if at >= start][:2]
    if _DEADLINE not in said:
        return None
    return USER if "my" in said else WE if "our" in said else None


def _last(words: Words, before: Words | None) -> Who | None:
    """Return the undertaking that was spoken of last."""
    for spoken in filter(None, (words, before)):
        for place in range(len(spoken.words) - 1, 0, -1):
            begin = _begin(spoken, place)
            is_named = spoken.words[place] in _UNDERTAKINGS and begin > 0
            if is_named and spoken.words[begin - 1] in glue.DETERMINERS:
                return Who("thing", name=spoken.said(begin, place + 1))
    return None


def _begin(words: Words, place: int) -> int:
    """Return where the noun at a place begins, with what stands in front of it: "Horizon grant"."""
    while place > 0 and words.words[place - 1] not in glue.CLOSED and words.words[place - 1].isalnum():
        place -= 1
    return place
