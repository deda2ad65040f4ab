"""Charts as SVG, drawn here and dressed by the stylesheet, so that they follow light and dark.

A chart library would write its colours into the picture (pygal does, with a style sheet and a script inside), and
our pages allow neither. What is drawn is worked out here; `charts.html` writes it, with the numbers in a table.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

WIDTH, HEIGHT = 400, 180
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 28, 10, 22
_INNER_WIDTH = WIDTH - _LEFT - _RIGHT
_INNER_HEIGHT = HEIGHT - _TOP - _BOTTOM
_GAP = 0.2
_MOST_LABELS = 5


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers under a name, one for each label of the chart."""

    name: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Chart:
    """What a chart shows; `name` tells it from the others of its page."""

    name: str
    title: str
    labels: Sequence[str]
    series: Sequence[Series]
    kind: Literal["bars", "lines"] = "bars"
    most: float | None = None
    """Where the scale ends; without it, at a round number above the largest."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to see."""
        return not any(value for one in self.series for value in one.values)

    @property
    def summary(self) -> str:
        """Say in a sentence what somebody would see."""
        told = []
        for one in self.series:
            values = list(one.values)
            highest = max(range(len(values)), key=values.__getitem__)
            told.append(f"{one.name}: {written(values[-1])} last, most {written(values[highest])}")
            told[-1] += f" ({self.labels[highest]})"
        return f"{self.labels[0]} to {self.labels[-1]}. {'; '.join(told)}."


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: where it stands, and what it says when it is pointed at."""

    series: int
    x: float
    y: float
    width: float
    height: float
    told: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its points as SVG writes them, and each of them."""

    series: int
    points: str
    dots: Sequence[tuple[float, float, str]]


@dataclass(frozen=True, slots=True)
class Mark:
    """A label of an axis, and where it stands."""

    place: float
    text: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart with everything in its place."""

    chart: Chart
    bars: Sequence[Bar]
    lines: Sequence[Line]
    levels: Sequence[Mark]
    labels: Sequence[Mark]
    left: float = _LEFT
    right: float = WIDTH - _RIGHT
    floor: float = HEIGHT - _BOTTOM
    width: int = WIDTH
    height: int = HEIGHT


def draw(chart: Chart) -> Drawing:
    """Put everything of a chart in its place."""
    values = [value for one in chart.series for value in one.values]
    most = chart.most or round_up(max(values, default=0))
    is_bars = chart.kind == "bars"
    return Drawing(
        chart,
        _bars(chart, most) if is_bars else [],
        [] if is_bars else [_line(chart, number, most) for number in range(len(chart.series))],
        [Mark(_y(share * most, most), written(share * most)) for share in (0.0, 0.5, 1.0)],
        _labels(chart),
    )


def round_up(value: float) -> float:
    """Return the next of 2, 4, 10, 20, 40, 100, …: half of it is round, too."""
    if value <= 2:
        return 2
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 10) if value <= step * power)


def written(value: float) -> str:
    """Write a number short: `950`, `1.2k`, `3M`, `0.75`."""
    if value != int(value):
        return f"{value:.2f}" if value < 1_000 else written(round(value))
    for size, letter in ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k")):
        if value >= size:
            return f"{value / size:.1f}".removesuffix(".0") + letter
    return str(int(value))


def _bars(chart: Chart, most: float) -> list[Bar]:
    slot = _INNER_WIDTH / max(len(chart.labels), 1)
    width = slot * (1 - _GAP) / max(len(chart.series), 1)
    bars = []
    for number, one in enumerate(chart.series):
        for place, value in enumerate(one.values):
            x = _LEFT + place * slot + slot * _GAP / 2 + number * width
            y = _y(value, most)
            told = f"{chart.labels[place]}: {one.name} {value:,.10g}"
            bars.append(Bar(number, round(x, 1), y, round(width, 1), round(HEIGHT - _BOTTOM - y, 1), told))
    return bars


def _line(chart: Chart, number: int, most: float) -> Line:
    one = chart.series[number]
    dots = [
        (_x(place, len(one.values)), _y(value, most), f"{chart.labels[place]}: {one.name} {value:,.10g}")
        for place, value in enumerate(one.values)
    ]
    return Line(number, " ".join(f"{x},{y}" for x, y, _ in dots), dots)


def _labels(chart: Chart) -> list[Mark]:
    count = len(chart.labels)
    step = max(1, math.ceil(count / _MOST_LABELS))
    middle = _INNER_WIDTH / max(count, 1) / 2
    return [
        Mark(
            round(_LEFT + place * _INNER_WIDTH / count + middle, 1) if chart.kind == "bars" else _x(place, count),
            chart.labels[place],
        )
        for place in range(step // 2, count, step)
    ]


def _x(place: int, count: int) -> float:
    return round(_LEFT + (place / (count - 1) if count > 1 else 0.5) * _INNER_WIDTH, 1)


def _y(value: float, most: float) -> float:
    # What is below nothing stands on the floor; its number tells.
    return round(_TOP + (1 - min(max(value, 0.0) / most, 1.0)) * _INNER_HEIGHT, 1)
