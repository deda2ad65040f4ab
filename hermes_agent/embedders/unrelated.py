"""How near an embedder puts texts that have nothing to do with each other.

Some give any two texts a cosine of 0.7, others of nearly nothing. Relevance is told on one scale for all, so it
must be known from where on a cosine says something. It is measured with sentences that share nothing.
"""

from typing import TYPE_CHECKING

from hermes_agent.errors import EmbedderDown

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder, Matrix

SENTENCES = (
    "The ferry to the island leaves at seven in the morning.",
    "My left shoe has a hole in it.",
    "Please rename the variable before you commit.",
    "Grandmother baked a plum cake for the wedding.",
    "The parliament voted against the new tax.",
    "I sleep badly when the moon is full.",
    "A violin has four strings.",
    "The server returned an empty response.",
    "We painted the fence green last summer.",
    "Her dentist moved to another city.",
    "Volcanic soil is good for growing wine.",
    "He forgot the password of his bank account.",
    "The children built a castle of sand.",
    "This novel was translated from Polish.",
    "Turn the heating down before you leave.",
    "The goalkeeper broke his wrist.",
)


_FEWEST = 2


def require_vectors(embedder: "Embedder") -> "Matrix":
    """Return the vectors of the sentences, without those it refused; EmbedderDown if it gives zeros for all."""
    rows = embedder.embed(SENTENCES)
    rows = rows[rows.any(axis=1)]
    if len(rows) < _FEWEST:
        raise EmbedderDown(
            f"{embedder.name} gives vectors of zeros, whatever the text is.",
            hint="Is the model one that embeds, and its server well? The vectors before it are kept.",
        )
    return rows


def unrelated(embedder: "Embedder") -> float:
    """Return the mean cosine of any two of the sentences."""
    rows = require_vectors(embedder)
    count = len(rows)
    total = rows.sum(axis=0)
    return float((total @ total - count) / (count * (count - 1)))
