"""Turn what is remembered into vectors, and tell how far that is.

An exchange has one vector, the direction of all its messages together; it is what a search compares first.
Each of its messages has one as well, and one for each of its passages: a question is near one sentence of a
long answer, not near its average. A fact has one.

`prepare` asks the embedder and touches no store; `keep` writes what it gave in a transaction of the caller's.
So a turn can do the first before its last commit and the second in it, and no transaction ever waits for an
embedder.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hermes_agent.errors import EmbedderError, EmbedderMismatch
from hermes_agent.store import fingerprints, sketches, vectors
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.passages import passages as cut

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder, Matrix

JOB = "embed"
"""The job, and its key, that makes the vectors which are missing: two workers never do it at once."""

_MOST_PASSAGES = 64


class Spoken(NamedTuple):
    """A message of an exchange: who spoke, and what."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """The vectors of an exchange: of all of it, and of each message one matrix.

    Row 0 of a matrix is the whole message; its passages follow, if it has more than one. `gists` are those of
    the messages.
    """

    vector: "Matrix"
    messages: "Sequence[Matrix]"
    gists: Sequence[bytes | None]


class Kept(NamedTuple):
    """An episode with its vectors; `message_ids` are those of the messages they were made of, in order."""

    episode_id: int
    message_ids: Sequence[int]
    prepared: Prepared


@dataclass(frozen=True, slots=True)
class Health:
    """How the vectors are: `wanted` is the embedder's own fingerprint, `used` the one that reads use.

    They differ while a new embedder is behind the one before it. `done` of `total` items have a vector of the
    wanted one. Without any vectors `used` is None: memory is found by its words alone.
    """

    wanted: str
    used: str | None
    done: int
    total: int
    trouble: str | None
    trouble_at: int | None

    @property
    def is_behind(self) -> bool:
        return self.done < self.total


def texts_of(message: Spoken) -> list[str]:
    """Return what is embedded of a message: all of it, and its passages if it has more than one."""
    pieces = cut(message.text, message.role)[:_MOST_PASSAGES]
    return [message.text, *pieces] if len(pieces) > 1 else [message.text]


def prepare(embedder: "Embedder", exchanges: Sequence[Sequence[Spoken]]) -> list[Prepared]:
    """Make the vectors of exchanges; the embedder is asked once, and for equal texts once."""
    import numpy

    texts = [[texts_of(message) for message in exchange] for exchange in exchanges]
    place = {text: 0 for exchange in texts for message in exchange for text in message}
    place = {text: number for number, text in enumerate(place)}
    matrix = embed(embedder, list(place))
    wholes = list(dict.fromkeys(message[0] for exchange in texts for message in exchange))
    gist_of = dict(
        zip(wholes, _gists_beside(embedder, wholes, matrix[[place[whole] for whole in wholes]]), strict=True)
    )
    prepared = []
    for exchange in texts:
        messages = [matrix[[place[text] for text in message]] for message in exchange]
        total = numpy.zeros(embedder.dimensions, numpy.float32)
        for message in messages:
            total += message[0]
        length = float(numpy.linalg.norm(total))
        gists = [gist_of[message[0]] for message in exchange]
        prepared.append(Prepared(total / length if length else total, messages, gists))
    return prepared


def gists_of(texts: Sequence[str]) -> list[bytes | None]:
    """Make the vectors that a sketch carries of whole messages: those of our own model, whoever embeds.

    None for each if it is damaged: the vectors of a message do without its gist, and recall tells what is wrong.
    """
    from hermes_agent.embedders.local import Local

    if not texts:
        return []
    try:
        return _packed(Local().embed(texts))
    except EmbedderError:
        return [None] * len(texts)


def own_fingerprint(connection: Connection) -> int | None:
    """Return the id of the fingerprint of our own model's vectors; None if there are none."""
    from hermes_agent.embedders.local import Local

    own = fingerprints.get(connection, Local.fingerprint)
    return None if own is None else own.id


def _gists_beside(embedder: "Embedder", texts: Sequence[str], made: "Matrix") -> list[bytes | None]:
    """Return the gists of texts that were embedded just now: our own model has made them already."""
    from hermes_agent.embedders.local import Local

    return _packed(made) if embedder.fingerprint == Local.fingerprint else gists_of(texts)


def _packed(rows: "Matrix") -> list[bytes | None]:
    from hermes_agent.store.passages import pack

    return [pack(row[None, :]) for row in rows]


def embed(embedder: "Embedder", texts: Sequence[str]) -> "Matrix":
    """Ask for vectors, and refuse what are none."""
    import numpy

    if not texts:
        return numpy.zeros((0, embedder.dimensions), numpy.float32)
    matrix = embedder.embed(texts)
    if matrix.shape != (len(texts), embedder.dimensions):
        got = " × ".join(str(size) for size in matrix.shape)
        raise EmbedderMismatch(
            f"{embedder.name} gave {got} numbers for {len(texts)} texts of {embedder.dimensions} each."
        )
    if not numpy.isfinite(matrix).all():
        raise EmbedderMismatch(f"{embedder.name} gave vectors with numbers that are none.")
    return matrix


def keep(connection: Connection, fingerprint_id: int, kept: Sequence[Kept]) -> None:
    """Keep the vectors of episodes and of their messages, in place of those they had, and the gists they lack."""
    from hermes_agent.store import passages

    vectors.put(connection, fingerprint_id, vectors.EPISODE, {one.episode_id: one.prepared.vector for one in kept})
    rows: dict[int, Matrix] = {}
    for one in kept:
        rows.update(zip(one.message_ids, one.prepared.messages, strict=True))
    passages.put(connection, fingerprint_id, rows)
    gists = {
        message: gist for one in kept for message, gist in zip(one.message_ids, one.prepared.gists, strict=True)
    }
    sketches.add_gists(connection, {message: gist for message, gist in gists.items() if gist is not None})


def keep_trouble(connection: Connection, fingerprint_id: int, error: EmbedderError) -> None:
    """Keep why nothing could be embedded, with what can be done about it."""
    fingerprints.set_trouble(connection, fingerprint_id, f"{error.message} {error.hint or ''}".rstrip())


def health(store: Store, embedder: "Embedder") -> Health:
    """Tell how far the vectors are and what is wrong with them."""
    with store.read() as connection:
        wanted = fingerprints.get(connection, embedder.fingerprint)
        used = fingerprints.current(connection, embedder.fingerprint)
        total = sum(vectors.wanted(connection, kind) for kind in vectors.KINDS)
        done = 0
        if wanted is not None:
            done = sum(vectors.done(connection, wanted.id, kind) for kind in vectors.KINDS)
    return Health(
        wanted=embedder.fingerprint,
        used=None if used is None else used.name,
        done=min(done, total),
        total=total,
        trouble=None if wanted is None else wanted.trouble,
        trouble_at=None if wanted is None else wanted.trouble_at,
    )
