"""Text logs of the Intel MPI Benchmarks (IMB-MPI1), versions 2 to 2021.

The time of a collective is the mean over iterations of the slowest rank. Rates are computed of
times, because megabytes were 2^20 bytes in some versions. A size is that of IMB: of a
reduce_scatter all that a rank holds, else that of `lapwing.predict`.
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
    whole,
    whole_rows,
)

_SUITE = re.compile(r"\s*#\s*Intel ?\(R\) MPI Benchmark(?: Suite|s) (?:V)?(.+?),? MPI-\w+ part")
_BENCHMARK = re.compile(r"\s*#\s*Benchmarking (\S+)")
_PROCESSES = re.compile(r"\s*#\s*#processes = (\d+)")
_END = re.compile(r"\s*#\s*All processes entering MPI_Finalize")
# The word behind the size of a message that the benchmark gave up.
_FAILURES = [["out-of-mem.;"], ["int-overflow.;"], ["int-overflow;"], ["time-out.;"]]

# Messages between two ranks: what is computed of a time.
_POINTS: dict[str, Quantity] = {
    "PingPong": "half_round_trip",
    "PingPongSpecificSource": "half_round_trip",
    "PingPongAnySource": "half_round_trip",
    "Uniband": "unidirectional",
    "Biband": "bidirectional",
    "Sendrecv": "exchange",
    "Exchange": "exchange",
}
# Messages of both ranks together in the time of an iteration.
_MESSAGES = {"Sendrecv": 2, "Exchange": 4}


@dataclass
class _Table:
    """A benchmark's table on some ranks. rows: their lines and words."""

    line: int
    name: str
    ranks: int | None = None
    columns: list[str] = field(default_factory=list)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)


def is_imb(log: Log) -> bool:
    """Whether a log has the title of the suite, or of a benchmark and its processes."""
    return any(_SUITE.match(line) for line in log.lines) or (
        any(_BENCHMARK.match(line) for line in log.lines)
        and any(_PROCESSES.match(line) for line in log.lines)
    )


def read_imb(log: Log, conditions: Conditions) -> Reading:
    """What the benchmarks of a log print. Raises LapwingError with the line that is wrong."""
    suite = next(filter(None, map(_SUITE.match, log.lines)), None)
    reading = Reading("Intel MPI Benchmarks", suite[1] if suite else None)
    tables = list(_tables(log))
    unused: dict[str, None] = {}
    empty = failed = 0
    job = max((table.ranks or 0 for table in tables), default=0)
    if (each := conditions.of_job(job).ranks_per_node) is not None and job > 1:
        reading.within = each > 1  # messages go from the first rank to the second
    for table in tables:
        operation, quantity = collectives.operation(table.name), _POINTS.get(table.name)
        if table.ranks is None or (quantity and table.ranks != 2) or not (operation or quantity):
            unused[f"{table.name} of {table.ranks} ranks" if quantity else table.name] = None
            continue
        if not table.rows:
            raise log.refusal(table.line, f"cut short: no rows of {table.name}")
        done = [row for row in table.rows if row[1][1:2] not in _FAILURES]
        failed += len(table.rows) - len(done)
        table.rows = done
        if quantity is not None:
            reading.points += _points(log, table, quantity, conditions.system)
        elif operation is not None:
            cells = list(_cells(log, table, operation, conditions, job))
            empty += len(done) - len(cells)
            reading.cells += cells
    if unused:
        reading.notes.append(f"{log.path}: left out {listed(unused)}")
    if failed:
        reading.notes.append(f"{log.path}: left out {failed} rows that the benchmark gave up")
    if empty:
        reading.notes.append(collectives.note_of_empty(log.path, empty))
    if not any(map(_END.match, log.lines)):
        reading.notes.append(f"{log.path}: has no end, and may have been cut short")
    return reading


def _tables(log: Log) -> Iterator[_Table]:
    """The tables of a log, each with its title."""
    table: _Table | None = None
    for number, line in enumerate(log.lines, 1):
        if match := _BENCHMARK.match(line):
            if table is not None:
                yield table
            table = _Table(number, match[1])
        elif table is None:
            continue
        elif match := _PROCESSES.match(line):
            table.ranks = whole(log, number, "#processes", match[1])
        elif "#repetitions" in line:
            table.columns = line.replace("overlap[%]", "overlap").split()
        elif looks_like_row(words := line.split(), len(table.columns)) or words[1:2] in _FAILURES:
            table.rows.append((number, words))
    if table is not None:
        yield table


def _values(log: Log, table: _Table) -> Iterator[tuple[int, dict[str, str]]]:
    """The whole rows of a table, by the names of their columns."""
    return whole_rows(log, table.name, table.columns, table.rows)


def _points(log: Log, table: _Table, quantity: Quantity, system: str | None) -> Iterator[Point]:
    for line, values in _values(log, table):
        size = whole(log, line, "#bytes", values.get("#bytes", ""), 0)
        if size == 0:
            continue
        if "Msg/sec" in values:
            value = positive(log, line, "Msg/sec", values["Msg/sec"]) * size
        else:
            time = values.get("t[usec]", values.get("t_max[usec]", ""))
            seconds = microseconds(log, line, "time", time)
            value = (
                seconds if quantity == "half_round_trip" else _MESSAGES[table.name] * size / seconds
            )
        yield Point(quantity, size, value, system=system)


def _cells(
    log: Log, table: _Table, operation: str, conditions: Conditions, job: int
) -> Iterator[Cell]:
    """The rows of a collective that communicate anything. job: ranks of the whole job."""
    said = Place(None, None, table.ranks)
    where = place_in(log, table.line, said, conditions.of_job(job))
    for line, values in _values(log, table):
        size = whole(log, line, "#bytes", values.get("#bytes", "0"), 0)
        if table.name == "Reduce_scatter":
            element = collectives.DEFAULT_ELEMENT
            size = collectives.block(log, line, operation, size, where.ranks, element)
        if where.ranks == 1 or (size == 0 and operation != "barrier"):
            continue
        yield Cell(
            operation=operation,
            algorithm=conditions.algorithm or "default",
            size=size if operation != "barrier" else 0,
            nodes=where.nodes,
            ranks_per_node=where.ranks_per_node,
            ranks=where.ranks,
            system=conditions.system,
            mpi=conditions.mpi,
            mean=microseconds(log, line, "t_max", values.get("t_max[usec]", "")),
            mean_over_ranks=microseconds(log, line, "t_avg", values.get("t_avg[usec]", "")),
            over_ranks="slowest",
            samples=whole(log, line, "#repetitions", values.get("#repetitions", "")),
            run=conditions.run,
        )
