"""Figures of measured collectives: what each algorithm took, by size."""

from collections.abc import Sequence
from typing import Any

from ..measurements.cell import Typical
from ..measurements.document import measurements_in
from .curves import MOST_CURVES, curves
from .profile import SIZE
from .spec import About, Row, Spec
from .units import Axis

# Setups to choose among: nobody looks at more.
_MOST_SETUPS = 40


def figures(documents: list[tuple[str, dict[str, Any]]]) -> list[Spec]:
    """The figures of measurements, each with its label."""
    made = [measured(label, document) for label, document in documents]
    return [spec for spec in made if spec is not None]


def measured(label: str, document: dict[str, Any]) -> Spec | None:
    """The time against the size, for one operation, system and number of nodes at a time.

    There is a curve for each algorithm: the library's default, and those that are fastest at most
    sizes. The bands are from the least to the greatest run, or of one run its quartiles.
    """
    groups = measurements_in(document).by_title()
    chosen = sorted(groups, key=lambda title: -len(groups[title]))[:_MOST_SETUPS]
    rows = [
        row
        for title, of in groups.items()
        if title in chosen
        for name in _fastest(of)
        for row in _curve(title, name, [one for one in of if one.setup.algorithm == name])
    ]
    about = About(
        "measured",
        f"Measured collectives, {label}",
        "What the operation took, against the size: the median over runs, and from the least to "
        "the greatest of them. Of one run, its quartiles. Of many algorithms, those that are "
        "fastest at most sizes.",
        "prediction",
    )
    return curves(
        about,
        rows,
        SIZE,
        Axis("time_s", "time", "seconds", log=True),
        "algorithm",
        select=["setup"],
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
    return order[:MOST_CURVES]


def _curve(title: str, name: str, rows: Sequence[Typical]) -> list[Row]:
    return [
        {
            "setup": title,
            "algorithm": name,
            "size_bytes": row.setup.size,
            "time_s": row.seconds,
            "low": row.seconds if row.low is None else row.low,
            "high": row.seconds if row.high is None else row.high,
            "note": f"{len(row.cells)} runs" if len(row.cells) > 1 else "1 run",
        }
        for row in rows
        if row.setup.size > 0
    ]
