"""What `lapwing fit` found, as tables."""

from typing import Any

from rich.console import RenderableType

from ..units import printable, show_seconds, show_share
from .layout import facts, table, titled
from .measurements import notes


def fit_tables(document: dict[str, Any]) -> list[RenderableType]:
    """The parameters with their errors, and how well predictions fit."""
    made = table(("", "left"), ("value", "right"), ("+-", "right"))
    for each in document["parameters"]:
        error = each["error"]
        made.add_row(
            printable(each["name"]),
            _shown(each["value"], each["unit"]),
            "unknown" if error is None else _shown(error, each["unit"]),
        )
    low, high = document["interval"]["low"], document["interval"]["high"]
    rows = [
        ("times", str(document["points"])),
        ("error of those fitted", _errors(document["fitted"])),
        ("of algorithms left out", _errors(document["held_out"])),
        ("nine of ten lie", f"{low:.2f} to {high:.2f} x prediction"),
    ]
    return [
        titled("Costs of a message in a collective", made),
        "",
        facts("How well they fit", rows),
        *notes(document["notes"]),
    ]


def _shown(value: float, unit: str) -> str:
    if unit == "1":
        return f"{value:.3g}"
    return f"{value * 1e9:.3g} ns/B" if unit == "s/B" else show_seconds(value)


def _errors(errors: dict[str, float]) -> str:
    return f"{show_share(errors['median'])} median, {show_share(errors['nine_of_ten'])} nine of ten"
