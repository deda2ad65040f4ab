"""What the user asked to forget is no evidence any more: not for an answer, not for a greeting.

The words stay in the archive, which is not ours to change; here they are blanked out of what the scene holds, as
far as they were said before the request. Words that come after it count again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes_agent.agent.embedded.asked import Slot
from hermes_agent.agent.embedded.questions import read_question
from hermes_agent.agent.embedded.requests import Wish, read_request
from hermes_agent.agent.embedded.scene import Forgotten, Saying, Scene
from hermes_agent.agent.embedded.stated import stated
from hermes_agent.learn import attributes
from hermes_agent.learn.matching import all_stems, holds_value, names_thing, same_person, topic_words
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.sentences import sentences
from hermes_agent.learn.statements import read_statements
from hermes_agent.records.statements import Statement
from hermes_agent.text.words import fold

_OWNER_ABROAD = Pattern(
    r"(?:mein(?:e[nmrs]?)?|mon|ma|mes|mis?|il\s+mio|la\s+mia|o\s+meu|a\s+minha|mijn)\s+(?P<noun>[\w'-]+(?:\s+[\w'-]+)?)"
)
_HOME_ABROAD = Pattern(r"wo\s+ich\s+(?:wohne|lebe)|où\s+j'habite|d[óo]nde\s+vivo|dove\s+abito|waar\s+ik\s+woon")
_DELETES = Pattern(r"\s*(?:please\s+|can\s+you\s+|could\s+you\s+)*(?:delete|remove|erase|drop)\b")
_MINE = Pattern(r"(?:my|our|that|where)\b")
_CLAUSE = Pattern(r"(?:where|when|what|how|who|which)\b")


def slot_named(what: str) -> Slot | None:
    """Return the slot that words like "my name", "where I live" or "meinen Namen" name."""
    words = what.strip(" .!\"“”'")
    if _HOME_ABROAD.fullmatch(words):
        words = "where I live"
    elif abroad := _OWNER_ABROAD.fullmatch(words):
        words = f"my {attributes.ALIASES.get(fold(abroad['noun']), abroad['noun'])}"
    question = read_question(words if _CLAUSE.match(words) else f"what is {words}")
    return question if isinstance(question, Slot) else None


def is_of_slot(slot: Slot, statement: Statement) -> bool:
    """Tell whether a statement fills a slot."""
    if slot.attribute in attributes.TABLE or statement.attribute in attributes.TABLE:
        is_same = slot.attribute == statement.attribute
        if slot.attribute == attributes.NAME and slot.who.kind == "user":
            is_same = statement.attribute in (attributes.NAME, attributes.CALLED)
    else:
        is_same = names_thing(slot.attribute, statement.attribute)
    owners = ("user", "we")
    if slot.who.kind in owners and statement.who.kind in owners:
        return is_same
    return is_same and same_person(slot.who, statement.who)


def cleared(scene: Scene) -> Scene:
    """Return the scene without the words that a later message asked to forget."""
    sayings = scene.sayings
    wishes = [(place, wish) for place, one in enumerate(sayings) if (wish := _wish(one)) is not None]
    if not wishes:
        return scene
    left = list(sayings)
    forgotten: list[Forgotten] = []
    for place, wish in wishes:
        for index, span, statement in _meant(wish, left[:place], sayings[place]):
            said = left[index]
            blank = said.text[: span[0]] + " " * (span[1] - span[0]) + said.text[span[1] :]
            forgotten.append(Forgotten(said.text[slice(*span)], statement, said, sayings[place]))
            left[index] = replace(said, text=blank)
    return replace(scene, left=tuple(left), forgotten=tuple(forgotten))


def _wish(saying: Saying) -> Wish | None:
    wish = read_request(saying.text) if saying.source not in ("note", "fact") else None
    if wish is None or wish.kind not in ("forget", "forget last"):
        return None
    # "Delete the old files" is work, not forgetting.
    is_work = _DELETES.match(saying.text) is not None and not _MINE.match(wish.what)
    return wish if wish.kind == "forget last" or not is_work else None


def _meant(
    wish: Wish, before: Sequence[Saying], asked: Saying
) -> Iterator[tuple[int, tuple[int, int], Statement | None]]:
    """Yield which sayings hold what was to be forgotten, where in them, and what it states."""
    if wish.kind == "forget last":
        for index in range(len(before) - 1, -1, -1):
            if before[index].place != asked.place:
                continue
            if _wish(before[index]) is not None:
                return
            lasting = [one for one in stated(before[index]) if one.is_lasting]
            yield from ((index, (one.start, one.end), one) for one in lasting)
            if lasting:
                return
        return
    slot = slot_named(wish.what)
    claims = [one for one in read_statements(wish.what) if one.polarity in ("is", "is not")]
    topic = topic_words(wish.what)
    for index, saying in enumerate(before):
        # What others ask to forget is not the user's.
        is_kept = saying.source == "note" or (asked.is_from_others and not saying.is_from_others)
        if is_kept or read_request(saying.text) is not None:
            continue
        hits = [one for one in stated(saying) if _is_hit(one, slot, claims)]
        yield from ((index, (one.start, one.end), one) for one in hits)
        if hits or not topic:
            continue
        for sentence in sentences(saying.text):
            if not sentence.is_asked and topic <= all_stems(sentence.text):
                yield index, (sentence.start, sentence.end), None


def _is_hit(statement: Statement, slot: Slot | None, claims: Sequence[Statement]) -> bool:
    if any(
        claim.attribute == statement.attribute
        and claim.who.kind == statement.who.kind
        and holds_value(statement.value, claim.value)
        for claim in claims
    ):
        return True
    return slot is not None and not claims and is_of_slot(slot, statement)
