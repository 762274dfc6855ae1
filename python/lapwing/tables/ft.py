"""Tables of NAS FT: the benchmark's banner, and where the time went."""

from typing import Any

from rich.console import RenderableType

from ..units import show_seconds, show_share
from .fft import why
from .layout import table, titled
from .npb_banner import npb_banner


def ft_tables(result: dict[str, Any]) -> list[RenderableType]:
    """The banner, the time of each part, and how data was sent."""
    chosen = [why(result["auto"])] if "auto" in result else []
    return [npb_banner("FT", result), "", _spent(result), "", _sent(result), *chosen]


def _spent(result: dict[str, Any]) -> RenderableType:
    """Seconds of each part: the mean of all ranks, and the slowest rank."""
    made = table(("", "left"), ("mean", "right"), ("longest", "right"), ("share", "right"))
    parts = [
        ("set-up", result["setup"]),
        ("evolution", result["evolution"]),
        *((f"transforms, {name}", spent) for name, spent in result["transforms"].items()),
        ("checksums", result["checksum"]),
    ]
    for name, spent in parts:
        made.add_row(
            name,
            show_seconds(spent["seconds"]),
            show_seconds(spent["most"]),
            show_share(spent["seconds"] / result["seconds"], 1),
        )
    return titled("Where the time went", made)


def _sent(result: dict[str, Any]) -> str:
    messages = result["messages"]
    return (
        f"Schedule {result['schedule']} over {result['transport']}: {messages} "
        f"{'message' if messages == 1 else 'messages'} of a rank to others in a transform; "
        f"{show_share(result['overlap_share'], 1)} of a plane's computation can hide messages."
    )
