"""Sift what was found: nothing that is in quarantine, and beside the rest whose words it holds.

The mark stands in the memory block behind the place: `from web` is a text of that source, `holds pasted text` a
message of the user with somebody else's words in it, `after reading web` an answer that was given to such a text.
`taken back: User lives in Lyon` says what a message says and is not so: its fact was deleted, corrected or undone.
An answer that repeats it has the mark, too; of another profile's words it says that the hand-over was revoked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from hermes_agent.notes import screening
from hermes_agent.recall import restated
from hermes_agent.recall.hit import Hit
from hermes_agent.records.archive import UNTRUSTED, Message, SourceClass
from hermes_agent.store import facts, messages, quarantine, undone_facts
from hermes_agent.store.engine import Connection
from hermes_agent.store.quarantine import Read
from hermes_agent.text.clean import preview
from hermes_agent.text.pasted import holds_pasted

PASTED = "holds pasted text"
QUARANTINED = "in quarantine"
TAKEN_BACK = "taken back: "


def sifted(connection: Connection, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits that may be used, in their order, each with its mark."""
    classes = {hit.message_id: hit.source_class for hit in hits if hit.message_id is not None}
    states = quarantine.states(connection, list(classes))
    read = quarantine.read_for(connection, [one for one, source in classes.items() if source == "assistant"])
    marks = {place: _mark(hit, read) for place, hit in enumerate(hits)}
    # What an import brought may not have been looked at yet.
    marked = [hit.message_id for place, hit in enumerate(hits) if marks[place] and hit.message_id is not None]
    fresh = quarantine.not_looked_at(connection, marked)
    answers = {hit.message_id: hit.text for hit in hits if classes.get(hit.message_id or 0) == "assistant"}
    wrong = _taken_back(connection, list(classes), {place: text for place, text in answers.items() if place})
    kept = []
    for place, hit in enumerate(hits):
        state = None if hit.message_id is None else states.get(hit.message_id)
        is_fresh = hit.message_id in fresh and _speaks_to_the_assistant(hit.text)
        if state == "accepted":
            kept.append(replace(hit, source_class="user"))
        elif state is None and not is_fresh:
            mark = _with_wrong(marks[place], wrong.get(hit.message_id or 0, ()) if hit.kind == "episode" else ())
            kept.append(replace(hit, mark=mark))
    return kept


def marks_of(connection: Connection, message_ids: Sequence[int]) -> dict[int, str]:
    """Return the marks of messages in the archive: there what is in quarantine is found, too."""
    said = messages.get_many(connection, message_ids) if message_ids else {}
    states = quarantine.states(connection, list(said))
    own = [one for one in said.values() if states.get(one.id) != "accepted"]
    marks = {
        place: QUARANTINED if place in states else mark for place, mark in sources_of(connection, own).items()
    }
    answers = {one.id: one.content or "" for one in said.values() if one.source_class == "assistant"}
    wrong = _taken_back(connection, list(said), answers)
    marked = {place: _with_wrong(mark, wrong.get(place, ())) for place, mark in marks.items()}
    return {place: mark for place, mark in marked.items() if mark is not None}


def sources_of(connection: Connection, said: Sequence[Message]) -> dict[int, str | None]:
    """Return for each message what its mark says of whose words it holds."""
    read = quarantine.read_for(connection, [one.id for one in said if one.source_class == "assistant"])
    return {one.id: _mark_of(one.source_class, one.content or "", read.get(one.id)) for one in said}


def _taken_back(
    connection: Connection, message_ids: Sequence[int], answers: Mapping[int, str]
) -> dict[int, list[str]]:
    """Return what messages say that is not so: it was deleted, corrected or undone; answers repeat it."""
    wrong = facts.taken_back(connection, message_ids)
    said = (undone_facts.said_in(connection, message_ids), restated.taken_back(connection, answers))
    for place, texts in (one for each in said for one in each.items()):
        wrong.setdefault(place, []).extend(texts)
    return wrong


def _with_wrong(mark: str | None, texts: Sequence[str]) -> str | None:
    """Add to a mark what is not so; it stands last, since it may hold anything."""
    if not texts:
        return mark
    told = f"{TAKEN_BACK}{'; '.join(preview(text) for text in texts)}"
    return told if mark is None else f"{mark}, {told}"


def _mark(hit: Hit, answers: Mapping[int, Read]) -> str | None:
    if hit.kind == "summary":
        return hit.mark  # its lines tell where they are from: their messages are gone
    read = None if hit.message_id is None else answers.get(hit.message_id)
    return _mark_of(hit.source_class, hit.text if hit.kind == "episode" else "", read)


def _mark_of(source_class: SourceClass, text: str, read: Read | None) -> str | None:
    if source_class in UNTRUSTED:
        return f"from {source_class}"
    if source_class == "user" and holds_pasted(text):
        return PASTED
    if read is None:
        return None
    if read.source_classes:
        return f"after reading {' and '.join(sorted(read.source_classes))}"
    return "after reading pasted text" if holds_pasted(read.request) else None


@lru_cache(maxsize=4_096)
def _speaks_to_the_assistant(text: str) -> bool:
    return bool(screening.find(text, "foreign"))
