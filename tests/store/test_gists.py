"""Gists of old messages: a bit for each dimension tells nearly the same as the whole vector."""

import numpy

from hermes_agent.embedders.local import DIMENSIONS, Local
from hermes_agent.store import gists
from hermes_agent.store.passages import pack, rows

SAID = (
    "The violin teacher is Ingrid and she lives in Bergen.",
    "We decided to use PostgreSQL because of its JSON functions.",
    "The kitchen costs 14,500 euros, without the tiles.",
    "My flight to Oslo leaves on Friday at nine.",
)
ASKED = (
    "Who teaches the violin?",
    "Which database did we choose, and why?",
    "What does the kitchen cost?",
    "When do I fly to Oslo?",
)


def shrunk(gist: bytes) -> bytes:
    return numpy.packbits(rows(gist, DIMENSIONS) > 0, axis=1).tobytes()


def test_the_nearest_is_the_same_and_the_cosines_are_alike() -> None:
    model = Local()
    whole = [pack(row[None, :]) for row in model.embed(SAID)]
    small = [shrunk(gist) for gist in whole]
    assert {len(gist) for gist in small} == {DIMENSIONS // 8}
    asked = model.embed(ASKED)
    near, about = asked @ gists.read(whole).T, asked @ gists.read(small).T
    assert near.argmax(1).tolist() == about.argmax(1).tolist() == [0, 1, 2, 3]
    assert numpy.abs(near - about).mean() < 0.08


def test_whole_and_shrunk_ones_are_read_together_each_in_its_place() -> None:
    first, second = (pack(row[None, :]) for row in Local().embed(SAID[:2]))
    mixed = [first, shrunk(second) + shrunk(first), second]
    found = gists.read_shrunk(mixed)
    assert found.owners.tolist() == [0, 1, 1, 2]
    assert found.is_whole.tolist() == [True, True, False, True]
    assert numpy.allclose(found.vectors[found.is_whole], gists.read(mixed))
    assert numpy.allclose(found.vectors[2], gists.read([shrunk(first)])[0])
