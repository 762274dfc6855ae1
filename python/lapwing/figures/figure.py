"""What a figure shows, before anybody draws it: a page and a picture have the same ones."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Literal

from ..units import show_rate, show_seconds, show_share, show_size

Unit = Literal["bytes", "seconds", "rate", "share", "count"]
Section = Literal["machine", "prediction", "loss", "hidden", "application", "timeline"]

# A page of more would not open, and nobody could tell them apart.
MOST_INTERVALS = 4000
MOST_ROWS = 24


@dataclass(frozen=True)
class Axis:
    """What is drawn along one side.

    unit: bytes, seconds, bytes a second (rate), a share of one, or a plain number (count).
    log: whether equal steps multiply, to begin with.
    """

    title: str
    unit: Unit
    log: bool = False


@dataclass(frozen=True)
class Series:
    """A curve, or marks that belong together.

    x, y: in the units of the axes; a y that is None is not there.  joined, marked: with a line,
    with marks.  error: relative, of each y.  low, high: of a band around the curve,
    of a mark on a map the ends of what it stands for.  hollow: marks that
    are less certain.  notes: what else there is to say of each point.
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
    """What every figure has.

    name: short, of letters and dashes; unique on a page.  title: above it.  words: one or two
    sentences, for those who cannot see it.  section: where on a page it stands.
    """

    name: str
    title: str
    words: str
    section: Section

    def document(self) -> dict[str, Any]:
        """As JSON, for the page that draws it."""
        return {"kind": type(self).__name__.lower(), **asdict(self)}


@dataclass(frozen=True)
class Lines(Figure):
    """Curves over one axis. levels: lines across all of it, by name."""

    x: Axis
    y: Axis
    series: list[Series]
    levels: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Map(Figure):
    """Fields of two axes, each as dark as its value, and marks upon them.

    cells: x, y and value of each.  value: what they say.  steps: values from which on a field has
    the next shade.  marks: drawn over the fields.  tags: what else there is to say of each cell.
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
        """Left, lower, right and upper end of each cell: half way to the next."""
        across = _ends([x for x, _, _ in self.cells], self.x)
        up = _ends([y for _, y, _ in self.cells], self.y)
        return [(across[x][0], up[y][0], across[x][1], up[y][1]) for x, y, _ in self.cells]

    def document(self) -> dict[str, Any]:
        """As JSON, with where each cell ends."""
        return {**super().document(), "fields": self.fields()}


@dataclass(frozen=True)
class Bars(Figure):
    """Lengths beside each other. labels: of the groups.  series: a bar of each in every group; x
    counts the groups.  stacked: one after the other instead of below each other."""

    value: Axis
    labels: list[str]
    series: list[Series]
    stacked: bool = False


@dataclass(frozen=True)
class Interval:
    """What somebody does for a while. row: who.  start, end: seconds.  what: in a word."""

    row: int
    start: float
    end: float
    what: str
    note: str = ""

    def __post_init__(self) -> None:
        _require_numbers([self.start, self.end])


@dataclass(frozen=True)
class Timeline(Figure):
    """What each of several does when. rows: their names.  x: of the time."""

    x: Axis
    rows: list[str]
    intervals: list[Interval]


def steps(values: Iterable[float], number: int = 6) -> list[float]:
    """Values that part those above 0 into so many shades, evenly by their logarithms."""
    there = [value for value in values if value > 0]
    if not there:
        return [0.0]
    least, most = min(there), max(there)
    if most / least < 1.01:
        return [0.0]
    return [0.0, *(least * (most / least) ** (place / number) for place in range(1, number))]


def shown(value: float | None, unit: Unit) -> str:
    """A value as people read it."""
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


def some(values: Sequence[int], most: int) -> list[int]:
    """At most so many of them, evenly spread, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    return [values[round(place * (len(values) - 1) / (most - 1))] for place in range(most)]


def _ends(values: Sequence[float], axis: Axis) -> dict[float, tuple[float, float]]:
    """Where the field of each value ends on either side, as the axis counts."""
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
