"""The numbers of a figure as a table, for those who read or hear instead."""

from collections.abc import Iterator
from typing import assert_never

from ..figures.figure import Bars, Figure, Interval, Lines, Map, Series, Timeline, to_text
from ..units import show_seconds, show_share

Row = list[str]

# Rows of a table; nobody reads more.
_MOST = 300


def table(figure: Figure) -> tuple[Row, list[Row], int]:
    """Headings, rows, and the number of rows that are left out."""
    assert isinstance(figure, Lines | Map | Bars | Timeline)
    match figure:
        case Lines():
            headings = ["", figure.x.title, figure.y.title, "±"]
            rows = [row for series in figure.series for row in _points(series, figure)]
            rows += [[name, "", to_text(y, figure.y.unit), ""] for name, y in figure.levels.items()]
        case Map():
            headings = ["", figure.x.title, figure.y.title, figure.value.title]
            rows = [row for series in figure.marks for row in _points(series, figure)]
            rows += [_cell(cell, figure) for cell in figure.cells]
        case Bars():
            headings = ["", *(series.name for series in figure.series)]
            rows = [
                [label, *(to_text(series.y[place], figure.value.unit) for series in figure.series)]
                for place, label in enumerate(figure.labels)
            ]
        case Timeline():
            headings = ["", "what", "from", "to", ""]
            rows = [_stretch(interval, figure) for interval in figure.intervals]
        case _:
            assert_never(figure)
    return headings, rows[:_MOST], max(0, len(rows) - _MOST)


def _points(series: Series, figure: Lines | Map) -> Iterator[Row]:
    for place, (x, y) in enumerate(zip(series.x, series.y, strict=True)):
        error = show_share(series.error[place], 1) if series.error else ""
        yield [series.name, to_text(x, figure.x.unit), to_text(y, figure.y.unit), error]


def _cell(cell: tuple[float, float, float], figure: Map) -> Row:
    units = (figure.x.unit, figure.y.unit, figure.value.unit)
    return ["", *(to_text(value, unit) for value, unit in zip(cell, units, strict=True))]


def _stretch(interval: Interval, figure: Timeline) -> Row:
    return [
        figure.rows[interval.row],
        interval.what,
        show_seconds(interval.start),
        show_seconds(interval.end),
        interval.note,
    ]
