"""Tables of predictions: times by the number of ranks and the size."""

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ..units import show_seconds, show_size
from .layout import table, titled

# Columns of times that fit side by side.
_BESIDE = 5
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def prediction_tables(document: dict[str, Any]) -> list[RenderableType]:
    """The times, the model behind them, and those outside the measured sizes."""
    parts: list[RenderableType] = []
    if document["algorithm"] == "all":
        for size in document["sizes"]:
            parts += [*_algorithms(document, size), ""]
    else:
        parts += [*_grid(document), ""]
    parts += [Text(line, style="dim") for line in _notes(document)]
    parts += [f"{line}" for line in _packing(document)]
    parts += [f"{line}" for line in _choices(document)]
    return parts


def _title(document: dict[str, Any], what: str = "") -> str:
    title = document["operation"] + (f", {what}" if what else "")
    if "stride" in document:
        title += f", stride {show_size(document['stride'])}"
    if document["ppn"] > 1:
        title += f", {document['ppn']} ranks a node"
    return f"{title}: predicted"


def _grid(document: dict[str, Any]) -> Iterator[Group]:
    """Ranks down, sizes across; a letter names the algorithm if there are several."""
    cells = {(each["ranks"], each["size"]): each for each in document["predictions"]}
    letters = _letters(document)
    algorithm = document["predictions"][0]["algorithm"] if not letters else document["algorithm"]
    for sizes in _beside(document["sizes"]):
        made = table(("ranks", "right"), *((show_size(size), "right") for size in sizes))
        for ranks in document["ranks"]:
            made.add_row(f"{ranks:,}", *(_cell(cells[ranks, size], letters) for size in sizes))
        yield titled(_title(document, algorithm), made)


def _algorithms(document: dict[str, Any], size: int) -> Iterator[Group]:
    """Algorithms down, ranks across; the fastest algorithm of each number of ranks is marked."""
    cells = {
        (each["algorithm"], each["ranks"]): each
        for each in document["predictions"]
        if each["size"] == size
    }
    names = list(dict.fromkeys(name for name, _ in cells))
    for counts in _beside(document["ranks"]):
        made = table(("ranks", "left"), *((f"{count:,}", "right") for count in counts))
        least = {count: min(_seconds(cells[name, count]) for name in names) for count in counts}
        for name in names:
            made.add_row(
                name,
                *(
                    ("<" if _seconds(cells[name, count]) == least[count] else "")
                    + _cell(cells[name, count], {})
                    for count in counts
                ),
            )
        yield titled(_title(document, show_size(size)), made)


def _cell(prediction: dict[str, Any], letters: dict[str, str]) -> str:
    mark = "" if prediction["measured_range"] else "*"
    letter = letters.get(prediction["algorithm"], "")
    return f"{mark}{show_seconds(_seconds(prediction))}" + (f" {letter}" if letter else "")


def _seconds(prediction: dict[str, Any]) -> float:
    seconds: float = prediction["predicted"]["seconds"]
    return seconds


def _letters(document: dict[str, Any]) -> dict[str, str]:
    """A letter for each algorithm; empty if there is only one."""
    names = list(dict.fromkeys(each["algorithm"] for each in document["predictions"]))
    return dict(zip(names, _LETTERS, strict=False)) if len(names) > 1 else {}


def _beside(values: list[int]) -> Iterator[list[int]]:
    for first in range(0, len(values), _BESIDE):
        yield values[first : first + _BESIDE]


def _notes(document: dict[str, Any]) -> Iterator[str]:
    if document["algorithm"] == "all":
        yield "< the fastest"
    elif letters := _letters(document):
        yield ", ".join(f"{letter} {name}" for name, letter in letters.items())
    models = [each["model"] for each in document["predictions"]]
    ways = {
        "engine": "event by event",
        "model": "by closed forms",
        "printed": "as the papers print it",
    }
    said = [f"{models.count(name)} {way}" for name, way in ways.items() if name in models]
    yield f"{', '.join(said)}"
    told = document["predictions"][0]["predicted"]
    if "low" in told and told["seconds"] > 0:
        low, high = (told[end] / told["seconds"] for end in ("low", "high"))
        yield f"nine of ten measured times lie between {low:.2f} and {high:.2f} of these"
    outside = sum(not each["measured_range"] for each in document["predictions"])
    if outside:
        yield f"* {outside} with messages beyond what the profile has tables for"


def _packing(document: dict[str, Any]) -> Iterator[str]:
    for each in document.get("packing", ()):
        yield (
            f"{show_size(each['size'])}: derived type {show_seconds(each['derived']['seconds'])}, "
            f"packed by hand {show_seconds(each['packed']['seconds'])}: {each['log_3P']}"
        )
    if "packing" in document:
        yield "LogGP, which knows no stride, would never pack."


def _choices(document: dict[str, Any]) -> Iterator[str]:
    if "choices" not in document:
        return
    choices = document["choices"]
    differ = [each for each in choices if each["LogGP"] != each["log_3P"]]
    if not differ:
        yield "Between linear and binomial, LogGP and log_3P choose the same everywhere."
        return
    first = differ[0]
    yield (
        f"Between linear and binomial, LogGP and log_3P differ in {len(differ)} of {len(choices)}: "
        f"{first['ranks']:,} ranks, {show_size(first['size'])}: {first['LogGP']} by LogGP, "
        f"{first['log_3P']} by log_3P."
    )
