"""Tables of NAS FT: the benchmark's banner, and where the time went."""

from typing import Any

from rich.console import RenderableType

from ..units import show_seconds, show_share
from .fft import why
from .layout import facts, table, titled


def ft_tables(result: dict[str, Any]) -> list[RenderableType]:
    """The banner, the time of each part, and how data was sent."""
    chosen = [why(result["auto"])] if "auto" in result else []
    return [_banner(result), "", _spent(result), "", _sent(result), *chosen]


def _banner(result: dict[str, Any]) -> RenderableType:
    """The lines that the benchmark's own programs print."""
    return facts(
        "FT Benchmark Completed.",
        [
            ("Class", result["class"]),
            ("Size", " x ".join(str(length) for length in result["size"])),
            ("Iterations", str(result["iterations"])),
            ("Time in seconds", f"{result['seconds']:.4g}"),
            ("Total processes", str(result["ranks"])),
            ("Mop/s total", f"{result['mops']:.2f}"),
            ("Mop/s/process", f"{result['mops'] / result['ranks']:.2f}"),
            ("Verification", "SUCCESSFUL" if result["verified"] else "UNSUCCESSFUL"),
        ],
    )


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
        f"{show_share(result['overlap_share'], 1)} of a plane's computation can hide what is sent."
    )
