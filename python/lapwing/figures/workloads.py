"""Figures of sweeps: the loss of every candidate, the share hidden, predictions."""

from typing import Any

from ..results.sentences import of_schedule
from ..units import show_size
from .bars import bars
from .cells import cells
from .curves import curves, scatter
from .predictions import MEASURED, PREDICTED
from .spec import About, Row, Spec
from .units import Axis

Sweep = dict[str, Any]
Sweeps = list[tuple[str, Sweep]]

# Limits of the shades, shares of the blocking time.
LOSSES = [0.0, 0.01, 0.03, 0.1, 0.2, 0.4]
_OVER = " A share above 100 % is no mistake: messages in flight also shorten the communication."
_VOLUME = Axis("volume_bytes", "volume V", "bytes", log=True)
_MESSAGE = Axis("message_bytes", "message size S", "bytes", log=True)


def figures(sweeps: Sweeps) -> list[Spec]:
    """The figures of several sweeps, each with its label."""
    made = [hidden(sweeps), cuts(sweeps), loss(sweeps), predicted(sweeps)]
    return [spec for spec in made if spec is not None]


def loss(sweeps: Sweeps) -> Spec | None:
    """Maps of the loss of each message size, over the volume.

    As figures 7 to 12 of Iancu and Strohmaier (2007): one for each workload and schedule.
    """
    rows: list[Row] = []
    marks: list[Row] = []
    for label, sweep in sweeps:
        for schedule in dict.fromkeys(cell["template"] for cell in sweep["cells"]):
            shown = {
                "workload": f"{workload(sweep)}{_from(label)}{_named(schedule)}",
                "volume_bytes": sweep["volume"],
            }
            of = [cell for cell in sweep["cells"] if cell["template"] == schedule]
            rows += [{**shown, **each} for each in _losses(sweep, of)]
            marks += [{**shown, **each} for each in _choices(sweep, schedule)]
    about = About(
        "loss",
        "Loss of every message size",
        "Share of the blocking time that equal messages of one size lose against the best of all, "
        "by the volume V and the message size S; the lightest is best. Marks: the best measured, "
        "the paper's choice, and the mean message of the plan. Its messages differ in size, and "
        "may be puts, for which other sizes are best.",
        "loss",
    )
    value = Axis("loss", "loss against the best, share of blocking", "share")
    return cells(about, rows, _VOLUME, _MESSAGE, value, LOSSES, select=["workload"], marks=marks)


def cuts(sweeps: Sweeps) -> Spec | None:
    """The time against the message size, with a curve for each burst or window."""
    rows: list[Row] = []
    levels: list[Row] = []
    for label, sweep in sweeps:
        shown = f"{show_size(sweep['volume'])}, {workload(sweep)}{_from(label)}"
        quickest: dict[tuple[str, int], Row] = {}
        for cell in sweep["cells"]:
            row = {
                "workload": shown,
                "flight": _together(cell) if cell["burst"] else "equal messages",
                "message_bytes": cell["message"],
                "time_s": cell["seconds"],
                "note": _together(cell),
                **_spread(cell),
            }
            key = (row["flight"], cell["message"])
            if key not in quickest or row["time_s"] < quickest[key]["time_s"]:
                quickest[key] = row
        rows += quickest.values()
        times = {name: sweep[name]["seconds"] for name in ("blocking", "plan", "limit") if
            name in sweep}  # fmt: skip
        levels += [{"workload": shown, "flight": n, "level": at} for n, at in times.items()]
    about = About(
        "cuts",
        "Every cut of a volume into equal messages",
        "Time of the workload against the size of equal messages, for each number of them in "
        "flight. The plan's messages differ in size.",
        "loss",
    )
    y = Axis("time_s", "time", "seconds", log=True)
    return curves(about, rows, _MESSAGE, y, "flight", select=["workload"], levels=levels)


