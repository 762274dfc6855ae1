"""All operations that move bytes, side by side (Bell et al. 2006, figures 2 to 4; Iancu 2.1)."""

from typing import Any

from rich.console import Group, RenderableType

from ...units import printable, show_size
from ..layout import table, titled
from ..numbers import megabytes, microseconds

Operations = list[dict[str, Any]]


def brief(operations: Operations) -> list[RenderableType]:
    """A row for each operation, with its least and largest size and burst."""
    made = table(("", "left"), ("", "left"))
    for heading in ("latency", "o b=1", "o b=most", "o asym.", "gap", "MB/s"):
        made.add_column(heading, justify="right", header_style="dim")
    for operation in operations:
        if not operation["sizes"]:
            continue
        made.add_row(
            *_name(operation),
            microseconds(operation["latency"][0]),
            *(microseconds(operation["overhead"][0][place]) for place in (0, -1)),
            microseconds(operation["asymptotic"][0]),
            microseconds(operation["gap"]),
            megabytes(operation["bandwidth"][-1]),
        )
    return [titled("Operations: us for the least size, MB/s for the largest", made)]


def full(operations: Operations) -> list[RenderableType]:
    """Latency, bandwidth and o(S) of all operations at all sizes, then o(S, b) of each."""
    return [
        *brief(operations),
        _beside(operations, "latency", "Latency until the data is known to be there, us"),
        _beside(operations, "bandwidth", "Bandwidth of a flood, MB/s"),
        _beside(operations, "asymptotic", "Overhead o(S), asymptotic, us"),
        *(_overhead(operation) for operation in operations),
    ]


def _name(operation: dict[str, Any]) -> tuple[str, str]:
    return printable(operation["transport"]), printable(operation["name"])


def _beside(operations: Operations, quantity: str, title: str) -> Group:
    show = megabytes if quantity == "bandwidth" else microseconds
    made = table(("S", "right"))
    columns = []
    for operation in operations:
        heading = "\n".join(_name(operation))
        made.add_column(heading, justify="right", header_style="dim", no_wrap=True)
        columns.append(dict(zip(operation["sizes"], operation[quantity], strict=True)))
    for size in sorted({size for column in columns for size in column}):
        values = (show(column[size]) if size in column else "" for column in columns)
        made.add_row(show_size(size), *values)
    return titled(title, made)


def _overhead(operation: dict[str, Any]) -> Group:
    """o(S, b) as the mean of a burst, beside o(S) by the asymptotic method."""
    made = table(("S", "right"))
    for heading in [*(f"b={burst}" for burst in operation["bursts"]), "asym.", "b=1/asym."]:
        made.add_column(heading, justify="right", header_style="dim", no_wrap=True)
    rows = zip(operation["sizes"], operation["overhead"], operation["asymptotic"], strict=True)
    for size, row, asymptotic in rows:
        ratio = f"{row[0] / asymptotic:.3g}" if row and asymptotic else "-"
        made.add_row(show_size(size), *map(microseconds, [*row, asymptotic]), ratio)
    return titled(f"Overhead o(S, b) of {' '.join(_name(operation))}, us", made)
