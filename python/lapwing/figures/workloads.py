"""Figures of sweeps: the loss of every way to cut, the share hidden, predictions."""

from collections.abc import Iterable
from typing import Any

from ..results.sentences import of_schedule
from ..units import show_size
from .figure import Axis, Bars, Figure, Lines, Map, Series

Sweep = dict[str, Any]

# Limits of the shades, shares of the blocking time.
LOSSES = [0.0, 0.01, 0.03, 0.1, 0.2, 0.4]


def figures(sweeps: list[tuple[str, Sweep]]) -> list[Figure]:
    """The figures of several sweeps, each with its label."""
    found: list[Figure] = []
    for number, (label, group) in enumerate(_groups(sweeps).values(), 1):
        with_cells = [sweep for sweep in group if sweep["cells"]]
        if with_cells:
            found += loss_maps(with_cells, f"loss-{number}", label)
        if len(with_cells) == 1:
            found.append(_cuts(with_cells[0], f"cuts-{number}", label))
    found.append(_hidden(sweeps))
    planned = [(label, sweep) for label, sweep in sweeps if "plan" in sweep]
    if planned:
        found.append(_predicted(planned))
    return found


def loss_maps(sweeps: list[Sweep], name: str, label: str) -> list[Figure]:
    """The loss of each message size, with its best burst and order, against the best of all.

    Maps over volume and message size, as figures 7 to 12 of Iancu and Strohmaier (2007): one for
    each schedule that was run.
    """
    schedules = dict.fromkeys(cell["template"] for sweep in sweeps for cell in sweep["cells"])
    if len(schedules) < 2:
        return [_loss_map(sweeps, name, label)]
    return [
        _loss_map([_of_schedule(sweep, each) for sweep in sweeps], f"{name}-{each}", label, each)
        for each in schedules
    ]


def _of_schedule(sweep: Sweep, schedule: str) -> Sweep:
    """The cells of one schedule, and those choices that are of it; plans are beside E."""
    other = [name for name in ("best", "paper") if sweep.get(name, {}).get("template") != schedule]
    hidden = other if schedule == "E" else [*other, "plan"]
    cells = [cell for cell in sweep["cells"] if cell["template"] == schedule]
    kept = {key: value for key, value in sweep.items() if key not in hidden}
    return {**kept, "cells": cells, "least": sweep["best"]["seconds"]}


def _loss_map(sweeps: list[Sweep], name: str, label: str, schedule: str = "") -> Figure:
    cells, tags = [], []
    for sweep in (sweep for sweep in sweeps if sweep["cells"]):
        for size, (loss, tag) in _losses(sweep).items():
            cells.append((float(sweep["volume"]), float(size), loss))
            tags.append(tag)
    first = sweeps[0]
    place = f" ({label})" if label else ""
    said = f", schedule {schedule}" if schedule else ""
    return Map(
        name,
        f"Loss of every message size{said}: {workload(first)}{place}",
        "Share of the blocking time that equal messages of one size lose against the best of all, "
        "by the volume V and the message size S; the lightest is best. Marks: the best measured, "
        "the paper's choice, and the mean message of the plan, whose messages differ in size.",
        "loss",
        Axis("volume V", "bytes", log=True),
        Axis("message size S", "bytes", log=True),
        Axis("loss against the best, share of blocking", "share"),
        cells,
        LOSSES,
        _marks(sweeps),
        tags,
    )


def workload(sweep: Sweep) -> str:
    """`stream (fetch), 2 ranks, computation 1 times communication`."""
    return (
        f"{sweep['pattern']} ({sweep['direction']}), {sweep['ranks']} ranks, computation "
        f"{sweep['ratio']:.3g} times communication"
    )


def _groups(sweeps: list[tuple[str, Sweep]]) -> dict[Any, tuple[str, list[Sweep]]]:
    """The sweeps in groups of one workload on one machine, which differ in their volume."""
    groups: dict[Any, tuple[str, list[Sweep]]] = {}
    for label, sweep in sweeps:
        same = ("pattern", "direction", "dependence", "ranks", "peers", "balanced", "transport")
        ratio = float(f"{sweep['ratio']:.2g}")
        key = (_place(label), ratio, *(sweep[name] for name in same))
        groups.setdefault(key, (_place(label), []))[1].append(sweep)
    return groups


def _place(label: str) -> str:
    """The part of a label that all sweeps of a machine share: `sim-ib4x` of
    `sim-ib4x.sweep-64KB`."""
    return label.partition(".sweep")[0] if ".sweep" in label else label


def _losses(sweep: Sweep) -> dict[int, tuple[float, str]]:
    """For each message size the least loss, and the burst or window that has it."""
    least = sweep["least"] if "least" in sweep else sweep["best"]["seconds"]
    blocking = sweep["blocking"]["seconds"]
    losses: dict[int, tuple[float, str]] = {}
    for cell in sweep["cells"]:
        loss = (cell["seconds"] - least) / blocking
        if cell["message"] not in losses or loss < losses[cell["message"]][0]:
            losses[cell["message"]] = (loss, _together(cell))
    return losses


def _together(cell: dict[str, Any]) -> str:
    if not cell["burst"]:
        return f"{cell['window']} in flight"
    return f"burst {cell['burst']}{of_schedule(cell)}"


