"""What all figures have: a Vega-Lite specification with a name, a heading and its own data.

A specification is a plain dictionary. The page of a report, `lapwing plot` and notebooks draw the
same one. Its data are rows of `data.values`, a dictionary each; the name of a column has its unit.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Spec = dict[str, Any]
Row = dict[str, Any]
Section = Literal[
    "comparison", "machine", "prediction", "loss", "hidden", "application", "timeline"
]

VERSION = "6.4"
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_COMBINED = "shown"


@dataclass(frozen=True)
class About:
    """The heading of a figure.

    name: short, of letters and dashes.  title: stands above the figure.  words: one or two
    sentences that describe it, also to those who cannot see it.  section: of the page.
    """

    name: str
    title: str
    words: str
    section: Section


def specification(
    about: About,
    rows: Sequence[Row],
    layers: list[dict[str, Any]],
    *,
    select: Sequence[str] = (),
    height: int = 300,
    transform: Sequence[dict[str, Any]] = (),
) -> Spec:
    """A whole specification. select: columns of which one value is shown at a time.

    Raises ValueError if a value is no number that could be drawn.
    """
    rows = [{name: _short(value) for name, value in row.items()} for row in rows]
    _require_finite(rows)
    params = [_drop_down(column, rows) for column in select]
    filters = [{"filter": f"datum.{column} === {column}_shown"} for column in select]
    return {
        "$schema": _SCHEMA,
        "name": about.name,
        "title": {"text": about.title, "anchor": "start"},
        "description": about.words,
        "usermeta": {"section": about.section},
        "width": "container",
        "height": height,
        "data": {"values": rows},
        "params": params,
        "transform": [*filters, *transform],
        "layer": layers,
    }


def rows_of(spec: Spec) -> list[Row]:
    """The data of a figure."""
    rows: list[Row] = spec["data"]["values"]
    return rows


def title_of(spec: Spec) -> str:
    """The title of a figure."""
    text: str = spec["title"]["text"]
    return text


def titled(spec: Spec, title: str) -> Spec:
    """The figure under another title."""
    return {**spec, "title": {**spec["title"], "text": title}}


def choices(spec: Spec) -> dict[str, list[str]]:
    """The drop-downs of a figure: the column of each, and the values to choose among."""
    bound = [each for each in spec["params"] if "bind" in each]
    return {each["name"].removesuffix("_shown"): each["bind"]["options"] for each in bound}


def selectable(
    rows: Sequence[Row], columns: Sequence[str], x: str, least: int = 2
) -> tuple[list[Row], list[str]]:
    """The rows that make a figure, and the columns that need a drop-down.

    A choice with fewer than `least` values of `x` is left out: a dot is no figure. Where not every
    combination of two columns is there, one drop-down has those that are.
    """
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    groups = {key: of for key, of in groups.items() if len({row[x] for row in of}) >= least}
    kept = [row for of in groups.values() for row in of]
    varying = [at for at in range(len(columns)) if len({key[at] for key in groups}) > 1]
    several = [list(dict.fromkeys(key[at] for key in groups)) for at in varying]
    if math.prod(map(len, several)) == len(groups):
        return kept, [columns[at] for at in varying]
    return [{**row, _COMBINED: ", ".join(row[columns[at]] for at in varying)} for row in kept], [
        _COMBINED
    ]


def zoom(*axes: str) -> dict[str, Any]:
    """The parameter that moves the axes with the mouse, and zooms with ctrl and the wheel.

    axes: those that move, "x" and "y" unless named. A finger scrolls the page.
    """
    select: dict[str, Any] = {
        "type": "interval",
        "translate": "[mousedown, window:mouseup] > window:mousemove!",
        "zoom": "wheel![event.ctrlKey]",
    }
    if axes:
        select["encodings"] = list(axes)
    return {"name": "zoom", "select": select, "bind": "scales"}


def fits(rows: Iterable[Row], select: Sequence[str], shown: Sequence[Row]) -> list[Row]:
    """The rows beside a figure, such as its levels, that belong to the shown choice."""
    there = {tuple(row[column] for column in select) for row in shown}
    return [row for row in rows if tuple(row.get(column) for column in select) in there]


def _drop_down(column: str, rows: Sequence[Row]) -> dict[str, Any]:
    options = list(dict.fromkeys(row[column] for row in rows))
    name = column.replace("_", " ")
    return {
        "name": f"{column}_shown",
        "value": options[0],
        "bind": {"input": "select", "options": options, "name": name},
    }


def _short(value: Any) -> Any:
    """A number with seven digits: more would only make the page longer."""
    return float(f"{value:.7g}") if isinstance(value, float) else value


def _require_finite(rows: Sequence[Row]) -> None:
    for row in rows:
        for name, value in row.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{name} {value} is no number that could be drawn")
