"""Tables of compression: a run, and the map of ways to collect its output."""

from typing import Any

from rich.console import RenderableType

from ..results.sentences import compression_judgement, polling_in_words
from ..units import printable, show_seconds, show_size
from .layout import facts, table, titled


def compress_tables(result: dict[str, Any], output: str, decompress: bool) -> list[RenderableType]:
    """The table of a run: sizes, rate, and how the output was collected."""
    plain, packed = result["read"], result["written"]
    if decompress:
        plain, packed = packed, plain
    verb = "Decompressed" if decompress else "Compressed"
    ratio = f", ratio {result['ratio']:.2f}" if packed else ""
    how = result["collection"]
    return [
        f"{verb} {show_size(result['read'])} to {show_size(result['written'])}{ratio}, in "
        f"{show_seconds(result['seconds'])} on {result['ranks']} "
        f"{'rank' if result['ranks'] == 1 else 'ranks'}: {result['rate'] / 1e6:.1f} MB/s.",
        *([f"Collected in {_collected(how)}."] if how["window"] else []),
        printable(f"It is in {output}."),
    ]


def sweep_tables(result: dict[str, Any]) -> list[RenderableType]:
    """The times of a compression sweep, the map of its cells, and one line of judgement."""
    plan = result["pipelined"]
    times = facts(
        f"Compression of {show_size(result['read'])} on {result['ranks']} ranks",
        [
            ("blocks", show_size(result["block"])),
            ("collected", show_size(result["arrived"])),
            ("blocking", show_seconds(result["blocking"]["seconds"])),
            ("computation", show_seconds(result["computation"]["seconds"])),
            ("communication", show_seconds(result["communication"]["seconds"])),
            ("limit", show_seconds(result["limit"]["seconds"])),
            ("pipelined", f"{show_seconds(plan['seconds'])}, {_collected(plan)}"),
        ],
    )
    return [
        times,
        "",
        *([_map(result), ""] if result["cells"] else []),
        compression_judgement(plan),
    ]


def _map(result: dict[str, Any]) -> RenderableType:
    """The overhead by tile and window."""
    tiles = sorted({cell["tile"] for cell in result["cells"]})
    asked = sorted({cell["window"] for cell in result["cells"]})
    found = {(cell["tile"], cell["window"]): cell for cell in result["cells"]}
    made = table(("tile", "right"), *[(f"window {window}", "right") for window in asked])
    for tile in tiles:
        row = [found.get((tile, window)) for window in asked]
        made.add_row(
            str(tile),
            *[show_seconds(cell["overhead"]["seconds"]) if cell else "" for cell in row],
        )
    return titled("Overhead over the computation alone", made)


def _collected(plan: dict[str, Any]) -> str:
    """How the output was collected: `tiles of 1, 2 x 8, 1; window 6; polling every 3 ms: ...`."""
    runs = [
        f"{run['tile']}" + (f" x {run['count']}" if run["count"] > 1 else "")
        for run in plan["tiles"]
    ]
    shown = ", ".join(runs if len(runs) <= 6 else [*runs[:3], "...", *runs[-2:]])
    polling = polling_in_words(plan["poll_interval"]["seconds"], plan["poll_reason"])
    return f"tiles of {shown}; window {plan['window']}; polling {polling}"
