"""Drawing figures with matplotlib, in greys, dashes and marks that can be told apart in print."""

import io
from collections.abc import Sequence
from textwrap import fill

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure as Picture
from matplotlib.figure import SubFigure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from .figure import Axis, Bars, Figure, Lines, Map, Series, Timeline, to_text

_GREYS = ("0.0", "0.35", "0.55")
_DASHES = ("-", "--", "-.", ":")
_MARKERS = "os^Dv<>P"
_HATCHES = ("", "///", "...", "xxx", "\\\\\\", "---", "ooo", "+++")
_FILLS = ("0.25", "0.6", "0.85", "0.45", "0.95", "0.7", "1.0", "0.35")
# Letters of a title in a line; letters of names of which three do not fit side by side.
_WIDEST = 66
_LONG = 28
# Greys that can be told apart in print.
_SHADES = ["1.0", "0.88", "0.74", "0.58", "0.42", "0.25"]


def draw(figures: Sequence[Figure], kind: str) -> bytes:
    """The figures, one below the other, as the bytes of a file of `kind`, "png" or "svg"."""
    heights = [_height(figure) for figure in figures]
    picture = Picture(figsize=(7.0, sum(heights)), layout="constrained")
    parts = picture.subfigures(len(figures), 1, squeeze=False, height_ratios=heights)
    for part, figure in zip(parts[:, 0], figures, strict=True):
        axes = part.subplots()
        axes.set_title(fill(figure.title, _WIDEST), fontsize="medium")
        match figure:
            case Lines():
                _lines(axes, figure)
            case Map():
                _map(axes, figure)
            case Bars():
                _bars(axes, figure)
            case Timeline():
                _timeline(axes, figure)
        _legend(part, axes)
    made = io.BytesIO()
    # The same figures give the same bytes.
    with rc_context({"svg.hashsalt": "lapwing"}):
        picture.savefig(made, format=kind, metadata={"Date": None} if kind == "svg" else {})
    return made.getvalue()


def _height(figure: Figure) -> float:
    """The height of a figure, inches."""
    if isinstance(figure, Bars):
        return 1.4 + 0.17 * len(figure.labels) * (1 if figure.stacked else len(figure.series))
    if isinstance(figure, Timeline):
        return 1.4 + 0.22 * len(figure.rows)
    return 4.4


def _side(axes: Axes, side: str, axis: Axis) -> None:
    of = axes.xaxis if side == "x" else axes.yaxis
    if axis.log:
        set_scale = axes.set_xscale if side == "x" else axes.set_yscale
        set_scale("log", base=2 if axis.unit in ("bytes", "count") else 10)
        if axis.unit not in ("bytes", "count"):
            of.set_minor_formatter(FuncFormatter(lambda *_: ""))
    else:
        of.set_major_locator(MaxNLocator(6))
    of.set_major_formatter(FuncFormatter(lambda value, _: to_text(value, axis.unit)))
    of.set_label_text(axis.title)


def _lines(axes: Axes, figure: Lines) -> None:
    _side(axes, "x", figure.x)
    _side(axes, "y", figure.y)
    axes.grid(color="0.9")
    for number, series in enumerate(figure.series):
        _curve(axes, series, number)
    for name, value in figure.levels.items():
        if value > 0 or not figure.y.log:
            axes.axhline(value, color="0.4", linestyle=(0, (1, 2)), linewidth=1)
            axes.annotate(
                name,
                (1, value),
                xycoords=("axes fraction", "data"),
                ha="right",
                va="bottom",
                fontsize="small",
                fontstyle="italic",
            )
    if not figure.y.log and axes.get_ylim()[0] > 0:
        axes.set_ylim(bottom=0)


def _curve(axes: Axes, series: Series, number: int) -> None:
    grey, marker = _GREYS[number % len(_GREYS)], _MARKERS[number % len(_MARKERS)]
    y = _heights(series)
    if series.low:
        axes.fill_between(series.x, series.low, series.high, color="0.85", linewidth=0)
    axes.plot(
        series.x,
        y,
        color=grey,
        linestyle=_DASHES[number % len(_DASHES)] if series.joined else "",
        marker=marker if series.marked else "",
        markersize=4,
        label=series.name,
    )
    if any(series.error):
        errors = [abs(value) * error for value, error in zip(y, series.error, strict=True)]
        axes.errorbar(series.x, y, yerr=errors, fmt="none", ecolor=grey, capsize=2, linewidth=0.8)
    outside = [place for place, hollow in enumerate(series.hollow) if hollow]
    axes.plot(
        [series.x[place] for place in outside],
        [y[place] for place in outside],
        color=grey,
        linestyle="",
        marker=marker,
        markersize=4,
        markerfacecolor="white",
    )


