"""Tables of a profile that were imported from logs: which logs, and how far these differ."""

from typing import Any

from rich.console import RenderableType

from ...units import printable, show_share
from ..layout import table, titled

Imported = list[dict[str, Any]]


def brief(imported: Imported) -> list[RenderableType]:
    """The number of logs of each table, and by how much they differ in the middle."""
    made = table(("table", "left"), ("logs", "right"), ("differ by", "right"), ("tool", "left"))
    for each in imported:
        logs = each.get("logs", [])
        tools = dict.fromkeys(f"{log['tool']} {log['version']}".rstrip() for log in logs)
        made.add_row(each["table"], str(len(logs)), _spread(each), printable(", ".join(tools)))
    return [titled("Imported from logs", made)]


def full(imported: Imported) -> list[RenderableType]:
    """The logs of each table, too."""
    parts = brief(imported)
    for each in imported:
        made = table(("", "left"))
        made.show_header = False
        for log in each.get("logs", []):
            made.add_row(printable(log["file"]))
        parts += ["", titled(printable(each["table"]), made)]
    return parts


def _spread(imported: dict[str, Any]) -> str:
    """Half the distance between the least and the greatest value, in the middle over sizes."""
    if max(imported["values"], default=0) < 2:
        return ""
    halves = sorted(
        (high - low) / (high + low) if high + low else 0.0
        for low, high in zip(imported["low"], imported["high"], strict=True)
    )
    return show_share(halves[len(halves) // 2], 1)
