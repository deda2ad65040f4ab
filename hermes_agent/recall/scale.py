"""Bring numbers to one scale."""

import numpy

from hermes_agent.recall.field import Floats

_NOTHING = 1e-9


def to_top(values: Floats) -> Floats:
    """Divide by the largest."""
    return values / max(float(values.max()), _NOTHING) if len(values) else values


def scaled(values: Floats) -> Floats:
    """Bring the smallest to 0 and the largest to 1."""
    if not len(values):
        return values
    low = float(values.min())
    return (values - low) / max(float(values.max()) - low, _NOTHING)


def spread(values: Floats) -> Floats:
    """Tell how far each is from the mean, in deviations, cut to -0.5…1.5."""
    if not len(values):
        return values
    away = (values - values.mean()) / max(float(values.std()), 1e-6)
    cut: Floats = numpy.clip(away, -2, 6) / 4
    return cut


def unit(rows: Floats) -> Floats:
    """Bring each row to length 1; a row of zeros stays."""
    length = numpy.linalg.norm(rows, axis=-1, keepdims=True)
    made: Floats = (rows / numpy.where(length == 0, 1, length)).astype(numpy.float32)
    return made
