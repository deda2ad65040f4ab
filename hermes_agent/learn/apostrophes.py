"""Apostrophes that are left out in chats: "my sisters a nurse", "were vegan".

What follows tells: behind a plural a name, an article or "from" has no verb unless the "s" is one.
"""

from collections.abc import Sequence

from hermes_agent.learn import glue
from hermes_agent.learn.kinds import is_town, kinds_of
from hermes_agent.learn.lexicon import RELATIONS, word_set

_BEHIND = word_set("called named a an from allergic obsessed vegan")
_BEFORE_WE = word_set("and so but because cos , ; :")
_WOULD = word_set("rather love like prefer say never always")
_EVENTS = word_set("flights birthdays weddings exams interviews tests appointments deadlines parties trains")
_NO_STATES = glue.PRONOUNS | glue.POSSESSIVES | word_set("any some those these your people not n't")
_NOT_CALLED = glue.DETERMINERS | word_set("me us him her them you it back in round")
_NO_TOWNS = word_set("work school uni university college home abroad hell town class here there before")
_BREAKS = tuple([mark] for mark in (",", ";", "(", "."))


def cut_at(words: Sequence[str]) -> tuple[int, tuple[str, str]] | None:
    """Return where a word lacks its apostrophe, and the two words it is; None if none does."""
    for place, word in enumerate(words[:-1]):
        following = words[place + 1]
        if word == "were" and following not in _NO_STATES and place == 0:
            return place, ("we", "'re")
        if word == "id" and following in _WOULD and (place == 0 or words[place - 1] in _BEFORE_WE):
            return place, ("i", "'d")
        if word in _EVENTS and following in ("on", "at") and place and words[place - 1] in glue.MINE:
            return place, (word[:-1], "'s")
        if following in _BEHIND and _is_one(words, place):
            return place, (word[:-1], "'s")
    return None


def _is_one(words: Sequence[str], place: int) -> bool:
    """Tell whether a plural of kin is one of them with "is"."""
    word = words[place]
    if not word.endswith("s") or word[:-1] not in RELATIONS or word in RELATIONS:
        return False
    following, behind = words[place + 1], words[place + 2 : place + 3]
    if place > 0 and words[place - 1] not in glue.MINE and words[place - 1] not in _BEFORE_WE:
        return False
    is_end = place + 3 == len(words) or words[place + 3 : place + 4] in _BREAKS
    if following in ("called", "named"):
        return is_end and behind != [] and behind[0] not in _NOT_CALLED
    if following == "from":
        return is_end and behind != [] and _may_be_town(behind[0])
    return following not in ("a", "an") or behind not in ([], ["and"])


def _may_be_town(word: str) -> bool:
    """Tell whether one comes from such a place: a town, or a word of no kind that may be a small one."""
    return is_town(word) or (not kinds_of(word) and word not in _NO_TOWNS and word not in glue.CLOSED)
