"""The table of the demonstration, over all networks, and what it means."""

from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ..results.sentences import sweep_judgement
from ..units import printable, show_seconds, show_share, show_size
from .layout import table, titled, warnings


def demo_tables(document: dict[str, Any]) -> list[RenderableType]:
    """The table of a demo document, a sentence for each row, and the targets left out."""
    made = table(
        ("network", "left"),
        ("volume", "right"),
        ("blocking", "right"),
        ("plan", "right"),
        ("limit", "right"),
        ("plan", "right"),
        ("best", "right"),
        ("paper", "right"),
    )
    sentences = []
    for network in document["networks"]:
        for result in network["sweeps"]:
            size = show_size(result["volume"])
            made.add_row(
                network["target"],
                size,
                *(show_seconds(result[run]["seconds"]) for run in ("blocking", "plan", "limit")),
                _share(result["hidden"]),
                *(_share(result[run]["hidden"]) for run in ("best", "paper")),
            )
            sentences.append(Text(f"{network['target']}, {size}: {sweep_judgement(result)}"))
    legend = (
        "Times are of whole runs; the shares on the right are of the communication that was "
        "hidden: by the plan, by the best equal messages, by the paper's choice."
    )
    warned = warnings(
        [
            f"{network['target']}: {warning}"
            for network in document["networks"]
            for warning in network["profile"]["warnings"]
        ]
    )
    left_out = [
        Text(f"{entry['target']} is left out: {printable(entry['reason'])}", style="yellow")
        for entry in document["left_out"]
    ]
    return [
        titled("A stream with as much computation as communication", made),
        "",
        Text(legend, style="dim"),
        "",
        *sentences,
        *warned,
        *left_out,
    ]


def _share(hidden: float | None) -> str:
    return show_share(hidden) if hidden is not None else "-"
