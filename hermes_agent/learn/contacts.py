"""Addresses and numbers by which somebody is reached: an e-mail address or a telephone number in a sentence."""

from collections.abc import Iterator, Sequence

from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.people import Mention
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import USER, Statement

_CONTACT = Pattern(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\+?\d[\d ()/-]{6,}\d")
_REACHED = word_set(
    """reach contact number no cell phone telephone mobile email e-mail mail call ring text write whatsapp"""
)
_MINE = word_set("my me our us i")


def read_contacts(words: Words, people: Sequence[Mention]) -> Iterator[Statement]:
    """Yield the addresses and numbers of a sentence that tells whose they are."""
    for place, word in enumerate(words.words):
        if not (word[0] in "+0123456789" or "@" in word) or not _CONTACT.fullmatch(word):
            continue
        named = [one.who for one in people if one.end <= place]
        before = words.words[:place]
        is_mail = "@" in word
        if not is_mail and _REACHED.isdisjoint(before):
            continue
        if named or not _MINE.isdisjoint(before) or "new" in before:
            who = named[-1] if named and _MINE.isdisjoint(before) else USER
            yield made(who, "contact", words.said(place, place + 1), words.starts[0], words.ends[place])
