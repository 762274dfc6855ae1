"""Figures of predictions, and of operations beside their predictions."""

from typing import Any

from ..units import show_size
from .curves import MOST_CURVES, curves, scatter
from .profile import SIZE
from .spec import About, Row, Spec
from .units import Axis

Documents = list[tuple[str, dict[str, Any]]]

# Predictions off by less are exact for every purpose: a figure of them has nothing to show.
_EXACT = 1e-3

_TIME = Axis("time_s", "time", "seconds", log=True)
_RANKS = Axis("ranks", "ranks", "count", log=True)
MEASURED = Axis("measured_s", "measured", "seconds", log=True)
PREDICTED = Axis("predicted_s", "predicted", "seconds", log=True)


def prediction_curves(documents: Documents) -> list[Spec]:
    """The time by the number of ranks, for one size at a time; and by size, for some ranks.

    Hollow marks are outside the sizes that the profile has tables for.
    """
    rows = [row for label, document in documents for row in _predicted(label, document)]
    words = "Predicted time, {}. Hollow marks: messages beyond what was measured."
    by_ranks = About("predicted-ranks", "Predicted time by ranks", words.format("by the number of "
        "ranks"), "prediction")  # fmt: skip
    by_size = About("predicted-sizes", "Predicted time by size", words.format("by size"),
        "prediction")  # fmt: skip
    made = [
        curves(by_ranks, rows, _RANKS, _TIME, "algorithm", select=["operation", "size"]),
        curves(by_size, rows, SIZE, _TIME, "algorithm", select=["operation", "on"]),
    ]
    return [spec for spec in made if spec is not None]


def validation(documents: Documents) -> list[Spec]:
    """Predicted against measured times, and the error of each against the size."""
    rows = [
        {
            "from": label,
            "operation": result["operation"],
            "algorithm": result["algorithm"] or "default",
            "on": f"{result['ranks']:,} ranks",
            "size_bytes": result["size"],
            "measured_s": result["measured"]["seconds"],
            "predicted_s": result["predicted"]["seconds"],
            "error": result["measured"]["error"],
            "prediction_error": result["error"],
            "note": f"{result['algorithm']}, {result['ranks']} ranks, {show_size(result['size'])}",
        }
        for label, document in documents
        for result in document["results"]
    ]
    made = [
        scatter(
            About(
                "validated",
                "Operations: predicted against measured",
                "Each mark is an operation: along what it took, up what was predicted. Marks on "
                "the line were predicted exactly, those in the band to 10 %. Bars are the spread "
                "of the measurement.",
                "prediction",
            ),
            rows,
            MEASURED,
            PREDICTED,
            "operation",
        )
    ]
    if any(abs(row["prediction_error"]) > _EXACT for row in rows):
        made.append(_errors(rows))
    return [spec for spec in made if spec is not None]


def _errors(rows: list[Row]) -> Spec | None:
    about = About(
        "errors",
        "How far predictions are off",
        "Predicted over measured time, minus 1, against the size: 0 is exact, below it operations "
        "took longer than predicted.",
        "prediction",
    )
    y = Axis("prediction_error", "error of the prediction", "share")
    choices = {(row["from"], row["operation"], row["on"]) for row in rows}
    levels = [
        {"from": label, "operation": operation, "on": ranks, "algorithm": name, "level": level}
        for label, operation, ranks in choices
        for name, level in (("exact", 0.0), ("10 % too slow", 0.1), ("10 % too quick", -0.1))
    ]
    shown = [{name: row[name] for name in row if name != "note"} for row in rows]
    select = ["from", "operation", "on"]
    return curves(about, shown, SIZE, y, "algorithm", select=select, levels=levels)


def _predicted(label: str, document: dict[str, Any]) -> list[Row]:
    """The predictions of the algorithms that are fastest most often."""
    cells: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for each in document["predictions"]:
        cells.setdefault((each["ranks"], each["size"]), []).append(each)
    wins: dict[str, int] = {each["algorithm"]: 0 for each in document["predictions"]}
    for several in cells.values():
        wins[min(several, key=_seconds)["algorithm"]] += 1
    chosen = sorted(wins, key=lambda name: -wins[name])[:MOST_CURVES]
    best = document["algorithm"] != "all"  # then one of them for each size and number of ranks
    return [
        {
            "operation": f"{document['operation']}, {label}",
            "algorithm": document["algorithm"] if best else each["algorithm"],
            "ranks": each["ranks"],
            "on": f"{each['ranks']:,} ranks",
            "size_bytes": each["size"],
            "size": show_size(each["size"]),
            "time_s": _seconds(each),
            "extrapolated": not each["measured_range"],
            **({"note": each["algorithm"]} if best else {}),
        }
        for each in document["predictions"]
        if best or each["algorithm"] in chosen
    ]


def _seconds(prediction: dict[str, Any]) -> float:
    return float(prediction["predicted"]["seconds"])
