"""Tables of a triangulation: what came out, and where the time went."""

from typing import Any

from rich.console import RenderableType

from ..units import show_seconds, show_share, show_size
from .layout import facts, table, titled

_VERIFIED = {True: "same as the sequential one", False: "NOT the same as the sequential one"}


def triangulation_tables(result: dict[str, Any]) -> list[RenderableType]:
    """The result, the time of each activity, and how borders were fetched."""
    return [_found(result), "", _spent(result), *_fetched(result)]


def _found(result: dict[str, Any]) -> RenderableType:
    ranks = result["ranks"]
    return facts(
        f"Delaunay triangulation of {result['points']:,} points",
        [
            ("triangles", f"{result['triangles']:,}"),
            ("checksum", result["checksum"]),
            ("verified", _VERIFIED[result["verified"]] if "verified" in result else ""),
            ("time", f"{show_seconds(result['seconds'])} on {ranks} rank{'s'[: ranks > 1]}"),
            ("schedule", result["schedule"]),
        ],
    )


def _spent(result: dict[str, Any]) -> RenderableType:
    """Seconds of each activity: the mean of all ranks, and the slowest rank."""
    made = table(("", "left"), ("mean", "right"), ("longest", "right"), ("share", "right"))
    for name, spent in result["phases"].items():
        share = spent["seconds"] / result["seconds"] if result["seconds"] > 0 else 0.0
        made.add_row(
            name, show_seconds(spent["seconds"]), show_seconds(spent["most"]), show_share(share, 1)
        )
    return titled("Where the time went", made)


def _fetched(result: dict[str, Any]) -> list[RenderableType]:
    """How borders were fetched, in sentences; nothing where none were."""
    if result["border"] == 0:
        return []
    exchange = result["exchange"]
    sizes = ", ".join(
        show_size(run["size"]) + (f" x {run['count']}" if run["count"] > 1 else "")
        for run in exchange["messages"][:6]
    )
    more = ", ..." if len(exchange["messages"]) > 6 else ""
    rounds = result["rounds"]
    said = [
        f"Borders of {result['border']:,} points over {result['transport']}, to each neighbour in "
        f"messages of {sizes}{more}; window {exchange['window']}.",
        f"{result['fetched']['most']:,.0f} points of others at most at a rank, "
        f"{result['questions']:,} questions in {rounds} round{'s'[: rounds > 1]}, "
        f"{show_size(result['bytes'])} in all.",
    ]
    if "predicted" in exchange:
        said.append(
            f"Predicted of borders and frame: {show_seconds(exchange['predicted']['seconds'])}, "
            f"blocking {show_seconds(exchange['blocking']['seconds'])}."
        )
    return ["", *said]
