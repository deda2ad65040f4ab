"""Two people who part or marry: "Grant and I aren't together any more", "me n jess broke up"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes_agent.learn import glue
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.people import Mention
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import is_adverb
from hermes_agent.records.statements import USER, Statement

_PARTED = (
    ("broke", "up"),
    ("broken", "up"),
    ("split", "up"),
    ("split",),
    ("separated",),
    ("divorced",),
    ("parted", "ways"),
)
_JOINED = (("married",), ("engaged",))
_BEFORE = ("have", "'ve", "got", "are", "'re", "get", "getting", "been")
_OVER = frozenset(("n't", "not", "longer"))
_PARTNERS = ("", "husband", "wife", "partner", "girlfriend", "boyfriend", "fiancé")
_FARTHEST = 5


def read_couples(words: Words, people: Sequence[Mention]) -> Iterator[Statement]:
    """Yield who is, or is no longer, the user's partner."""
    for one in people:
        begin, end = _couple(words, one)
        if end == 0 or not one.who.name or one.who.relation not in _PARTNERS:
            continue
        behind = words.words[end : end + _FARTHEST]
        is_over = ("together" in behind and not _OVER.isdisjoint(behind)) or _says(words, end, _PARTED)
        if is_over or _says(words, end, _JOINED):
            stop = words.ends[min(end, len(words.words) - 1)]
            told = made(USER, "family", one.who.name, words.starts[begin], stop)
            yield replace(told, polarity="no longer", is_single=False) if is_over else told


def _couple(words: Words, one: Mention) -> tuple[int, int]:
    """Return where "Grant and I" begins and ends; zeros if somebody is named without the user."""
    if words.words[one.end : one.end + 2] in (["and", "i"], ["and", "me"]):
        return one.begin, one.end + 2
    if words.words[max(one.begin - 2, 0) : one.begin] == ["me", "and"]:
        return one.begin - 2, one.end
    return 0, 0


def _says(words: Words, place: int, phrases: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether one of the phrases is all that is said: "split up in May", not "split the bill"."""
    while words.at(place) in _BEFORE or (is_adverb(words.at(place)) and words.at(place) not in ("not", "never")):
        place += 1
    size = next((len(one) for one in phrases if tuple(words.words[place : place + len(one)]) == one), 0)
    following = words.at(place + size)
    is_object = following not in glue.CLOSED or following in glue.DETERMINERS
    return size > 0 and (not following or words.time_letters[place + size] not in ".t" or not is_object)
