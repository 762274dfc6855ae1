"""log_3P: the costs of middleware and network, and of a stride (Cameron et al. 2007)."""

from typing import Any

from rich.console import Group, RenderableType

from ...units import show_share, show_size
from ..layout import table, titled
from ..numbers import microseconds


def brief(log3p: dict[str, Any]) -> list[RenderableType]:
    """The costs of the largest size, contiguous and at each stride."""
    if not log3p["sizes"]:
        return []
    largest = show_size(log3p["sizes"][-1])
    once = ", ".join(
        f"{name} {microseconds(log3p[name][-1])}" for name in ("o_mw", "o_net", "T_mem")
    )
    made = table(("stride", "right"))
    for heading in ("l_mw", "packing", "remote", "packed", "sum misses by", "crossover"):
        made.add_column(heading, justify="right", header_style="dim")
    for place, stride in enumerate(log3p["strides"]):
        crossover = log3p["crossover"][place]
        made.add_row(
            _stride(stride),
            *(
                microseconds(log3p[name][-1][place])
                for name in ("l_mw", "packing", "remote", "packed")
            ),
            show_share(log3p["ratio"][-1][place] - 1, 1),
            "none" if crossover is None else show_size(crossover),
        )
    return [titled(f"log_3P at {largest}, us: contiguous {once}; strided", made)]


def full(log3p: dict[str, Any]) -> list[RenderableType]:
    """The costs of all sizes and strides."""
    names = ("T_mem", "o_mw", "o_net", "isolated")
    made = table(("s", "right"), *((name, "right") for name in names))
    columns = (log3p[name] for name in names)
    for size, *values in zip(log3p["sizes"], *columns, strict=True):
        made.add_row(show_size(size), *map(microseconds, values))
    element = show_size(log3p["element"])
    return [
        *brief(log3p),
        titled("log_3P, contiguous, us", made),
        _grid(log3p, "l_mw", f"l_mw(s, d), us: elements of {element} at stride d"),
        _grid(log3p, "packing", "Packing by hand at one side, us"),
        _grid(log3p, "remote", "Half a round trip to a peer, strided, us"),
        _grid(log3p, "packed", "The same packed and unpacked by hand, us"),
        _grid(log3p, "isolated_strided", "To a peer after a rest, strided, us"),
        _grid(log3p, "isolated_packed", "The same packed and unpacked by hand, us"),
        _grid(log3p, "ratio", "By how much o_mw + l_mw + o_net misses it"),
    ]


def _grid(log3p: dict[str, Any], name: str, title: str) -> Group:
    made = table(("s", "right"))
    for stride in log3p["strides"]:
        heading = f"d={_stride(stride)}"
        made.add_column(heading, justify="right", header_style="dim", no_wrap=True)
    for size, row in zip(log3p["sizes"], log3p[name], strict=True):
        shown = (
            show_share(value - 1, 1) if name == "ratio" else microseconds(value) for value in row
        )
        made.add_row(show_size(size), *shown)
    return titled(title, made)


def _stride(stride: int) -> str:
    """A stride without rounding: a power of two and one cache line more differ."""
    return show_size(stride) if stride % 1024 == 0 else f"{stride} B"
