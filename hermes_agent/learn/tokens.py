"""A sentence as words, each with its place in the message.

Words are in lower case, contractions are cut ("don't" is "do" and "n't"), and the shorthand of chats is written
out ("im 19 n studying" is "i 'm 19 and studying"). What is found among them is told in places of the message, so
that a value is always the user's own words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from hermes_agent.learn.apostrophes import cut_at
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parentheses import parenthesis
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.time_letters import letters_of, may_hold_times

_TOKEN = Pattern(
    "|".join(
        (
            r"[a-z]+(?=[\s,!?;)]|$)",  # most words, at once
            r"https?://\S*[\w/]",
            r"[\w.+-]+@[\w-]*(?:\.[\w-]+)*",
            r"\+?\d[\d ()/-]{5,}\d",
            r"[$€£]?\d+(?:[.,:/]\d+)*(?:[^\W\d]+|%|°)?",
            r"(?:dr|mr|mrs|ms|prof|st)\.(?= )",
            r"n't\b|'(?:s|m|re|ve|d|ll)\b|'\d\d\b",
            r"[^\W\d_]+?(?=n't\b)",
            r"[^\W_]+(?:[-./&+'_](?!(?:s|m|re|ve|d|ll)\b)[^\W_]+)*[+#]*",
            r"[^\w\s]",
        )
    )
)
_TITLE = Pattern(r"(?-i:[A-ZÀ-Þ][a-zß-ÿ])")
_NOISE = word_set(
    """lol lmao rofl haha hahaha hehe ngl fr omg ugh bruh smh yay btw innit xd xx aww hmm hm uh tbh lowkey highkey
    imo imho tbf"""
)


# Days only beside another day, or behind "every": people sat in the sun.
_SHORT_DAYS = {"wed": "wednesday", "sat": "saturday", "sun": "sunday"}
_DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
_BEFORE_DAYS = word_set("every each next last")
_LISTED = word_set("and , / - to")
_LABELS = word_set("update news edit ps reminder announcement")
_BEFORE_ILL = word_set("and but so then if when think hope guess maybe ok because that , ; : ( -")
_DIGITS = {"2": "to", "4": "for"}
_BEHIND_DIGITS = word_set("a an the my your our his her their me you us him them it this that")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a sentence; word `i` stands from `starts[i]` to `ends[i]` of the message."""

    message: str
    words: list[str]
    starts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)
    time_letters: str = field(repr=False)
    """A letter for each word that says what part of a time it may be, see `time_letters`."""
    has_times: bool = field(repr=False)
    """Whether there may be a time among them."""
    is_lower: bool = False
    """Whether the message is typed without capitals, as people do in chats."""

    def said(self, begin: int, end: int) -> str:
        """Return a run of words as it was typed."""
        return self.message[self.starts[begin] : self.ends[end - 1]]

    def is_capital(self, place: int) -> bool:
        """Tell whether a word was written with a capital letter."""
        return self.message[self.starts[place]].isupper()

    def at(self, place: int) -> str:
        """Return a word; empty behind the last one."""
        return self.words[place] if place < len(self.words) else ""


@cache
def _shorthand() -> Mapping[str, tuple[str, ...]]:
    text = files("hermes_agent.learn").joinpath("shorthand.txt").read_text(encoding="utf-8")
    lines = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {short: tuple(long) for short, *long in lines}


def words_of(plain: str, start: int, end: int, message: str) -> Words:
    """Cut a piece of a text into words; `message` is what was typed, of the same length."""
    shorthand = _shorthand()
    found: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    is_lower = _TITLE.search(message[:200]) is None
    for match in _TOKEN.finditer(plain, start, end):
        word = match[0].lower()
        if word in _NOISE:
            continue
        first, last = match.span()
        # "its kofi" lacks an apostrophe where nothing else has one.
        long = ("it", "'s") if word == "its" and is_lower else shorthand.get(word, (word,))
        if word == "ill" and found and found[-1] not in _BEFORE_ILL:
            long = ("ill",)  # "makes me ill"
        for one in long:
            found.append(one)
            starts.append(first)
            ends.append(last)
    if is_lower and not _DIGITS.keys().isdisjoint(found):
        found = [_spoken(found, place) for place in range(len(found))]
    if is_lower and (cut := cut_at(found)) is not None:
        at, (first_word, second_word) = cut
        found[at : at + 1] = [first_word, second_word]
        starts.insert(at, starts[at])
        ends.insert(at, ends[at])
    if not _SHORT_DAYS.keys().isdisjoint(found):
        found = [_day(found, place) for place in range(len(found))]
    if ":" in found[:4] and found[found.index(":") - 1] in _LABELS:
        after = found.index(":") + 1  # "ok so update: …"
        found, starts, ends = found[after:], starts[after:], ends[after:]
    if found.count(",") > 1 and (aside := parenthesis(found)) is not None:
        for listed in (found, starts, ends):
            del listed[slice(*aside)]
    letters = letters_of(found)
    return Words(message, found, starts, ends, letters, may_hold_times(found, letters), is_lower)


def _day(words: list[str], place: int) -> str:
    """Return the day that a word is short for where another one stands beside it: "mon wed fri"."""
    if (word := words[place]) not in _SHORT_DAYS:
        return word
    before = words[place - 1] if place else ""
    if before in _BEFORE_DAYS and words[place + 1 : place + 2] != ["nav"]:
        return _SHORT_DAYS[word]
    near = [one for one in words[max(place - 2, 0) : place + 3] if one not in _LISTED and one != word]
    is_listed = any(one in _DAYS for one in near) and (before in _DAYS | _LISTED | _SHORT_DAYS.keys() or place < 2)
    return _SHORT_DAYS[word] if is_listed else word


def _spoken(words: list[str], place: int) -> str:
    """Return the word that a figure is read as in front of a pronoun or an article: "saving 4 a van"."""
    word = words[place]
    is_read = word in _DIGITS and 0 < place < len(words) - 1 and words[place + 1] in _BEHIND_DIGITS
    return _DIGITS[word] if is_read and words[place - 1].isalpha() else word