def _heights(series: Series) -> list[float]:
    """The y of a series; a missing value is nan, which matplotlib leaves out."""
    return [float("nan") if value is None else value for value in series.y]


def _map(axes: Axes, figure: Map) -> None:
    bounds = [*figure.steps, max(10.0, 10 * figure.steps[-1])]
    shades = ListedColormap(_SHADES[: len(figure.steps)])
    norm = BoundaryNorm(bounds, len(figure.steps))
    for (left, low, right, high), (_, _, value) in zip(figure.fields(), figure.cells, strict=True):
        axes.add_patch(
            Rectangle(
                (left, low),
                right - left,
                high - low,
                facecolor=shades(norm(max(value, figure.steps[0]))),
                edgecolor="0.8",
            )
        )
    for series, marker, size in zip(figure.marks, "oxD", (10, 7, 5), strict=False):
        if series.low:
            axes.vlines(series.x, series.low, series.high, color="black", linewidth=0.8)
        axes.plot(
            series.x,
            _heights(series),
            marker,
            markersize=size,
            markerfacecolor="white" if marker == "D" else "none",
            markeredgecolor="black",
            linestyle="",
            label=series.name,
        )
    _side(axes, "x", figure.x)
    _side(axes, "y", figure.y)
    axes.autoscale_view()
    if figure.x.unit == "bytes":
        axes.tick_params(axis="x", rotation=60)
    if len(figure.steps) < 2:
        same = to_text(figure.cells[0][2], figure.value.unit) if figure.cells else "nothing"
        axes.set_title(f"{axes.get_title()}: {same} everywhere", fontsize="medium")
        return
    assert axes.figure is not None
    bar = axes.figure.colorbar(
        ScalarMappable(norm, shades), ax=axes, ticks=figure.steps, spacing="uniform"
    )
    bar.ax.set_yticklabels([to_text(step, figure.value.unit) for step in figure.steps])
    bar.set_label(figure.value.title)


def _bars(axes: Axes, figure: Bars) -> None:
    places = range(len(figure.labels))
    number = 1 if figure.stacked else len(figure.series)
    lefts = [0.0] * len(figure.labels)
    for place, series in enumerate(figure.series):
        values = [value or 0.0 for value in series.y]
        shift = 0.0 if figure.stacked else (place - (number - 1) / 2) * 0.8 / number
        axes.barh(
            [label + shift for label in places],
            values,
            0.8 / number,
            left=lefts,
            color=_FILLS[place % len(_FILLS)],
            hatch=_HATCHES[place % len(_HATCHES)],
            edgecolor="black",
            linewidth=0.5,
            label=series.name,
        )
        if figure.stacked:
            lefts = [left + value for left, value in zip(lefts, values, strict=True)]
    _rows(axes, figure.labels)
    _side(axes, "x", figure.value)
    axes.axvline(0, color="0.3", linewidth=0.8)


def _timeline(axes: Axes, figure: Timeline) -> None:
    kinds = list(dict.fromkeys(interval.what for interval in figure.intervals))
    for number, what in enumerate(kinds):
        chosen = [interval for interval in figure.intervals if interval.what == what]
        axes.barh(
            [interval.row for interval in chosen],
            [interval.end - interval.start for interval in chosen],
            0.75,
            left=[interval.start for interval in chosen],
            color=_FILLS[number % len(_FILLS)],
            edgecolor="black",
            linewidth=0.3,
            label=what,
        )
    messages = [[(arrow.start, arrow.row), (arrow.end, arrow.to)] for arrow in figure.arrows]
    axes.add_collection(LineCollection(messages, colors="black", linewidths=0.5))
    _rows(axes, figure.rows)
    _side(axes, "x", figure.x)


def _rows(axes: Axes, names: list[str]) -> None:
    axes.set_yticks(range(len(names)), names, fontsize="small")
    axes.invert_yaxis()


def _legend(part: SubFigure, axes: Axes) -> None:
    """The legend below the figure, where it hides nothing."""
    handles, names = axes.get_legend_handles_labels()
    if len(handles) > 1:
        columns = 2 if max(map(len, names)) > _LONG else 3
        part.legend(
            handles,
            names,
            loc="outside lower center",
            ncols=columns,
            fontsize="small",
            frameon=False,
        )
