"""The figure of two runs compared: each change with its noise."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..results.comparison import Change
from .spec import About, Row, Spec, selectable, specification
from .units import Axis

# Changes to look at; the largest of all.
_MOST = 40

_CHANGE = Axis("change", "change of the time", "share")
_FIRST = Axis("first_s", "first run", "seconds")
_SECOND = Axis("second_s", "second run", "seconds")
_JUDGEMENTS = ["slower", "faster", "within the noise"]


def compared(changes: Sequence[Change]) -> list[Spec]:
    """The relative changes of the second run, with two standard deviations to either side."""
    rows = [
        {
            "runs": runs_in_words(each),
            "what": each.what,
            "change": each.change,
            "low": each.change - each.error,
            "high": each.change + each.error,
            "judgement": each.judgement,
            "first_s": each.first,
            "second_s": each.second,
        }
        for each in sorted(changes, key=lambda each: -abs(each.change))[:_MOST]
    ]
    rows, select = selectable(rows, ["runs"], "what")
    if not rows:
        return []
    about = About(
        "compared",
        "How each time changed",
        "How much longer each time of the second run is than that of the first. Bars are two "
        "standard deviations of the noise: a change whose bar reaches 0 may be chance.",
        "comparison",
    )
    tall = max(len({row["what"] for row in rows if row["runs"] == run}) for run in _runs(rows))
    calculated = [axis.calculated() for axis in (_CHANGE, _FIRST, _SECOND)]
    return [
        specification(about, rows, _layers(), select=select, height=20 * tall, transform=calculated)
    ]


def _runs(rows: Sequence[Row]) -> set[str]:
    return {row["runs"] for row in rows}


def _layers() -> list[dict[str, Any]]:
    """A line at 0, the noise of each change, and the changes."""
    line: dict[str, Any] = {"field": "what", "type": "nominal", "sort": None, "title": None}
    judged: dict[str, Any] = {
        "field": "judgement",
        "type": "nominal",
        "scale": {"domain": _JUDGEMENTS},
        "legend": {"title": None, "orient": "bottom"},
    }
    at = _CHANGE.channel("x")
    ends = {"x": {**at, "field": "low"}, "x2": {"field": "high"}, "y": line, "color": judged}
    tip = [
        {"field": "what", "title": "of"},
        {"field": "judgement", "title": "judgement"},
        *(axis.tip() for axis in (_CHANGE, _FIRST, _SECOND)),
    ]
    marks = {"x": at, "y": line, "color": judged, "shape": judged, "tooltip": tip}
    return [
        {"data": {"values": [{}]}, "mark": "rule", "encoding": {"x": {"datum": 0}}},
        {"mark": {"type": "rule", "strokeWidth": 2}, "encoding": ends},
        {"mark": {"type": "point", "filled": True, "size": 60, "opacity": 1}, "encoding": marks},
    ]


def runs_in_words(change: Change) -> str:
    """`after.json against before.json`."""
    first, second = (Path(path).name for path in change.runs)
    return f"{second} against {first}"
