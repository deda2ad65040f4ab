"""Tastes and tools that change: "I prefer light mode now" ends the dark mode, "switched to VS Code" the vim.

Of tastes there are many at a time, so only two things tell that one went: its opposite is preferred, or the words
say that it is so now ("these days", "from now on", "instead") of a thing of the same kind. What holds for some
cases alone ("light mode in the morning") leaves the rest as it was.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes_agent.learn.lexicon import KINDS, word_set
from hermes_agent.learn.matching import all_stems, same_person, same_value, stem, topic_words
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.sentences import sentences
from hermes_agent.records.statements import Statement
from hermes_agent.text.words import words

KIN = {"likes": "prefers", "prefers": "likes"}
"""What one prefers now one may have liked another of before."""
_TASTES = ("likes", "prefers")
_TAKEN = ("uses", "drinks", "eats", "drives")
_NOW = Pattern(r"\b(?:now|nowadays|these\s+days|lately|by\s+now|any\s?more|now\s+on)\b")
_INSTEAD = Pattern(
    r"\b(?:switched|changed|moved|gone|went|converted)\s+(?:over\s+|back\s+)?to\b|\binstead\b(?!\s+of\s+me)|\bfrom\s+now\s+on\b"
)
_OPPOSITES = tuple(
    frozenset(map(stem, pair.split()))
    for pair in (
        "dark light",
        "tabs spaces",
        "metric imperial",
        "celsius fahrenheit",
        "short long",
        "brief long",
        "brief detailed",
        "short detailed",
        "concise detailed",
        "concise long",
        "formal informal",
        "formal casual",
        "window aisle",
        "hot cold",
        "hot iced",
        "sweet savoury",
        "mornings evenings",
        "mornings afternoons",
        "morning evening",
        "morning afternoon",
        "british american",
        "serif sans",
        "single double",
        "paper digital",
        "loud quiet",
        "early late",
        "still sparkling",
        "kilometres miles",
    )
)
_TAIL = Pattern(
    r",|\s+(?:over|than|rather|to|instead|in|for|when|while|with|without|at|on|before|after|during|if|because|since|by)\s"
)
_OVER = Pattern(r"\s+(?:over|rather\s+than)\s+")
_COMPARING = ("over", "than", "rather", "to", "instead")
_MANY_WORDS = 4
_EVERYWHERE = word_set("every all everywhere any always everything each")
_THINGS = word_set("mode theme themes modes answer answers reply replies response responses unit units")
"""What may be left out, or said otherwise, beside what sets two opposites apart."""


def with_changes(message: str, told: Sequence[Statement]) -> list[Statement]:
    """Mark the statements of which a message says that they are so now, and were not before."""
    if _NOW.search(message) is None and _INSTEAD.search(message) is None:
        return list(told)
    return [replace(one, is_change=True) if _says_so(one, message) else one for one in told]


def _says_so(one: Statement, message: str) -> bool:
    if one.polarity != "is" or one.attribute not in (*_TASTES, *_TAKEN):
        return False
    around = (each.text for each in sentences(message) if each.start <= one.start < each.end)
    said = next(around, message[one.start : one.end])
    # One may use several editors now; who switched to one has left the other.
    is_now = one.attribute in _TASTES and _NOW.search(said) is not None
    return is_now or _INSTEAD.search(said) is not None


def takes_the_place(new: Statement, old: Statement) -> bool:
    """Tell whether a taste or a tool is so instead of another that was told before."""
    is_kin = new.attribute == old.attribute or (new.is_change and KIN.get(new.attribute) == old.attribute)
    if not is_kin or new.attribute not in (*_TASTES, *_TAKEN) or not same_person(new.who, old.who):
        return False
    if {new.polarity, old.polarity} != {"is"} or _is_narrower(new, old):
        return False
    if new.attribute == old.attribute == "prefers" and _is_outdone(new.value, old.value):
        return True
    is_sure = new.is_change or new.attribute == "prefers"
    return (is_sure and _are_opposite(new.value, old.value)) or (new.is_change and _are_of_a_kind(new, old))


def _is_outdone(value: str, before: str) -> bool:
    """Tell whether a value is what another was preferred to: coffee, of "tea over coffee"."""
    better = _OVER.split(value)
    worse = _OVER.split(before)
    is_compared = len(worse) == 2 and same_value(better[0], worse[1])
    return is_compared and (len(better) == 1 or same_value(better[1], worse[0]))


def _is_narrower(new: Statement, old: Statement) -> bool:
    """Tell whether the new one holds in some case alone: "light mode in the morning"."""
    case, former = _case(new.value), _case(old.value)
    return bool(case) and case != former and not new.is_change


def _case(value: str) -> frozenset[str]:
    """Return the words that say when or where something is so; none if that is always."""
    cut = _TAIL.search(value)
    tail = frozenset() if cut is None or cut[0].strip() in _COMPARING else frozenset(words(value[cut.start() :]))
    return frozenset() if not tail.isdisjoint(_EVERYWHERE) else tail


def _main(value: str) -> list[str]:
    cut = _TAIL.search(value)
    return words(value if cut is None else value[: cut.start()])


def _are_opposite(one: str, other: str) -> bool:
    """Tell whether two values differ in nothing but opposites: dark mode, light mode."""
    first, second = ({stem(word) for word in _main(value) if word not in _THINGS} for value in (one, other))
    apart = first ^ second
    return any(apart == pair for pair in _OPPOSITES)


def _are_of_a_kind(new: Statement, old: Statement) -> bool:
    """Tell whether one thing can stand for the other: two editors, two drinks, milk in coffee and coffee black."""
    named, former = _main(new.value), _main(old.value)
    if "likes" in (new.attribute, old.attribute) or not named or not former:
        return False  # who likes coffee may like tea
    if new.value.casefold() == old.value.casefold():
        return False
    if any(_is_member(named, members) and _is_member(former, members) for members in KINDS.values()):
        return new.attribute != "uses" or not _is_language(named)
    is_same_head = stem(named[-1]) == stem(former[-1]) and len(named) > 1 and len(former) > 1
    is_taken_so = new.attribute in ("drinks", "eats") and not topic_words(former[0]).isdisjoint(
        all_stems(new.value)
    )
    return is_same_head or is_taken_so


def _is_member(named: Sequence[str], members: frozenset[str]) -> bool:
    return "".join(named) in members or (not members.isdisjoint(named) and len(named) < _MANY_WORDS)


def _is_language(named: Sequence[str]) -> bool:
    """Tell whether a tool is a language: one may write several."""
    return _is_member(named, KINDS["language"])
