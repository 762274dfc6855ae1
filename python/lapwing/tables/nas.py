"""Tables of NAS MG, CG and IS: the banner, where the time went, and what was predicted."""

from typing import Any

from rich.console import RenderableType

from ..nas.benchmarks import BENCHMARKS
from ..units import show_seconds, show_share
from .layout import table, titled
from .npb_banner import npb_banner

# Of all ways that a plan considered, so many are shown.
_MOST = 5


def nas_tables(result: dict[str, Any]) -> list[RenderableType]:
    """The banner, the time of each part, the way it ran, and the forecasts."""
    banner = npb_banner(BENCHMARKS[result["benchmark"]].name, result)
    return [banner, "", _spent(result), "", _way(result), *_forecasts(result)]


def way_in_words(way: dict[str, Any]) -> str:
    """`overlapped over two-sided, agglomerate 4`."""
    settings = "".join(f", {name} {value}" for name, value in way["settings"].items())
    return f"{way['schedule']} over {way['transport']}{settings}"


def _way(result: dict[str, Any]) -> str:
    chosen = " as planned" if result["planned"] else ""
    return f"Ran {way_in_words(result)}{chosen}."


def _spent(result: dict[str, Any]) -> RenderableType:
    """Seconds of each part: the mean of all ranks, and the slowest rank."""
    made = table(("", "left"), ("mean", "right"), ("longest", "right"), ("share", "right"))
    phases = {name: spent for name, spent in result["phases"].items() if name != "computation"}
    for name, spent in {**result["kernels"], **phases}.items():
        made.add_row(
            name,
            show_seconds(spent["seconds"]),
            show_seconds(spent["most"]),
            show_share(spent["seconds"] / result["seconds"], 1),
        )
    return titled("Where the time went", made)


def _forecasts(result: dict[str, Any]) -> list[RenderableType]:
    forecasts = result["forecasts"]
    if not forecasts:
        return []
    if not result["planned"]:
        return [f"Predicted {show_seconds(forecasts[0]['seconds'])}."]
    made = table(("", "left"), ("predicted", "right"))
    for forecast in forecasts[:_MOST]:
        made.add_row(way_in_words(forecast), show_seconds(forecast["seconds"]))
    rest = len(forecasts) - _MOST
    return ["", titled("Ways considered", made), *([f"and {rest} more"] if rest > 0 else [])]
