"""The job `embed`: make the vectors that are missing; and `drop_vectors`: let go of those nobody will need.

The newest come first. A batch is read, embedded with no transaction open, and written in one transaction that
first makes sure that the job is still this worker's and the episodes still what they were. So a kill loses one
batch at most, and two workers on one store never embed the same twice: the job has one key.

When nothing is missing the fingerprint becomes the one that reads use. Until then they use the one before it.
An embedder that gives nothing but zeros, or for nearly all that there is, never takes its place.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from hermes_agent.errors import EmbedderDown, EmbedderError, Transient
from hermes_agent.jobs import refused
from hermes_agent.memory import embedding, reembedding
from hermes_agent.memory.embedding import JOB as JOB
from hermes_agent.memory.embedding import Kept, Spoken
from hermes_agent.memory.metering import metered
from hermes_agent.memory.spending import NO_CAP, Cap
from hermes_agent.ops.steps import Step
from hermes_agent.records.jobs import Job
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Said
from hermes_agent.records.vectors import Fingerprint
from hermes_agent.store import episodes, facts, fingerprints, jobs, journal, meta, summaries, vectors
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.store.vectors import EPISODE, FACT, SUMMARY

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder
    from hermes_agent.jobs.refused import Embedded

DROP = "drop_vectors"

Backlog = Generator[tuple[str, list[int]], None, None]
"""A kind of item, and some without a vector."""

_CHOSEN = "embedding.chosen"
# So many of the newest are looked through whatever the counts say.
_NEWEST = 1_000
_READ = 64
# A message has about one passage for so many characters.
_PASSAGE_CHARACTERS = 200
_DROPPED = 2_000
_NEARLY_ALL = 0.9
# The one in use and the one before it: who goes back to that finds most of it made.
_KEPT_FINGERPRINTS = 2


def enqueue_due(store: Store, embedder: "Embedder", *, is_beginning: bool = True) -> bool:
    """Add the job if this embedder has something to do; tell whether it was added.

    A program that is beginning makes its embedder the store's. One that has run for a while leaves the store to
    whoever came later: two that differ would else take it from each other without end. It takes a millisecond or
    two: where everything was embedded once, only the newest are looked at.
    """
    with store.read() as connection:
        known = fingerprints.get(connection, embedder.fingerprint)
        chosen = meta.get(connection, _CHOSEN)
        is_chosen = chosen == embedder.fingerprint
        if not is_chosen and chosen is not None and not is_beginning:
            return False
        if known is not None and known.is_complete and is_chosen and not _is_anything_due(connection, known):
            return False
    with store.write() as connection:
        meta.put(connection, _CHOSEN, embedder.fingerprint)
        fingerprints.require(connection, embedder.fingerprint, embedder.dimensions)
        waiting = jobs.get(connection, jobs.add(connection, JOB, JOB))
        if waiting is not None and not is_chosen:
            jobs.retry(connection, waiting)  # what kept another embedder from its work does not concern this one
    return True


def was_chosen(store: Store) -> bool:
    """Tell whether any embedder was ever chosen for this store."""
    with store.read() as connection:
        return meta.get(connection, _CHOSEN) is not None


def run(store: Store, embedder: "Embedder | None", job: Job, cap: Cap = NO_CAP) -> Generator[Step, None, None]:
    """Embed what is missing, a batch at a time; what goes wrong is kept with the fingerprint, too.

    Without an embedder there is nothing to do; the program that has one again adds the job anew. The cap is asked
    before each batch that is paid for.
    """
    from hermes_agent.embedders.paid import is_paid

    if embedder is None:
        return
    with store.write() as connection:
        chosen = meta.put_first(connection, _CHOSEN, embedder.fingerprint)
    try:
        fingerprint = _require(store, embedder, chosen)
        _measure_unrelated(store, embedder, fingerprint, job)
        yield from _embed_all(store, embedder, fingerprint, job, cap if is_paid(embedder) else NO_CAP)
    except EmbedderError as error:
        with store.write() as connection:
            # The chosen one's is what the status shows, also when it is this process that has another.
            shown = fingerprints.get(connection, chosen)
            if shown is not None:
                embedding.keep_trouble(connection, shown.id, error)
        raise


def drop(store: Store) -> Generator[Step, None, None]:
    """Remove the vectors of all fingerprints but the last two that were in use, unless recall got worse."""
    with store.read() as connection:
        if not reembedding.may_discard(connection):
            return
        chosen = meta.get(connection, _CHOSEN)
        every = fingerprints.every(connection)
        used = {each.id: vectors.last_put(connection, each.id) for each in every}
    # The chosen one may have nothing yet.
    every.sort(key=lambda each: (each.is_complete, each.name == chosen, used[each.id]), reverse=True)
    for number, fingerprint in enumerate(every[_KEPT_FINGERPRINTS:]):
        is_gone = False
        while not is_gone:
            with store.write() as connection:
                is_gone = fingerprints.drop(connection, fingerprint.id, _DROPPED)
            yield Step("Dropping old vectors", number, len(every) - _KEPT_FINGERPRINTS)
    with store.bare() as connection:
        store.engine.settle_vectors(connection)


def _require(store: Store, embedder: "Embedder", chosen: str) -> Fingerprint:
    """Return the embedder's fingerprint; EmbedderDown if another embedder was chosen."""
    if chosen != embedder.fingerprint:
        raise EmbedderDown(
            f"The embedder is {chosen} now; this process has {embedder.fingerprint}.",
            hint="Restart it: hermes restart",
        )
    with store.write() as connection:
        return fingerprints.require(connection, embedder.fingerprint, embedder.dimensions)


