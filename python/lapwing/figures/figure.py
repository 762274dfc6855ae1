"""The content of figures, for whoever draws them: the page of a report or a picture."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Literal

from ..units import show_rate, show_seconds, show_share, show_size

Unit = Literal["bytes", "seconds", "rate", "share", "count"]
Section = Literal["machine", "prediction", "loss", "hidden", "application", "timeline"]

# A page with more would not open, and nobody could tell them apart.
MOST_INTERVALS = 4000
MOST_ROWS = 24


@dataclass(frozen=True)
class Axis:
    """One axis of a figure.

    unit: bytes, seconds, bytes a second (rate), a share of one, or a plain number (count).
    log: whether the scale is logarithmic at first.
    """

    title: str
    unit: Unit
    log: bool = False


@dataclass(frozen=True)
class Series:
    """A curve, or a group of marks.

    x, y: in the units of the axes; a y of None is missing.  joined, marked: whether it is drawn
    with a line, and with marks.  error: relative, of each y.  low, high: of a band around the
    curve; of a mark on a map, the range that it stands for.  hollow: whether a mark is less
    certain.  notes: more about each point.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float | None]
    joined: bool = True
    marked: bool = True
    error: Sequence[float] = ()
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    hollow: Sequence[bool] = ()
    notes: Sequence[str] = ()

    def __post_init__(self) -> None:
        _require_numbers(self.x, self.y, self.error, self.low, self.high)
        for beside in (self.y, self.error, self.low, self.high, self.hollow, self.notes):
            if len(beside) not in (0, len(self.x)):
                raise ValueError(f"{self.name}: {len(beside)} values beside {len(self.x)}")


@dataclass(frozen=True)
class Figure:
    """What all figures have.

    name: short, of letters and dashes; unique on a page.  title: stands above the figure.  words:
    one or two sentences that describe it, also to those who cannot see it.  section: of the page.
    """

    name: str
    title: str
    words: str
    section: Section

    def document(self) -> dict[str, Any]:
        """The figure as JSON, for the page that draws it."""
        return {"kind": type(self).__name__.lower(), **asdict(self)}


@dataclass(frozen=True)
class Lines(Figure):
    """Curves over one axis. levels: horizontal lines, by name."""

    x: Axis
    y: Axis
    series: list[Series]
    levels: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Map(Figure):
    """Cells over two axes, the darker the larger their value, and marks on top.

    cells: x, y and value of each.  value: the axis of the values.  steps: values from which a cell
    has the next shade.  marks: drawn over the cells.  tags: more about each cell.
    """

    x: Axis
    y: Axis
    value: Axis
    cells: list[tuple[float, float, float]]
    steps: list[float]
    marks: list[Series] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        _require_numbers(self.steps, *self.cells)

    def fields(self) -> list[tuple[float, float, float, float]]:
        """Left, lower, right and upper end of each cell, half way to its neighbours."""
        across = _ends([x for x, _, _ in self.cells], self.x)
        up = _ends([y for _, y, _ in self.cells], self.y)
        return [(across[x][0], up[y][0], across[x][1], up[y][1]) for x, y, _ in self.cells]

    def document(self) -> dict[str, Any]:
        """The figure as JSON, with the ends of each cell."""
        return {**super().document(), "fields": self.fields()}


@dataclass(frozen=True)
class Bars(Figure):
    """Groups of bars.

    labels: of the groups.  series: each has a bar in every group; x is the number of the group.
    stacked: the bars of a group stand end to end instead of one below the other.
    """

    value: Axis
    labels: list[str]
    series: list[Series]
    stacked: bool = False


@dataclass(frozen=True)
class Interval:
    """A time during which a row does one thing. start, end: seconds.  what: in a word."""

    row: int
    start: float
    end: float
    what: str
    note: str = ""

    def __post_init__(self) -> None:
        _require_numbers([self.start, self.end])


@dataclass(frozen=True)
class Arrow:
    """A message from one row to another. start, end: seconds, when it left and when it arrived."""

    row: int
    to: int
    start: float
    end: float
    note: str = ""

    def __post_init__(self) -> None:
        _require_numbers([self.start, self.end])


@dataclass(frozen=True)
class Timeline(Figure):
    """A time line. rows: their names.  x: the axis of the time.  arrows: messages."""

    x: Axis
    rows: list[str]
    intervals: list[Interval]
    arrows: list[Arrow] = field(default_factory=list)


def shade_limits(values: Iterable[float], number: int = 6) -> list[float]:
    """Limits that divide the values above 0 into `number` shades, evenly on a logarithmic scale."""
    there = [value for value in values if value > 0]
    if not there:
        return [0.0]
    least, most = min(there), max(there)
    if most / least < 1.01:
        return [0.0]
    return [0.0, *(least * (most / least) ** (place / number) for place in range(1, number))]


def to_text(value: float | None, unit: Unit) -> str:
    """A value in its unit, for people."""
    if value is None:
        return ""
    match unit:
        case "bytes":
            return show_size(value)
        case "seconds":
            return show_seconds(value)
        case "rate":
            return show_rate(value)
        case "share":
            return show_share(value, 1)
        case "count":
            return f"{value:.4g}"


def spread(values: Sequence[int], most: int) -> list[int]:
    """At most `most` of the values, evenly spread, with the first and the last."""
    if len(values) <= most:
        return list(values)
    return [values[round(place * (len(values) - 1) / (most - 1))] for place in range(most)]


def _ends(values: Sequence[float], axis: Axis) -> dict[float, tuple[float, float]]:
    """The ends of the cell of each value, half way to its neighbours on the scale of the axis."""
    at, back = (math.log2, math.exp2) if axis.log else (float, float)
    there = sorted(set(values))
    middles = [(at(a) + at(b)) / 2 for a, b in pairwise(there)]
    half = middles[0] - at(there[0]) if middles else 0.5
    last = at(there[-1]) - middles[-1] if middles else 0.5
    lower = [at(there[0]) - half, *middles] if there else []
    upper = [*middles, at(there[-1]) + last] if there else []
    return {
        value: (back(low), back(high)) for value, low, high in zip(there, lower, upper, strict=True)
    }


def _require_numbers(*several: Sequence[float | None]) -> None:
    for values in several:
        for value in values:
            if value is not None and not math.isfinite(value):
                raise ValueError(f"{value} is no number that could be drawn")
