"""What a note's entry stands on: the user's own words, what somebody concluded from them, or words from elsewhere.

An entry is *told* when most of its words are the user's, in one message of the conversation it was saved
in; that message is the evidence, and the share of words the confidence. What the owner writes by hand is
told. Everything else is concluded. Words that the user pasted, or that came by an import, are not the user's own.

An entry that was made of words from elsewhere must not be written without the owner: notes are in every prompt. It
is one if a run of its words stands in such a text. What the user did not tell is one, too, whatever its words and
whichever note it is for, if it is saved right after reading what somebody else wrote, or in a conversation that
holds something in quarantine: nobody knows what the reader of an attack was talked into. What memory put before
the user's message with a mark was read, too. What the agent takes down in the journal is in no prompt: it is kept
all the same, with a mark.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hermes_agent.recall import block
from hermes_agent.records.archive import LEAST_TRUSTED, UNTRUSTED, Message
from hermes_agent.records.notes import Basis, Grounds, Operation, Target
from hermes_agent.records.quarantine import NewQuarantined, QuarantineState
from hermes_agent.text.overlap import is_taken_from
from hermes_agent.text.pasted import holds_pasted
from hermes_agent.text.stopwords import STOP_WORDS
from hermes_agent.text.words import words

BY_HAND = Grounds("told", None, 1.0)
_LEAST_SHARE = 0.6
# How recall marks what it shows (`recall/sifting.py`), and the sources it names, the least trusted first.
_MARKS = ("from ", "holds pasted text", "after reading ")
_SOURCES = tuple(one for one in LEAST_TRUSTED if one in UNTRUSTED)
# What an entry adds of its own to the user's words.
_LABELS = frozenset(("name", "lives", "works", "likes", "dislikes", "prefers", "wants", "called", "user", "said"))


def grounds_of(entry: str, window: Sequence[Message]) -> Grounds:
    """Compare an entry with what the user said; the latest message wins among equals."""
    stated = {word for word in words(entry) if word not in STOP_WORDS}
    stated = stated - _LABELS or stated
    best = Grounds("concluded", None, 0.0)
    for message in window:
        if message.role != "user" or not message.content or not stated or _is_foreign(message):
            continue
        share = len(stated & set(words(message.content))) / len(stated)
        if share >= max(best.confidence, 0.01):
            basis: Basis = "told" if share >= _LEAST_SHARE else "concluded"
            best = Grounds(basis, message.uid, round(share, 2))
    return best


def held_back(
    target: Target,
    operations: Sequence[Operation],
    said: Sequence[Message],
    states: Mapping[int, QuarantineState],
) -> list[NewQuarantined]:
    """Return the entries among some operations that were made of words from elsewhere."""
    held = []
    for operation in operations:
        entry = (operation.content or "").strip()
        origin = origin_of(entry, said, states) if entry else None
        if origin is not None:
            reasons = (_reason(entry, origin, states),)
            new = NewQuarantined("note", origin.session_id, origin.source_class, reasons, origin.id, target, entry)
            held.append(new)
    return held


def _reason(entry: str, origin: Message, states: Mapping[int, QuarantineState]) -> str:
    if states.get(origin.id) is not None:
        return "after_quarantined_text"
    return "taken_from_elsewhere" if is_taken_from(entry, origin.content or "") else "after_reading"


def mark_of(entry: str, said: Sequence[Message], states: Mapping[int, QuarantineState]) -> str | None:
    """Say of an entry what recall says of an answer: `from web`, `after reading web`; None if it is our own."""
    origin = origin_of(entry, said, states)
    if origin is None:
        return None
    whose = "pasted text" if origin.source_class == "user" else origin.source_class
    return f"from {whose}" if is_taken_from(entry, origin.content or "") else f"after reading {whose}"


def origin_of(entry: str, said: Sequence[Message], states: Mapping[int, QuarantineState]) -> Message | None:
    """Return the message from elsewhere that an entry was made of; None if it may be written."""
    accepted = [one for one in said if states.get(one.id) == "accepted"]
    if any(is_taken_from(entry, one.content or "") for one in accepted):
        return None
    quarantined = [one for one in said if states.get(one.id, "accepted") != "accepted"]
    foreign = [*_recalled(said), *(one for one in said if _is_foreign(one) and one not in accepted)]
    own = [one for one in said if one.role == "user" and one not in quarantined]
    if not (quarantined or foreign) or grounds_of(entry, own).basis == "told":
        return None
    for message in reversed([*foreign, *quarantined]):
        if is_taken_from(entry, message.content or ""):
            return message
    now = _read_now(said)
    suspected = [
        *quarantined,
        # What the assistant said about its tools is in most memories: there only its very words count.
        *(one for one in _recalled(now) if one.source_class != "tool"),
        *(one for one in now if one in foreign),
    ]
    return suspected[-1] if suspected else None


def _read_now(said: Sequence[Message]) -> Sequence[Message]:
    """Return what came since the user last spoke, and what the user said then."""
    requests = [place for place, one in enumerate(said) if one.role == "user"]
    return said[requests[-1] :] if requests else said


def _recalled(said: Sequence[Message]) -> list[Message]:
    """Return what memory put before the user's messages with a mark, each as a message of the source it names."""
    found = []
    for message in said:
        for item in block.read(message.sent or "")[0]:
            mark = item.where.rpartition(", ")[2]
            if mark.startswith(_MARKS):
                source = next((one for one in _SOURCES if one in mark.split()), message.source_class)
                found.append(replace(message, content=item.text, source_class=source))
    return found


def _is_foreign(message: Message) -> bool:
    if message.source_class in UNTRUSTED:
        return True
    return message.role == "user" and holds_pasted(message.content or "")
