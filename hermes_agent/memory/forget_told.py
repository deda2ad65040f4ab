"""What an entry of the journal tells: the words in it that are somebody's.

Every entry holds words of the program, too: names of fields, kinds, states, reasons, uids. As words to look for
they would find all entries that are built like it, whatever those tell. Pure.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from hermes_agent.records.archive import Json
from hermes_agent.records.changes import Change, change_of, message_of
from hermes_agent.records.journal import Entry

_HOLDING = ("text", "said", "task", "topic", "worked", "differently", "lines", "items")
"""Under these names stand words."""
_NAMING = ("records", "files", "notes")
"""Under these stands what holds words, each under a name of ours."""
_WHOLLY = ("note.", "session.renamed")
"""Kinds of which a side is nothing but words: the text of a note, a title."""
_FREE = ("decision.", "result.", "failure.", "remark.", "tool.")
"""Kinds whose sentence is somebody's; every other kind only quotes in it."""
_FACT = re.compile(r"fact:([0-9]{1,18})")
_QUOTED = re.compile("“(.+?)”", re.DOTALL)


def words_of(entry: Entry) -> list[str]:
    """Return the words of an entry: those that it quotes, and what it says before and after."""
    told = [*_quoted(entry), *stated(entry)]
    return list(dict.fromkeys(text for one in told if (text := one.strip())))


def stated(entry: Entry) -> list[str]:
    """Return what an entry says before and after; of longer texts the lines that are not in both."""
    is_whole = entry.kind.startswith(_WHOLLY)
    sides = [
        list(_words(side)) if is_whole or isinstance(side, dict) else [] for side in (entry.before, entry.after)
    ]
    lines = [{line.strip() for text in side for line in text.splitlines()} for side in sides]
    both = lines[0] & lines[1]
    differing = [
        line.strip() for side in sides for text in side for line in text.splitlines() if line.strip() not in both
    ]
    return differing or sides[0]


def noted(entry: Entry) -> set[str]:
    """Return the entries of notes that came or went by what an entry tells."""
    sides = (entry.before, entry.after)
    lists = [side for side in sides if isinstance(side, list) and entry.kind.startswith("note.")]
    notes = [side["notes"] for side in sides if isinstance(side, dict) and isinstance(side.get("notes"), dict)]
    lists += [one for note in notes if isinstance(note, dict) for one in note.values() if isinstance(one, list)]
    return {text.strip() for one in lists for text in one if isinstance(text, str)}


def heard_in(entry: Entry) -> set[str]:
    """Return the uids of the messages that what an entry tells was said in."""
    change = change_of(entry) or Change({}, {})
    values = [one for side in (change.before, change.after) for one in side.values()]
    found = [message_of(entry), *(one.get("source_message") for one in values)]
    return {uid for uid in found if isinstance(uid, str)}


def facts_of(entry: Entry) -> list[int]:
    """Return the numbers of the facts that an entry is about or changes."""
    change = change_of(entry)
    names = {entry.subject, *(() if change is None else change.names)}
    return sorted(int(found[1]) for name in names if (found := _FACT.fullmatch(name)))


def is_of_another(entry: Entry, names: Collection[str]) -> bool:
    """Tell whether an entry tells how another record came than these, and of these no word."""
    change = change_of(entry)
    if change is None or entry.subject in names or entry.subject in change.before:
        return False
    sides = [values for side in (change.before, change.after) for name, values in side.items() if name in names]
    return entry.subject in change.after and not any(True for values in sides for _ in _words(values))


def _quoted(entry: Entry) -> Sequence[str]:
    if entry.kind.startswith(_FREE):
        return [text.strip().strip("“”") for text in (entry.text, entry.cause) if text]
    return _QUOTED.findall(entry.text)


def _words(value: Json) -> Iterator[str]:
    """Yield the words in a side of an entry, in whatever depth they stand."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _words(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name in _HOLDING:
                yield from _words(one)
            elif name in _NAMING and isinstance(one, dict):
                for each in one.values():
                    yield from _words(each)
