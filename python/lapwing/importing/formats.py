"""The tools whose logs can be read, and which of them wrote a log."""

from collections.abc import Callable
from dataclasses import dataclass

from ..errors import LapwingError
from .conditions import Conditions
from .imb import is_imb, read_imb
from .log import Log
from .netgauge import is_netgauge, read_netgauge
from .osu import is_osu, read_osu
from .reading import Reading
from .table import is_table, read_table


@dataclass(frozen=True)
class Format:
    """How a tool writes.

    name: for people.  recognises: whether it wrote a log.  read: raises LapwingError with the line
    that is wrong.
    """

    name: str
    recognises: Callable[[Log], bool]
    read: Callable[[Log, Conditions], Reading]


FORMATS = [
    Format("OSU micro-benchmarks (text)", is_osu, read_osu),
    Format("Intel MPI Benchmarks (text)", is_imb, read_imb),
    Format("Netgauge's pattern loggp", is_netgauge, read_netgauge),
    Format("a table with a header row and a column size or bytes", is_table, read_table),
]


def read(log: Log, conditions: Conditions) -> Reading:
    """What a log holds, whichever tool wrote it. Raises LapwingError."""
    wrote = [each for each in FORMATS if each.recognises(log)]
    if not wrote:
        names = "; ".join(each.name for each in FORMATS)
        raise LapwingError(f"{log.path}: of no tool that is known here: there are {names}")
    if len(wrote) > 1:
        names = " and ".join(each.name for each in wrote)
        raise LapwingError(f"{log.path}: holds {names}: one file for each tool, please")
    reading = wrote[0].read(log, conditions)
    if not reading.points and not reading.cells:
        why = f": {reading.notes[0].removeprefix(f'{log.path}: ')}" if reading.notes else ""
        raise LapwingError(f"{log.path}: holds nothing to import{why}")
    return reading