def _marks(sweeps: list[Sweep]) -> list[Series]:
    """The best cell, the paper's choice, and the mean message of the plan."""
    marks = []
    for name in ("best", "paper"):
        there = [sweep for sweep in sweeps if name in sweep]
        if there:
            marks.append(
                Series(
                    f"{name} measured" if name == "best" else "paper's choice",
                    [sweep["volume"] for sweep in there],
                    [sweep[name]["message"] for sweep in there],
                    joined=False,
                    notes=[_together(sweep[name]) for sweep in there],
                )
            )
    there = [sweep for sweep in sweeps if "plan" in sweep]
    if there:
        compact = [sweep["plan"]["compact"] for sweep in there]
        marks.append(
            Series(
                "plan, mean message, least to largest",
                [sweep["volume"] for sweep in there],
                [each["volume"] / each["count"] for each in compact],
                joined=False,
                low=[min(size for size, _ in each["runs"]) for each in compact],
                high=[max(size for size, _ in each["runs"]) for each in compact],
                notes=[_from_to(each["runs"]) for each in compact],
            )
        )
    return marks


def _from_to(runs: list[list[int]]) -> str:
    sizes = [size for size, _ in runs]
    return f"messages of {show_size(min(sizes))} to {show_size(max(sizes))}"


def _cuts(sweep: Sweep, name: str, label: str) -> Figure:
    """The time against the message size, with a curve for each burst or window."""
    curves: dict[str, dict[int, tuple[float, float]]] = {}
    for cell in sweep["cells"]:
        curve = curves.setdefault(_together(cell), {})
        found = (cell["seconds"], cell.get("error", 0.0))
        curve[cell["message"]] = min(found, curve.get(cell["message"], found))
    levels = {"blocking": sweep["blocking"]["seconds"]}
    if "plan" in sweep:
        levels |= {"plan": sweep["plan"]["seconds"], "limit": sweep["limit"]["seconds"]}
    place = f" ({label})" if label else ""
    return Lines(
        name,
        f"{show_size(sweep['volume'])} cut in every uniform way{place}",
        f"Time of a {workload(sweep)}, against the size of equal messages, for each number of them "
        "in flight. The plan's messages differ in size.",
        "loss",
        Axis("message size S", "bytes", log=True),
        Axis("time", "seconds"),
        [
            Series(
                together,
                sorted(curve),
                [curve[size][0] for size in sorted(curve)],
                error=[curve[size][1] for size in sorted(curve)],
            )
            for together, curve in curves.items()
        ],
        levels,
    )


def _hidden(sweeps: list[tuple[str, Sweep]]) -> Figure:
    labels = [_name(label, sweep) for label, sweep in sweeps]

    def series(name: str, values: Iterable[float | None]) -> Series:
        return Series(name, list(range(len(labels))), list(values))

    several = [
        series("plan", (sweep.get("hidden") for _, sweep in sweeps)),
        series("best equal messages", (sweep.get("best", {}).get("hidden") for _, sweep in sweeps)),
        series("paper's choice", (sweep.get("paper", {}).get("hidden") for _, sweep in sweeps)),
    ]
    return Bars(
        "hidden-workloads",
        "Communication hidden",
        "Share of what could be hidden, (blocking - time) / min(computation, communication), for "
        "each workload: 100 % is all of it, below 0 is slower than blocking.",
        "hidden",
        Axis("share hidden", "share"),
        labels,
        [each for each in several if any(value is not None for value in each.y)],
    )


def _name(label: str, sweep: Sweep) -> str:
    name = f"{sweep['pattern']} {show_size(sweep['volume'])}"
    return f"{name}, {_place(label)}" if label else name


def _predicted(sweeps: list[tuple[str, Sweep]]) -> Figure:
    measured = [sweep["plan"]["seconds"] for _, sweep in sweeps]
    return predicted_against_measured(
        "plans-predicted",
        "Plans: predicted against measured",
        {
            "plan": [
                (
                    seconds,
                    sweep["plan"]["predicted"]["seconds"],
                    sweep["plan"].get("error", 0.0),
                    _name(label, sweep),
                )
                for seconds, (label, sweep) in zip(measured, sweeps, strict=True)
            ]
        },
    )


def predicted_against_measured(
    name: str, title: str, groups: dict[str, list[tuple[float, float, float, str]]]
) -> Figure:
    """Predicted against measured times, with the line of exact predictions and a band of 10 %.

    groups: by name; each point has the measured and the predicted seconds, the relative error of
    the measurement, and a note.
    """
    every = [seconds for points in groups.values() for both in points for seconds in both[:2]]
    ends = [min(every) / 1.3, max(every) * 1.3]
    exact = Series(
        "exact, and 10 % off",
        ends,
        ends,
        marked=False,
        low=[0.9 * end for end in ends],
        high=[1.1 * end for end in ends],
    )
    marks = [
        Series(
            group,
            [measured for measured, _, _, _ in points],
            [predicted for _, predicted, _, _ in points],
            joined=False,
            # The error is that of the measured time; the axes are equal.
            error=[error for _, _, error, _ in points],
            notes=[note for _, _, _, note in points],
        )
        for group, points in groups.items()
    ]
    return Lines(
        name,
        title,
        "Each mark is a run: along what it took, up what was predicted. Bars are the spread of the "
        "measurement; marks on the line were predicted exactly, those in the band to 10 %.",
        "prediction",
        Axis("measured", "seconds", log=True),
        Axis("predicted", "seconds", log=True),
        [exact, *marks],
    )
