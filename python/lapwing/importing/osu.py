"""Text logs of the OSU micro-benchmarks, versions 3 to 7.

A log may hold several benchmarks, and lines of the launcher between them. The time of a collective
is a mean over iterations: of the slowest rank where the log has it (`-f`), else of all ranks. A
size is that of OSU: of a reduce_scatter all that a rank holds, else that of `lapwing.predict`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..measurements.cell import Cell
from . import collectives
from .conditions import Conditions, Place, place_in
from .log import Log
from .reading import (
    Point,
    Quantity,
    Reading,
    listed,
    looks_like_row,
    microseconds,
    positive,
    shifted,
    whole,
    whole_rows,
)

_TITLE = re.compile(r"\s*#\s*OSU (MPI\S*(?: MANAGED)?|\S+) (.+?)(?: Test)?(?:\s+v(\d[\w.]*))?\s*$")
_LONGEST_TITLE = 200  # characters
_PAIRS = re.compile(r"\s*#\s*\[ pairs: (\d+) \]")
_DATATYPE = re.compile(r"\s*#\s*Datatype: (\w+)")
_COLUMNS = re.compile(r"\s*#\s*(Size\b|Avg Latency)")
# Names of columns may stand one space apart.
_COLUMN = re.compile(
    r"Size|Avg Latency ?\(us\)|Min Latency ?\(us\)|Max Latency ?\(us\)|Latency ?\(us\)"
    r"|Bandwidth ?\(MB/s\)|MB/s|Messages/s|Iterations|Validation|Transmit Size"
    r"|P\d+ Tail \w+ ?\([\w/]+\)"
)
_POINTS: dict[str, Quantity] = {
    "latency": "half_round_trip",
    "bandwidth": "unidirectional",
    "bi-directional bandwidth": "bidirectional",
    "multiple bandwidth / message rate": "unidirectional",
}
_COLLECTIVES = {
    "broadcast": "bcast",
    "all-to-all": "alltoall",
    "all-to-all personalized exchange": "alltoall",
    "all-to-allv personalized exchange": "alltoallv",
    "all-to-allw personalized exchange": "alltoallw",
}
_ELEMENTS = {"MPI_CHAR": 1, "MPI_INT": 4, "MPI_FLOAT": 4, "MPI_DOUBLE": 8}


@dataclass
class _Table:
    """A benchmark's table. layer: "MPI", "MPI-CUDA".  rows: their lines and words."""

    line: int
    layer: str
    name: str
    version: str | None
    pairs: int = 1
    element: int = collectives.DEFAULT_ELEMENT
    columns: list[str] = field(default_factory=list)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)


def is_osu(log: Log) -> bool:
    """Whether a log has the title of an OSU benchmark."""
    return any(_title(line) for line in log.lines)


def _title(line: str) -> re.Match[str] | None:
    return _TITLE.match(line) if len(line) <= _LONGEST_TITLE else None


def read_osu(log: Log, conditions: Conditions) -> Reading:
    """What the benchmarks of a log print. Raises LapwingError with the line that is wrong."""
    reading = Reading("OSU micro-benchmarks")
    unused: dict[str, None] = {}
    empty = 0
    for table in _tables(log):
        reading.version = reading.version or table.version
        name = table.name.lower()
        operation = _operation(name) if table.layer.startswith("MPI") else None
        quantity = _POINTS.get(name) if table.layer.startswith("MPI") else None
        if operation is None and quantity is None:
            unused[f"{table.layer} {table.name}"] = None
            continue
        if not table.rows:
            raise log.refusal(table.line, f"cut short: no rows of {table.layer} {table.name}")
        reading.layer = table.layer
        if quantity is not None:
            reading.points += _points(log, table, quantity, conditions.system)
        elif operation is not None:
            cells = list(_cells(log, table, operation, conditions))
            empty += len(table.rows) - len(cells)
            reading.cells += cells
    if unused:
        reading.notes.append(f"{log.path}: left out {listed(unused)}")
    if empty:
        reading.notes.append(collectives.note_of_empty(log.path, empty))
    return reading


