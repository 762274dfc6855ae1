"""Tables of measurements with a header row, as text with commas between the values.

The reader finds columns by name, in any order, and passes over others. A row is either a collective
or a message between two ranks:

- `operation` or `collective`, `size` or `bytes`, and times: `median_us`, `mean_us`, `q1_us`,
  `q3_us`, `min_us`, `max_us`, in ns, us, ms or s. `size` is that of `lapwing.predict`; `bytes` all
  of a rank's data: the blocks of all ranks together, unless it is a bcast, reduce or allreduce.
- `size` or `bytes`, and `latency_us` (half a round trip), `bandwidth_MB/s` or `bibw_MB/s`.
- `size` or `bytes`, and `value`, of which the user says what it is, as OSU prints it.

Any row may have `system` (or `cloud`, `environment`), `mpi`, `nodes` (8 or 2x2x2),
`ranks_per_node`, `ranks`, `algorithm`, `run`, `samples`, `over_ranks` (slowest or
mean: whose times they are), and `element`: bytes of one element.
"""

import csv
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from ..errors import LapwingError
from ..measurements.cell import Cell
from . import collectives
from .columns import RATES, Columns, columns, power_of_unit
from .conditions import Conditions, Place, place_in
from .log import Log
from .reading import Point, Quantity, Reading, listed, positive, shifted, whole

_POINTS: dict[str, Quantity] = {
    "latency": "half_round_trip",
    "bandwidth": "unidirectional",
    "bibw": "bidirectional",
}
_SHAPE = re.compile(r"\d{1,9}(x\d{1,9}){0,7}")
_FOR_A_VALUE = "say what it is, e.g. --value latency, bw, bibw or allreduce"


def is_table(log: Log) -> bool:
    """Whether a log begins with a header row that names a column of sizes."""
    header = _header(log)
    return header is not None and bool(
        {"size", "bytes", "operation"} & columns(header[1]).places.keys()
    )


def read_table(log: Log, conditions: Conditions) -> Reading:
    """The rows of a table. Raises LapwingError with the line that is wrong."""
    return _Table(log, conditions).read()


def _header(log: Log) -> tuple[int, list[str], str] | None:
    """The line of the header row, its words, and what is between them; None if there is none."""
    for number, line in enumerate(log.lines, 1):
        if line.strip() and not line.startswith("#"):
            delimiter = max(",;\t", key=line.count)
            words = next(csv.reader([line], delimiter=delimiter))
            return (number, words, delimiter) if len(words) > 1 else None
    return None


