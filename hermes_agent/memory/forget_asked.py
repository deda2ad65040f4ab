"""What a person asked to forget, found: sessions, messages, facts, reflections and entries of the journal.

A fact goes with the messages it was said in; a summary with what it stands for; a request with the answer to it
and what tools returned for it; an entry with the facts that still say what it tells. `about` means everything that
names a thing, whoever said it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from hermes_agent.errors import NotFound, UsageError
from hermes_agent.memory import facts as known_facts
from hermes_agent.memory import forget_told, undoable
from hermes_agent.records.archive import ANSWERING, Message
from hermes_agent.records.journal import Entry
from hermes_agent.store import compressed, facts, journal, messages, reflections, sessions, summaries
from hermes_agent.store import forgetting as rows
from hermes_agent.store.engine import Connection
from hermes_agent.text.clean import preview
from hermes_agent.text.runs import Runs, Sought
from hermes_agent.text.stopwords import STOP_WORDS

_KIND = re.compile(r"\[?(fact|reflection|summary|message|entry):#?0*([0-9]{1,18})\]?")
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """One of these, as it was typed."""

    named: str | None = None
    about: str | None = None
    session: str | None = None
    before: int | None = None


@dataclass(slots=True)
class Going:
    """What goes because it was named, or belongs to that."""

    kind: str
    sessions: set[str] = field(default_factory=set)
    messages: set[int] = field(default_factory=set)
    facts: set[int] = field(default_factory=set)
    reflections: set[int] = field(default_factory=set)
    summaries: set[int] = field(default_factory=set)
    """Those whose messages were discarded; others go with their messages."""
    entries: set[int] = field(default_factory=set)
    phrases: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        named = (self.sessions, self.messages, self.facts, self.reflections, self.summaries, self.entries)
        return any((*named, self.phrases))


def find(connection: Connection, asked: Asked) -> Going:
    """Return what is meant; NotFound if there is no such thing."""
    given = [one for one in (asked.named, asked.about, asked.session, asked.before) if one is not None]
    if len(given) != 1:
        raise UsageError(
            "Name one thing to forget: an ID, --about, --session or --before.",
            hint="See: hermes memory forget --help",
        )
    if asked.session is not None:
        return Going("session", sessions={sessions.require(connection, asked.session).id})
    if asked.before is not None:
        return _before(connection, asked.before)
    if asked.about is not None:
        return _about(connection, asked.about)
    return _named(connection, (asked.named or "").strip())


def _named(connection: Connection, typed: str) -> Going:
    match = _KIND.fullmatch(typed.lower())
    if match is not None:
        return _FINDERS[match[1]](connection, int(match[2]))
    if re.fullmatch(r"#?[1-9][0-9]{0,17}", typed):
        return _message(connection, int(typed.removeprefix("#")))
    by_uid = (
        _of_uid(connection, typed.lower()) if re.fullmatch(r"[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}", typed) else None
    )
    if by_uid is not None:
        return by_uid
    try:
        return Going("session", sessions={sessions.require(connection, typed).id})
    except NotFound:
        found = undoable.find(connection, typed)
        if isinstance(found, Entry):
            return _entry(connection, found.id)
    raise NotFound(
        f"There is no {preview(typed)!r} to forget.",
        hint="Name fact:042, reflection:7, summary:3, message:123, entry:12 or a session; or use --about.",
    )


def _of_uid(connection: Connection, uid: str) -> Going | None:
    if (message := messages.by_uid(connection, uid)) is not None:
        return _message(connection, message.id)
    if (fact := facts.by_uids(connection, [uid]).get(uid)) is not None:
        return _fact(connection, fact.id)
    entry = journal.get(connection, uid)
    return None if entry is None else _entry(connection, entry.id)


def _fact(connection: Connection, number: int) -> Going:
    fact = known_facts.require(connection, number)
    merged = [one for one in facts.replaced_by(connection, [fact.uid]) if one.state == "merged"]
    uids = [one.source_message for one in (fact, *merged) if one.source_message is not None]
    for entry in journal.of_subjects(connection, [one.name for one in (fact, *merged)]):
        said_in = entry.after.get("message") if isinstance(entry.after, dict) else None
        uids += [said_in] if isinstance(said_in, str) and entry.kind == "fact.corroborated" else []
    said = messages.by_uids(connection, uids)
    going = Going("fact", facts={fact.id, *(one.id for one in merged)})
    going.messages |= set(_exchanges(connection, list(said.values())))
    return going


def _reflection(connection: Connection, number: int) -> Going:
    if reflections.get(connection, number) is None:
        raise NotFound(f"There is no reflection:{number:03}.", hint="See: hermes memory reflections list")
    return Going("reflection", reflections={number})


def _summary(connection: Connection, number: int) -> Going:
    found = summaries.get(connection, number)
    if found is None:
        raise NotFound(f"There is no summary:{number:03}.", hint="See: hermes memory summaries")
    going = Going("summary")
    going.messages |= set(compressed.message_ids(connection, rows.episodes_behind(connection, number)))
    if found.is_discarded:
        going.summaries.add(number)
        going.sessions |= set(rows.emptied_for(connection, number))
    return going


def _message(connection: Connection, number: int) -> Going:
    message = messages.get(connection, number)
    if message is None:
        raise NotFound(f"There is no message {number}.", hint="See: hermes sessions show ID --json")
    return Going("message", messages=set(_exchanges(connection, [message])))


def _entry(connection: Connection, number: int) -> Going:
    found = journal.get_many(connection, [number])
    if not found:
        raise NotFound(f"There is no entry:{number}.", hint="See: hermes memory log")
    words = forget_told.words_of(found[0])
    named = facts.get_many(connection, forget_told.facts_of(found[0]))
    return Going("entry", entries={number}, facts={one.id for one in named.values() if one.text in words})


def _before(connection: Connection, moment: int) -> Going:
    going = Going("before", sessions=set(rows.sessions_before(connection, moment)))
    early = [one for one in rows.messages_before(connection, moment) if one.session_id not in going.sessions]
    going.messages |= set(_exchanges(connection, early))
    going.facts |= set(rows.facts_before(connection, moment))
    return going


def is_distinct(name: str) -> bool:
    """Tell whether what names something can be looked for; what is shorter stands in too much."""
    return len(name) >= _SHORTEST and name.casefold() not in STOP_WORDS


def _about(connection: Connection, about: str) -> Going:
    phrase = " ".join(about.split())
    if not is_distinct(phrase):
        raise UsageError(
            f"A name of {_SHORTEST} characters or more is needed: {preview(phrase)!r} stands in too much.",
            hint="Name what is to go: hermes memory forget fact:NNN (see: hermes memory facts list)",
        )
    look = Sought(Runs(frozenset()), [phrase]).find
    going = Going("about", phrases=[phrase])
    asking = [one for one in rows.messages_holding(connection, look) if one.role not in ANSWERING]
    going.messages |= set(_exchanges(connection, asking))
    going.facts |= set(known_facts.about_ids(connection, phrase)) | set(rows.facts_holding(connection, look))
    going.reflections |= set(rows.reflections_holding(connection, look))
    return going


def still_named(connection: Connection, about: str) -> list[str]:
    """Return the words of a name of several that are said without the others."""
    parts = about.split()
    named = [one for one in parts if is_distinct(one) and one[:1].isupper()]
    return [one for one in dict.fromkeys(named) if len(parts) > 1 and _is_said(connection, one)]


def _is_said(connection: Connection, name: str) -> bool:
    look = Sought(Runs(frozenset()), [name]).find
    return bool(rows.messages_holding(connection, look) or rows.facts_holding(connection, look))


def _exchanges(connection: Connection, named: Sequence[Message]) -> Iterator[int]:
    """Yield messages, and what was done and answered for those among them that asked for something."""
    for message in named:
        yield message.id
        if message.role not in ("assistant", "tool", "system"):
            yield from rows.answers_to(connection, message)


_FINDERS: dict[str, Callable[[Connection, int], Going]] = {
    "fact": _fact,
    "reflection": _reflection,
    "summary": _summary,
    "message": _message,
    "entry": _entry,
}
