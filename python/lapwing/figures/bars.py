"""Horizontal bars, one below the other or end to end."""

from collections.abc import Sequence
from typing import Any

from .spec import About, Row, Spec, selectable, specification
from .units import Axis


def bars(
    about: About,
    rows: Sequence[Row],
    label: str,
    value: Axis,
    by: str,
    *,
    select: Sequence[str] = (),
    stacked: bool = False,
) -> Spec | None:
    """A group of bars for each value of the column `label`, a bar for each value of `by`.

    select: columns with a drop-down each.  stacked: the bars of a group stand end to end.
    None if there would be fewer than two bars.
    """
    rows = [
        {**row, "bar": f"{row[label]}, {row[by]}"} for row in rows if row[value.field] is not None
    ]
    rows, select = selectable(rows, select, "bar")
    if not rows:
        return None
    rows = [{name: each for name, each in row.items() if name != "bar"} for row in rows]
    parts = list(dict.fromkeys(row[by] for row in rows))
    encoding: dict[str, Any] = {
        "y": {"field": label, "type": "nominal", "sort": None, "title": None},
        "x": {**value.channel("x"), "stack": "zero" if stacked else None},
        "tooltip": [{"field": label, "title": "of"}, {"field": by, "title": "what"}, value.tip()],
    }
    if len(parts) > 1:
        legend = {"title": None, "orient": "bottom"}
        encoding["color"] = {"field": by, "type": "nominal", "sort": parts, "legend": legend}
    beside = not stacked and len(parts) > 1
    if beside:
        encoding["yOffset"] = {"field": by, "type": "nominal", "sort": parts}
    groups: dict[tuple[str, ...], set[str]] = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in select), set()).add(row[label])
    most = max(map(len, groups.values()))
    height = most * (6 + 11 * len(parts) if beside else 24)
    layer = {"mark": {"type": "bar"}, "encoding": encoding}
    return specification(
        about, rows, [layer], select=select, height=height, transform=[value.calculated()]
    )
