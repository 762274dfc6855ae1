"""Sweeps drawn: what every message size loses, over the volume, as figures 7 to 12 of Iancu and
Strohmaier (2007) have it."""

import io
from typing import Any

from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter

from ..units import show_size

# Shares of the blocking time; each step a grey that can be told from the next in print.
_LOSSES = [0.0, 0.01, 0.03, 0.1, 0.2, 0.4, 10.0]
_GREYS = ["1.0", "0.88", "0.74", "0.58", "0.42", "0.25"]


def draw(sweeps: list[dict[str, Any]], kind: str) -> bytes:
    """The picture as a file of `kind`, "png" or "svg".

    A column for each sweep, of which each has another volume, a field for each message size: the
    loss of the best burst and order with that size against the best of all.
    """
    figure = Figure(figsize=(max(4.5, 2.6 + 0.45 * len(sweeps)), 4.6), layout="constrained")
    axis = figure.subplots()
    greys = ListedColormap(_GREYS)
    norm = BoundaryNorm(_LOSSES, len(_GREYS))
    for sweep in sweeps:
        for size, loss in _losses(sweep).items():
            corner = sweep["volume"] / 2**0.5, size / 2**0.5
            width, height = corner[0], corner[1]
            axis.add_patch(
                Rectangle(
                    corner, width, height, facecolor=greys(norm(max(loss, 0.0))), edgecolor="0.8"
                )
            )
    _mark(axis, sweeps)
    axis.set_xscale("log", base=2)
    axis.set_yscale("log", base=2)
    for side in (axis.xaxis, axis.yaxis):
        side.set_major_formatter(FuncFormatter(lambda size, _: show_size(size)))
    axis.tick_params(axis="x", rotation=60)
    axis.set_xlabel("volume")
    axis.set_ylabel("message")
    axis.autoscale_view()
    bar = figure.colorbar(
        ScalarMappable(norm, greys), ax=axis, ticks=_LOSSES[:-1], spacing="uniform"
    )
    bar.ax.set_yticklabels([f"{100 * loss:g} %" for loss in _LOSSES[:-1]])
    bar.set_label("loss against the best, share of blocking")
    first = sweeps[0]
    axis.set_title(
        f"{first['pattern']} ({first['direction']}), {first['ranks']} ranks\ncomputation "
        f"{first['ratio']:.3g} times communication",
        fontsize="medium",
    )
    figure.legend(loc="outside lower center", ncols=3, fontsize="small", frameon=False)
    made = io.BytesIO()
    # The same picture for the same sweeps, to the byte.
    figure.savefig(made, format=kind, metadata={"Date": None} if kind == "svg" else {})
    return made.getvalue()


def _losses(sweep: dict[str, Any]) -> dict[int, float]:
    """By message size."""
    if not sweep["cells"]:
        return {}
    least, blocking = sweep["best"]["seconds"], sweep["blocking"]["seconds"]
    losses: dict[int, float] = {}
    for cell in sweep["cells"]:
        loss = (cell["seconds"] - least) / blocking
        losses[cell["message"]] = min(loss, losses.get(cell["message"], loss))
    return losses


def _mark(axis: Axes, sweeps: list[dict[str, Any]]) -> None:
    """The best cell, the paper's choice, and the plan: its mean message, from first to last."""
    best = [(s["volume"], s["best"]["message"]) for s in sweeps if "best" in s]
    paper = [(s["volume"], s["paper"]["message"]) for s in sweeps if "paper" in s]
    style: dict[str, Any] = {"linestyle": "", "markeredgecolor": "black"}
    axis.plot(*_coordinates(best), "o", markersize=10, fillstyle="none", label="best", **style)
    axis.plot(*_coordinates(paper), "x", markersize=7, label="paper", **style)
    planned = [(s["volume"], s["plan"]["compact"]) for s in sweeps if "plan" in s]
    for volume, compact in planned:
        sizes = [size for size, _ in compact["runs"]]
        axis.plot([volume] * 2, [min(sizes), max(sizes)], color="black", linewidth=0.8)
    axis.plot(
        *_coordinates([(v, c["volume"] / c["count"]) for v, c in planned]),
        "D",
        markersize=5,
        markerfacecolor="white",
        label="plan, least to largest",
        **style,
    )


def _coordinates(points: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]
