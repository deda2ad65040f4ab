"""What every embedder is: text in, vectors of one length out."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy
from numpy.typing import NDArray

Matrix = NDArray[numpy.float32]  # a row for each text
Vector = NDArray[numpy.float32]


@runtime_checkable
class Embedder(Protocol):
    """Turns text into vectors. Safe to use from several threads.

    `fingerprint` names everything that decides what a vector means, as `provider/model@revision/dimensions/form`:
    vectors of different fingerprints are never compared. `is_local` says that embedding costs so little that a
    turn may wait for it. `batch_size` is how many texts are worth handing over at once.
    """

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def is_local(self) -> bool: ...

    @property
    def batch_size(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return a row of length 1 for each text; a blank text has a row of zeros.

        Only the beginning of a text that is longer than the model's window counts. EmbedderError when there are
        no vectors to return.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """Return the vector of what somebody looks for; some models want that to be marked."""
        ...