def hidden(sweeps: Sweeps) -> Spec | None:
    """The hidden share of each workload, of all that could be hidden: as planned, and otherwise."""
    names = _names(sweeps)
    rows = [
        {"workload": name, "way": way, "hidden": share}
        for name, (_, sweep) in zip(names, sweeps, strict=True)
        for way, share in (
            ("plan", sweep.get("hidden")),
            ("best equal messages", sweep.get("best", {}).get("hidden")),
            ("paper's choice", sweep.get("paper", {}).get("hidden")),
        )
        if share is not None
    ]
    words = (
        "Share of what could be hidden, (blocking - time) / min(computation, communication): 100 % "
        "is all of it, below 0 is slower than blocking."
    )
    if any(row["hidden"] > 1 for row in rows):
        words += _OVER
    about = About("hidden-workloads", "Communication hidden", words, "hidden")
    return bars(about, rows, "workload", Axis("hidden", "share hidden", "share"), "way")


def predicted(sweeps: Sweeps) -> Spec | None:
    """Predicted against measured times of the plans."""
    rows = [
        {
            "workload": sweep["pattern"],
            "measured_s": sweep["plan"]["seconds"],
            "predicted_s": sweep["plan"]["predicted"]["seconds"],
            "error": sweep["plan"].get("error", 0.0),
            "note": name,
        }
        for name, (_, sweep) in zip(_names(sweeps), sweeps, strict=True)
        if "plan" in sweep
    ]
    about = About(
        "plans-predicted",
        "Plans: predicted against measured",
        "Each mark is a run of a plan: along what it took, up what was predicted. Marks on the "
        "line were predicted exactly, those in the band to 10 %. Bars are the spread of the "
        "measurement.",
        "prediction",
    )
    return scatter(about, rows, MEASURED, PREDICTED, "workload")


def workload(sweep: Sweep) -> str:
    """`stream (fetch), 2 ranks, computation 1 times communication`."""
    return (
        f"{sweep['pattern']} ({sweep['direction']}), {sweep['ranks']} ranks, computation "
        f"{sweep['ratio']:.2g} times communication"
    )


def _from(label: str) -> str:
    """The part of a label that all sweeps of a machine share: `sim-ib4x` of
    `sim-ib4x.sweep-64KB`."""
    place = label.partition(".sweep")[0]
    return f", {place}" if place else ""


def _named(schedule: str) -> str:
    return "" if schedule in ("E", "pipeline") else f", schedule {schedule}"


def _names(sweeps: Sweeps) -> list[str]:
    """Short names of sweeps that tell them apart."""
    names = [f"{sweep['pattern']} {show_size(sweep['volume'])}" for _, sweep in sweeps]
    if len({_from(label) for label, _ in sweeps}) > 1:
        names = [f"{name}{_from(each[0])}" for name, each in zip(names, sweeps, strict=True)]
    if len(set(names)) < len(names):
        names = [f"{number} {name}" for number, name in enumerate(names, 1)]
    return names


def _losses(sweep: Sweep, cells: list[dict[str, Any]]) -> list[Row]:
    """For each message size the least loss, and the burst or window that has it."""
    best, blocking = sweep["best"]["seconds"], sweep["blocking"]["seconds"]
    losses: dict[int, Row] = {}
    for cell in cells:
        size, share = cell["message"], (cell["seconds"] - best) / blocking
        if size not in losses or share < losses[size]["loss"]:
            losses[size] = {"message_bytes": size, "loss": share, "note": _together(cell)}
    return list(losses.values())


def _choices(sweep: Sweep, schedule: str) -> list[Row]:
    """The best cell, the paper's choice, and the mean message of the plan, beside schedule E."""
    rows = [
        {"mark": name, "message_bytes": sweep[choice]["message"]}
        for choice, name in (("best", "best measured"), ("paper", "paper's choice"))
        if sweep.get(choice, {}).get("template") == schedule
    ]
    if "plan" in sweep and schedule in ("E", "pipeline"):
        compact = sweep["plan"]["compact"]
        mean = compact["volume"] / compact["count"]
        rows.append({"mark": "plan, mean message", "message_bytes": mean})
    return rows


def _together(cell: dict[str, Any]) -> str:
    if not cell["burst"]:
        return f"{cell['window']} in flight"
    return f"burst {cell['burst']}{of_schedule(cell)}"


def _spread(cell: dict[str, Any]) -> Row:
    error = min(cell.get("error", 0.0), 0.99)
    return {"low": cell["seconds"] * (1 - error), "high": cell["seconds"] * (1 + error)}
