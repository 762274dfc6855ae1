"""Tables of transforms: all ways beside each other, and why one was chosen."""

from typing import Any

from rich.console import RenderableType
from rich.table import Table

from ..transforms.ways import CUTTING, SCHEDULES, usual_window
from ..units import show_seconds, show_share
from .layout import Column, table, titled, warnings


def fft_tables(result: dict[str, Any]) -> list[RenderableType]:
    """The table of the times of all ways, and remarks on it."""
    size = " x ".join(map(str, result["size"]))
    of = f"{result['batch']} transforms" if result["batch"] > 1 else "Transform"
    numbers = " real numbers" if result["real"] else ""
    grid = f" in a grid of {result['grid'][0]} x {result['grid'][1]}"
    lines = show_seconds(result["lines"]["seconds"])
    tables: list[RenderableType] = [
        titled(
            f"{of} of {size}{numbers} on {result['ranks']} ranks"
            + (grid if result["grid"][1] > 1 else ""),
            _ways(result),
        ),
        "",
        f"Lines alone take {lines}; overhead is what a transform takes beyond them, and its "
        f"reduction is against the {result['ways'][0]['schedule']}.",
    ]
    if "auto" in result:
        tables.append(why(result["auto"]))
    if not result["data"]:
        tables.append("Sizes without data were moved: nothing is verified.")
    wrong = [entry["schedule"] for entry in result["ways"] if not entry.get("verified", True)]
    tables += warnings([f"{schedule}: the transform is wrong" for schedule in wrong])
    return tables


def why(chosen: dict[str, Any]) -> str:
    """Why a way was chosen, by the predicted times."""
    seconds = chosen["predicted"]["seconds"]
    beyond = seconds - chosen["lines"]["seconds"]
    said = (
        f"auto: {_name(chosen)}, predicted to take {show_seconds(seconds)}, "
        f"{show_seconds(beyond)} beyond the lines"
    )
    if "exchange" in chosen and chosen["schedule"] != "exchange":
        said += f"; the exchange {show_seconds(chosen['exchange']['seconds'])}"
    if "runner_up" in chosen:
        other = chosen["runner_up"]
        said += f"; next {_name(other)}, {show_seconds(other['predicted']['seconds'])}"
    said += "."
    if "packings" in chosen:
        each = ", ".join(
            f"{_packing(way)} {show_seconds(way['predicted']['seconds'])}"
            for way in chosen["packings"]
        )
        by = chosen["packing_by"]
        said += (
            f" An all-to-all would pack by {by['log_3P']} as log_3P has it, and by {by['LogGP']} "
            f"as LogGP has it: {each}."
        )
    return said


def _packing(way: dict[str, Any]) -> str:
    if way["packing"] != "blocked":
        return str(way["packing"])
    planes = "1 plane" if way["block"] == 1 else f"{way['block']} planes"
    return f"blocked ({planes}, {way['padding']} elements apart)"


def _name(way: dict[str, Any]) -> str:
    """A way in words."""
    said = f"{way['schedule']} over {way['transport']}"
    if way["schedule"] == "tiled":
        said += f", {way['tile']} {'plane' if way['tile'] == 1 else 'planes'} a tile"
    if way["schedule"] in CUTTING:
        said += f", {way['strips']} strips"
    if way["packing"] != "copy":
        said += f", packed {_packing(way)}"
    if way["window"]:
        said += f", window {way['window']}"
    return said


def _how(entry: dict[str, Any]) -> str:
    """A way apart from its schedule: its tile, its strips, or how it packs."""
    if entry["schedule"] == "tiled":
        return f"tile {entry['tile']}"
    if entry["schedule"] in CUTTING:
        return f"{entry['strips']} strips"
    if entry["packing"] == "blocked":
        return f"blocked {entry['block']}:{entry['padding']}"
    return str(entry["packing"]) if entry["schedule"] == "exchange" else ""


def _ways(result: dict[str, Any]) -> Table:
    predicted = any("predicted" in entry for entry in result["ways"])
    spread = result["repetitions"] > 1
    columns: list[Column] = [("way", "left"), ("how", "left"), ("window", "right")]
    columns += [("time", "right")]
    columns += [("spread", "right")] if spread else []
    columns += [("overhead", "right"), ("reduction", "right")]
    columns += [("predicted", "right")] if predicted else []
    made = table(*columns)
    for entry in result["ways"]:
        schedule, transport = entry["schedule"], entry["transport"]
        usual = transport == SCHEDULES[schedule][0]
        window = entry["window"] or usual_window(schedule, transport, result["grid"][0]) or "all"
        cells = [
            (schedule if usual else f"{schedule}:{transport}") + ("*" if entry.get("auto") else ""),
            _how(entry),
            "" if schedule == "exchange" else str(window),
            show_seconds(entry["time"]["seconds"]),
        ]
        if spread:
            cells.append(show_share(entry["time"]["error"], 1))
        cells.append(show_seconds(entry["overhead"]["seconds"]))
        reduction = entry.get("overhead_reduction")
        cells.append("" if reduction is None else f"{reduction:.3f}")
        if predicted:
            error = entry.get("prediction_error")
            cells.append("" if error is None else f"{100 * error:+.1f} %")
        made.add_row(*cells)
    return made
