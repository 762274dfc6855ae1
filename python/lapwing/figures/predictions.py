"""Figures of predictions, and of operations beside their predictions."""

from typing import Any

from ..units import show_size
from .figure import Axis, Figure, Lines, Series, spread
from .profile import SIZE
from .workloads import predicted_against_measured

# Lines in a figure, and figures.
_MOST_LINES = 8
_MOST_FIGURES = 4
_TIME = Axis("time", "seconds", log=True)
_RANKS = Axis("ranks", "count", log=True)


def prediction_curves(document: dict[str, Any], label: str) -> list[Figure]:
    """The time against the number of ranks or the size, with a line for each size or algorithm.

    With all algorithms, there is a figure for each of some sizes. Hollow marks are outside the
    sizes that the profile has tables for.
    """
    cells = {(c["algorithm"], c["ranks"], c["size"]): c for c in document["predictions"]}
    names = list(dict.fromkeys(name for name, _, _ in cells))
    everything = document["algorithm"] == "all"
    sizes, ranks = document["sizes"], document["ranks"]
    operation = document["operation"]
    name = f"predicted-{operation}-{label}"
    words = (
        f"What {operation} is predicted to take. Hollow marks: messages beyond what was measured."
    )

    def line(algorithm: str, title: str, xs: list[int], along: str, fixed: int) -> Series:
        places = [(x, fixed) if along == "ranks" else (fixed, x) for x in xs]
        found = [
            next(c for (a, r, s), c in cells.items() if (r, s) == at and algorithm in ("", a))
            for at in places
        ]
        return Series(
            title,
            xs,
            [cell["predicted"]["seconds"] for cell in found],
            hollow=[not cell["measured_range"] for cell in found],
            notes=[cell["algorithm"] for cell in found],
        )

    def figure(suffix: str, title: str, x: Axis, series: list[Series]) -> Figure:
        return Lines(f"{name}{suffix}", title, words, "prediction", x, _TIME, series)

    chosen = names if everything else [""]
    if len(ranks) == 1:
        series = [line(a, a or document["algorithm"], sizes, "sizes", ranks[0]) for a in chosen]
        return [figure("", f"{operation} on {ranks[0]} ranks, predicted", SIZE, series)]
    if everything:
        return [
            figure(
                f"-{size}",
                f"{operation} of {show_size(size)}, predicted",
                _RANKS,
                [line(a, a, ranks, "ranks", size) for a in names],
            )
            for size in spread(sizes, _MOST_FIGURES)
        ]
    series = [line("", show_size(s), ranks, "ranks", s) for s in spread(sizes, _MOST_LINES)]
    return [figure("", f"{operation}, {document['algorithm']}, predicted", _RANKS, series)]


def validation_errors(document: dict[str, Any], label: str) -> list[Figure]:
    """Predicted against measured times, and the error of each against the size."""
    results = document["results"]
    groups: dict[str, list[tuple[float, float, float, str]]] = {}
    errors: dict[str, list[tuple[int, float]]] = {}
    for result in results:
        measured, predicted = result["measured"], result["predicted"]["seconds"]
        note = f"{result['algorithm']}, {result['ranks']} ranks, {show_size(result['size'])}"
        point = (measured["seconds"], predicted, measured["error"], note)
        groups.setdefault(result["operation"], []).append(point)
        name = f"{result['operation']} {result['algorithm']}, {result['ranks']} ranks"
        errors.setdefault(name, []).append((result["size"], result["error"]))
    off = Lines(
        f"errors-{label}",
        f"How far predictions are off, {label}",
        "predicted / measured - 1 against the size, for each algorithm on each number of ranks; 0 "
        "is exact.",
        "prediction",
        SIZE,
        Axis("error of the prediction", "share"),
        [
            Series(name, [size for size, _ in points], [error for _, error in points])
            for name, points in ((name, sorted(points)) for name, points in errors.items())
        ],
        {"exact": 0.0, "10 % too slow": 0.1, "10 % too quick": -0.1},
    )
    title = f"Operations: predicted against measured, {label}"
    return [predicted_against_measured(f"validated-{label}", title, groups), off]