@dataclass
class _Table:
    """A table while it is read."""

    log: Log
    conditions: Conditions
    reading: Reading = field(default_factory=lambda: Reading("table (CSV)"))
    empty: int = 0  # rows that communicated nothing
    unknown: dict[str, None] = field(default_factory=dict)  # operations that nobody knows

    def read(self) -> Reading:
        header = _header(self.log)
        assert header is not None
        start, words, delimiter = header
        there = columns(words)
        what, unit = self._value(start, there)
        self._require_columns(start, there, what)
        for number, row in self._rows(start, delimiter):
            if len(row) < len(words):
                raise self.log.refusal(
                    number, f"cut short: {len(row)} of the {len(words)} columns of the header"
                )
            values = {name: row[position].strip() for name, position in there.places.items()}
            if self._counts(values):
                self._row(number, values, there, what, unit)
        self._take_notes()
        return self.reading

    def _rows(self, start: int, delimiter: str) -> Iterator[tuple[int, list[str]]]:
        lines = self.log.lines[start:]
        reader = csv.reader(lines, delimiter=delimiter)
        try:
            for row in reader:
                if row and any(map(str.strip, row)) and not row[0].startswith("#"):
                    yield start + reader.line_num, row
        except csv.Error as error:
            raise self.log.refusal(start + reader.line_num, f"no row of a table: {error}") from None

    def _value(self, line: int, there: Columns) -> tuple[str, str]:
        """What the column `value` holds, and its unit: ("latency", "us")."""
        given = self.conditions.value
        if given is None:
            if "value" in there and not there.units:
                raise self.log.refusal(
                    line, f"nobody says what the column value is: {_FOR_A_VALUE}"
                )
            return "", ""
        word, _, unit = given.partition(":")
        name = {"bw": "bandwidth"}.get(word.removeprefix("osu_"), word.removeprefix("osu_"))
        what = name if name in _POINTS else collectives.operation(word)
        if what is None:
            raise LapwingError(f'--value {given}: unknown "{word}"; {_FOR_A_VALUE}')
        unit = unit or ("MB/s" if what in RATES else "us")
        if power_of_unit(what, unit) is None:
            raise LapwingError(f'--value {given}: "{unit}" is no unit of it: write us or MB/s')
        return what, unit

    def _require_columns(self, line: int, there: Columns, what: str) -> None:
        found = f"the header has {listed(there.places, 8)}"
        if "operation" in there or (what and what not in _POINTS):
            if what and "value" in there:
                return
            if not there.measured(("median", "mean")):
                raise self.log.refusal(
                    line, f"no column of times, say median_us or mean_us: {found}"
                )
        elif not (what and "value" in there) and not there.measured(tuple(_POINTS)):
            raise self.log.refusal(
                line, f"no column operation, and none of latency_us, bandwidth_MB/s, value: {found}"
            )
        for column in self.conditions.only:
            if column not in there:
                raise self.log.refusal(line, f"no column {column}, which is to choose the rows")
        if "size" not in there and "bytes" not in there and "operation" not in there:
            raise self.log.refusal(line, f"no column size or bytes: {found}")

    def _counts(self, values: dict[str, str]) -> bool:
        return all(values[column] in accepted for column, accepted in self.conditions.only.items())

    def _row(self, line: int, values: dict[str, str], there: Columns, what: str, unit: str) -> None:
        """Take a row: a message between two ranks, or a collective."""

        def times() -> dict[str, float]:
            if what and "value" in there:
                return {what: self._measured(line, "value", what, values["value"], unit)}
            return {
                name: self._measured(line, name, name, values[name], its_unit)
                for name, its_unit in there.units.items()
                if values[name]
            }

        named = values.get("operation") or what
        if named in _POINTS or not named:
            self._points(line, values, times())
        elif operation := collectives.operation(named):
            size, where = self._size(line, values), self._place(line, values)
            if "value" not in values and "size" not in values and collectives.is_cut(operation):
                element = self._count(line, values, "element") or collectives.DEFAULT_ELEMENT
                size = collectives.block(self.log, line, operation, size, where.ranks, element)
            if where.ranks == 1 or (size == 0 and operation != "barrier"):
                self.empty += 1
                return
            self._cell(line, values, operation, size, where, times())
        else:
            self.unknown[named] = None

    def _measured(self, line: int, name: str, measured: str, text: str, unit: str) -> float:
        power = power_of_unit(measured, unit)
        assert power is not None  # the unit was tried with the header
        return shifted(positive(self.log, line, name, text), text, power)

    def _points(self, line: int, values: dict[str, str], times: dict[str, float]) -> None:
        size = self._size(line, values)
        self.reading.points += [
            Point(quantity, size, times[name], system=self._system(values))
            for name, quantity in _POINTS.items()
            if name in times and size > 0
        ]

    def _cell(
        self,
        line: int,
        values: dict[str, str],
        operation: str,
        size: int,
        where: Place,
        times: dict[str, float],
    ) -> None:
        times = {"mean" if name == operation else name: time for name, time in times.items()}
        if "median" not in times and "mean" not in times:
            raise self.log.refusal(line, "neither a median nor a mean")
        order = [name for name in ("min", "q1", "median", "q3", "max") if name in times]
        for low, high in pairwise(order):
            if times[low] > times[high]:
                raise self.log.refusal(line, f"{low} is greater than {high}")
        shape = self._shape(line, values)
        self.reading.cells.append(
            Cell(
                operation=operation,
                algorithm=values.get("algorithm") or self.conditions.algorithm or "default",
                size=size if operation != "barrier" else 0,
                nodes=where.nodes,
                ranks_per_node=where.ranks_per_node,
                ranks=where.ranks,
                shape=shape if len(shape) > 1 else (),
                system=self._system(values),
                mpi=values.get("mpi") or self.conditions.mpi,
                median=times.get("median"),
                mean=times.get("mean"),
                quartiles=(times["q1"], times["q3"]) if {"q1", "q3"} <= times.keys() else None,
                minimum=times.get("min"),
                maximum=times.get("max"),
                samples=self._count(line, values, "samples"),
                over_ranks=self._over_ranks(line, values),
                run=values.get("run") or self.conditions.run,
            )
        )

    def _over_ranks(self, line: int, values: dict[str, str]) -> Literal["slowest", "mean"] | None:
        match values.get("over_ranks", ""):
            case "":
                return None
            case "slowest":
                return "slowest"
            case "mean":
                return "mean"
            case other:
                raise self.log.refusal(line, f'over_ranks is "{other[:40]}": slowest or mean')

    def _system(self, values: dict[str, str]) -> str | None:
        parts = [values.get("system")] if values.get("system") else []
        parts = parts or [values[name] for name in ("cloud", "environment") if values.get(name)]
        return " ".join(filter(None, parts)) or self.conditions.system

    def _size(self, line: int, values: dict[str, str]) -> int:
        name = "size" if "size" in values else "bytes"
        if name not in values:
            if values.get("operation", "").lower().endswith("barrier"):
                return 0
            raise self.log.refusal(line, "no column size or bytes")
        return whole(self.log, line, name, values[name], 0)

    def _place(self, line: int, values: dict[str, str]) -> Place:
        shape = self._shape(line, values)
        said = Place(
            math.prod(shape) if shape else None,
            self._count(line, values, "ranks_per_node"),
            self._count(line, values, "ranks"),
        )
        return place_in(self.log, line, said, self.conditions)

    def _shape(self, line: int, values: dict[str, str]) -> tuple[int, ...]:
        """The nodes of each dimension; of one number that alone; empty if there is no number."""
        text = values.get("nodes", "")
        if not text:
            return ()
        if not _SHAPE.fullmatch(text):
            raise self.log.refusal(line, f'nodes is "{text[:40]}": write 8, or 2x2x2')
        return tuple(whole(self.log, line, "nodes", each) for each in text.split("x"))

    def _count(self, line: int, values: dict[str, str], name: str) -> int | None:
        text = values.get(name, "")
        return whole(self.log, line, name, text) if text else None

    def _take_notes(self) -> None:
        name = self.log.path
        if self.empty:
            self.reading.notes.append(collectives.note_of_empty(name, self.empty))
        if self.unknown:
            self.reading.notes.append(
                f"{name}: left out what is no collective of Lapwing's: {listed(self.unknown)}"
            )
