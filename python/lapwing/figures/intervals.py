"""Time lines: rows with intervals, and arrows between them."""

from collections.abc import Sequence
from typing import Any

from .spec import About, Row, Spec, specification, zoom
from .units import Axis

# A page with more would not open, and nobody could tell them apart.
MOST_INTERVALS = 2000
MOST_ROWS = 24

_START = Axis("start_s", "time", "seconds")
_LENGTH = Axis("length_s", "length", "seconds")


def intervals(about: About, rows: Sequence[Row], arrows: Sequence[Row] = ()) -> Spec | None:
    """A time line: a bar for each row of data.

    rows: `row`, the name of the line; `start_s`, `end_s`; `what` is done; `note`.  arrows:
    messages, from `row` at `start_s` to the line `to` at `end_s`.  None if there are fewer than
    two bars.
    """
    if len(rows) < 2:
        return None
    names = list(dict.fromkeys(row["row"] for row in rows))
    legend = {"title": None, "orient": "bottom"}
    line = {"type": "nominal", "sort": names, "title": None}
    tip = [
        {"field": "row", "title": "of"},
        {"field": "what", "title": "what"},
        _START.tip(),
        _LENGTH.tip(),
        {"field": "note", "title": "note"},
    ]
    bar = {
        "params": [zoom("x")],
        "transform": [
            {"calculate": "datum.end_s - datum.start_s", "as": "length_s"},
            _START.calculated(),
            _LENGTH.calculated(),
        ],
        "mark": {"type": "bar", "clip": True},
        "encoding": {
            "x": _START.channel("x"),
            "x2": {"field": "end_s"},
            "y": {"field": "row", **line},
            "color": {"field": "what", "type": "nominal", "sort": None, "legend": legend},
            "tooltip": tip,
        },
    }
    layers: list[dict[str, Any]] = [bar]
    if arrows:
        layers.append(_arrows(arrows, line))
    return specification(about, rows, layers, height=24 * len(names))


def _arrows(arrows: Sequence[Row], line: dict[str, Any]) -> dict[str, Any]:
    return {
        "data": {"values": list(arrows)},
        "mark": {"type": "rule", "clip": True, "strokeWidth": 0.8, "opacity": 0.7},
        "encoding": {
            "x": _START.channel("x"),
            "x2": {"field": "end_s"},
            "y": {"field": "row", "bandPosition": 0.5, **line},
            "y2": {"field": "to", "bandPosition": 0.5},
            "tooltip": {"field": "note", "type": "nominal", "title": "message"},
        },
    }
