"""Values in their unit as Vega expressions, so that axes and tips read as tables do."""

from dataclasses import dataclass
from typing import Any, Literal

Unit = Literal["bytes", "seconds", "rate", "share", "count"]

_PREFIXED = "replace(format({v}, '.3~s'), regexp('([^0-9.]?)$'), ' $1{unit}')"
_EXPRESSIONS: dict[Unit, str] = {
    "bytes": (
        "{v} < 1024 ? format({v}, '.4~r') + ' B' : "
        "{v} < 1048576 ? format({v} / 1024, '.4~r') + ' KB' : "
        "{v} < 1073741824 ? format({v} / 1048576, '.4~r') + ' MB' : "
        "format({v} / 1073741824, '.4~r') + ' GB'"
    ),
    "seconds": "{v} == 0 ? '0 s' : " + _PREFIXED.replace("{unit}", "s"),
    "rate": "{v} == 0 ? '0 B/s' : " + _PREFIXED.replace("{unit}", "B/s"),
    "share": "format({v}, '.1~%')",
    "count": "format({v}, ',.6~r')",
}
# Whether a tick of a logarithmic axis has a label: only 1, 2 and 5 times a power of ten have one,
# unless the axis is short.
_ROUND = (
    "(domain('{of}')[1] < 9 * domain('{of}')[0] || indexof([1, 2, 5], "
    "round(datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-9)) * 100) / 100) >= 0)"
)


@dataclass(frozen=True)
class Axis:
    """One axis of a figure.

    field: the column with its values.  title: stands beside it.  unit: bytes, seconds, bytes a
    second (rate), a share of one, or a plain number (count).  log: whether its scale is
    logarithmic.
    """

    field: str
    title: str
    unit: Unit
    log: bool = False

    def channel(self, of: Literal["x", "y"]) -> dict[str, Any]:
        """The position channel of the axis, across or up."""
        scale: dict[str, Any] = {}
        label = as_text(self.unit, "datum.value")
        if self.log:
            base = 2 if self.unit in ("bytes", "count") else 10
            scale = {"type": "log", "base": base, "nice": False, "padding": 6}
            label = label if base == 2 else f"{_ROUND.replace('{of}', of)} ? ({label}) : ''"
        return {
            "field": self.field,
            "type": "quantitative",
            "title": self.title,
            "scale": scale,
            "axis": {"labelExpr": label},
        }

    def calculated(self) -> dict[str, str]:
        """The transform that puts the value, as text, into the column `tip()` shows."""
        return {"calculate": as_text(self.unit, f"datum.{self.field}"), "as": f"{self.field}_text"}

    def tip(self) -> dict[str, str]:
        """The value in the tip of a mark."""
        return {"field": f"{self.field}_text", "title": self.title}


def as_text(unit: Unit, value: str) -> str:
    """The Vega expression of a value, itself an expression, as text in its unit."""
    return _EXPRESSIONS[unit].replace("{v}", value)
