"""Tables of measured times beside predicted ones."""

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ..units import show_seconds, show_share, show_size
from .layout import table, titled, warnings

# Sizes of a scaling curve that fit side by side.
_MOST_SIZES = 3


def validate_tables(document: dict[str, Any]) -> list[RenderableType]:
    """Measured and predicted times of each algorithm, its scaling curve, and the summary."""
    parts: list[RenderableType] = []
    for name, results in _groups(document["results"]):
        parts += [_times(name, results), ""]
        if len({result["ranks"] for result in results}) > 2:
            parts += [_scaling(name, results), ""]
    parts += _left_out(document["left_out"])
    outside = sum(not result["measured_range"] for result in document["results"])
    if outside:
        parts.append(Text(f"* {outside} beyond the sizes that the profile has tables for"))
    other = sum(_in_another_environment(result) for result in document["results"])
    if other:
        parts.append(Text(f"~ {other} measured in another environment than the profile"))
    return [*parts, *warnings(document["warnings"]), summary(document["summary"])]


def summary(found: dict[str, Any]) -> str:
    """One line: mean, median and worst error, and where the worst is.

    The same again of those in the profile's environment, where they are some of them.
    """
    line = f"{found['cells']} predictions: {_errors(found)}."
    alike = found.get("same_environment", found.get("same_surroundings"))
    if alike:
        line += f" {alike['cells']} in the profile's environment: {_errors(alike)}."
    return line


def _errors(found: dict[str, Any]) -> str:
    at = found["at"]
    place = f"{at['operation']} {at['algorithm']}, {at['ranks']} ranks, {show_size(at['size'])}"
    if "stride" in at:
        place += f" at stride {show_size(at['stride'])}, {_layout(at)}"
    # Earlier documents do not have it.
    median = f"median {show_share(found['median'], 2)}, " if "median" in found else ""
    worst = f"worst {_signed(found['worst'])} ({place})"
    return f"mean error {show_share(found['mean'], 2)}, {median}{worst}"


def _groups(results: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The results of each algorithm, in the order of their first appearance."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for result in results:
        name = f"{result['operation']}, {result['algorithm']}"
        if "stride" in result:
            name += f", stride {show_size(result['stride'])}, {_layout(result)}"
        groups.setdefault(name, []).append(result)
    yield from groups.items()


def _in_another_environment(result: dict[str, Any]) -> bool:
    measured = result["measured"]
    # Documents of before have another word for it.
    return not measured.get("same_environment", measured.get("same_surroundings", True))


def _layout(result: dict[str, Any]) -> str:
    return "packed" if result["packed"] else "derived type"


def _times(name: str, results: list[dict[str, Any]]) -> Group:
    made = table(
        ("ranks", "right"),
        ("size", "right"),
        ("measured", "right"),
        ("±", "right"),
        ("predicted", "right"),
        ("off by", "right"),
        ("error", "right"),
    )
    before = None
    for result in sorted(results, key=lambda result: (result["ranks"], result["size"])):
        measured = result["measured"]
        ranks = str(result["ranks"]) if result["ranks"] != before else ""
        before = result["ranks"]
        other = "~" if _in_another_environment(result) else ""
        mark = "" if result["measured_range"] else "*"
        made.add_row(
            ranks,
            show_size(result["size"]),
            other + show_seconds(measured["seconds"]),
            show_share(measured["error"], 1) if measured["error"] else "",
            mark + show_seconds(result["predicted"]["seconds"]),
            show_seconds(result["difference"]["seconds"]),
            _signed(result["error"]),
        )
    return titled(name, made)


def _scaling(name: str, results: list[dict[str, Any]]) -> Group:
    """Ranks down, some sizes across: measured times, with predicted ones in brackets."""
    sizes = sorted({result["size"] for result in results})
    if len(sizes) > _MOST_SIZES:
        sizes = [sizes[0], sizes[len(sizes) // 2], sizes[-1]]
    cells = {(result["ranks"], result["size"]): result for result in results}
    made = table(("ranks", "right"), *((show_size(size), "right") for size in sizes))
    for ranks in sorted({ranks for ranks, _ in cells}):
        row = [str(ranks)]
        for size in sizes:
            cell = cells.get((ranks, size))
            row.append(
                f"{show_seconds(cell['measured']['seconds'])} "
                f"({show_seconds(cell['predicted']['seconds'])})"
                if cell
                else ""
            )
        made.add_row(*row)
    return titled(f"{name}: measured (predicted) by the number of ranks", made)


def _left_out(entries: list[dict[str, Any]]) -> list[Text]:
    """A line for each reason and algorithm, with its sizes."""
    ranks: dict[str, list[int]] = {}
    for entry in entries:
        sizes = ", ".join(show_size(size) for size in entry["sizes"])
        what = f"{entry['operation']} {entry['algorithm']}, {sizes}: {entry['reason']}"
        ranks.setdefault(what, []).append(entry["ranks"])
    return [
        Text(f"left out: {what}, on {', '.join(map(str, on))} ranks", style="dim")
        for what, on in ranks.items()
    ]


def _signed(share: float) -> str:
    shown = show_share(share, 2)
    return shown if shown.startswith("-") else f"+{shown}"
