"""Transforms for people: each way beside the others, and why one was chosen."""

from typing import Any

from rich.console import RenderableType
from rich.table import Table

from ..units import show_seconds, show_share
from .layout import Column, table, titled, warnings


def fft_tables(result: dict[str, Any]) -> list[RenderableType]:
    """What each way took, and what is to be said about it."""
    size = " x ".join(map(str, result["size"]))
    lines = show_seconds(result["lines"]["seconds"])
    tables: list[RenderableType] = [
        titled(f"Transform of {size} on {result['ranks']} ranks", _ways(result)),
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
    return said + "."


def _name(way: dict[str, Any]) -> str:
    """A way in words."""
    said = f"{way['schedule']} over {way['transport']}"
    if way["schedule"] == "tiled":
        said += f", {way['tile']} {'plane' if way['tile'] == 1 else 'planes'} a tile"
    if way["schedule"] == "strips":
        said += f", {way['strips']} strips"
    if way["window"]:
        said += f", window {way['window']}"
    return said


def _ways(result: dict[str, Any]) -> Table:
    predicted = any("predicted" in entry for entry in result["ways"])
    spread = result["repetitions"] > 1
    columns: list[Column] = [("schedule", "left"), ("transport", "left"), ("tile", "right")]
    columns += [("strips", "right"), ("window", "right"), ("time", "right")]
    columns += [("spread", "right")] if spread else []
    columns += [("overhead", "right"), ("reduction", "right")]
    columns += [("predicted", "right")] if predicted else []
    made = table(*columns)
    for entry in result["ways"]:
        tiled = entry["schedule"] == "tiled"
        limited = entry["schedule"] == "strips" and entry["transport"] == "two-sided"
        window = str(entry["window"] or ("2" if tiled else "16 each" if limited else "all"))
        cells = [
            entry["schedule"] + ("*" if entry.get("auto") else ""),
            entry["transport"],
            str(entry["tile"]) if tiled else "",
            str(entry["strips"]) if entry["schedule"] == "strips" else "",
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
