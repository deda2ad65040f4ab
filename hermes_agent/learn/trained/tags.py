"""Read runs of words off tag scores: the best way to tag all words at once, and how sure each tag is.

A conditional random field of three tags: outside, begins, within. Pure arithmetic.
"""

from collections.abc import Iterator

import numpy
import numpy.typing as npt

from hermes_agent.learn.trained.weights import Floats

OUTSIDE, BEGINS, WITHIN = range(3)
NOT_FIRST = numpy.array([0, 0, -30], numpy.float32)
"""Nothing goes on before the first word."""


def best_tags(scores: Floats, steps: Floats) -> list[int]:
    """Return the tags that fit best together."""
    total = scores[0] + NOT_FIRST
    before: list[npt.NDArray[numpy.intp]] = []
    for row in scores[1:]:
        ways = total[:, None] + steps
        before.append(ways.argmax(axis=0))
        total = ways.max(axis=0) + row
    tags = [int(total.argmax())]
    for row in reversed(before):
        tags.append(int(row[tags[-1]]))
    return tags[::-1]


def tag_chances(scores: Floats, steps: Floats) -> Floats:
    """Return for each word the chance of each tag, over all ways to tag the others."""
    ahead = [scores[0] + NOT_FIRST]
    for row in scores[1:]:
        ahead.append(numpy.logaddexp.reduce(ahead[-1][:, None] + steps, axis=0) + row)
    behind = [numpy.zeros(len(steps), numpy.float32)]
    for row in scores[:0:-1]:
        behind.append(numpy.logaddexp.reduce(steps + (row + behind[-1]), axis=1))
    chances: Floats = numpy.exp(numpy.stack(ahead) + numpy.stack(behind[::-1]) - numpy.logaddexp.reduce(ahead[-1]))
    return chances


def runs(tags: list[int]) -> Iterator[tuple[int, int]]:
    """Yield where values begin and end."""
    for begin, tag in enumerate(tags):
        if tag == BEGINS:
            end = begin + 1
            while end < len(tags) and tags[end] == WITHIN:
                end += 1
            yield begin, end
