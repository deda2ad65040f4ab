"""Forget for good: what was named, what was made of it and what quotes it, in one transaction, with a receipt.

The receipt is written in the same transaction and is pending until the files are clean (`ops/forgetting/`). It
holds keyed hashes only. A preview is the same work in a private copy of the store: it counts what would go.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice

from hermes_agent import ids
from hermes_agent.embedders.local import RAREST_TOKEN, Local
from hermes_agent.learn.forget import Retold, Sentences, all_words, apart_in, distinctive, forms
from hermes_agent.memory import forget_told, forgetting
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.episodes import JOB as EPISODES
from hermes_agent.memory.forget_asked import Going
from hermes_agent.memory.forget_gathered import Gone, gather, told_by, words_said
from hermes_agent.memory.forget_quotes import Quotes, forget_quotes
from hermes_agent.memory.forget_shown import Forgotten, changed
from hermes_agent.memory.forgotten import GONE
from hermes_agent.records.archive import ANSWERING, Message
from hermes_agent.records.journal import Entry, NewEntry
from hermes_agent.records.receipts import NewReceipt, Receipt
from hermes_agent.store import (
    entity_joins,
    facts,
    jobs,
    journal,
    messages,
    receipts,
    reflections,
    sessions,
    skills,
    summaries,
    sweeping,
)
from hermes_agent.store import forgetting as rows
from hermes_agent.store import notes as versions
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.text.blocking import about_key, block_keys, pieces, slot_key
from hermes_agent.text.runs import Look, Runs, Sought, apart, digest, encoded, hashed, hashed_phrase

_MOST_KEPT = 2_000
_MOST_BLOCKS = 50_000
_COMMON = 3
"""What more of the owner's other messages than this say is nobody's quote."""
_MARKS = b'"{}'
_MARK = '"'
_TIME = re.compile(r"(?<=: )[0-9]{10}\.[0-9]+")
"""A time as tools write it for programs."""
_SAMPLES = 3
_LEAST_WORDS, _MOST_WORDS = 2, 20
"""A text with so many words is looked for whole if nothing in it is distinctive."""
_QUOTING = {
    "facts": "facts that say it",
    "reflections": "reflections that say it",
    "summaries": "summaries that lose lines",
    "messages": "messages that quote it",
    "sessions": "titles of sessions",
    "system_prompts": "stored system prompts",
    "journal": "entries of the journal that tell it",
    "note_versions": "versions of notes",
    "quarantine": "things that wait for review",
    "selftests": "self-tests",
    "arrivals": "messages of chat platforms",
}
"""What the rows of a table are called that quote what goes."""
_ALONE = "It tells nothing that could be looked for elsewhere: only the entry goes."
_STAYS = "What it follows from stays, with what was noted of it. To forget that, too: hermes memory forget {name}"
_OWN_WORDS = ("USER", "MEMORY", "SOUL", "REFLECTIONS", "Noted")
"""Names of our files, and how the model that ships with us begins: every answer may have them."""


def forget(
    connection: Connection,
    engine: Engine,
    going: Going,
    shown: Forgotten | None = None,
    cleaned: Mapping[str, int] | None = None,
    entries: Sequence[str] = (),
) -> Forgotten:
    """Forget what was found, if it is what was `shown` before, whatever quotes it; else ChangedMeanwhile.

    `cleaned` tells what files lost, `entries` are those that went out of notes.
    """
    lock(connection)
    gone = gather(connection, going)
    texts, parts = gone.texts, gone.parts
    if shown is not None and parts != shown.parts:
        raise changed()
    if shown is not None and shown.retold is not None:
        sought, retold = shown.sought, shown.retold
    else:
        runs, retold = _runs(connection, gone, texts)
        sought = Sought(runs, (*going.phrases, *_short(gone.entries)))
    lines = versions.lines_heard_in(connection, {one.uid for one in gone.messages})
    lines |= {line for one in gone.entries for line in forget_told.noted(one)}
    behind = _behind(connection, gone.entries)
    vectors = rows.count_vectors(connection)
    _remove(connection, engine, going, gone)
    quotes = forget_quotes(connection, engine, sought.find, retold=retold.find)
    blocked = _blocked(gone, quotes, going.phrases, entries)
    counts = _counts(gone, quotes, vectors - rows.count_vectors(connection)) | dict(cleaned or {})
    own = [text for _, text in texts]
    hashes = partial(_hashes, sought=sought, texts=[*own, *entries], said=[text for _, text in gone.said])
    receipt = _keep_receipt(connection, going.kind, counts, hashes, blocked)
    for job in (EPISODES, EMBED):
        jobs.add(connection, job, job)
    if skills.has_learned(connection):
        jobs.add(connection, skills.JOB, skills.JOB)
    said = [one.content or "" for one in gone.messages if one.role != "tool"]
    said += [text for one in gone.summaries for text in told_by(one)] + [one.text for one in gone.facts]
    said += [text for one in gone.entries for text in forget_told.words_of(one)]
    samples = [*islice(dict.fromkeys(said), _SAMPLES), *quotes.samples[:_SAMPLES]]
    return Forgotten(
        counts,
        [one for one in dict.fromkeys(samples) if one.strip()],
        sought,
        parts,
        frozenset(quotes.quoting),
        lines=frozenset(lines),
        retold=retold,
        receipt=receipt,
        notices=_notices(connection, behind, gone, sought, quotes),
    )


def forget_again(connection: Connection, engine: Engine, look: Look) -> None:
    """Take out what is there again of something that was forgotten before, by its hashes."""
    lock(connection)
    forget_quotes(connection, engine, look)


def lock(connection: Connection) -> None:
    """Keep others from changing what is looked through, in the order in which an undo locks it.

    Receipts first: a turn that is being written holds them, and may wait for the others.
    """
    receipts.lock(connection)
    facts.lock(connection)
    reflections.lock(connection)
    summaries.lock(connection)
    versions.lock(connection)
    skills.lock(connection)
    entity_joins.lock(connection)


def _runs(connection: Connection, gone: Gone, texts: Sequence[tuple[int, str]]) -> tuple[Runs, Retold]:
    """Return the runs that tell what goes from what stays, and those that others say as well.

    What somebody says themselves is theirs, but for a sentence of it that repeats one that goes; so is what they
    said before it, and what the owner says often. Nor is an answer a quote that only has a turn of phrase in
    common with one that goes: a quote has words of what was told.
    """
    replies = {text for one in gone.messages if one.role in ANSWERING for text in words_said(one)}
    told = [text for _, text in texts if text not in replies]
    own, sentences = distinctive(told, _rare), Sentences(told)
    runs = Runs(own | _within_sentences(replies))
    going = {one.id for one in gone.messages}
    earliest: dict[bytes, int] = {}
    often: Counter[bytes] = Counter()
    phrases: set[bytes] = set()
    theirs = _told_apart(connection, gone, runs, sentences)
    for block in rows.staying(connection, going):
        for place, held in sweeping.held_in([said for *_, said in block], runs.find).items():
            number, role, said = block[place]
            earliest |= {run: min(number, earliest.get(run, number)) for run in held}
            if role == "user":
                often.update(held)
                theirs |= apart_in([_decoded(one) for one in said], runs, sentences)
            elif not held & own:
                phrases |= held
    first = _first_said(texts, earliest)
    before = {run for run, number in earliest.items() if number < first.get(run, 0)}
    nobodys = {*before, *phrases, *(run for run, count in often.items() if count > _COMMON)}
    retold = Retold(Runs(frozenset(theirs - nobodys)), all_words([*told, *replies]))
    return runs.without({*nobodys, *theirs}), retold


def _told_apart(connection: Connection, gone: Gone, runs: Runs, sentences: Sentences) -> set[bytes]:
    """Return the runs in what was written by hand or learned elsewhere."""
    said = rows.facts_staying(connection, {one.id for one in gone.facts})
    held = sweeping.held_in([[encoded(text)] for text in said], runs.find)
    by_hand = [*versions.lines_by_hand(connection), *skills.texts_of_owner(connection)]
    return apart_in([*(said[place] for place in held), *by_hand], runs, sentences)


def _within_sentences(replies: Iterable[str]) -> frozenset[bytes]:
    """Return the runs of answers and tools within a sentence and a value: around them all of these are alike.

    Where and when something was found is no word of it: every row of that conversation holds its id.
    """
    shown = (_TIME.sub(_MARK, ids.with_mark(text, _MARK)) for text in replies)
    told = {piece.strip() for text in shown for piece in pieces(text)}
    every = distinctive(told, _rare_in_replies, with_plain=False)
    # A backslash at the end begins a mark that JSON escapes.
    return frozenset(run for run in every if not run.endswith(b"\\") and not any(mark in run for mark in _MARKS))


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "surrogatepass")


def _first_said(texts: Sequence[tuple[int, str]], wanted: Mapping[bytes, int]) -> dict[bytes, int]:
    """Return the message in which each of the runs was first said, of those that go."""
    look = Runs(frozenset(wanted))
    first: dict[bytes, int] = {}
    for number, text in texts if wanted else ():
        for form in forms(text):
            data = encoded(form)
            for at, length in look.find(data):
                run = data[at : at + length]
                first[run] = min(number, first.get(run, number))
    return first


def _remove(connection: Connection, engine: Engine, going: Going, gone: Gone) -> None:
    """Delete what goes as a whole: conversations, messages of others, facts, lessons, entries."""
    names = {one.id for one in gone.sessions}
    apart_from = [one for one in gone.messages if one.session_id not in names]
    if apart_from:
        by_session: dict[str, list[Message]] = {}
        for one in apart_from:
            by_session.setdefault(one.session_id, []).append(one)
        for session_id, taken in by_session.items():
            journal.forget_said(connection, session_id, {one.uid for one in taken})
            forgetting.forget_taken_back(connection, session_id, taken)
            sessions.rename(connection, session_id, None, source="forgetting")
        rows.remove_messages(connection, engine, apart_from)
        names |= set(rows.empty_sessions(connection, by_session.keys()))
    if gone.facts:
        rows.remove_facts(connection, engine, [one.id for one in gone.facts])
        forgetting.forget_records(connection, [one.name for one in gone.facts])
    left = list(reflections.get_many(connection, [one.id for one in gone.lessons]).values())
    if left:
        reflections.remove(connection, [one.id for one in left])
        forgetting.forget_lessons(connection, left, ())
    if gone.summaries:
        rows.remove_summaries(connection, engine, [one.id for one in gone.summaries])
        forgetting.forget_records(connection, [one.name for one in gone.summaries])
    if names:
        forgetting.forget_sessions(connection, engine, sorted(names))
    for entry in gone.entries:
        forgetting.forget_entry(connection, entry)


def _short(entries: Sequence[Entry]) -> list[str]:
    """Return what entries state that holds nothing distinctive, and is looked for as it is."""
    stated = dict.fromkeys(text for one in entries for text in forget_told.stated(one))
    return [
        text
        for text in stated
        if _LEAST_WORDS <= len(text.split()) <= _MOST_WORDS and not distinctive([text], _rare)
    ]


def _behind(connection: Connection, entries: Sequence[Entry]) -> tuple[set[str], set[str]]:
    """Return what entries follow from, by uids: the messages, and the facts that lines of notes were made of."""
    lines = {line for one in entries for line in forget_told.noted(one)}
    heard, made_of = versions.grounds_of(connection, lines) if lines else (set(), set())
    return heard | {uid for one in entries for uid in forget_told.heard_in(one)}, made_of


def _notices(
    connection: Connection, behind: tuple[set[str], set[str]], gone: Gone, sought: Sought, quotes: Quotes
) -> list[str]:
    """Say of entries what stays: what they follow from, or all else if they tell nothing to look for."""
    said, known = (sorted(uids) for uids in behind)
    cut = set(quotes.messages)
    names = [f"message:{one.id}" for one in messages.by_uids(connection, said).values() if one.id not in cut]
    names += [one.name for one in facts.by_uids(connection, known).values()]
    found = [_STAYS.format(name=name) for name in names[:_SAMPLES]]
    is_alone = bool(gone.entries) and not (gone.said or sought.runs.runs or sought.phrases)
    return [_ALONE, *found] if is_alone else found


def _blocked(gone: Gone, quotes: Quotes, phrases: Sequence[str], entries: Sequence[str]) -> list[str]:
    """Return the normal forms of what must not be learned again."""
    own = [one.content or "" for one in gone.messages if one.role != "tool"]
    own += [line["text"] for one in gone.summaries for line in one.lines]
    told = [one.text for one in gone.facts] + [str(one["text"]) for one in quotes.facts]
    told += [text for one in gone.entries for text in forget_told.stated(one)]
    found = {key for text in (*own, *told, *entries) for key in block_keys(text)}
    stated = [(one.subject, one.attribute, one.value) for one in gone.facts]
    slots = [key for one in stated if (key := slot_key(*one)) is not None]
    return [*slots, *map(about_key, phrases), *islice(sorted(found), _MOST_BLOCKS)]


def _keep_receipt(
    connection: Connection,
    kind: str,
    counts: Mapping[str, int],
    hashes: Callable[[bytes], list[str]],
    blocked: Sequence[str],
) -> Receipt:
    key = receipts.key(connection) or rows.new_key()
    raw = bytes.fromhex(key)
    blocks = sorted({digest(raw, encoded(one)) for one in blocked})
    receipt = receipts.add(connection, NewReceipt(kind, dict(counts), key, sorted(hashes(raw)), blocks))
    text = f"Something was forgotten for good: {told(counts)}. Its receipt is {receipt.name}."
    journal.write(connection, NewEntry(GONE, receipt.name, text, after={"receipt": receipt.uid}))
    return receipt


def _hashes(key: bytes, sought: Sought, texts: Sequence[str], said: Sequence[str]) -> list[str]:
    """Return what a receipt keeps to look by: runs and phrases, hashed; without any, what was said in short."""
    runs = apart(sought.runs.runs, [encoded(text) for text in texts], _MOST_KEPT)
    phrases = list(sought.phrases)
    if not runs and not phrases:
        phrases = [text for text in said if _LEAST_WORDS <= len(text.split()) <= _MOST_WORDS][:_MOST_KEPT]
    return [hashed(key, run) for run in runs] + list(filter(None, (hashed_phrase(key, one) for one in phrases)))


def told(counts: Mapping[str, int]) -> str:
    """Write what went: `messages: 3, facts: 1`."""
    return ", ".join(f"{name}: {count:,}" for name, count in counts.items() if count) or "nothing"


def _counts(gone: Gone, quotes: Quotes, vectors: int) -> dict[str, int]:
    whole = {
        "sessions": len(gone.sessions),
        "messages": len(gone.messages),
        "facts": len(gone.facts),
        "reflections": len(gone.lessons),
        "summaries": len(gone.summaries),
        "entries of the journal": len(gone.entries),
    }
    quoted = {_QUOTING.get(name, name.replace("_", " ")): count for name, count in quotes.counts.items()}
    return {**whole, **quoted, "vectors": max(0, vectors)}


def _rare(words: Sequence[str]) -> list[bool]:
    return [bool(rarity > RAREST_TOKEN) for rarity in Local().rarities(words)] if words else []


def _rare_in_replies(words: Sequence[str]) -> list[bool]:
    return [is_one and word not in _OWN_WORDS for word, is_one in zip(words, _rare(words), strict=True)]
