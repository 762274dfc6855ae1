"""The lines that the NAS Parallel Benchmarks' own programs print at their end."""

from typing import Any

from rich.console import RenderableType

from .layout import facts


def npb_banner(name: str, result: dict[str, Any]) -> RenderableType:
    """The banner of a benchmark's result document. name: as NPB writes it."""
    return facts(
        f"{name} Benchmark Completed.",
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
