"""LogGP and bandwidth of other pairs of ranks."""

from typing import Any

from rich.console import Group, RenderableType

from ...units import printable, show_size
from ..layout import table, titled
from ..numbers import inverse, megabytes, microseconds

Pairs = list[dict[str, Any]]


def brief(pairs: Pairs) -> list[RenderableType]:
    """LogGP of each pair, one a row."""
    made = table(("", "left"), ("ranks", "right"))
    for heading in ("L", "o_s", "o_r", "g", "1/G, MB/s"):
        made.add_column(heading, justify="right", header_style="dim")
    for pair in pairs:
        made.add_row(
            printable(pair["name"]),
            ", ".join(map(str, pair["ranks"])),
            *(microseconds(pair["loggp"][name]) for name in ("L", "o_s", "o_r", "g")),
            inverse(pair["loggp"]["G"]),
        )
    return [titled("Pairs of ranks: LogGP, us", made)]


def full(pairs: Pairs) -> list[RenderableType]:
    """Half round trip and bandwidth of each pair, by size."""
    return [*brief(pairs), *map(_sizes, pairs)]


def _sizes(pair: dict[str, Any]) -> Group:
    made = table(("S", "right"), ("half round trip, us", "right"), ("MB/s", "right"))
    both_ways = pair.get("bidirectional", [])
    if both_ways:
        made.add_column("both ways", justify="right", header_style="dim")
    columns = [pair["bandwidth"], *([both_ways] if both_ways else [])]
    for size, trip, *rates in zip(pair["sizes"], pair["half_round_trip"], *columns, strict=True):
        shown = (megabytes(rate) if rate else "-" for rate in rates)
        made.add_row(show_size(size), microseconds(trip), *shown)
    return titled(printable(pair["name"]), made)
