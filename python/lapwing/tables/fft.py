"""Transforms for people: each way beside the others, and why one was chosen."""

from typing import Any

from rich.console import RenderableType
from rich.table import Table

from ..transforms import usual_window
from ..units import show_seconds, show_share
from .layout import Column, table, titled, warnings


def fft_tables(result: dict[str, Any]) -> list[RenderableType]:
    """What each way took, and what is to be said about it."""
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
    """Why a way was chosen, from what was predicted."""
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
            f" One all-to-all would pack by {by['log_3P']} as log_3P has it, by {by['LogGP']} as "
            f"LogGP has it: {each}."
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
    if way["schedule"] == "strips":
        said += f", {way['strips']} strips"
    if way["packing"] != "copy":
        said += f", packed {_packing(way)}"
    if way["window"]:
        said += f", window {way['window']}"
    return said


def _packing_cell(entry: dict[str, Any]) -> str:
    if entry["schedule"] != "exchange":
        return ""
    blocked = f" {entry['block']}:{entry['padding']}" if entry["packing"] == "blocked" else ""
    return f"{entry['packing']}{blocked}"


def _ways(result: dict[str, Any]) -> Table:
    predicted = any("predicted" in entry for entry in result["ways"])
    spread = result["repetitions"] > 1
    packed = any(entry["packing"] != "copy" for entry in result["ways"])
    columns: list[Column] = [("schedule", "left"), ("transport", "left"), ("tile", "right")]
    columns += [("strips", "right")]
    columns += [("packing", "left")] if packed else []
    columns += [("window", "right"), ("time", "right")]
    columns += [("spread", "right")] if spread else []
    columns += [("overhead", "right"), ("reduction", "right")]
    columns += [("predicted", "right")] if predicted else []
    made = table(*columns)
    for entry in result["ways"]:
        tiled = entry["schedule"] == "tiled"
        usual = usual_window(entry["schedule"], entry["transport"], result["grid"][0])
        window = str(entry["window"] or usual or "all")
        cells = [
            entry["schedule"] + ("*" if entry.get("auto") else ""),
            entry["transport"],
            str(entry["tile"]) if tiled else "",
            str(entry["strips"]) if entry["schedule"] == "strips" else "",
            *([_packing_cell(entry)] if packed else []),
            "" if entry["schedule"] == "exchange" else window,
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