def _operation(name: str) -> str | None:
    """The collective of a benchmark's name; None if it is none of the blocking ones."""
    collective = name.removesuffix(" latency")
    if collective == name:
        return None
    return _COLLECTIVES.get(collective) or collectives.operation(collective)


def _tables(log: Log) -> Iterator[_Table]:
    """The tables of a log, each with its title; a datatype of its own begins another one."""
    table: _Table | None = None
    for number, line in enumerate(log.lines, 1):
        if match := _title(line):
            if table is not None:
                yield table
            table = _Table(number, match[1], match[2], match[3])
        elif table is None:
            continue
        elif match := _PAIRS.match(line):
            table.pairs = whole(log, number, "pairs", match[1])
        elif match := _DATATYPE.match(line):
            if table.rows:
                yield table
                table = _Table(number, table.layer, table.name, table.version, table.pairs)
            table.element = _ELEMENTS.get(match[1], collectives.DEFAULT_ELEMENT)
        elif _COLUMNS.match(line):
            table.columns = _COLUMN.findall(line)
        elif looks_like_row(words := line.split(), len(table.columns)):
            table.rows.append((number, words))
    if table is not None:
        yield table


def _values(log: Log, table: _Table) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table by the names of their columns, whole and validated."""
    for line, values in whole_rows(log, table.name, table.columns, table.rows):
        if values.get("Validation", "Pass") != "Pass":
            raise log.refusal(line, "the benchmark's own validation failed: its times mean nothing")
        yield line, {name.replace(" (", "("): text for name, text in values.items()}


def _points(log: Log, table: _Table, quantity: Quantity, system: str | None) -> Iterator[Point]:
    for line, values in _values(log, table):
        size = whole(log, line, "size", values.get("Size", ""), 0)
        if quantity == "half_round_trip":
            value = microseconds(log, line, "latency", values.get(_latency(values), ""))
        else:
            text = values.get("MB/s", values.get("Bandwidth(MB/s)", ""))
            if size == 0:
                continue
            value = shifted(positive(log, line, "bandwidth", text), text, 6)
            if "Messages/s" in values:  # has more digits
                value = positive(log, line, "rate", values["Messages/s"]) * size
        if size > 0:
            yield Point(quantity, size, value, table.pairs, system)


def _latency(values: dict[str, str]) -> str:
    """The column of the latency, which early versions call otherwise."""
    return "Avg Latency(us)" if "Avg Latency(us)" in values else "Latency(us)"


def _cells(log: Log, table: _Table, operation: str, conditions: Conditions) -> Iterator[Cell]:
    """The rows of a collective that communicate anything."""
    where = place_in(log, table.line, Place(None, None, None), conditions)
    for line, values in _values(log, table):
        size = whole(log, line, "size", values.get("Size", "0"), 0)
        if operation == "reduce_scatter":
            size = collectives.block(log, line, operation, size, where.ranks, table.element)
        if where.ranks == 1 or (size == 0 and operation != "barrier"):
            continue
        average = microseconds(log, line, "latency", values.get(_latency(values), ""))
        slowest = values.get("Max Latency(us)")
        iterations = values.get("Iterations")
        yield Cell(
            operation=operation,
            algorithm=conditions.algorithm or "default",
            size=size if operation != "barrier" else 0,
            nodes=where.nodes,
            ranks_per_node=where.ranks_per_node,
            ranks=where.ranks,
            system=conditions.system,
            mpi=conditions.mpi,
            mean=average if slowest is None else microseconds(log, line, "latency", slowest),
            mean_over_ranks=None if slowest is None else average,
            over_ranks="mean" if slowest is None else "slowest",
            samples=whole(log, line, "iterations", iterations) if iterations else None,
            run=conditions.run,
        )
