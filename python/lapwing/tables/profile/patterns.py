"""G(pattern, P, S): the bandwidth of pairs while many communicate at once (Iancu 2.1)."""

from typing import Any

from rich.console import Group, RenderableType

from ...units import printable, show_size
from ..layout import table, titled
from ..numbers import inverse

Patterns = list[dict[str, Any]]


def brief(patterns: Patterns) -> list[RenderableType]:
    """A row for each pattern and number of processes, at the largest size."""
    made = table(("", "left"), ("P", "right"), ("S", "right"))
    for heading in ("slowest", "fastest", "fairness"):
        made.add_column(heading, justify="right", header_style="dim")
    for pattern in patterns:
        if not pattern["sizes"]:
            continue
        name = printable(pattern["pattern"])
        for place, processes in enumerate(pattern["processes"]):
            made.add_row(
                "" if place else name,
                str(processes),
                show_size(pattern["sizes"][-1]),
                *(inverse(pattern[which][place][-1]) for which in ("slowest", "fastest")),
                f"{pattern['fairness'][place][-1]:.3g}",
            )
    return [titled("Patterns: bandwidth of the slowest and the fastest pair, MB/s", made)]


def full(patterns: Patterns) -> list[RenderableType]:
    """The bandwidth of each pattern at all sizes."""
    return [*brief(patterns), *map(_sizes, patterns)]


def _sizes(pattern: dict[str, Any]) -> Group:
    made = table(("S", "right"))
    for processes in pattern["processes"]:
        made.add_column(f"P={processes}", justify="right", header_style="dim", no_wrap=True)
    for column, size in enumerate(pattern["sizes"]):
        cells = (
            f"{inverse(slowest[column])}-{inverse(fastest[column])}"
            for slowest, fastest in zip(pattern["slowest"], pattern["fastest"], strict=True)
        )
        made.add_row(show_size(size), *cells)
    return titled(f"{printable(pattern['pattern'])}, slowest-fastest pair, MB/s", made)
