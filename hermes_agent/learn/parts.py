"""Cut what was said in a session into parts that are read at once, and choose what is known that they may mean."""

from collections.abc import Sequence
from dataclasses import replace

from hermes_agent.learn.matching import topic_words
from hermes_agent.records.archive import UNTRUSTED, Message
from hermes_agent.records.learning import Heard, Part
from hermes_agent.records.memory import Fact

_BEFORE = 10
"""So many messages before what is new are read too: a correction may mean what was said in them."""
_MOST_KNOWN = 60


def next_part(
    usable: Sequence[Message], reached: int, last: int, most_characters: int | None = None
) -> Part | None:
    """Return what is to be read next of a session whose `last` message has that id; None if all of it was.

    A part holds at least one message, however long that is, unless nothing is left that may be read.
    """
    if last <= reached:
        return None
    spoken = [one for one in usable if is_talk(one)]
    new = [one for one in spoken if one.id > reached]
    before = [heard(one) for one in spoken if one.id <= reached][-_BEFORE:]
    count = _fitting([len(one.content or "") for one in new], most_characters)
    end = last if count == len(new) else new[count - 1].id
    return Part(reached, end, [heard(one) for one in new[:count]], before)


def halves(part: Part) -> tuple[Part, Part]:
    """Cut a part of several messages into two; the second is read after the first."""
    middle = len(part.fresh) // 2
    first, second = part.fresh[:middle], part.fresh[middle:]
    return replace(part, fresh=first), replace(part, fresh=second, before=[*part.before, *first][-_BEFORE:])


def relevant(known: Sequence[Fact], part: Part) -> list[Fact]:
    """Return the facts that a part most likely speaks of: those that share its words, and then the newest.

    What came from others is not shown to a model: it may read like an instruction.
    """
    said = set[str]().union(*(topic_words(heard.text) for heard in part.fresh))
    trusted = [fact for fact in known if fact.source_class not in UNTRUSTED]
    best = sorted(trusted, key=lambda fact: (-len(topic_words(fact.text) & said), -fact.id))[:_MOST_KNOWN]
    return sorted(best, key=lambda fact: fact.id)


def _fitting(lengths: Sequence[int], most: int | None) -> int:
    if most is None:
        return len(lengths)
    total = 0
    for place, length in enumerate(lengths):
        total += length
        if total > most and place:
            return place
    return len(lengths)


def is_talk(one: Message) -> bool:
    """Tell whether somebody says something in a message."""
    return one.role == "user" and bool(one.content) and not one.is_summary


def heard(one: Message) -> Heard:
    """Return what learning reads of a message."""
    return Heard(one.uid, one.content or "", one.said_at, one.source_class, one.speaker)