def _measure_unrelated(store: Store, embedder: "Embedder", fingerprint: Fingerprint, job: Job) -> None:
    """Measure once from where on a cosine of this embedder says something; that of ours is known."""
    from hermes_agent.embedders.unrelated import unrelated

    with store.read() as connection:
        is_known = fingerprints.unrelated(connection, fingerprint.id) is not None
    if embedder.is_local or is_known:
        return
    with metered(store, "embedding", f"job:{job.id}") as meter:
        cosine = unrelated(meter.embedding(embedder))
        with store.write() as connection:
            fingerprints.set_unrelated(connection, fingerprint.id, cosine)
            meter.keep(connection)


def _embed_all(
    store: Store, embedder: "Embedder", fingerprint: Fingerprint, job: Job, cap: Cap
) -> Generator[Step, None, None]:
    with store.read() as connection:
        total = sum(vectors.wanted(connection, kind) for kind in vectors.KINDS)
        done = _done(connection, fingerprint)
    is_missing = True
    while is_missing:
        is_missing = False
        with closing(_backlog(store, fingerprint)) as backlog:
            for kind, items in backlog:
                is_missing = True
                for made in _EMBED[kind](store, embedder, fingerprint, job, items, cap):
                    done += made
                    yield Step("Embedding", done, max(done, total))
    step = Step("Embedding", done, max(done, total))
    if not fingerprint.is_complete:
        _require_usable(store, embedder, fingerprint)
        # Before reads turn to it: they should not be the ones to wait for this.
        with store.bare() as connection:
            store.engine.settle_vectors(connection)
        yield from _repeating(step, reembedding.measure_before(store))
        with store.write() as connection:
            _require_held(connection, job)
            fingerprints.mark_complete(connection, fingerprint.id)
    yield from _repeating(step, reembedding.measure_after(store, embedder))
    with store.write() as connection:
        _require_held(connection, job)
        fingerprints.set_trouble(connection, fingerprint.id, _settle_refused(connection, fingerprint, embedder))
        if len(fingerprints.every(connection)) > _KEPT_FINGERPRINTS and reembedding.may_discard(connection):
            jobs.add(connection, DROP, DROP)


def _done(connection: Connection, fingerprint: Fingerprint) -> int:
    return sum(vectors.done(connection, fingerprint.id, kind) for kind in vectors.KINDS)


def _repeating(step: Step, work: Generator[int, None, None]) -> Generator[Step, None, None]:
    """Do work that does not count towards the vectors; it can be stopped after each of its pieces."""
    with closing(work):
        for _ in work:
            yield step


