"""Maps: cells over two axes, the darker the larger their value."""

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Literal

from ..units import show_seconds, show_share
from .spec import About, Row, Spec, fits, selectable, specification
from .units import Axis, Unit

# From the best to the worst; each differs from its neighbours in print.
_SHADES = ["#f7fbff", "#d3e3f3", "#9fc6e3", "#5fa3d1", "#2a71b2", "#08366e"]
_SHAPES = ["circle", "cross", "diamond"]


def cells(
    about: About,
    rows: Sequence[Row],
    x: Axis,
    y: Axis,
    value: Axis,
    steps: Sequence[float],
    *,
    select: Sequence[str] = (),
    marks: Sequence[Row] = (),
) -> Spec | None:
    """A cell for each row, over two logarithmic axes.

    steps: the values from which a cell has the next shade.  marks: rows over the cells, named by
    their column `mark`.  None if all cells have one value, or stand in one row or column: such a
    map is blank.
    """
    rows, select = selectable(rows, select, x.field)
    if len({row[y.field] for row in rows}) < 2 or len(steps) < 2:
        return None
    rows = _with_ends(rows, x, y, select)
    shades, names = _shades([row[value.field] for row in rows], steps, value.unit)
    rows = [{**row, "shade": shade} for row, shade in zip(rows, shades, strict=True)]
    tip = [x.tip(), y.tip(), value.tip()]
    if any("note" in row for row in rows):
        tip.append({"field": "note", "title": "note"})
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rect", "stroke": "#8a8f94", "strokeWidth": 0.4},
            "encoding": {
                "x": _cell_axis("x", x, rows, "left"),
                "x2": {"field": "right"},
                "y": _cell_axis("y", y, rows, "low"),
                "y2": {"field": "high"},
                "color": _shade(value, names),
                "tooltip": tip,
            },
        }
    ]
    marks = fits(marks, select, rows)
    if marks:
        layers.append(_marks(marks, x, y, select))
    calculated = [axis.calculated() for axis in (x, y, value)]
    return specification(about, rows, layers, select=select, height=360, transform=calculated)


def shade_limits(values: Iterable[float]) -> list[float]:
    """Limits that divide the values above 0 into shades, evenly on a logarithmic scale."""
    there = [value for value in values if value > 0]
    if not there or max(there) / min(there) < 1.01:
        return [0.0]
    least, ratio = min(there), max(there) / min(there)
    number = len(_SHADES)
    return [0.0, *(least * ratio ** (place / number) for place in range(1, number))]


def _marks(marks: Sequence[Row], x: Axis, y: Axis, select: Sequence[str]) -> dict[str, Any]:
    """The layer of marks over the cells."""
    shown = [{"filter": f"datum.{column} === {column}_shown"} for column in select]
    white = {"color": "#ffffff", "stroke": "#000000"}
    return {
        "data": {"values": list(marks)},
        "transform": [*shown, *(axis.calculated() for axis in (x, y))],
        "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1, **white},
        "encoding": {
            "x": {"field": x.field, "type": "quantitative"},
            "y": {"field": y.field, "type": "quantitative"},
            "shape": {
                "field": "mark",
                "type": "nominal",
                "sort": None,
                "scale": {"range": _SHAPES},
                "legend": {"title": None, "orient": "bottom"},
            },
            "tooltip": [{"field": "mark", "title": "of"}, x.tip(), y.tip()],
        },
    }


def _cell_axis(of: Literal["x", "y"], axis: Axis, rows: Sequence[Row], end: str) -> dict[str, Any]:
    channel = axis.channel(of)
    channel["scale"] |= {"padding": 0}
    channel["axis"] |= {"values": sorted({row[axis.field] for row in rows}), "grid": False}
    return {**channel, "field": end}


def _shade(value: Axis, names: list[str]) -> dict[str, Any]:
    return {
        "field": "shade",
        "type": "nominal",
        "scale": {"domain": names, "range": _SHADES[: len(names)]},
        "legend": {
            "title": value.title,
            "orient": "top",
            "symbolType": "square",
            "symbolStrokeColor": "#8a8f94",
            "symbolSize": 160,
            "titleLimit": 400,
        },
    }


def _shades(
    values: Sequence[float], steps: Sequence[float], unit: Unit
) -> tuple[list[str], list[str]]:
    """The shade of each value, and all shades by their names."""
    say = show_share if unit == "share" else show_seconds
    names = [f"below {say(steps[1])}", *(f"from {say(step)}" for step in steps[1:])]
    return [names[max(0, bisect_right(steps, value) - 1)] for value in values], names


def _with_ends(rows: Sequence[Row], x: Axis, y: Axis, select: Sequence[str]) -> list[Row]:
    """The rows with the ends of their cells, half way to the neighbours of the same choice."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in select), []).append(row)
    made = []
    for group in groups.values():
        across = _ends({row[x.field] for row in group})
        up = _ends({row[y.field] for row in group})
        for row in group:
            (left, right), (low, high) = across[row[x.field]], up[row[y.field]]
            made.append({**row, "left": left, "right": right, "low": low, "high": high})
    return made


def _ends(values: Iterable[float]) -> dict[float, tuple[float, float]]:
    """The ends of the cell of each value, half way to its neighbours on a logarithmic scale."""
    there = sorted(values)
    middles = [(math.log2(a) + math.log2(b)) / 2 for a, b in pairwise(there)]
    first = middles[0] - math.log2(there[0]) if middles else 0.5
    last = math.log2(there[-1]) - middles[-1] if middles else 0.5
    lower = [math.log2(there[0]) - first, *middles]
    upper = [*middles, math.log2(there[-1]) + last]
    return {
        value: (math.exp2(low), math.exp2(high))
        for value, low, high in zip(there, lower, upper, strict=True)
    }
