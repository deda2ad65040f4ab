"""Apostrophes that are left out in chats: "my sisters a nurse", "were vegan".

What follows tells: behind a plural a name, an article or "from" has no verb unless the "s" is one.
"""

from collections.abc import Sequence

from hermes_agent.learn import glue
from hermes_agent.learn.lexicon import RELATIONS, word_set

_BEHIND = word_set("called named a an from allergic obsessed vegan")
_BEFORE_WE = word_set("and so but because cos , ; :")
_WOULD = word_set("rather love like prefer say never always")
_EVENTS = word_set("flights birthdays weddings exams interviews tests appointments deadlines parties trains")
_NO_STATES = glue.PRONOUNS | glue.POSSESSIVES | word_set("any some those these your people not n't")
_NOT_CALLED = word_set("me us him her them you it back in round")


def cut_at(words: Sequence[str]) -> tuple[int, tuple[str, str]] | None:
    """Return where a word lacks its apostrophe, and the two words it is; None if none does."""
    for place, word in enumerate(words[:-1]):
        following = words[place + 1]
        if word == "were" and following not in _NO_STATES and (place == 0 or words[place - 1] in _BEFORE_WE):
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
    behind = words[place + 2 : place + 3]
    is_before = place == 0 or words[place - 1] in glue.MINE or words[place - 1] in _BEFORE_WE
    is_rung = words[place + 1] in ("called", "named") and (not behind or behind[0] in _NOT_CALLED)
    is_end = not behind or behind == ["and"]
    return is_before and not is_rung and not (is_end and words[place + 1] in ("a", "an", "from"))