def _require_usable(store: Store, embedder: "Embedder", fingerprint: Fingerprint) -> None:
    """Raise EmbedderDown if nearly nothing got a vector; the next attempt asks for all of it again."""
    with store.write() as connection:
        done = _done(connection, fingerprint)
        count = sum(refusal.is_whole for refusal in refused.get(connection, fingerprint.id).values())
        if not count or count < done * _NEARLY_ALL:
            return
        refused.make_due(connection, fingerprint.id)
    raise EmbedderDown(
        f"{embedder.name} refused {count:,} of {done:,} items: their vectors are zeros.",
        hint="Is the model one that embeds, and its server well? The vectors before it are kept.",
    )


def _settle_refused(connection: Connection, fingerprint: Fingerprint, embedder: "Embedder") -> str | None:
    """Say how many texts got no vector since this was last asked, and journal it; None if all got one."""
    count = refused.tell(connection, fingerprint.id)
    if not count:
        return None
    texts = "1 text" if count == 1 else f"{count:,} texts"
    sentence = f"{embedder.name} refused {texts}, which only words find now."
    journal.write(connection, NewEntry("embedding.refused", "memory", sentence, actor="worker"))
    return sentence


def _backlog(store: Store, fingerprint: Fingerprint) -> Backlog:
    """Yield what has no vector: facts, summaries, episodes, the newest of each first; and what was refused before.

    Of a complete fingerprint everything is looked through only if the counts say that some are missing.
    """
    for kind in (FACT, SUMMARY, EPISODE):
        with store.read() as connection:
            since = vectors.newest(connection, kind, _NEWEST)
            is_behind = not fingerprint.is_complete or _is_behind(connection, fingerprint, kind)
        yield from _walk(store, fingerprint, kind, None, since)
        if is_behind:
            yield from _walk_on(store, fingerprint, kind)
        yield from _ask_again(store, fingerprint, kind)


def _ask_again(store: Store, fingerprint: Fingerprint, kind: str) -> Backlog:
    with store.read() as connection:
        is_due = any(each == kind for each, _ in refused.due(connection, fingerprint.id))
    while is_due:
        with store.write() as connection:
            items = refused.take_due(connection, fingerprint.id, kind, _READ)
            is_due = any(each == kind for each, _ in refused.due(connection, fingerprint.id))
        if items:
            yield kind, items


def _walk_on(store: Store, fingerprint: Fingerprint, kind: str) -> Backlog:
    """Yield all that has no vector, beginning where the last slice was stopped: what is above has one by now."""
    key = f"embedding.{fingerprint.id}.{kind}"
    with store.read() as connection:
        kept = meta.get(connection, key)
    reached = below = int(kept) if kept else None
    try:
        for start in (None,) if reached is None else (reached, None):
            for batch in _walk(store, fingerprint, kind, start):
                yield batch
                below = batch[1][-1]
        below = None
    finally:
        if below != reached:
            with store.write() as connection:
                meta.put(connection, key, "" if below is None else str(below))


def _walk(store: Store, fingerprint: Fingerprint, kind: str, below: int | None, since: int = 0) -> Backlog:
    while True:
        with store.read() as connection:
            items = vectors.missing(connection, fingerprint.id, kind, _READ, below=below, since=since)
        if not items:
            return
        yield kind, items
        below = items[-1]


def _is_anything_due(connection: Connection, fingerprint: Fingerprint) -> bool:
    """Tell whether one of the newest is missing, or something that was refused is to be asked for again."""
    return bool(refused.due(connection, fingerprint.id)) or any(
        vectors.missing(connection, fingerprint.id, kind, 1, since=vectors.newest(connection, kind, _NEWEST))
        for kind in vectors.KINDS
    )


def _is_behind(connection: Connection, fingerprint: Fingerprint, kind: str) -> bool:
    return vectors.done(connection, fingerprint.id, kind) < vectors.wanted(connection, kind)


