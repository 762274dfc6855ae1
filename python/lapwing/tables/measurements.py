"""Tables of measured collectives: an overview, and times by algorithm."""

from collections.abc import Callable, Iterable, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..measurements.cell import Measurements, Typical
from ..units import printable, show_size
from .layout import table, titled
from .numbers import microseconds

_UNKNOWN = "?"


def summary_tables(measurements: Measurements) -> list[RenderableType]:
    """What was measured, a row for each system and operation, and the notes."""
    made = table(
        ("system", "left"),
        ("operation", "left"),
        ("nodes", "right"),
        ("ranks", "right"),
        ("algorithms", "right"),
        ("size", "right"),
        ("cells", "right"),
    )
    groups: dict[tuple[str | None, str], list[Typical]] = {}
    for each in measurements.typical():
        groups.setdefault((each.setup.system, each.setup.operation), []).append(each)
    for (system, operation), rows in groups.items():
        setups = [row.setup for row in rows]
        made.add_row(
            printable(system or _UNKNOWN),
            printable(operation),
            _range(setup.nodes for setup in setups),
            _range(setup.ranks for setup in setups),
            str(len({setup.algorithm for setup in setups})),
            _range((setup.size for setup in setups), show_size),
            str(sum(len(row.cells) for row in rows)),
        )
    return [titled("Measured collectives", made), *notes(measurements.notes)]


def measurement_tables(measurements: Measurements) -> list[RenderableType]:
    """Every time, by operation, system and number of nodes, and the notes.

    Where there are several algorithms, the fastest one of each size beside the library's default.
    """
    parts: list[RenderableType] = []
    for title, rows in measurements.by_title().items():
        several = len({row.setup.algorithm for row in rows}) > 1
        parts += [titled(printable(title), _fastest(rows) if several else _times(rows)), ""]
    return [*parts, *notes(measurements.notes)]


def notes(lines: Iterable[str]) -> list[Text]:
    """A line for each note."""
    return [Text(f"note: {printable(line)}", style="yellow") for line in lines]


def _times(rows: Sequence[Typical]) -> Table:
    """The times of one algorithm; beside them the least and the greatest of runs, or quartiles."""
    made = table(
        ("size", "right"), ("us", "right"), ("from", "right"), ("to", "right"), ("runs", "right")
    )
    for row in rows:
        made.add_row(
            show_size(row.setup.size),
            microseconds(row.seconds),
            *("" if end is None else microseconds(end) for end in (row.low, row.high)),
            str(len(row.cells)),
        )
    return made


def _fastest(rows: Sequence[Typical]) -> Table:
    """The fastest algorithm of each size, and how much longer the library's default takes."""
    made = table(
        ("size", "right"),
        ("us", "right"),
        ("fastest of", "right"),
        ("", "left"),
        ("default us", "right"),
        ("over it", "right"),
    )
    for size in dict.fromkeys(row.setup.size for row in rows):
        of_size = [row for row in rows if row.setup.size == size]
        best = min(of_size, key=lambda row: row.seconds)
        default = next((row for row in of_size if row.setup.is_default), None)
        made.add_row(
            show_size(size),
            microseconds(best.seconds),
            str(len(of_size)),
            printable(best.setup.algorithm),
            microseconds(default.seconds) if default else "",
            f"{default.seconds / best.seconds:.2f}" if default else "",
        )
    return made


def _range(values: Iterable[int | None], show: Callable[[int], str] = str) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return _UNKNOWN
    low, high = show(min(known)), show(max(known))
    return low if low == high else f"{low} to {high}"
