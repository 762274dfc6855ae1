"""Curves and marks over two axes."""

from collections.abc import Sequence
from typing import Any

from .spec import About, Row, Spec, fits, selectable, specification, zoom
from .theme import DASHES
from .units import Axis

# Curves in a figure: nobody can tell more apart.
MOST_CURVES = 8

# Levels within this factor have no room for a name each.
_CLOSE = 1.12


def curves(
    about: About,
    rows: Sequence[Row],
    x: Axis,
    y: Axis,
    by: str,
    *,
    select: Sequence[str] = (),
    levels: Sequence[Row] = (),
) -> Spec | None:
    """Curves of `y` over `x`, one for each value of the column `by`.

    rows: `low` and `high` in the unit of y are the ends of a band; `extrapolated` makes a mark
    hollow; `note` is more about a point.  select: columns with a drop-down each.  levels: rows
    with a `level` that is named by `by`, drawn as horizontal lines.  None if only a dot is left.
    """
    rows, select = selectable(_drawable(rows, x, y), select, x.field)
    if not rows:
        return None
    named = _named(by, rows)
    layers = _levels(fits(levels, select, rows), y, by, select) if levels else []
    if any(row.get("low") != row.get("high") for row in rows):
        layers.append(_band(x, named))
    layers += [_lines(x, y, named), _marks(x, y, named, rows)]
    return specification(
        about, rows, layers, select=select, transform=[x.calculated(), y.calculated()]
    )


def scatter(about: About, rows: Sequence[Row], x: Axis, y: Axis, by: str) -> Spec | None:
    """Marks near the line on which both axes are equal, with a band of 10 % around it.

    rows: `error` is that of x, relative. None if there are fewer than two marks.
    """
    rows = _drawable(rows, x, y)
    if len({(row[x.field], row[y.field]) for row in rows}) < 2:
        return None
    every = [row[axis.field] for row in rows for axis in (x, y)]
    ends = [min(every) / 1.3, max(every) * 1.3]
    exact = {"values": [{x.field: end, y.field: end} for end in ends]}
    band = {"values": [{x.field: end, "low": 0.9 * end, "high": 1.1 * end} for end in ends]}
    of_x = x.channel("x")
    layers: list[dict[str, Any]] = [
        {
            "data": band,
            "mark": {"type": "area", "opacity": 0.12},
            "encoding": {
                "x": of_x,
                "y": {**y.channel("y"), "field": "low"},
                "y2": {"field": "high"},
            },
        },
        {
            "data": exact,
            "mark": {"type": "line", "strokeDash": [4, 3], "strokeWidth": 1},
            "encoding": {"x": of_x, "y": y.channel("y")},
        },
    ]
    named = _named(by, rows)
    if any(row.get("error") for row in rows):
        rows = [{**row, **_spread(row, x)} for row in rows]
        across = {"x": {**of_x, "field": "low"}, "x2": {"field": "high"}}
        layers.append({"mark": "rule", "encoding": {**across, "y": y.channel("y"), "color": named}})
    layers.append(_marks(x, y, named, rows))
    return specification(about, rows, layers, transform=[x.calculated(), y.calculated()])


def _spread(row: Row, x: Axis) -> Row:
    at, error = row[x.field], min(row["error"], 0.99)
    return {"low": at * (1 - error), "high": at * (1 + error)}


def _drawable(rows: Sequence[Row], x: Axis, y: Axis) -> list[Row]:
    """The rows that have a value on both axes; on a logarithmic one it is above 0."""
    there = [row for row in rows if row[x.field] is not None and row[y.field] is not None]
    for axis in (x, y):
        if axis.log:
            there = [row for row in there if row[axis.field] > 0]
    return there


def _named(by: str, rows: Sequence[Row]) -> dict[str, Any]:
    """The channel that tells curves apart. One legend shows all channels with the same names."""
    names = list(dict.fromkeys(row[by] for row in rows))
    legend = {"title": None, "orient": "bottom", "symbolOpacity": 1}
    return {
        "field": by, "type": "nominal", "sort": None, "scale": {"domain": names}, "legend": legend
    }  # fmt: skip


def _lines(x: Axis, y: Axis, named: dict[str, Any]) -> dict[str, Any]:
    dashes = {"domain": named["scale"]["domain"], "range": DASHES}
    return {
        "mark": {"type": "line", "strokeWidth": 1.6},
        "encoding": {
            "x": x.channel("x"),
            "y": y.channel("y"),
            "color": named,
            "strokeDash": {**named, "scale": dashes},
            "opacity": _dimmed(),
        },
    }


def _band(x: Axis, named: dict[str, Any]) -> dict[str, Any]:
    return {
        "mark": {"type": "area", "opacity": 0.15},
        "encoding": {
            "x": x.channel("x"),
            "y": {"field": "low", "type": "quantitative"},
            "y2": {"field": "high"},
            "color": named,
        },
    }


def _marks(x: Axis, y: Axis, named: dict[str, Any], rows: Sequence[Row]) -> dict[str, Any]:
    """Marks with a tip. A click on a name in the legend shows it alone, a drag moves the axes."""
    tip = [{"field": named["field"], "title": "of"}, x.tip(), y.tip()]
    if any("note" in row for row in rows):
        tip.append({"field": "note", "title": "note"})
    encoding = {
        "x": x.channel("x"),
        "y": y.channel("y"),
        "color": named,
        "shape": named,
        "opacity": _dimmed(),
        "tooltip": tip,
    }
    if any(row.get("extrapolated") for row in rows):
        hollow = {"test": "datum.extrapolated", "value": 0}
        encoding["fillOpacity"] = {"condition": hollow, "value": 1}
    clicked = {"type": "point", "fields": [named["field"]]}
    return {
        "params": [{"name": "named", "select": clicked, "bind": "legend"}, zoom()],
        "mark": {"type": "point", "filled": True, "size": 45},
        "encoding": encoding,
    }


def _dimmed() -> dict[str, Any]:
    return {"condition": {"param": "named", "value": 1, "empty": True}, "value": 0.12}


def _levels(levels: Sequence[Row], y: Axis, by: str, select: Sequence[str]) -> list[dict[str, Any]]:
    data = {"values": _labelled(levels, by, select)}
    shown = [{"filter": f"datum.{column} === {column}_shown"} for column in select]
    at = {**y.channel("y"), "field": "level"}
    return [
        {
            "data": data,
            "transform": shown,
            "mark": {"type": "rule", "strokeDash": [2, 3]},
            "encoding": {"y": at},
        },
        {
            "data": data,
            "transform": shown,
            "mark": {"type": "text", "align": "right", "baseline": "bottom", "fontStyle": "italic"},
            "encoding": {"y": at, "x": {"value": "width"}, "text": {"field": "text"}},
        },
    ]


def _labelled(levels: Sequence[Row], by: str, select: Sequence[str]) -> list[Row]:
    """The levels with a text: levels too close for two of them share one."""
    made: list[Row] = []
    for row in sorted(levels, key=lambda row: ([row[c] for c in select], row["level"])):
        before = made[-1] if made else None
        same = before is not None and all(before[column] == row[column] for column in select)
        if before is not None and same and row["level"] <= before["level"] * _CLOSE:
            made.append({**row, "text": f"{before['text']}, {row[by]}"})
            before["text"] = ""
        else:
            made.append({**row, "text": row[by]})
    return made
