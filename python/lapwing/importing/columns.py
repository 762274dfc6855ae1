"""Columns of a table of measurements: which there are, and the units of their values."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..units.quantity import Kind, quantity

# Other words for a column. Columns are found by name, in capitals or not.
_SAME = {
    "collective": "operation",
    "ppn": "ranks_per_node",
    "processes": "ranks",
    "np": "ranks",
    "iterations": "samples",
    "element_bytes": "element",
    "bw": "bandwidth",
    "unidirectional": "bandwidth",
    "bidirectional": "bibw",
    "half_round_trip": "latency",
    "avg": "mean",
    "minimum": "min",
    "maximum": "max",
}
_SECONDS = {"usec": "us", "nsec": "ns", "msec": "ms", "sec": "s"}

TIMES = ("median", "mean", "min", "q1", "q3", "max", "latency")
RATES = ("bandwidth", "bibw")

_MEASURED = re.compile(rf"({'|'.join((*TIMES, *RATES, *_SAME))})[ _(\[]*([\wµ/]+)[)\]]?", re.I)


@dataclass(frozen=True)
class Columns:
    """The columns of a table.

    places: of each column, by the name that this module has for it, else by its own.  units: of
    those that hold times and rates.
    """

    places: dict[str, int]
    units: dict[str, str]

    def __contains__(self, name: str) -> bool:
        return name in self.places

    def measured(self, names: Sequence[str]) -> list[str]:
        """Those of `names` that hold times or rates."""
        return [name for name in names if name in self.units]


def columns(header: Sequence[str]) -> Columns:
    """The columns that the words of a header name; the first of two of one name."""
    places: dict[str, int] = {}
    units: dict[str, str] = {}
    for position, word in enumerate(map(str.strip, header)):
        match = _MEASURED.fullmatch(word)
        name = word.lower()
        name = _SAME.get(name, name)
        if match and power_of_unit(measured := _name(match[1]), match[2]) is not None:
            name = measured
            if name not in places:
                units[name] = match[2]
        places.setdefault(name, position)
    return Columns(places, units)


def power_of_unit(measured: str, unit: str) -> int | None:
    """The power of ten that makes seconds, or bytes per second, of a number in `unit`.

    measured: the column, of TIMES or RATES, or a collective.  None if `unit` is no unit of it.
    """
    rate = measured in RATES
    word = unit if rate else _SECONDS.get(unit.lower(), unit.lower())  # MB is not Mb
    worth = quantity(f"1 {word}", Kind.RATE if rate else Kind.TIME) if word else None
    if worth is None:
        return None
    power = round(math.log10(worth))
    return power if math.isclose(worth, 10.0**power) else None


def _name(word: str) -> str:
    return _SAME.get(word.lower(), word.lower())
