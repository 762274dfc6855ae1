"""Figures of measured collectives: what each algorithm took, by size."""

from collections.abc import Sequence
from typing import Any

from ..measurements.cell import Typical
from ..measurements.document import measurements_in
from .figure import Axis, Figure, Lines, Series
from .profile import SIZE

# Lines in a figure, and figures of a document: nobody can tell more apart.
_MOST_LINES = 8
_MOST_FIGURES = 40


def figures(document: dict[str, Any], label: str) -> list[Figure]:
    """The time against the size, a figure for each operation, system and number of nodes.

    There is a line for each algorithm: the library's default, and those that are fastest at most
    sizes. The bands are from the least to the greatest run, or of one run its quartiles.
    """
    groups = measurements_in(document).by_title()
    chosen = sorted(groups, key=lambda title: -len(groups[title]))[:_MOST_FIGURES]
    return [_figure(title, rows, label) for title, rows in groups.items() if title in chosen]


def _figure(title: str, rows: Sequence[Typical], label: str) -> Figure:
    algorithms = _fastest(rows)
    more = len({row.setup.algorithm for row in rows}) - len(algorithms)
    words = (
        f"What {rows[0].setup.operation} took, against the size: the median over runs, and from "
        "the least to the greatest of them. Of one run, its quartiles."
    )
    if more:
        words += f" {more} more algorithms are not drawn: they are faster at fewer sizes."
    return Lines(
        f"measured-{title}-{label}",
        f"{title}: measured",
        words,
        "prediction",
        SIZE,
        Axis("time", "seconds", log=True),
        [_line(name, [row for row in rows if row.setup.algorithm == name]) for name in algorithms],
    )


def _fastest(rows: Sequence[Typical]) -> list[str]:
    """The default, and the algorithms that are fastest at the most sizes, then the fastest ones."""
    wins: dict[str, int] = {row.setup.algorithm: 0 for row in rows}
    ratios: dict[str, list[float]] = {name: [] for name in wins}
    for size in {row.setup.size for row in rows}:
        of_size = [row for row in rows if row.setup.size == size]
        best = min(of_size, key=lambda row: row.seconds)
        wins[best.setup.algorithm] += 1
        for row in of_size:
            ratios[row.setup.algorithm].append(row.seconds / best.seconds)
    own = {row.setup.algorithm for row in rows if row.setup.is_default}
    order = sorted(
        wins, key=lambda name: (name not in own, -wins[name], sum(ratios[name]) / len(ratios[name]))
    )
    return order[:_MOST_LINES]


def _line(name: str, rows: Sequence[Typical]) -> Series:
    known = [row for row in rows if row.setup.size > 0]
    spread = all(row.low is not None and row.high is not None for row in known)
    return Series(
        name,
        [row.setup.size for row in known],
        [row.seconds for row in known],
        low=[row.low or 0.0 for row in known] if spread else (),
        high=[row.high or 0.0 for row in known] if spread else (),
        notes=[f"{len(row.cells)} runs" if len(row.cells) > 1 else "1 run" for row in known],
    )
