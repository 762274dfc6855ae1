"""Parameterised LogP, and the LogGP that it implies (Kielmann et al. 2000; March 3.1)."""

from typing import Any

from rich.console import RenderableType

from ...units import show_seconds, show_size
from ..layout import facts, table, titled
from ..numbers import microseconds, per_byte


def brief(plogp: dict[str, Any]) -> list[RenderableType]:
    """L' and the conversion to LogGP."""
    rows = [("L'", f"{show_seconds(plogp['L'])} end to end: T(m) = L' + g'(m)")]
    if plogp["sizes"]:
        send, receive, gap = (plogp[name][0] for name in ("send", "receive", "gap"))
        largest = plogp["sizes"][-1]
        rows += [
            (
                "L",
                f"{show_seconds(plogp['L'] + gap - send - receive)} = L' + g'(1) - os(1) - or(1)",
            ),
            ("o", f"{show_seconds((send + receive) / 2)} = (os(1) + or(1)) / 2"),
            ("g", f"{show_seconds(gap)} = g'(1)"),
            ("G", f"{per_byte(plogp['gap'][-1] / largest)} = g'(m) / m, m = {show_size(largest)}"),
        ]
    return [facts("pLogP, and LogGP converted from it", rows)]


def full(plogp: dict[str, Any]) -> list[RenderableType]:
    """L', the conversion and the tables."""
    made = table(("m", "right"), ("os", "right"), ("or", "right"), ("g'", "right"))
    made.add_column("G(m), ns/B", justify="right", header_style="dim")
    columns = (plogp[name] for name in ("send", "receive", "gap"))
    for size, *values in zip(plogp["sizes"], *columns, strict=True):
        rate = f"{values[-1] / size * 1e9:.4g}"
        made.add_row(show_size(size), *map(microseconds, values), rate)
    return [*brief(plogp), titled("pLogP against message size, us", made)]
