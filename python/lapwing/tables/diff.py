"""Tables of what changed between two profiles."""

from itertools import groupby
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ..units import printable, show_share
from .layout import table, titled
from .numbers import with_unit


def diff_tables(document: dict[str, Any]) -> list[RenderableType]:
    """The tables of a diff document: machine, changes by section, sections that only one has."""
    parts: list[RenderableType] = []
    if document["machine"]:
        made = table(("", "left"), ("A", "left"), ("B", "left"))
        for entry in document["machine"]:
            made.add_row(printable(entry["field"]), *(_text(entry[side]) for side in "ab"))
        parts += [titled("Machine", made), ""]
    for section, changes in groupby(document["changes"], lambda change: change["section"]):
        made = table(("", "left"), ("A", "right"), ("B", "right"), ("change", "right"))
        for change in changes:
            values = (printable(with_unit(change[side], change["unit"])) for side in "ab")
            made.add_row(printable(change["entry"]), *values, _change(change))
        parts += [titled(printable(section), made), ""]
    for side in "ab":
        if document[f"only_{side}"]:
            names = ", ".join(map(printable, document[f"only_{side}"]))
            parts += [f"Only {side.upper()} has: {names}", ""]
    count, compared = len(document["changes"]), document["compared"]
    threshold = show_share(document["threshold"], 1)
    summary = (
        f"{count} of {compared} entries differ by more than their error, or {threshold} "
        "without a known error."
    )
    return [*parts, Text(summary)]


def _change(change: dict[str, Any]) -> str:
    if "change" not in change:
        return ""
    return ("+" if change["change"] > 0 else "") + show_share(change["change"], 1)


def _text(text: str | None) -> str:
    return "-" if text is None else printable(text)
