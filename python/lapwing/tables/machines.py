"""The table of the published machines."""

from typing import Any

from rich.console import Group

from ..units import printable
from .layout import table, titled
from .numbers import inverse, microseconds


def machine_table(machines: dict[str, dict[str, Any]]) -> Group:
    """A row for each profile document, by its name."""
    made = table(("", "left"), ("L", "right"), ("o_s", "right"), ("g", "right"), ("MB/s", "right"))
    made.add_column("")
    for name, profile in machines.items():
        loggp = profile["loggp"]
        made.add_row(
            name,
            *(microseconds(loggp[parameter]) for parameter in ("L", "o_s", "g")),
            inverse(loggp["G"]),
            printable(profile["machine"].get("name", "")),
        )
    return titled("Published machines, us: lapwing show NAME says where each figure is from", made)