def _embed_episodes(
    store: Store, embedder: "Embedder", fingerprint: Fingerprint, job: Job, items: list[int], cap: Cap
) -> Iterator[int]:
    """Embed episodes, as many at a time as the embedder likes texts; yield how many were kept."""
    with store.read() as connection:
        known = episodes.get_many(connection, items)
        said = episodes.texts(connection, items)
    for part in _portions({item: said[item] for item in items if item in known}, embedder.batch_size):
        cap.require(store)
        exchanges = [[Spoken(message.role, message.text) for message in said[item]] for item in part]
        with metered(store, "embedding", f"job:{job.id}") as meter:
            prepared = embedding.prepare(meter.embedding(embedder), exchanges)
            made = [
                Kept(item, [message.message_id for message in said[item]], one)
                for item, one in zip(part, prepared, strict=True)
            ]
            embedded = {
                one.episode_id: [
                    (message.text, rows[0])
                    for message, rows in zip(said[one.episode_id], one.prepared.messages, strict=True)
                ]
                for one in made
            }
            _require_some(embedder, embedded)
            with _writing(store, fingerprint, job) as connection:
                # One that went on meanwhile is embedded anew; of one that is gone nothing may be kept.
                present = episodes.held(connection, part)
                unchanged = [one for one in made if present.get(one.episode_id) == known[one.episode_id]]
                embedding.keep(connection, fingerprint.id, unchanged)
                kept = {one.episode_id: embedded[one.episode_id] for one in unchanged}
                _note_refused(connection, fingerprint, embedder, EPISODE, kept)
                meter.keep(connection)
        yield len(unchanged)


def _embed_texts(
    kind: str, store: Store, embedder: "Embedder", fingerprint: Fingerprint, job: Job, items: list[int], cap: Cap
) -> Iterator[int]:
    """Embed what has one vector each, facts or summaries; yield how many were kept."""
    with store.read() as connection:
        known = _texts(connection, kind, items)
    cap.require(store)
    with metered(store, "embedding", f"job:{job.id}") as meter:
        matrix = embedding.embed(meter.embedding(embedder), list(known.values()))
        made = dict(zip(known, matrix, strict=True))
        _require_some(embedder, {item: [(known[item], vector)] for item, vector in made.items()})
        with _writing(store, fingerprint, job) as connection:
            present = _texts(connection, kind, items)
            unchanged = {item: vector for item, vector in made.items() if present.get(item) == known[item]}
            vectors.put(connection, fingerprint.id, kind, unchanged)
            kept = {item: [(known[item], vector)] for item, vector in unchanged.items()}
            _note_refused(connection, fingerprint, embedder, kind, kept)
            meter.keep(connection)
    yield len(unchanged)


def _texts(connection: Connection, kind: str, items: list[int]) -> dict[int, str]:
    """Return the texts of the current facts or summaries among some."""
    found = (facts if kind == FACT else summaries).get_many(connection, items)
    return {one.id: one.text for one in found.values() if one.state == "current"}


_EMBED = {kind: partial(_embed_texts, kind) for kind in (FACT, SUMMARY)} | {EPISODE: partial(_embed_episodes)}


def _portions(said: Mapping[int, Sequence[Said]], batch_size: int) -> Iterator[list[int]]:
    """Yield the episodes in portions of about `batch_size` texts each."""
    portion: list[int] = []
    size = 0
    for item, messages in said.items():
        portion.append(item)
        size += sum(1 + len(message.text) // _PASSAGE_CHARACTERS for message in messages)
        if size >= batch_size:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def _require_some(embedder: "Embedder", embedded: "Embedded") -> None:
    """Make sure that an embedder which refused all of a batch does so for these texts, and not for any."""
    from hermes_agent.embedders.unrelated import require_vectors

    is_empty = not any(vector.any() for texts in embedded.values() for _, vector in texts)
    if is_empty and refused.refusals(embedded) and not embedder.is_local:
        require_vectors(embedder)


def _note_refused(
    connection: Connection, fingerprint: Fingerprint, embedder: "Embedder", kind: str, embedded: "Embedded"
) -> None:
    """Keep what was refused; our own gives zeros where it knows no word."""
    if not embedder.is_local:
        refused.note(connection, fingerprint.id, kind, embedded, refused.refusals(embedded))


@contextmanager
def _writing(store: Store, fingerprint: Fingerprint, job: Job) -> Iterator[Connection]:
    """Open the transaction that keeps what was embedded, while the job is this worker's."""
    with store.write() as connection:
        _require_held(connection, job)
        yield connection
        if fingerprint.trouble is not None:
            fingerprints.set_trouble(connection, fingerprint.id, None)


def _require_held(connection: Connection, job: Job) -> None:
    if not jobs.is_held(connection, job):
        raise Transient(f"Job {job.id} is another worker's now.")
