"""Predictions drawn: time against the number of ranks, or against the size."""

import io
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..units import show_size

# Of lines beside each other, and of pictures.
_MOST_LINES = 8
_MOST_PICTURES = 4
# Told apart without colour: by greys, dashes and markers.
_GREYS = ("0.0", "0.35", "0.55")
_DASHES = ("-", "--", "-.", ":")
_MARKERS = "os^Dv<>P"


def draw(document: dict[str, Any], kind: str) -> bytes:
    """The picture as a file of `kind`, "png" or "svg".

    A line for each size or each algorithm; with all algorithms, a picture for each of some sizes.
    Hollow markers have left the sizes that the profile has tables for.
    """
    cells = {(c["algorithm"], c["ranks"], c["size"]): c for c in document["predictions"]}
    everything = document["algorithm"] == "all"
    sizes = _some(document["sizes"], _MOST_PICTURES if everything else _MOST_LINES)
    names = list(dict.fromkeys(name for name, _, _ in cells))
    ranks = document["ranks"]
    if len(ranks) == 1:
        figure, axes = _pictures([""])
        chosen = names if everything else [""]
        for number, name in enumerate(chosen):
            line = [_find(cells, name, ranks[0], size) for size in document["sizes"]]
            _line(axes[0], document["sizes"], line, name or document["algorithm"], number)
        axes[0].set_xlabel("bytes")
    elif everything:
        figure, axes = _pictures([show_size(size) for size in sizes])
        for axis, size in zip(axes, sizes, strict=True):
            for number, name in enumerate(names):
                line = [_find(cells, name, count, size) for count in ranks]
                _line(axis, ranks, line, name, number)
            axis.set_xlabel("ranks")
    else:
        figure, axes = _pictures([document["algorithm"]])
        for number, size in enumerate(sizes):
            line = [_find(cells, "", count, size) for count in ranks]
            _line(axes[0], ranks, line, show_size(size), number)
        axes[0].set_xlabel("ranks")
    axes[0].set_ylabel("seconds")
    axes[0].legend(fontsize="small", frameon=False)
    figure.suptitle(f"{document['operation']}: predicted")
    made = io.BytesIO()
    # The same picture for the same predictions, to the byte.
    figure.savefig(made, format=kind, metadata={"Date": None} if kind == "svg" else {})
    return made.getvalue()


def _find(
    cells: dict[tuple[str, int, int], dict[str, Any]], name: str, ranks: int, size: int
) -> dict[str, Any]:
    """The prediction of this algorithm; of whichever there is where none is named."""
    if name:
        return cells[name, ranks, size]
    return next(cell for (_, r, s), cell in cells.items() if (r, s) == (ranks, size))


def _pictures(titles: list[str]) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(max(6.0, 3.6 * len(titles)), 4.2), layout="constrained")
    axes = figure.subplots(1, len(titles), sharey=True, squeeze=False)[0]
    for axis, title in zip(axes, titles, strict=True):
        axis.set_title(title, fontsize="medium")
        axis.set_xscale("log", base=2)
        axis.set_yscale("log")
        axis.grid(color="0.9")
    return figure, list(axes)


def _line(axis: Axes, x: list[int], cells: list[dict[str, Any]], label: str, number: int) -> None:
    grey = _GREYS[number % len(_GREYS)]
    marker = _MARKERS[number % len(_MARKERS)]
    seconds = [cell["predicted"]["seconds"] or float("nan") for cell in cells]
    axis.plot(
        x,
        seconds,
        color=grey,
        linestyle=_DASHES[number % len(_DASHES)],
        marker=marker,
        markersize=4,
        label=label,
    )
    outside = [i for i, cell in enumerate(cells) if not cell["measured_range"]]
    axis.plot(
        [x[i] for i in outside],
        [seconds[i] for i in outside],
        color=grey,
        linestyle="",
        marker=marker,
        markersize=4,
        markerfacecolor="white",
    )


def _some(values: list[int], most: int) -> list[int]:
    """At most so many of them, evenly spread, the first and the last among them."""
    if len(values) <= most:
        return values
    return [values[round(i * (len(values) - 1) / (most - 1))] for i in range(most)]
